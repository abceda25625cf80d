"""The logs of games, line by line. A line is added and never changed; the chain is the caller's.

Of games whose end is going to be asked for, the last lines are remembered: from which of them on is
not known beforehand.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Final

from sqlalchemy import (
    CheckConstraint,
    ForeignKeyConstraint,
    UniqueConstraint,
    bindparam,
    select,
)
from sqlmodel import Field

from pbem.play.log import LogEntry
from pbem.play.model import Notice
from pbem.store.columns import Instant, Key, Row, Words, table_of
from pbem.store.transaction import Foresight, Transaction


class LogEntryRow(Row, table=True):
    """One line of a game's log; a submission becomes one line only."""

    __tablename__ = "log_entries"
    __table_args__ = (
        ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"]),
        UniqueConstraint("game_id", "key"),
        CheckConstraint("number >= 0", name="number"),
        CheckConstraint("arrived <= at", name="arrived"),
    )

    game_id: str = Field(primary_key=True, foreign_key="games.id", sa_type=Key)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int | None
    text: str = Field(sa_type=Words)
    arrived: datetime = Field(sa_type=Instant)
    at: datetime = Field(sa_type=Instant)
    salt: bytes
    hash: str = Field(sa_type=Words)
    key: str | None = Field(sa_type=Key)
    turns: int


_LOG: Final = table_of(LogEntryRow)
_FIELDS: Final = tuple(field.name for field in fields(LogEntry))

_ADD_ENTRY: Final = _LOG.insert().inline()
_ENTRIES: Final = (
    select(*(_LOG.c[name] for name in _FIELDS))
    .where(_LOG.c.game_id == bindparam("game_id"), _LOG.c.number >= bindparam("since"))
    .order_by(_LOG.c.number)
)
FIND_ENTRY: Final = select(*(_LOG.c[name] for name in _FIELDS)).where(
    _LOG.c.game_id == bindparam("game_id"), _LOG.c.key == bindparam("wanted")
)


_TAIL: Final = 4
"""How many entries up to that of a mail are remembered; most were told of shortly before."""


class LogQueries(Transaction):
    """What a unit can do with logs."""

    def add_entry(self, game_id: str, entry: LogEntry) -> None:
        """One more line of a log. Raises StoreConflictError if its number or key is taken."""
        values = {name: getattr(entry, name) for name in _FIELDS}
        values["game_id"] = game_id
        self._write_later(_ADD_ENTRY, values)

    def entries(self, game_id: str, *, since: int = 0) -> Sequence[LogEntry]:
        """The log of a game from an entry number on."""
        tail = self._foreseen(game_id)
        if tail and tail[0].number <= since:
            return tail[since - tail[0].number :]
        rows = self._rows(_ENTRIES, {"game_id": game_id, "since": since})
        return [LogEntry(*row) for row in rows]

    def _foreseen(self, game_id: str) -> Sequence[LogEntry]:
        """The last entries of a log, if they were looked up already."""
        tail: Sequence[LogEntry] = self._seen.get((LogQueries.entries, game_id), ())
        return tail

    def _foresee_tails(self, notices: Collection[Notice]) -> Foresight:
        """What ``entries`` is going to be asked of the games that notices are about."""
        told: dict[str, int] = {}
        for notice in notices:
            entry = notice.facts.get("entry")
            if notice.game_id is not None and isinstance(entry, int):
                told[notice.game_id] = min(entry, told.get(notice.game_id, entry))
        # One by one, but in one round trip: only so are no more looked at than those.
        found = yield [
            (_ENTRIES, {"game_id": game_id, "since": entry - _TAIL + 1})
            for game_id, entry in told.items()
        ]
        for game_id, rows in zip(told, found, strict=True):
            self._seen[LogQueries.entries, game_id] = [LogEntry(*row) for row in rows]
