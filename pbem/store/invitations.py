"""Offers to play, to one player or to all. Each ends once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import CheckConstraint, Index, Select, bindparam, or_, select, text, update
from sqlmodel import Field

from pbem.play.model import Invitation
from pbem.store.columns import NUMBER, Instant, Json, Key, Row, is_storable, table_of
from pbem.store.transaction import Transaction


def _open_index(name: str, *columns: str) -> Index:
    where = text("closed_at IS NULL")
    return Index(name, *columns, sqlite_where=where, postgresql_where=where)


class InvitationRow(Row, table=True):
    """An invitation; the offer itself does not change, only how it ends."""

    __tablename__ = "invitations"
    __table_args__ = (
        CheckConstraint("(closed_at IS NULL) = (outcome IS NULL)", name="closed"),
        CheckConstraint("outcome IN ('accepted', 'declined', 'withdrawn')", name="outcome"),
        CheckConstraint(
            "game_id IS NULL OR (outcome IS NOT NULL AND outcome = 'accepted')", name="game"
        ),
        _open_index("ix_invitations_host", "host_id"),
        _open_index("ix_invitations_guest", "guest_id"),
    )

    id: str = Field(primary_key=True, sa_type=Key)
    host_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    guest_id: int | None = Field(foreign_key="players.id", sa_type=NUMBER)
    agreement: dict[str, Any] = Field(sa_type=Json)
    host_seat: int | None
    created_at: datetime = Field(sa_type=Instant)
    rematch_of: str | None = Field(foreign_key="games.id", sa_type=Key)
    closed_at: datetime | None = Field(sa_type=Instant)
    outcome: str | None = Field(sa_type=Key)
    game_id: str | None = Field(foreign_key="games.id", sa_type=Key)


_INVITATIONS: Final = table_of(InvitationRow)
_FIELDS: Final = tuple(field.name for field in fields(Invitation))
_ENDING: Final = ("guest_id", "closed_at", "outcome", "game_id")

_ADD: Final = _INVITATIONS.insert()
_SAVE: Final = (
    update(_INVITATIONS)
    .where(_INVITATIONS.c.id == bindparam("wanted"), _INVITATIONS.c.closed_at.is_(None))
    .values({name: bindparam(name) for name in _ENDING})
)
_ALL: Final = select(*(_INVITATIONS.c[name] for name in _FIELDS))
_FIND: Final = _ALL.where(_INVITATIONS.c.id == bindparam("wanted"))
_LOCK: Final = _FIND.with_for_update(key_share=True)
_OPEN: Final = _ALL.where(_INVITATIONS.c.closed_at.is_(None)).order_by(
    _INVITATIONS.c.created_at, _INVITATIONS.c.id
)
_OPEN_TO_ALL: Final = _OPEN.where(_INVITATIONS.c.guest_id.is_(None))
_OPEN_OF: Final = _OPEN.where(
    or_(
        _INVITATIONS.c.host_id == bindparam("player_id"),
        _INVITATIONS.c.guest_id == bindparam("player_id"),
    )
)


class InvitationQueries(Transaction):
    """What a unit can do with invitations."""

    def add_invitation(self, invitation: Invitation) -> None:
        """A new invitation. Raises StoreConflictError if its id is taken."""
        values = {name: getattr(invitation, name) for name in _FIELDS}
        values["agreement"] = dict(invitation.agreement)
        self._write_later(_ADD, values)

    def save_invitation(self, invitation: Invitation) -> None:
        """How an invitation ended, or whose it is now.

        Raises StoreConflictError if it had ended before.
        """
        values = {name: getattr(invitation, name) for name in _ENDING}
        values["wanted"] = invitation.id
        self._write_later(_SAVE, values, f"invitation {invitation.id} has ended already")

    def find_invitation(self, invitation_id: str) -> Invitation | None:
        """An invitation, open or not."""
        return self._get_invitation(_FIND, invitation_id)

    def lock_invitation(self, invitation_id: str) -> Invitation | None:
        """An invitation, kept from others until this unit ends."""
        return self._get_invitation(_LOCK, invitation_id)

    def _get_invitation(self, statement: Select[Any], invitation_id: str) -> Invitation | None:
        if not is_storable(invitation_id):
            return None
        row = self._first(statement, {"wanted": invitation_id})
        return None if row is None else Invitation(*row)

    def open_invitations(self, player_id: int | None) -> Sequence[Invitation]:
        """Open ones to a player or from them, oldest first; open challenges for None."""
        if player_id is None:
            rows = self._rows(_OPEN_TO_ALL)
        else:
            rows = self._rows(_OPEN_OF, {"player_id": player_id})
        return [Invitation(*row) for row in rows]
