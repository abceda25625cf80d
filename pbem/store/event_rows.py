"""The tables of events: the log of acts is what counts, the rest is found in it too."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, text
from sqlmodel import Field

from pbem.store.columns import NUMBER, Instant, Json, Key, Row, Words, table_of

_NOT_NUMBERED: Final = {"autoincrement": False}


class EventRow(Row, table=True):
    """An event for lists, and when to look again."""

    __tablename__ = "events"
    __table_args__ = (
        CheckConstraint("acts >= 0", name="acts"),
        CheckConstraint(
            "phase IN ('draft', 'open', 'running', 'paused', 'over', 'cancelled')", name="phase"
        ),
        Index("ix_events_phase", "phase", "created_at", "id"),
        Index(
            "ix_events_due",
            "due",
            "id",
            sqlite_where=text("due IS NOT NULL"),
            postgresql_where=text("due IS NOT NULL"),
        ),
    )

    id: str = Field(primary_key=True, sa_type=Key)
    title: str = Field(sa_type=Words)
    format: str = Field(sa_type=Key)
    phase: str = Field(sa_type=Key)
    created_at: datetime = Field(sa_type=Instant)
    acts: int
    mark: str = Field(sa_type=Key)
    revision: int
    entrants: int
    round: int
    starts_at: datetime | None = Field(sa_type=Instant)
    due: datetime | None = Field(sa_type=Instant)


class EventActRow(Row, table=True):
    """One line of an event's log."""

    __tablename__ = "event_acts"
    __table_args__ = (
        CheckConstraint("number >= 1", name="number"),
        Index("ix_event_acts_by", "by_player"),
        Index("ix_event_acts_player_id", "player_id"),
    )

    event_id: str = Field(primary_key=True, foreign_key="events.id", sa_type=Key)
    number: int = Field(primary_key=True, sa_column_kwargs=_NOT_NUMBERED)
    at: datetime = Field(sa_type=Instant)
    by_player: int | None = Field(foreign_key="players.id", sa_type=NUMBER)
    name: str = Field(sa_type=Key)
    player_id: int | None = Field(foreign_key="players.id", sa_type=NUMBER)
    facts: dict[str, Any] = Field(sa_type=Json)
    reason: str = Field(sa_type=Words)
    mark: str = Field(sa_type=Key)


class EventPersonRow(Row, table=True):
    """Who has something to do with an event now."""

    __tablename__ = "event_people"
    __table_args__ = (
        CheckConstraint("role IN ('director', 'entrant', 'waiting', 'asked')", name="role"),
        Index("ix_event_people_player_id", "player_id", "event_id"),
    )

    event_id: str = Field(primary_key=True, foreign_key="events.id", sa_type=Key)
    player_id: int = Field(
        primary_key=True, foreign_key="players.id", sa_type=NUMBER, sa_column_kwargs=_NOT_NUMBERED
    )
    role: str = Field(primary_key=True, sa_type=Key)


class EventGameRow(Row, table=True):
    """A game of an encounter; those that have ended or are to begin wait to be looked after."""

    __tablename__ = "event_games"
    __table_args__ = (
        Index("uq_event_games_game_id", "game_id", unique=True),
        Index(
            "ix_event_games_waiting",
            "event_id",
            sqlite_where=text("NOT is_counted AND (is_over OR game_id IS NULL)"),
            postgresql_where=text("NOT is_counted AND (is_over OR game_id IS NULL)"),
        ),
    )

    event_id: str = Field(primary_key=True, foreign_key="events.id", sa_type=Key)
    encounter: int = Field(primary_key=True, sa_column_kwargs=_NOT_NUMBERED)
    game: int = Field(primary_key=True, sa_column_kwargs=_NOT_NUMBERED)
    round: int
    game_id: str | None = Field(foreign_key="games.id", sa_type=Key)
    is_over: bool
    is_counted: bool


class EventStatementRow(Row, table=True):
    """What a player says to the directors about a game."""

    __tablename__ = "event_statements"
    __table_args__ = (
        ForeignKeyConstraint(
            ["event_id", "encounter", "game"],
            ["event_games.event_id", "event_games.encounter", "event_games.game"],
        ),
        Index("ix_event_statements_player_id", "player_id"),
    )

    event_id: str = Field(primary_key=True, sa_type=Key)
    encounter: int = Field(primary_key=True, sa_column_kwargs=_NOT_NUMBERED)
    game: int = Field(primary_key=True, sa_column_kwargs=_NOT_NUMBERED)
    player_id: int = Field(
        primary_key=True, foreign_key="players.id", sa_type=NUMBER, sa_column_kwargs=_NOT_NUMBERED
    )
    at: datetime = Field(sa_type=Instant)
    text: str = Field(sa_type=Words)


EVENTS: Final = table_of(EventRow)
EVENT_ACTS: Final = table_of(EventActRow)
EVENT_PEOPLE: Final = table_of(EventPersonRow)
EVENT_GAMES: Final = table_of(EventGameRow)
EVENT_STATEMENTS: Final = table_of(EventStatementRow)
