"""What seats are asked for. A request is closed exactly once, and then never changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Final

from sqlalchemy import (
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    bindparam,
    select,
    text,
    update,
)
from sqlmodel import Field

from pbem.play.model import OpenRequest
from pbem.store.columns import NUMBER, Instant, Key, Row, is_number, table_of
from pbem.store.transaction import Transaction


class RequestRow(Row, table=True):
    """A request, open until the log entry that answers it."""

    __tablename__ = "requests"
    __table_args__ = (
        ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"]),
        # Deferred: the entry that closes a request may be added behind it.
        ForeignKeyConstraint(
            ["game_id", "closed_by"],
            ["log_entries.game_id", "log_entries.number"],
            deferrable=True,
            initially="DEFERRED",
        ),
        CheckConstraint("(closed_by IS NULL) = (closed_at IS NULL)", name="closed"),
        Index("ix_requests_game_id", "game_id", "id"),
        Index(
            "uq_requests_open",
            "game_id",
            "seat",
            "kind",
            "mark",
            unique=True,
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    game_id: str = Field(sa_type=Key)
    seat: int
    kind: str = Field(sa_type=Key)
    mark: str = Field(sa_type=Key)
    opened_by: int
    opened_at: datetime = Field(sa_type=Instant)
    deadline: datetime | None = Field(sa_type=Instant)
    closed_by: int | None
    closed_at: datetime | None = Field(sa_type=Instant)


_REQUESTS: Final = table_of(RequestRow)
_FIELDS: Final = tuple(field.name for field in fields(OpenRequest))
_COLUMNS: Final = tuple(_REQUESTS.c[name] for name in _FIELDS)

_ALL: Final = (
    select(*_COLUMNS).where(_REQUESTS.c.game_id == bindparam("game_id")).order_by(_REQUESTS.c.id)
)
_OPEN: Final = _ALL.where(_REQUESTS.c.closed_at.is_(None))
_FIND: Final = select(*_COLUMNS).where(_REQUESTS.c.id == bindparam("request_id"))
_ADD: Final = _REQUESTS.insert().returning(_REQUESTS.c.id)
_SAVE: Final = (
    update(_REQUESTS)
    .where(_REQUESTS.c.id == bindparam("request_id"), _REQUESTS.c.closed_at.is_(None))
    .values({name: bindparam(name) for name in ("deadline", "closed_by", "closed_at")})
)


class RequestQueries(Transaction):
    """What a unit can do with requests."""

    def requests_of(self, game_id: str, *, only_open: bool = True) -> Sequence[OpenRequest]:
        """What is or was asked in a game, in order of number."""
        rows = self._connection.execute(_OPEN if only_open else _ALL, {"game_id": game_id})
        return [OpenRequest(*row) for row in rows]

    def find_request(self, request_id: int) -> OpenRequest | None:
        """One request."""
        if not is_number(request_id):
            return None
        row = self._connection.execute(_FIND, {"request_id": request_id}).first()
        return None if row is None else OpenRequest(*row)

    def open_request(self, request: OpenRequest) -> OpenRequest:
        """A new request; its number is given by the store.

        Raises StoreConflictError if the same question is open already.
        """
        values = {name: getattr(request, name) for name in _FIELDS if name != "id"}
        return replace(request, id=self._connection.execute(_ADD, values).scalar_one())

    def save_request(self, request: OpenRequest) -> None:
        """A request that was closed, or whose deadline moved.

        Raises StoreConflictError if it had been closed before.
        """
        values = {
            "request_id": request.id,
            "deadline": request.deadline,
            "closed_by": request.closed_by,
            "closed_at": request.closed_at,
        }
        self._change_one(_SAVE, values, f"request {request.id} is not open")
