"""Annotating archived games: remarking, changing and withdrawing a remark, and reading them all.

Nothing is overwritten: a change is a new version that names the one it replaces, and withdrawing is
a version without text. Whatever was taken can be joined into the record, for that is tried first.
Owns who may do so and how much; what a remark is and whether it fits is ``pbem.archive``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from notation.record import Record
from notation.record_reading import parse_record
from notation.record_writing import format_record
from pbem.archive.places import Place, parse_place
from pbem.archive.remark_joining import Joined, check_size, join_remarks
from pbem.archive.remark_judging import judge_drafts, make_remark
from pbem.archive.remark_reading import read_remarks
from pbem.archive.remarks import Kind, Remark, RemarkError
from pbem.play.annotations import KeptRemark, find_current
from pbem.play.errors import NotAllowedError
from pbem.play.library import get_archived
from pbem.play.model import Player
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import get_player

REMARKS_A_DAY: Final = 300
"""How many remarks and changes of them a player may make in a day; what is refused counts as one,
for judging it takes as long."""
MOST_BY_ONE: Final = 500
"""How many remarks of one player may stand on a game."""
MOST_VERSIONS_BY_ONE: Final = 1000
"""How many versions of one player's remarks a game keeps; all of them are read with the game."""
MOST_VERSIONS: Final = 20_000
"""How many versions a game keeps, of everybody's remarks together. What stands can be withdrawn all
the same, which is no more than there are remarks."""

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of remarks that were sent: those kept now, and those that stood there already."""

    kept: tuple[KeptRemark, ...]
    known: tuple[KeptRemark, ...] = ()


def read_joined(unit: Unit, number: int, *, by: Collection[str] | None = None) -> Joined:
    """The record of an archived game with all remarks that stand, or only those of some authors.
    Whether it may be seen is the caller's to know.

    What had room when it was taken may have none later: two players of one name share a comment
    that both have made, until one of them leaves and is called otherwise.
    """
    record = parse_record(unit.get_record(number))
    stands = find_current(unit.remarks_on(number))
    chosen = [each for each in stands if by is None or each.author in by]
    standing = {each.id for each in chosen}
    return join_remarks(record, map(_as_remark, chosen), standing=standing)


def annotated_text(unit: Unit, number: int, record: str) -> str:
    """The record of an archived game as a file, with all remarks that stand; as it is if there are
    none."""
    if not find_current(unit.remarks_on(number)):
        return record
    return format_record(read_joined(unit, number).record)


def remarks_that_stand(unit: Unit, number: int) -> list[KeptRemark]:
    """The remarks on a game that stand, in the order in which they were first made."""
    return find_current(unit.remarks_on(number))


def versions_of(unit: Unit, number: int, remark_id: int) -> tuple[KeptRemark, ...]:
    """All versions of a remark on a game, oldest first; none if it has no such remark."""
    versions = {each.id: each for each in unit.remarks_on(number)}
    after = {each.replaces: each for each in versions.values() if each.replaces is not None}
    found = versions.get(remark_id)
    if found is None:
        return ()
    while found.replaces is not None:
        found = versions[found.replaces]
    chain = [found]
    while chain[-1].id in after:
        chain.append(after[chain[-1].id])
    return tuple(chain)


def take_text(
    around: Surroundings, player_id: int, number: int, text: str, *, now: datetime
) -> Taken:
    """Take all remarks of a text, or none. Raises RemarkError, PlayError."""
    _count_attempt(around, player_id, number, now)
    drafts = read_remarks(text)
    with around.store.begin() as unit:
        desk = _Desk.open(unit, player_id, number, now, counted=1)
        return desk.take(judge_drafts(desk.joined(), drafts))


def remark(
    around: Surroundings,
    player_id: int,
    number: int,
    *,
    place: Place,
    kind: Kind,
    text: str,
    now: datetime,
) -> Taken:
    """Take one remark at a place. Raises RemarkError, PlayError."""
    return remark_together(
        around, player_id, number, place=place, kind=kind, texts=(text,), now=now
    )


def remark_together(
    around: Surroundings,
    player_id: int,
    number: int,
    *,
    place: Place,
    kind: Kind,
    texts: Sequence[str],
    now: datetime,
) -> Taken:
    """Take several remarks of a kind at a place, all or none. Raises RemarkError, PlayError."""
    _count_attempt(around, player_id, number, now)
    with around.store.begin() as unit:
        desk = _Desk.open(unit, player_id, number, now, counted=1)
        record = desk.joined()
        return desk.take([make_remark(record, place, kind, text) for text in texts])


def change(
    around: Surroundings, player_id: int, number: int, remark_id: int, text: str, *, now: datetime
) -> KeptRemark:
    """Another text for a remark of one's own that stands. Raises RemarkError, PlayError."""
    _count_attempt(around, player_id, number, now)
    with around.store.begin() as unit:
        desk = _Desk.open(unit, player_id, number, now, counted=1)
        old = desk.get_own(remark_id)
        others = replace(desk, current=[each for each in desk.current if each.id != old.id])
        made = make_remark(others.joined(), parse_place(old.place), old.kind, text)
        if made.text == old.text:
            return old
        kept = desk.keep(made, replaces=old.id)
        desk.check_room()
        return kept


