"""The tables of archived games: what is searched for, records, positions, patterns.

Facts and records are apart: a search looks at many games and at none of their records. ``day`` is
the date as a number that sorts (20261116, 0 for what is not known).
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field

from pbem.store.columns import NUMBER, Instant, Key, Row, Words, index_on, table_of
from pbem.store.transaction import inserts

_ASKED_OF: Final = (
    "source",
    "result",
    "termination",
    "turns",
    "level",
    "arena",
    "dice",
    "starter",
    "gold_rating",
    "black_rating",
)
"""Few words, or numbers of which a range is asked."""
_COUNTED_BY: Final = ("visibility", "level", "arena", "dice", "starter", "result")


class ArchivedGameRow(Row, table=True):
    """A finished game, of ours or imported, as its record's tags tell it."""

    __tablename__ = "archived_games"
    __table_args__ = (
        UniqueConstraint("digest"),
        UniqueConstraint("game_id"),
        CheckConstraint("visibility IN ('open', 'private')", name="visibility"),
        CheckConstraint("source IN ('played', 'imported')", name="source"),
        # So that no search looks at other rows than those it shows.
        Index("ix_archived_games_day", "day", "id", "visibility", *_ASKED_OF),
        # What hardly any game has would be looked for in all of that. PostgreSQL knows what is
        # rare and looks here, also in several at once. SQLite would look here for what is common.
        *(index_on("postgresql", f"ix_archived_games_{name}", name) for name in _ASKED_OF),
        Index("ix_archived_games_gold_folded", "gold_folded", "day", "id"),
        Index("ix_archived_games_black_folded", "black_folded", "day", "id"),
        Index("ix_archived_games_event_folded", "event_folded", "day", "id"),
        # Set-ups are also counted, by what the rest of these indexes tells.
        Index("ix_archived_games_gold_setup", "gold_setup", "day", "id", *_COUNTED_BY),
        Index("ix_archived_games_black_setup", "black_setup", "day", "id", *_COUNTED_BY),
        Index("ix_archived_games_gold_player", "gold_player", "day", "id"),
        Index("ix_archived_games_black_player", "black_player", "day", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    digest: str = Field(sa_type=Key)
    game_id: str | None = Field(foreign_key="games.id", sa_type=Key)
    visibility: str = Field(sa_type=Key)
    source: str = Field(sa_type=Key)
    added_at: datetime = Field(sa_type=Instant)
    gold: str = Field(sa_type=Words)
    black: str = Field(sa_type=Words)
    gold_folded: str = Field(sa_type=Key)
    black_folded: str = Field(sa_type=Key)
    gold_player: int | None = Field(foreign_key="players.id", sa_type=NUMBER)
    black_player: int | None = Field(foreign_key="players.id", sa_type=NUMBER)
    gold_rating: int | None
    black_rating: int | None
    event: str = Field(sa_type=Words)
    event_folded: str = Field(sa_type=Key)
    round: str = Field(sa_type=Words)
    site: str = Field(sa_type=Words)
    date: str = Field(sa_type=Key)
    day: int
    result: str = Field(sa_type=Key)
    termination: str = Field(sa_type=Key)
    turns: int
    level: str = Field(sa_type=Key)
    arena: str = Field(sa_type=Key)
    dice: str = Field(sa_type=Key)
    starter: str = Field(sa_type=Key)
    gold_setup: str = Field(sa_type=Key)
    black_setup: str = Field(sa_type=Key)


class ArchivedRecordRow(Row, table=True):
    """The canonical record of an archived game."""

    __tablename__ = "archived_records"

    game: int = Field(primary_key=True, foreign_key="archived_games.id", sa_type=NUMBER)
    record: str = Field(sa_type=Words)


class ArchivedPositionRow(Row, table=True):
    """The position before one turn of an archived game, and the order it was answered with, as
    ``pbem.archive.indexing`` tells them.

    Every column is in the key, in the order in which it is asked for: what follows from a position
    is counted without looking anywhere else, and a game that comes in writes to one tree.
    """

    __tablename__ = "archived_positions"
    __table_args__ = ({"sqlite_with_rowid": False},)

    key: int = Field(
        primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False}
    )
    is_open: bool = Field(primary_key=True)
    next_order: str = Field(primary_key=True, sa_type=Key)
    score: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    game: int = Field(primary_key=True, foreign_key="archived_games.id", sa_type=NUMBER)
    ply: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})


class ArchivedPatternRow(Row, table=True):
    """A pattern that an archived game shows, with the turn at whose beginning it first did; the
    game's day is repeated, so that the newest are found first."""

    __tablename__ = "archived_patterns"
    __table_args__ = (
        Index("ix_archived_patterns_pattern", "pattern", "day", "game"),
        {"sqlite_with_rowid": False},
    )

    game: int = Field(primary_key=True, foreign_key="archived_games.id", sa_type=NUMBER)
    pattern: str = Field(primary_key=True, sa_type=Key)
    ply: int
    day: int


class UnarchivedGameRow(Row, table=True):
    """A game of ours that is over and is still to be archived."""

    __tablename__ = "unarchived_games"

    game_id: str = Field(primary_key=True, foreign_key="games.id", sa_type=Key)


ARCHIVED_GAMES: Final = table_of(ArchivedGameRow)
ARCHIVED_RECORDS: Final = table_of(ArchivedRecordRow)
ARCHIVED_POSITIONS: Final = table_of(ArchivedPositionRow)
ARCHIVED_PATTERNS: Final = table_of(ArchivedPatternRow)
UNARCHIVED_GAMES: Final = table_of(UnarchivedGameRow)

WANT_ARCHIVED: Final = {
    name: insert.on_conflict_do_nothing() for name, insert in inserts(UNARCHIVED_GAMES).items()
}
"""A game that is over is to be archived; one that waits for it goes on waiting."""
