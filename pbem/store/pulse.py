"""When the server last could receive and send, and the times it could not that games must still be
told of (L1.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from sqlalchemy import CheckConstraint, bindparam, delete, select, true, update
from sqlmodel import Field

from pbem.play.model import Outage, Pulse
from pbem.store.columns import Instant, Key, Row, table_of
from pbem.store.transaction import Transaction, inserts

SERVER: Final = "server"
"""The name under which the pulse is kept."""
LISTENER: Final = "listener"


class HeartbeatRow(Row, table=True):
    """When something was last known to be well."""

    __tablename__ = "heartbeats"

    name: str = Field(primary_key=True, sa_type=Key)
    at: datetime = Field(sa_type=Instant)


class OutageRow(Row, table=True):
    """A time in which clocks stood, until the last running game was told; ``after`` is the game
    that was told last."""

    __tablename__ = "outages"
    __table_args__ = (CheckConstraint("begins < ends", name="instants"),)

    begins: datetime = Field(
        primary_key=True, sa_type=Instant, sa_column_kwargs={"autoincrement": False}
    )
    ends: datetime = Field(sa_type=Instant)
    after: str = Field(sa_type=Key)


_HEARTBEATS: Final = table_of(HeartbeatRow)
_OUTAGES: Final = table_of(OutageRow)

_LAST_BEAT: Final = select(_HEARTBEATS.c.at).where(_HEARTBEATS.c.name == bindparam("wanted"))
_LOCK_BEAT: Final = _LAST_BEAT.with_for_update()
_FIRST_BEAT: Final = {
    name: insert.on_conflict_do_nothing() for name, insert in inserts(_HEARTBEATS).items()
}
_BEAT: Final = (
    update(_HEARTBEATS)
    .where(_HEARTBEATS.c.name == bindparam("wanted"), _HEARTBEATS.c.at < bindparam("now"))
    .values(at=bindparam("now"))
)
NOTE: Final = {
    name: insert.on_conflict_do_update(index_elements=["name"], set_={"at": insert.excluded["at"]})
    for name, insert in inserts(_HEARTBEATS).items()
}
"""Something is well now."""
PULSE: Final = (
    select(_HEARTBEATS.c.at, _OUTAGES.c.begins, _OUTAGES.c.ends)
    .select_from(_HEARTBEATS.outerjoin(_OUTAGES, true()))
    .where(_HEARTBEATS.c.name == bindparam("heart"))
    .order_by(_OUTAGES.c.begins)
)
"""One row while all is well; another for each outage beyond the first. It is asked at every
submission: the name makes PostgreSQL expect few rows, and not compile it."""

HEART: Final = {"heart": SERVER}

_ALL_OUTAGES: Final = select(_OUTAGES).order_by(_OUTAGES.c.begins)
_LOCK_OUTAGE: Final = _ALL_OUTAGES.limit(1).with_for_update(skip_locked=True)
_SAVE_OUTAGE: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["begins"],
        set_={"ends": insert.excluded["ends"], "after": insert.excluded["after"]},
    )
    for name, insert in inserts(_OUTAGES).items()
}
_END_OUTAGE: Final = delete(_OUTAGES).where(_OUTAGES.c.begins == bindparam("wanted"))


class PulseQueries(Transaction):
    """What a unit can do with the server's pulse."""

    def beat(self, at: datetime) -> datetime | None:
        """The server can receive and send now; when it last could. It never could later than it
        can: an instant before the last beat changes nothing."""
        row = {"wanted": SERVER, "now": at}
        last: datetime | None = self._value(_LOCK_BEAT, row)
        if last is None:
            self._write_later(_FIRST_BEAT[self._dialect], {"name": SERVER, "at": at})
        else:
            self._write_later(_BEAT, row)
        return last

    def find_pulse(self) -> Pulse | None:
        """When the server last could receive and send, and what is still to be told of before."""
        [rows] = self._fetch((PULSE, HEART))
        return pulse_of(rows)

    def note_listening(self, at: datetime) -> None:
        """A listener in a process of its own can take mail."""
        self._write_later(NOTE[self._dialect], {"name": LISTENER, "at": at})

    def last_listening(self) -> datetime | None:
        """When such a listener last could."""
        found: datetime | None = self._value(_LAST_BEAT, {"wanted": LISTENER})
        return found

    def outages(self) -> Sequence[Outage]:
        """The outages that games must still be told of, oldest first."""
        return [Outage(*row) for row in self._rows(_ALL_OUTAGES)]

    def lock_outage(self) -> Outage | None:
        """The oldest of them, kept from others until this unit ends; None if somebody has it."""
        row = self._first(_LOCK_OUTAGE)
        return None if row is None else Outage(*row)

    def save_outage(self, outage: Outage) -> None:
        """An outage that games must be told of, and how far that has got."""
        self._write_later(_SAVE_OUTAGE[self._dialect], asdict(outage))

    def end_outage(self, outage: Outage) -> None:
        """Every game that was running has been told."""
        self._write_later(_END_OUTAGE, {"wanted": outage.begins})


def pulse_of(rows: Sequence[tuple[Any, ...]]) -> Pulse | None:
    """The pulse that the rows of ``PULSE`` tell."""
    if not rows:
        return None
    periods = tuple((begins, ends) for _, begins, ends in rows if begins is not None)
    return Pulse(rows[0][0], periods)