def withdraw(
    around: Surroundings, player_id: int, number: int, remark_id: int, *, now: datetime
) -> KeptRemark:
    """Withdraw a remark of one's own that stands. Raises PlayError."""
    with around.store.begin() as unit:
        desk = _Desk.open(unit, player_id, number, now)
        return desk.withdraw(desk.get_own(remark_id))


def withdraw_at(
    around: Surroundings,
    player_id: int,
    number: int,
    turn: str,
    order: int | None,
    *,
    now: datetime,
) -> tuple[KeptRemark, ...]:
    """Withdraw all remarks of one's own at an order of the game, or at a whole turn.

    Raises PlayError, also if there are none.
    """
    with around.store.begin() as unit:
        desk = _Desk.open(unit, player_id, number, now)
        places = [(each, parse_place(each.place)) for each in desk.own()]
        found = [
            each
            for each, place in places
            if not place.path and place.turn == turn and order in (None, place.order)
        ]
        if not found:
            raise NotAllowedError("nothing_to_withdraw", turn=turn)
        return tuple(map(desk.withdraw, found))


def keep_joining(
    unit: Unit,
    player_id: int,
    number: int,
    comments: Iterable[tuple[Place, str]],
    *,
    now: datetime,
) -> None:
    """Keep comments that a player wrote during the game, as far as the record can hold them; they
    do not count as made today."""
    desk = _Desk.open(unit, player_id, number, now)
    for place, text in comments:
        made = Remark(place, "comment", text)
        if len(desk.own()) < MOST_BY_ONE and desk.has_room(made):
            desk.write(made)


def _count_attempt(around: Surroundings, player_id: int, number: int, now: datetime) -> None:
    """Count what is sent before it is looked at, in a unit of its own: what is refused stays
    counted. Raises PlayError."""
    with around.store.begin() as unit:
        get_archived(unit, number, viewer=get_player(unit, player_id).id)
        count = unit.count_event(_bucket(player_id), now, _DAY)
    if count > REMARKS_A_DAY:
        raise NotAllowedError("remarked_often", most=REMARKS_A_DAY)


def count_refused(unit: Unit, player_id: int, *, now: datetime) -> None:
    """Count what was refused, where counting it was undone together with the rest."""
    unit.count_event(_bucket(player_id), now, _DAY)


def _bucket(player_id: int) -> str:
    return f"remark/{player_id}"


def _as_remark(kept: KeptRemark) -> Remark:
    return Remark(parse_place(kept.place), kept.kind, kept.text, kept.author, kept.id)


