"""The tables of ratings: games as they count, ratings month by month, what is to be counted again.

``ratings`` follow from ``rated_games``, and these from the games and ``rating_exclusions``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import CheckConstraint, Double, Index, text
from sqlmodel import Field

from pbem.store.columns import NUMBER, Instant, Key, Row, table_of
from pbem.store.transaction import inserts


class RatedGameRow(Row, table=True):
    """A game of ours that is over, as it counts; ``why_not`` is empty if it does."""

    __tablename__ = "rated_games"
    __table_args__ = (
        CheckConstraint("points IN (0, 1, 2)", name="points"),
        Index("ix_rated_games_level", "level", "ended_at", "game_id"),
        Index("ix_rated_games_gold", "gold", "level", "ended_at", "game_id"),
        Index("ix_rated_games_black", "black", "level", "ended_at", "game_id"),
    )

    game_id: str = Field(primary_key=True, foreign_key="games.id", sa_type=Key)
    level: str = Field(sa_type=Key)
    ended_at: datetime = Field(sa_type=Instant)
    gold: int = Field(foreign_key="players.id", sa_type=NUMBER)
    black: int = Field(foreign_key="players.id", sa_type=NUMBER)
    points: int
    why_not: str = Field(sa_type=Key)
    is_open: bool


class RatingRow(Row, table=True):
    """A player's rating at a level after a month with rated games; the months are numbered."""

    __tablename__ = "ratings"
    __table_args__ = (
        CheckConstraint("games > 0", name="games"),
        Index("ix_ratings_level_period", "level", "period"),
        Index(
            "ix_ratings_last",
            "level",
            "rating",
            "player_id",
            sqlite_where=text("is_last"),
            postgresql_where=text("is_last"),
        ),
    )

    player_id: int = Field(primary_key=True, foreign_key="players.id", sa_type=NUMBER)
    level: str = Field(primary_key=True, sa_type=Key)
    period: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    rating: float = Field(sa_type=Double)
    deviation: float = Field(sa_type=Double)
    volatility: float = Field(sa_type=Double)
    games: int
    is_last: bool


class GameToRateRow(Row, table=True):
    """A game of ours that is over, and of which it is still to be seen how it counts."""

    __tablename__ = "games_to_rate"

    game_id: str = Field(primary_key=True, foreign_key="games.id", sa_type=Key)


class RatingExclusionRow(Row, table=True):
    """A game of ours that somebody has taken out of the ratings, perhaps before it was over."""

    __tablename__ = "rating_exclusions"
    __table_args__ = (CheckConstraint("why_not IN ('annulled', 'substituted')", name="why_not"),)

    game_id: str = Field(primary_key=True, foreign_key="games.id", sa_type=Key)
    why_not: str = Field(sa_type=Key)


class RatingChangeRow(Row, table=True):
    """A level is to be counted again from a month on."""

    __tablename__ = "rating_changes"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    level: str = Field(sa_type=Key)
    period: int


RATED_GAMES: Final = table_of(RatedGameRow)
RATINGS: Final = table_of(RatingRow)
GAMES_TO_RATE: Final = table_of(GameToRateRow)
RATING_EXCLUSIONS: Final = table_of(RatingExclusionRow)
RATING_CHANGES: Final = table_of(RatingChangeRow)

WANT_RATED: Final = {
    name: insert.on_conflict_do_nothing() for name, insert in inserts(GAMES_TO_RATE).items()
}
"""A game that is over is to be rated; one that waits for it goes on waiting."""
