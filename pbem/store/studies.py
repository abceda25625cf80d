"""Studies and puzzles: records that begin from a position. A later version names the one before."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field

from pbem.store.columns import NUMBER, Instant, Key, Row, Words, table_of


class StudyRow(Row, table=True):
    """One version of a study; the solution of a puzzle is the record's main line."""

    __tablename__ = "studies"
    __table_args__ = (
        UniqueConstraint("replaces"),
        CheckConstraint("visibility IN ('open', 'private')", name="visibility"),
        Index("ix_studies_player_id", "player_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    title: str = Field(sa_type=Words)
    record: str = Field(sa_type=Words)
    is_puzzle: bool
    visibility: str = Field(sa_type=Key)
    at: datetime = Field(sa_type=Instant)
    replaces: int | None = Field(foreign_key="studies.id", sa_type=NUMBER)


STUDIES: Final = table_of(StudyRow)