@dataclass
class _Desk:
    """An archived game while somebody annotates it; others wait."""

    unit: Unit
    player: Player
    number: int
    now: datetime
    record: Record
    versions: int
    own_versions: int
    current: list[KeptRemark]
    standing: frozenset[int]
    """The numbers of those that stood before anything was written here."""
    counted: int = 0
    """Versions that were counted before they were judged."""

    @classmethod
    def open(
        cls, unit: Unit, player_id: int, number: int, now: datetime, *, counted: int = 0
    ) -> _Desk:
        player = get_player(unit, player_id)
        get_archived(unit, number, viewer=player_id)
        unit.lock_remarks(number)
        versions = unit.remarks_on(number)
        record = parse_record(unit.get_record(number))
        current = find_current(versions)
        own = sum(each.player_id == player_id for each in versions)
        return cls(
            unit,
            player,
            number,
            now,
            record,
            len(versions),
            own,
            current,
            frozenset(each.id for each in current),
            counted,
        )

    def joined(self) -> Record:
        """The record with all that stands, in which a new remark has its place. Raises
        RemarkError if there is no room for what was written here."""
        remarks = map(_as_remark, self.current)
        return join_remarks(self.record, remarks, standing=self.standing).record

    def own(self) -> list[KeptRemark]:
        return [each for each in self.current if each.player_id == self.player.id]

    def get_own(self, remark_id: int) -> KeptRemark:
        found = next((each for each in self.own() if each.id == remark_id), None)
        if found is None:
            raise NotAllowedError("no_such_remark")
        return found

    def take(self, remarks: Iterable[Remark]) -> Taken:
        """Keep what is new of remarks that were judged; a sign takes the place of one's other."""
        kept, known = [], []
        for made in remarks:
            mine = [
                each
                for each in self.own()
                if (each.place, each.kind) == (str(made.place), made.kind)
            ]
            same = next((each for each in mine if each.text == made.text), None)
            if same is not None:
                known.append(same)
            else:
                old = mine[0].id if mine and made.kind == "sign" else None
                kept.append(self.keep(made, replaces=old))
        self.check_room()
        return Taken(tuple(kept), tuple(known))

    def withdraw(self, old: KeptRemark) -> KeptRemark:
        made = Remark(parse_place(old.place), old.kind, "")
        return self.keep(made, replaces=old.id)

    def keep(self, made: Remark, *, replaces: int | None = None) -> KeptRemark:
        """One more version, if there may be one. Whoever has kept all asks for room."""
        self._count()
        if made.text:
            self._check_number(is_new=replaces is None)
        return self.write(made, replaces=replaces)

    def check_room(self) -> None:
        """Raises RemarkError, which undoes it all, if the record could not be read any more."""
        check_size(self.joined())

    def has_room(self, made: Remark) -> bool:
        """Whether the record could be read with one more remark."""
        others = [_as_remark(each) for each in self.current]
        last = max((each.number for each in others), default=0) + 1
        new = replace(made, author=self.player.name, number=last)
        try:
            check_size(join_remarks(self.record, [*others, new], standing=self.standing).record)
        except RemarkError:
            return False
        return True

    def write(self, made: Remark, *, replaces: int | None = None) -> KeptRemark:
        version = self.unit.add_remark(
            KeptRemark(
                id=0,
                game=self.number,
                player_id=self.player.id,
                author=self.player.name,
                place=str(made.place),
                kind=made.kind,
                text=made.text,
                at=self.now,
                replaces=replaces,
            )
        )
        self.versions += 1
        self.own_versions += 1
        self.current = [each for each in self.current if each.id != replaces]
        if version.text:
            self.current.append(version)
        return version

    def _count(self) -> None:
        if self.counted:
            self.counted -= 1
        elif self.unit.count_event(_bucket(self.player.id), self.now, _DAY) > REMARKS_A_DAY:
            raise NotAllowedError("remarked_often", most=REMARKS_A_DAY)

    def _check_number(self, *, is_new: bool) -> None:
        if is_new and len(self.own()) >= MOST_BY_ONE:
            raise NotAllowedError("too_many_own_remarks", most=MOST_BY_ONE)
        if self.own_versions >= MOST_VERSIONS_BY_ONE:
            raise NotAllowedError("too_many_own_versions", most=MOST_VERSIONS_BY_ONE)
        if self.versions >= MOST_VERSIONS:
            raise NotAllowedError("too_many_versions")
