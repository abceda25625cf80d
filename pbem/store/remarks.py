"""Remarks on archived games, and what people say about their turns.

Nothing is overwritten: a later version names the remark that it replaces, and one without text
withdraws it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field

from pbem.store.columns import NUMBER, Instant, Key, Row, Words, table_of


class RemarkRow(Row, table=True):
    """One annotation by one annotator, at a place of a game."""

    __tablename__ = "remarks"
    __table_args__ = (
        UniqueConstraint("replaces"),
        CheckConstraint("kind IN ('comment', 'sign', 'variation')", name="kind"),
        Index("ix_remarks_game", "game", "id"),
        Index("ix_remarks_player_id", "player_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    game: int = Field(foreign_key="archived_games.id", sa_type=NUMBER)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    author: str = Field(sa_type=Words)
    place: str = Field(sa_type=Key)
    kind: str = Field(sa_type=Key)
    text: str = Field(sa_type=Words)
    at: datetime = Field(sa_type=Instant)
    replaces: int | None = Field(foreign_key="remarks.id", sa_type=NUMBER)


class DiscussionRow(Row, table=True):
    """Something said about a turn of a game."""

    __tablename__ = "discussion"
    __table_args__ = (
        Index("ix_discussion_game", "game", "id"),
        Index("ix_discussion_player_id", "player_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    game: int = Field(foreign_key="archived_games.id", sa_type=NUMBER)
    turn: str = Field(sa_type=Key)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    author: str = Field(sa_type=Words)
    text: str = Field(sa_type=Words)
    at: datetime = Field(sa_type=Instant)


REMARKS: Final = table_of(RemarkRow)
DISCUSSION: Final = table_of(DiscussionRow)
