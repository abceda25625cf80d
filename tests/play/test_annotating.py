"""Remarks on archived games: taken whole or not at all, kept in all versions; discussion; private
notes that join."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from notation.record_reading import parse_record
from notation.record_writing import format_record
from pbem.archive.facts import facts_of
from pbem.archive.places import Place
from pbem.archive.remark_joining import Joined
from pbem.archive.remarks import Kind, RemarkError
from pbem.games.ortus.replaying import replay
from pbem.play import annotating, discussing, farewell, games
from pbem.play.annotating import MOST_BY_ONE, REMARKS_A_DAY, Taken
from pbem.play.annotations import KeptRemark
from pbem.play.archived import NewGame
from pbem.play.archiving import archive_finished
from pbem.play.errors import NoSuchGameError, NoSuchPlayerError, NotAllowedError
from pbem.play.joining_notes import join_notes, wish_for_notes
from pbem.play.model import Player
from pbem.play.players import PlayerFaults
from tests.archive.test_remarks import BASE
from tests.play.club import NOON, Club, Match, at
from tests.play.shelf import shelve


class Desk:
    """An archived game, and players who annotate it."""

    def __init__(self, club: Club, **chosen: Any) -> None:
        self.club = club
        self.gold, self.black, self.reader = club.join("Ann"), club.join("Ben"), club.join("Cas")
        game = NewGame(
            facts=facts_of(parse_record(BASE)),
            record=BASE,
            players=(self.gold.id, self.black.id),
            **chosen,
        )
        [self.number] = shelve(club.around, game)

    def send(self, who: Player, text: str, hours: float = 0) -> Taken:
        return annotating.take_text(self.club.around, who.id, self.number, text, now=at(hours))

    def remark(self, who: Player, place: Place, kind: Kind, text: str) -> KeptRemark:
        taken = annotating.remark(
            self.club.around, who.id, self.number, place=place, kind=kind, text=text, now=NOON
        )
        [kept] = taken.kept
        return kept

    def change(self, who: Player, kept: KeptRemark, text: str) -> KeptRemark:
        return annotating.change(self.club.around, who.id, self.number, kept.id, text, now=at(1))

    def withdraw(self, who: Player, kept: KeptRemark) -> KeptRemark:
        return annotating.withdraw(self.club.around, who.id, self.number, kept.id, now=at(2))

    def say(self, who: Player, turn: str, text: str) -> Any:
        return discussing.say(self.club.around, who.id, self.number, turn, text, now=NOON)

    def stands(self) -> list[tuple[str, str, str, str]]:
        """Author, place, kind and text of every remark that stands."""
        with self.club.store.read() as unit:
            found = annotating.remarks_that_stand(unit, self.number)
        return [(each.author, each.place, each.kind, each.text) for each in found]

    def versions(self, kept: KeptRemark) -> list[str]:
        with self.club.store.read() as unit:
            return [each.text for each in annotating.versions_of(unit, self.number, kept.id)]

    def joined(self) -> Joined:
        with self.club.store.read() as unit:
            return annotating.read_joined(unit, self.number)

    def turn(self, label: str) -> str:
        """A turn of the joined record, which reads strictly and replays without a fault."""
        text = format_record(self.joined().record)
        assert format_record(parse_record(text)) == text
        assert replay(parse_record(text)).faults == ()
        lines = text.split("\n")
        start = next(n for n, line in enumerate(lines) if line.startswith(f"{label}. "))
        end = next(n for n in range(start + 1, len(lines)) if not lines[n].startswith(" "))
        return "\n".join(lines[start:end])


@pytest.fixture
def desk(club: Club) -> Desk:
    return Desk(club)


def test_remarks_of_a_text_are_kept_and_join_the_record(desk: Desk) -> None:
    taken = desk.send(desk.reader, "1g. F3>J6 !! {Bold.}\n1g. (E4>K3; end)")
    assert [each.text for each in taken.kept] == ["!!", "Bold.", "E4>K3; end"]
    assert desk.stands() == [
        ("Cas", "1g.2", "sign", "!!"),
        ("Cas", "1g.2", "comment", "Bold."),
        ("Cas", "1g.4", "variation", "E4>K3; end"),
    ]
    assert desk.turn("1g").split("\n") == [
        "1g. W1:kite>H7; F3>J6! $3 {[%by Cas] [%sign !!]} {[%by Cas] Bold.}; E4>K3; end",
        "    ({[%by Cas]} E4>K3; end)",
    ]


def test_a_text_with_a_fault_changes_nothing_but_what_is_counted(desk: Desk) -> None:
    before = desk.club.contents()
    with pytest.raises(RemarkError):
        desk.send(desk.reader, "1g. !\n1g. (E4>A15; end)")
    after = desk.club.contents()
    assert {name for name in after if after[name] != before[name]} == {"counters"}


def test_what_stands_already_is_not_kept_again(desk: Desk) -> None:
    desk.send(desk.reader, "1g. ! {Good.}")
    taken = desk.send(desk.reader, "1g. ! {Good.} {Very.}")
    assert [each.text for each in taken.kept] == ["Very."]
    assert [each.text for each in taken.known] == ["!", "Good."]


def test_a_sign_takes_the_place_of_ones_own_other_sign_only(desk: Desk) -> None:
    [first] = desk.send(desk.reader, "1g. ?").kept
    desk.send(desk.gold, "1g. !")
    desk.send(desk.reader, "1g. ??")
    assert [(author, text) for author, _, _, text in desk.stands()] == [
        ("Cas", "??"),
        ("Ann", "!"),
    ]
    assert desk.versions(first) == ["?", "??"]


def test_every_version_is_kept(desk: Desk) -> None:
    kept = desk.remark(desk.reader, Place("1g", 2), "comment", "Bold.")
    changed = desk.change(desk.reader, kept, "Too  bold.\n")
    assert changed.text == "Too bold."
    assert desk.change(desk.reader, changed, "Too bold.") == changed
    gone = desk.withdraw(desk.reader, changed)
    assert desk.stands() == []
    assert desk.versions(kept) == desk.versions(gone) == ["Bold.", "Too bold.", ""]
    for old in (kept, changed, gone):
        with pytest.raises(NotAllowedError):
            desk.change(desk.reader, old, "Bold again.")


def test_nobody_changes_anothers_remark(desk: Desk) -> None:
    kept = desk.remark(desk.reader, Place("1g", 2), "comment", "Bold.")
    with pytest.raises(NotAllowedError, match="no_such_remark"):
        desk.change(desk.gold, kept, "x")
    with pytest.raises(NotAllowedError, match="no_such_remark"):
        desk.withdraw(desk.gold, kept)
    assert desk.versions(kept) == ["Bold."]


def test_withdrawing_by_place(desk: Desk) -> None:
    desk.send(desk.reader, "1g. F3>J6 ? {Bold.}\n1g. !\n1b. !")
    desk.send(desk.gold, "1g. F3>J6 {Necessary.}")
    gone = annotating.withdraw_at(desk.club.around, desk.reader.id, desk.number, "1g", 2, now=NOON)
    assert len(gone) == 2
    assert [each[1] for each in desk.stands() if each[0] == "Cas"] == ["1g.4", "1b.5"]
    annotating.withdraw_at(desk.club.around, desk.reader.id, desk.number, "1g", None, now=NOON)
    assert [each[:2] for each in desk.stands()] == [("Cas", "1b.5"), ("Ann", "1g.2")]
    with pytest.raises(NotAllowedError, match="nothing_to_withdraw"):
        annotating.withdraw_at(desk.club.around, desk.reader.id, desk.number, "1g", 2, now=NOON)


def test_a_remark_in_a_variation_of_another_is_left_out_once_that_is_gone(desk: Desk) -> None:
    variation = desk.remark(desk.gold, Place("1g", 4), "variation", "E4>K3; end")
    joined = desk.joined().record.turns[0].orders[3].variations[0]
    inside = Place("1g", 1, Place("1g", 4).into(joined))
    answer = desk.remark(desk.reader, inside, "comment", "Slow.")
    assert desk.turn("1g").split("\n")[1:] == ["    ({[%by Ann]} E4>K3 {[%by Cas] Slow.}; end)"]
    desk.withdraw(desk.gold, variation)
    assert [each.text for each in desk.joined().left_out] == ["Slow."]
    assert desk.versions(answer) == ["Slow."]
    with pytest.raises(RemarkError, match="not there any more"):
        desk.remark(desk.reader, inside, "comment", "Slower.")


def test_a_private_game_is_its_players_alone(club: Club) -> None:
    desk = Desk(club, visibility="private")
    desk.send(desk.gold, "1g. !")
    desk.say(desk.black, "1g", "Why?")
    before = club.contents()
    for act in (
        lambda: desk.send(desk.reader, "1g. !"),
        lambda: desk.remark(desk.reader, Place("1g", 1), "comment", "x"),
        lambda: desk.say(desk.reader, "1g", "x"),
        lambda: annotating.withdraw(club.around, desk.reader.id, desk.number, 1, now=NOON),
    ):
        with pytest.raises(NoSuchGameError):
            act()
    assert club.contents() == before


def test_what_is_refused_counts_too_for_judging_it_takes_as_long(
    desk: Desk, monkeypatch: Any
) -> None:
    monkeypatch.setattr(annotating, "REMARKS_A_DAY", 3)
    for text in ("1g. (F2>A1; end)", "99g. !", "nothing that is a remark"):
        with pytest.raises(RemarkError):
            desk.send(desk.reader, text)
    with pytest.raises(NotAllowedError, match="remarked_often"):
        desk.send(desk.reader, "1g. {Well.}")
    desk.send(desk.gold, "1g. {Others go on.} !")
    desk.send(desk.reader, "1g. {Tomorrow.}", 25)


def test_one_player_cannot_fill_a_game_or_a_day(desk: Desk, monkeypatch: Any) -> None:
    monkeypatch.setattr(annotating, "REMARKS_A_DAY", 3)
    for number in range(3):
        desk.send(desk.reader, f"1g. {{{number}}}")
    with pytest.raises(NotAllowedError, match="remarked_often"):
        desk.send(desk.reader, "1g. {3}", 23)
    desk.send(desk.gold, "1g. {3}")
    monkeypatch.setattr(annotating, "MOST_BY_ONE", 3)
    with pytest.raises(NotAllowedError, match="too_many_own_remarks"):
        desk.send(desk.reader, "1g. {3}", 25)
    assert REMARKS_A_DAY <= MOST_BY_ONE


def test_one_player_cannot_fill_a_game_with_versions(desk: Desk, monkeypatch: Any) -> None:
    """All are read whenever somebody looks at the game; what stands can be withdrawn for ever."""
    monkeypatch.setattr(annotating, "MOST_VERSIONS_BY_ONE", 3)
    kept = desk.remark(desk.reader, Place("1g", 1), "comment", "0")
    for number in (1, 2):
        kept = desk.change(desk.reader, kept, f"{number}")
    with pytest.raises(NotAllowedError, match="too_many_own_versions"):
        desk.change(desk.reader, kept, "3")
    desk.send(desk.gold, "1g. {Others go on.}")
    monkeypatch.setattr(annotating, "MOST_VERSIONS", 4)
    with pytest.raises(NotAllowedError, match="too_many_versions"):
        desk.send(desk.gold, "1g. {But not for ever.}")
    desk.withdraw(desk.reader, kept)
    assert desk.versions(kept) == ["0", "1", "2", ""]


def test_a_game_that_is_full_refuses_and_keeps_what_it_has(desk: Desk, monkeypatch: Any) -> None:
    monkeypatch.setattr("pbem.archive.remark_joining.MAX_COMMENTS", 2)
    desk.send(desk.reader, "1g. {1} {2}")
    with pytest.raises(RemarkError, match="cannot hold more"):
        desk.send(desk.gold, "1g. {3}")
    assert [text for *_, text in desk.stands()] == ["1", "2"]


def test_a_game_that_becomes_too_full_can_still_be_read(desk: Desk, monkeypatch: Any) -> None:
    """Two of one name say the same, which is one comment until one of them leaves."""
    monkeypatch.setattr("pbem.archive.remark_joining.MAX_COMMENTS", 2)
    other = desk.club.join(desk.reader.name)
    kept = desk.send(desk.reader, "1g. {Same.} {More.}").kept
    desk.send(other, "1g. {Same.}")
    farewell.delete(desk.club.around, other.id, now=at(1))
    assert [remark.author for remark in desk.joined().left_out] == ["(left)"]
    assert desk.turn("1g").count("[%by Cas]") == 2
    desk.send(desk.gold, "1b. {Elsewhere there is room.}")
    with pytest.raises(RemarkError, match="cannot hold more"):
        desk.send(desk.gold, "1g. {Here is none.}")
    for each in kept:
        desk.withdraw(desk.reader, each)
    assert "[%by (left)] Same." in desk.turn("1g")


# -- discussion -----------------------------------------------------------------------------------


def test_discussion_is_by_turn_and_paged(desk: Desk) -> None:
    for number in range(discussing.POSTS_A_PAGE + 1):
        desk.say(desk.reader, "1b", f"{number}")
    desk.say(desk.gold, "1g", "Hm\n\n?")
    with desk.club.store.read() as unit:
        first = discussing.talk_about(unit, desk.number, "1b")
        second = discussing.talk_about(unit, desk.number, "1b", after=first.after or 0)
        other = discussing.talk_about(unit, desk.number, "1g")
    assert [post.text for post in first.posts] == [
        str(number) for number in range(discussing.POSTS_A_PAGE)
    ]
    assert [post.text for post in second.posts] == [str(discussing.POSTS_A_PAGE)]
    assert second.after is None
    assert [(post.author, post.text) for post in other.posts] == [("Ann", "Hm\n\n?")]


def test_what_is_said_has_a_turn_and_a_length(desk: Desk, monkeypatch: Any) -> None:
    with pytest.raises(NotAllowedError, match="no_such_turn"):
        desk.say(desk.reader, "9g", "x")
    for text in (" \n", "x" * (discussing.MAX_POST + 1)):
        with pytest.raises(PlayerFaults):
            desk.say(desk.reader, "1g", text)
    monkeypatch.setattr(discussing, "POSTS_A_DAY", 1)
    desk.say(desk.reader, "1g", "x")
    with pytest.raises(NotAllowedError, match="posted_often"):
        desk.say(desk.reader, "1g", "y")


# -- leaving --------------------------------------------------------------------------------------


def test_whoever_leaves_is_no_longer_named(desk: Desk) -> None:
    desk.send(desk.reader, "1g. {Mine.}")
    desk.say(desk.reader, "1g", "Hm.")
    told = json.loads(farewell.export(desk.club.around, desk.reader.id))
    assert [each["text"] for each in told["remarks"] + told["posts"]] == ["Mine.", "Hm."]
    farewell.delete(desk.club.around, desk.reader.id, now=NOON)
    assert desk.stands() == [("(left)", "1g.4", "comment", "Mine.")]
    assert "Cas" not in repr(desk.club.contents()["discussion"])
    with pytest.raises(NoSuchPlayerError):
        desk.send(desk.reader, "1g. !")


def test_remarks_go_along_when_accounts_become_one(desk: Desk) -> None:
    kept = desk.remark(desk.reader, Place("1g", 2), "comment", "Bold.")
    farewell.merge(desk.club.around, desk.gold.id, desk.reader.id, now=NOON)
    assert desk.stands() == [("Ann", "1g.2", "comment", "Bold.")]
    desk.withdraw(desk.gold, kept)


# -- private notes --------------------------------------------------------------------------------


def finished(club: Club, *, gold: str = "never", black: str = "never") -> Match:
    """A game with notes of both players at some of its entries, over and not archived."""
    match = club.start(
        gold=club.join("Ann", notes_join=gold), black=club.join("Ben", notes_join=black)
    )
    write(match, 0, "At the start. [%by Ben]")
    match.set_up()
    [(first, _)] = match.asked()
    second = "black" if first == "gold" else "gold"
    order = "F2>I3; end" if first == "gold" else "F2>G13; end"
    match.send(first, order)
    write(match, 0, "After one turn.")
    write(match, 1, "Looks bad." + " x" * 1500)
    match.send(second, "end")
    match.send(first, "resign")
    write(match, 1, "Over.")
    return match


def write(match: Match, seat: int, text: str) -> None:
    games.write_note(match.around, match.id, seat, text, now=NOON)


def archive(match: Match) -> int:
    """Let the job archive a game, with notes that may join; its number."""
    done = archive_finished(match.around, {"Site": "?"}, now=NOON)
    assert done.failed == {}
    with match.club.store.read() as unit:
        archived = unit.find_archived_game(match.id)
    assert archived is not None
    return archived.number


def join(match: Match, hours: float = 0) -> int:
    with match.club.store.begin() as unit:
        archived = unit.find_archived_game(match.id)
        assert archived is not None
        return join_notes(unit, archived, now=at(hours))


def comments(match: Match, number: int) -> list[tuple[str, str, str]]:
    with match.club.store.read() as unit:
        found: Sequence[KeptRemark] = annotating.remarks_that_stand(unit, number)
        joined = annotating.read_joined(unit, number)
    assert joined.left_out == ()
    assert replay(joined.record).faults == ()
    return [(each.author, each.place, each.text) for each in found]


@pytest.mark.parametrize(
    ("gold", "black", "joining"),
    [
        ("never", "never", set()),
        ("never", "agreed", set()),
        ("after", "never", {"Ann"}),
        ("after", "agreed", {"Ann", "Ben"}),
        ("agreed", "agreed", {"Ann", "Ben"}),
    ],
)
def test_notes_join_as_their_writers_want(
    club: Club, gold: str, black: str, joining: set[str]
) -> None:
    match = finished(club, gold=gold, black=black)
    number = archive(match)
    assert {author for author, _, _ in comments(match, number)} == joining


def test_notes_stand_where_they_were_written_and_join_once(club: Club) -> None:
    match = finished(club, gold="after", black="after")
    number = archive(match)
    once = club.contents()
    found = comments(match, number)
    label = found[0][1].partition(".")[0]
    assert [(author, place, text[:20]) for author, place, text in found] == [
        ("Ann", f"{label}.0", "At the start. (%by B"),
        ("Ann", f"{label}.2", "After one turn."),
        ("Ben", f"{label}.2", "Looks bad. x x x x x"),
        ("Ben", f"{label}.2", found[3][2][:20]),
        ("Ben", f"1{'b' if label == '1g' else 'g'}.1", "Over."),
    ]
    assert join(match, 5) == 0
    write(match, 0, "Later.")
    assert join(match, 6) == 0
    assert comments(match, number) == found
    assert {**club.contents(), "notes": once["notes"]} == once


def test_what_is_said_about_one_game_counts_for_it(club: Club) -> None:
    match = finished(club, gold="after")
    wish_for_notes(club.around, match.id, 0, "never", now=NOON)
    number = archive(match)
    wish_for_notes(club.around, match.id, 1, "agreed", now=NOON)
    assert comments(match, number) == []
    known = wish_for_notes(club.around, match.id, 0, "agreed", now=at(3))
    assert known.joined_at == at(3)
    assert {author for author, _, _ in comments(match, number)} == {"Ann", "Ben"}
    with pytest.raises(NotAllowedError, match="notes_have_joined"):
        wish_for_notes(club.around, match.id, 0, "never", now=at(4))
    with pytest.raises(ValueError, match="no such wish"):
        wish_for_notes(club.around, match.id, 0, "always", now=at(4))
    with pytest.raises(NotAllowedError):
        wish_for_notes(club.around, match.id, 5, "never", now=NOON + timedelta(1))


def test_two_who_annotate_at_once_both_stand(desk: Desk) -> None:
    texts = [f"1g. {{{number}}}" for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda text: desk.send(desk.reader, text), texts))
    assert sorted(text for *_, text in desk.stands()) == [str(number) for number in range(8)]
    assert desk.joined().left_out == ()


def test_a_remark_is_replaced_once_by_two_at_once(desk: Desk) -> None:
    kept = desk.remark(desk.reader, Place("1g", 2), "comment", "Bold.")

    def change(number: int) -> bool:
        try:
            desk.change(desk.reader, kept, f"{number}")
        except NotAllowedError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(change, range(6))) == 1
    assert len(desk.stands()) == 1
    assert len(desk.versions(kept)) == 2
