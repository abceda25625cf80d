"""Ratings: games as they count, and what they come to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "rating_changes",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("level", KEY, nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_changes")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "games_to_rate",
        sa.Column("game_id", KEY, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_games_to_rate_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_games_to_rate")),
    )
    op.create_table(
        "rating_exclusions",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("why_not", KEY, nullable=False),
        sa.CheckConstraint(
            "why_not IN ('annulled', 'substituted')", name=op.f("ck_rating_exclusions_why_not")
        ),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_rating_exclusions_game_id")
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_rating_exclusions")),
    )
    op.create_table(
        "rated_games",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("level", KEY, nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("gold", NUMBER, nullable=False),
        sa.Column("black", NUMBER, nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("why_not", KEY, nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.CheckConstraint("points IN (0, 1, 2)", name=op.f("ck_rated_games_points")),
        sa.ForeignKeyConstraint(["black"], ["players.id"], name=op.f("fk_rated_games_black")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rated_games_game_id")),
        sa.ForeignKeyConstraint(["gold"], ["players.id"], name=op.f("fk_rated_games_gold")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_rated_games")),
    )
    for side in ("black", "gold"):
        op.create_index(
            f"ix_rated_games_{side}", "rated_games", [side, "level", "ended_at", "game_id"]
        )
    op.create_index("ix_rated_games_level", "rated_games", ["level", "ended_at", "game_id"])
    op.create_table(
        "ratings",
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("level", KEY, nullable=False),
        sa.Column("period", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("is_last", sa.Boolean(), nullable=False),
        sa.CheckConstraint("games > 0", name=op.f("ck_ratings_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_ratings_player_id")),
        sa.PrimaryKeyConstraint("player_id", "level", "period", name=op.f("pk_ratings")),
    )
    op.create_index(
        "ix_ratings_last",
        "ratings",
        ["level", "rating", "player_id"],
        sqlite_where=sa.text("is_last"),
        postgresql_where=sa.text("is_last"),
    )
    op.create_index("ix_ratings_level_period", "ratings", ["level", "period"])
    op.execute("INSERT INTO games_to_rate SELECT id FROM games WHERE ended_at IS NOT NULL")


def downgrade() -> None:
    """Back."""
    for table in (
        "ratings",
        "rated_games",
        "rating_exclusions",
        "games_to_rate",
        "rating_changes",
    ):
        op.drop_table(table)
