"""The outbox: mails to be written, one for each cause, player and kind (L1.3).

Rows are written in the transaction of what they tell about. Claiming and sending them is the
sender's work; the columns for it are here already.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, bindparam, select, text, update
from sqlmodel import Field

from pbem.play.model import Notice
from pbem.store.columns import NUMBER, Instant, Json, Key, Row, table_of
from pbem.store.transaction import Transaction, inserts


class NoticeRow(Row, table=True):
    """A mail to be written: ``new`` until it was sent or is given up as ``dead``.

    ``next_try`` is when a sender may take it, ``lease_until`` until when one has it.
    """

    __tablename__ = "notices"
    __table_args__ = (
        UniqueConstraint("cause", "player_id", "kind"),
        UniqueConstraint("message_id"),
        CheckConstraint("state IN ('new', 'sent', 'dead')", name="state"),
        CheckConstraint("attempts >= 0", name="attempts"),
        Index(
            "ix_notices_waiting",
            "next_try",
            "id",
            sqlite_where=text("state = 'new'"),
            postgresql_where=text("state = 'new'"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    cause: str = Field(sa_type=Key)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    kind: str = Field(sa_type=Key)
    created_at: datetime = Field(sa_type=Instant)
    game_id: str | None = Field(foreign_key="games.id", sa_type=Key)
    facts: dict[str, Any] = Field(sa_type=Json)
    message_id: str = Field(sa_type=Key)
    state: str = Field(sa_type=Key)
    attempts: int
    next_try: datetime = Field(sa_type=Instant)
    lease_until: datetime | None = Field(sa_type=Instant)


_NOTICES: Final = table_of(NoticeRow)
_FIELDS: Final = tuple(field.name for field in fields(Notice))

_ADD: Final = {
    name: insert.on_conflict_do_nothing().inline() for name, insert in inserts(_NOTICES).items()
}
_CAUSED: Final = (
    select(*(_NOTICES.c[name] for name in _FIELDS))
    .where(_NOTICES.c.cause == bindparam("wanted"))
    .order_by(_NOTICES.c.id)
)

_READDRESS: Final = (
    update(_NOTICES)
    .where(_NOTICES.c.player_id == bindparam("before"), _NOTICES.c.state == "new")
    .values(player_id=bindparam("after"))
)


class NoticeQueries(Transaction):
    """What a unit can do with notices."""

    def add_notice(self, notice: Notice) -> None:
        """A mail to be written; one that is there already stays as it is (L1.3)."""
        values = {
            "cause": notice.cause,
            "player_id": notice.player_id,
            "kind": notice.kind,
            "created_at": notice.created_at,
            "game_id": notice.game_id,
            "facts": dict(notice.facts),
            "message_id": message_id(notice),
            "state": "new",
            "attempts": 0,
            "next_try": notice.created_at,
            "lease_until": None,
        }
        self._write_later(_ADD[self._dialect], values)

    def readdress_notices(self, player_id: int, to_player_id: int) -> None:
        """Mails to a player that have not been sent go to another; their Message-IDs stay."""
        self._connection.execute(_READDRESS, {"before": player_id, "after": to_player_id})

    def notices_for(self, cause: str) -> Sequence[Notice]:
        """The mails that one cause has brought about."""
        rows = self._connection.execute(_CAUSED, {"wanted": cause})
        return [Notice(*row) for row in rows]


def message_id(notice: Notice) -> str:
    """The left half of the Message-ID, the same whenever the same row is written (L1.3)."""
    named = f"{notice.player_id}\n{notice.kind}\n{notice.cause}"
    return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]
