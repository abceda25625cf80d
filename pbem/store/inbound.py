"""Mails that came in: kept before they are answered for, read by one worker at a time (L1.1, L1.2).

A mail is one row, unique by what it is and where it went. Readers claim rows with a lease; of a
lane only the oldest mail can be claimed. Whoever reads one locks its row for as long as that takes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    Index,
    UniqueConstraint,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlmodel import Field

from pbem.play.post import HANDLED, HELD, MAX_READINGS, NEW, QUARANTINED, Arrival, Inbound
from pbem.store.columns import (
    NUMBER,
    Instant,
    Json,
    Key,
    Row,
    Words,
    is_number,
    of_many,
    table_of,
    written_out,
)
from pbem.store.transaction import Foresight, Transaction, Wanted, inserts, remembered

NO_OUTCOME: Final = "{}"
CRASHED: Final = "crashed"
"""Why a mail is quarantined that nobody could read to its end."""


def _index(name: str, *columns: str, where: str) -> Index:
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


class InboundRow(Row, table=True):
    """A mail that came in; ``lease_until`` is until when a reader has it."""

    __tablename__ = "inbound"
    __table_args__ = (
        UniqueConstraint("key", "destination"),
        CheckConstraint("state IN ('new', 'handled', 'held', 'quarantined')", name="state"),
        CheckConstraint("attempts >= 0", name="attempts"),
        CheckConstraint("repeats >= 0", name="repeats"),
        _index("ix_inbound_waiting", "arrived", "id", where="state = 'new'"),
        _index("ix_inbound_lane", "lane", "arrived", "id", where="state = 'new'"),
        _index("ix_inbound_player_id", "player_id", "id", where="state = 'held'"),
        _index("ix_inbound_state", "state", "id", where="state IN ('held', 'quarantined')"),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    key: str = Field(sa_type=Key)
    destination: str = Field(sa_type=Key)
    lane: str = Field(sa_type=Key)
    sender: str | None = Field(sa_type=Words)
    raw: bytes
    arrived: datetime = Field(sa_type=Instant)
    via: str = Field(sa_type=Words)
    state: str = Field(sa_type=Key)
    attempts: int
    repeats: int
    reason: str | None = Field(sa_type=Words)
    is_confirmed: bool
    player_id: int | None = Field(foreign_key="players.id", sa_type=NUMBER)
    game_id: str | None = Field(foreign_key="games.id", sa_type=Key)
    outcome: dict[str, Any] = Field(sa_type=Json)
    lease_until: datetime | None = Field(sa_type=Instant)


_INBOUND: Final = table_of(InboundRow)
_OLDER: Final = _INBOUND.alias("older")
_SAVED: Final = (
    "state",
    "attempts",
    "reason",
    "is_confirmed",
    "player_id",
    "game_id",
    "outcome",
    "lease_until",
)

_IS_NEW: Final = _INBOUND.c.state == written_out(NEW)

# Nothing to answer is answered with nothing again: such a mail stays as it is.
_IS_ANSWERED: Final = and_(
    _INBOUND.c.state == HANDLED, _INBOUND.c.outcome.cast(Words()) != NO_OUTCOME
)
_ADD: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["key", "destination"],
        set_={
            "repeats": _INBOUND.c.repeats + 1,
            "state": case((_IS_ANSWERED, literal(NEW)), else_=_INBOUND.c.state),
            "attempts": case((_IS_ANSWERED, literal(0)), else_=_INBOUND.c.attempts),
        },
    ).returning(_INBOUND.c.id)
    for name, insert in inserts(_INBOUND).items()
}
_IS_FREE: Final = or_(
    _INBOUND.c.lease_until.is_(None), _INBOUND.c.lease_until <= bindparam("now", type_=Instant())
)
_IS_FIRST: Final = ~exists().where(
    _OLDER.c.lane == _INBOUND.c.lane,
    _OLDER.c.state == written_out(NEW),
    or_(
        _OLDER.c.arrived < _INBOUND.c.arrived,
        and_(_OLDER.c.arrived == _INBOUND.c.arrived, _OLDER.c.id < _INBOUND.c.id),
    ),
)
_CRASHED: Final = (
    select(_INBOUND.c.id)
    .where(_IS_NEW, _INBOUND.c.attempts >= MAX_READINGS, _IS_FREE)
    .with_for_update(skip_locked=True)
)
_QUARANTINE: Final = (
    update(_INBOUND)
    .where(_INBOUND.c.id == bindparam("wanted"))
    .values(state=QUARANTINED, reason=func.coalesce(_INBOUND.c.reason, CRASHED), lease_until=None)
)
_CLAIM: Final = (
    select(_INBOUND)
    .where(_IS_NEW, _IS_FREE, _IS_FIRST)
    .order_by(_INBOUND.c.arrived, _INBOUND.c.id)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)
)
_LEASE: Final = of_many(
    update(_INBOUND).values(
        attempts=_INBOUND.c.attempts + 1, lease_until=bindparam("until", type_=Instant())
    ),
    _INBOUND.c.id,
)
_FIND: Final = select(_INBOUND).where(_INBOUND.c.id == bindparam("wanted"))
_FIND_MANY: Final = of_many(select(_INBOUND), _INBOUND.c.id)
_LOCK: Final = _FIND.with_for_update()
_SAVE: Final = (
    update(_INBOUND)
    .where(_INBOUND.c.id == bindparam("wanted"))
    .values({name: bindparam(name) for name in _SAVED})
)
UNREAD: Final = select(func.min(_INBOUND.c.arrived, type_=Instant())).where(
    _IS_NEW, _INBOUND.c.outcome.cast(Words()) == NO_OUTCOME
)
# Lists leave the bytes where they are: a hundred mails could be a gigabyte.
LISTED: Final = select(*(column for column in _INBOUND.c if column.name != "raw"))
_LOCK_AGAIN: Final = LISTED.where(_INBOUND.c.id == bindparam("wanted")).with_for_update()
_IN_STATE: Final = {
    state: LISTED.where(_INBOUND.c.state == written_out(state))
    .order_by(_INBOUND.c.id.desc())
    .limit(bindparam("limit"))
    for state in (NEW, HANDLED, HELD, QUARANTINED)
}
_ALL_HELD: Final = LISTED.where(_INBOUND.c.state == written_out(HELD)).order_by(_INBOUND.c.id)
_HELD_FOR: Final = _ALL_HELD.where(_INBOUND.c.player_id == bindparam("wanted"))
_HELD_FOR_MANY: Final = of_many(_ALL_HELD, _INBOUND.c.player_id)

_READDRESS: Final = (
    update(_INBOUND)
    .where(_INBOUND.c.player_id == bindparam("before"))
    .values(player_id=bindparam("after"))
)


class InboundQueries(Transaction):
    """What a unit can do with mails that came in."""

    def add_inbound(self, arrival: Arrival) -> int:
        """Keep a mail; its number. One that is there already is counted as a repeat, and if it
        was answered it is new again, with its outcome, so that it gets the same answer (L1.2)."""
        number: int = self._value(*self._adding(arrival))
        return number

    def _adding(self, arrival: Arrival) -> Wanted:
        values: dict[str, Any] = {
            "key": arrival.key,
            "destination": arrival.destination,
            "lane": arrival.lane,
            "sender": arrival.sender,
            "raw": arrival.raw,
            "arrived": arrival.arrived,
            "via": arrival.via,
            "state": NEW,
            "attempts": 0,
            "repeats": 0,
            "reason": None,
            "is_confirmed": False,
            "player_id": None,
            "game_id": None,
            "outcome": {},
            "lease_until": None,
        }
        return _ADD[self._dialect], values

    def claim_inbound(self, now: datetime, *, lease: timedelta, limit: int) -> Sequence[Inbound]:
        """Mails to read, oldest first, at most one of a lane; each claim counts as an attempt.

        Nobody else gets them until the lease is over. One that was claimed three times and is
        still not read is quarantined, so that its lane goes on (L1.4).
        """
        for number in self._column(_CRASHED, {"now": now}):
            self._write_later(_QUARANTINE, {"wanted": number})
        rows = self._rows(_CLAIM, {"now": now, "limit": limit})
        # Who took one and did not read it was ended, perhaps by it: it comes alone, so that no
        # other is quarantined for having been near it.
        rows = list(takewhile(lambda row: not row.attempts, rows)) or rows[:1]
        if rows:
            leasing, leased = self._of_many(_LEASE, [row.id for row in rows])
            self._write_later(leasing, {**leased, "until": now + lease})
        claimed = [_inbound(row, row.raw) for row in rows]
        return [replace(each, attempts=each.attempts + 1) for each in claimed]

    @remembered
    def find_inbound(self, inbound_id: int) -> Inbound | None:
        """A mail that came in."""
        return self._inbound(_FIND, inbound_id)

    def _foresee_inbound(self, numbers: Collection[int]) -> Foresight:
        """What ``find_inbound`` is going to be asked."""
        find = InboundQueries.find_inbound
        return self._foresee_each(find, _FIND_MANY, numbers, "id", _only)

    def lock_inbound(self, inbound_id: int) -> Inbound | None:
        """A mail that came in, kept from others until this unit ends."""
        return self._inbound(_LOCK, inbound_id)

    def _inbound(self, statement: Any, inbound_id: int) -> Inbound | None:
        if not is_number(inbound_id):
            return None
        return _only(self._rows(statement, {"wanted": inbound_id}))

    def _foresee_lock(self, claimed: Inbound, locked: list[Inbound]) -> Foresight:
        """Lock a mail whose bytes are known; added to ``locked`` as it is now, if it is there."""
        [rows] = yield [(_LOCK_AGAIN, {"wanted": claimed.id})]
        locked.extend(_inbound(row, claimed.arrival.raw) for row in rows)

    def save_inbound(self, inbound: Inbound) -> None:
        """What became of a mail that is locked; its lease is over."""
        values = {
            "wanted": inbound.id,
            "state": inbound.state,
            "attempts": inbound.attempts,
            "reason": inbound.reason,
            "is_confirmed": inbound.is_confirmed,
            "player_id": inbound.player_id,
            "game_id": inbound.game_id,
            "outcome": dict(inbound.outcome),
            "lease_until": None,
        }
        self._write_later(_SAVE, values)

    def oldest_unread(self) -> datetime | None:
        """When the oldest mail came in that is still to be read: no flag falls after it (L1.6)."""
        found: datetime | None = self._value(UNREAD)
        return found

    def inbound_in_state(self, state: str, *, limit: int = 100) -> Sequence[Inbound]:
        """Mails in a state, newest first, for the operator; without their bytes."""
        return _listed(self._rows(_IN_STATE[state], {"limit": limit}))

    @remembered
    def held_for(self, player_id: int) -> Sequence[Inbound]:
        """Mails of a player that are held, oldest first; without their bytes."""
        return _listed(self._rows(_HELD_FOR, {"wanted": player_id}))

    def _foresee_held(self, numbers: Collection[int]) -> Foresight:
        """What ``held_for`` is going to be asked."""
        find = InboundQueries.held_for
        return self._foresee_each(find, _HELD_FOR_MANY, numbers, "player_id", _listed)

    def readdress_inbound(self, player_id: int, to_player_id: int) -> None:
        """A player's mails are another's."""
        self._write_later(_READDRESS, {"before": player_id, "after": to_player_id})


def _listed(rows: Sequence[Any]) -> list[Inbound]:
    return [without_bytes(row) for row in rows]


def without_bytes(row: Any) -> Inbound:
    """What a row of ``LISTED`` tells."""
    return _inbound(row, b"")


def _only(rows: list[Any]) -> Inbound | None:
    return _inbound(rows[0], rows[0].raw) if rows else None


def _inbound(row: Any, raw: bytes) -> Inbound:
    return Inbound(
        id=row.id,
        arrival=Arrival(
            key=row.key,
            destination=row.destination,
            lane=row.lane,
            sender=row.sender,
            raw=raw,
            arrived=row.arrived,
            via=row.via,
        ),
        state=row.state,
        attempts=row.attempts,
        repeats=row.repeats,
        reason=row.reason,
        is_confirmed=row.is_confirmed,
        player_id=row.player_id,
        game_id=row.game_id,
        outcome=row.outcome,
    )
