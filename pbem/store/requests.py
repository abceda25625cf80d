"""What seats are asked for. A request is closed exactly once, and then never changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    bindparam,
    delete,
    select,
    text,
    update,
)
from sqlmodel import Field

from pbem.play.model import OpenRequest, split_request_id
from pbem.store.columns import Instant, Key, Row, is_number, is_storable, of_many, table_of
from pbem.store.transaction import Foresight, Transaction, remembered


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

    game_id: str = Field(primary_key=True, sa_type=Key)
    opened_by: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(sa_type=Key)
    mark: str = Field(sa_type=Key)
    opened_at: datetime = Field(sa_type=Instant)
    deadline: datetime | None = Field(sa_type=Instant)
    closed_by: int | None
    closed_at: datetime | None = Field(sa_type=Instant)


REQUESTS: Final = table_of(RequestRow)
_FIELDS: Final = tuple(field.name for field in fields(OpenRequest))
_COLUMNS: Final = tuple(REQUESTS.c[name] for name in _FIELDS)

_IN_ORDER: Final = select(*_COLUMNS).order_by(REQUESTS.c.opened_by, REQUESTS.c.seat)
_ALL: Final = _IN_ORDER.where(REQUESTS.c.game_id == bindparam("game_id"))
OPEN_REQUESTS: Final = _ALL.where(REQUESTS.c.closed_at.is_(None))
_OPEN_IN_MANY: Final = of_many(_IN_ORDER.where(REQUESTS.c.closed_at.is_(None)), REQUESTS.c.game_id)
_FIND: Final = _ALL.where(
    REQUESTS.c.opened_by == bindparam("opened_by"), REQUESTS.c.seat == bindparam("seat")
)
_ADD: Final = REQUESTS.insert().inline()
_DROP: Final = delete(REQUESTS).where(
    REQUESTS.c.game_id == bindparam("game"),
    REQUESTS.c.opened_by == bindparam("entry"),
    REQUESTS.c.seat == bindparam("number"),
)
_SAVE: Final = (
    update(REQUESTS)
    .where(
        REQUESTS.c.game_id == bindparam("game"),
        REQUESTS.c.opened_by == bindparam("entry"),
        REQUESTS.c.seat == bindparam("number"),
        REQUESTS.c.closed_at.is_(None),
    )
    .values({name: bindparam(name) for name in ("deadline", "closed_by", "closed_at")})
)


class RequestQueries(Transaction):
    """What a unit can do with requests."""

    @remembered
    def requests_of(self, game_id: str, *, only_open: bool = True) -> Sequence[OpenRequest]:
        """What is or was asked in a game, in the order of asking."""
        [rows] = self._fetch((OPEN_REQUESTS if only_open else _ALL, {"game_id": game_id}))
        return _requests(rows)

    def _foresee_requests(self, games: Collection[str]) -> Foresight:
        """What ``requests_of`` is going to be asked of what is open."""
        find = RequestQueries.requests_of
        return self._foresee_each(find, _OPEN_IN_MANY, games, "game_id", _requests)

    def find_request(self, request_id: str) -> OpenRequest | None:
        """One request by its id."""
        game_id, opened_by, seat = split_request_id(request_id)
        if not (is_storable(game_id) and is_number(opened_by) and is_number(seat)):
            return None
        wanted = {"game_id": game_id, "opened_by": opened_by, "seat": seat}
        [rows] = self._fetch((_FIND, wanted))
        return OpenRequest(*rows[0]) if rows else None

    def open_request(self, request: OpenRequest) -> None:
        """A new request. Raises StoreConflictError if the same question is open already."""
        self._write_later(_ADD, {name: getattr(request, name) for name in _FIELDS})

    def put_request(self, request: OpenRequest) -> None:
        """A request in the place of the one with its id, whatever that was: only for repairs."""
        place = {"game": request.game_id, "entry": request.opened_by, "number": request.seat}
        self._write_later(_DROP, place)
        self.open_request(request)

    def remove_request(self, request: OpenRequest) -> None:
        """Forget a request that was never asked: only for repairs."""
        place = {"game": request.game_id, "entry": request.opened_by, "number": request.seat}
        self._write_later(_DROP, place)

    def save_request(self, request: OpenRequest) -> None:
        """A request that was closed, or whose deadline moved.

        Raises StoreConflictError if it had been closed before.
        """
        values = {
            "game": request.game_id,
            "entry": request.opened_by,
            "number": request.seat,
            "deadline": request.deadline,
            "closed_by": request.closed_by,
            "closed_at": request.closed_at,
        }
        self._write_later(_SAVE, values, f"request {request.id} is not open")


def _requests(rows: Sequence[Any]) -> list[OpenRequest]:
    return [OpenRequest(*row) for row in rows]
