"""The archive: finished games, remarks on them, studies."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "archived_games",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("digest", KEY, nullable=False),
        sa.Column("game_id", KEY, nullable=True),
        sa.Column("visibility", KEY, nullable=False),
        sa.Column("source", KEY, nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("gold", sa.Text(), nullable=False),
        sa.Column("black", sa.Text(), nullable=False),
        sa.Column("gold_folded", KEY, nullable=False),
        sa.Column("black_folded", KEY, nullable=False),
        sa.Column("gold_player", NUMBER, nullable=True),
        sa.Column("black_player", NUMBER, nullable=True),
        sa.Column("gold_rating", sa.Integer(), nullable=True),
        sa.Column("black_rating", sa.Integer(), nullable=True),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("event_folded", KEY, nullable=False),
        sa.Column("round", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("date", KEY, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("result", KEY, nullable=False),
        sa.Column("termination", KEY, nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("level", KEY, nullable=False),
        sa.Column("arena", KEY, nullable=False),
        sa.Column("dice", KEY, nullable=False),
        sa.Column("starter", KEY, nullable=False),
        sa.Column("gold_setup", KEY, nullable=False),
        sa.Column("black_setup", KEY, nullable=False),
        sa.CheckConstraint(
            "source IN ('played', 'imported')", name=op.f("ck_archived_games_source")
        ),
        sa.CheckConstraint(
            "visibility IN ('open', 'private')", name=op.f("ck_archived_games_visibility")
        ),
        sa.ForeignKeyConstraint(
            ["black_player"], ["players.id"], name=op.f("fk_archived_games_black_player")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_archived_games_game_id")),
        sa.ForeignKeyConstraint(
            ["gold_player"], ["players.id"], name=op.f("fk_archived_games_gold_player")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_archived_games")),
        sa.UniqueConstraint("digest", name=op.f("uq_archived_games_digest")),
        sa.UniqueConstraint("game_id", name=op.f("uq_archived_games_game_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_archived_games_black_folded", "archived_games", ["black_folded", "day", "id"]
    )
    op.create_index(
        "ix_archived_games_black_player", "archived_games", ["black_player", "day", "id"]
    )
    op.create_index(
        "ix_archived_games_black_setup",
        "archived_games",
        ["black_setup", "day", "id", "visibility", "level", "arena", "dice", "starter", "result"],
    )
    op.create_index(
        "ix_archived_games_day",
        "archived_games",
        [
            "day",
            "id",
            "visibility",
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
        ],
    )
    op.create_index(
        "ix_archived_games_event_folded", "archived_games", ["event_folded", "day", "id"]
    )
    op.create_index("ix_archived_games_gold_folded", "archived_games", ["gold_folded", "day", "id"])
    op.create_index("ix_archived_games_gold_player", "archived_games", ["gold_player", "day", "id"])
    op.create_index(
        "ix_archived_games_gold_setup",
        "archived_games",
        ["gold_setup", "day", "id", "visibility", "level", "arena", "dice", "starter", "result"],
    )
    op.create_table(
        "studies",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("is_puzzle", sa.Boolean(), nullable=False),
        sa.Column("visibility", KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("replaces", NUMBER, nullable=True),
        sa.CheckConstraint("visibility IN ('open', 'private')", name=op.f("ck_studies_visibility")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_studies_player_id")),
        sa.ForeignKeyConstraint(["replaces"], ["studies.id"], name=op.f("fk_studies_replaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_studies")),
        sa.UniqueConstraint("replaces", name=op.f("uq_studies_replaces")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_studies_player_id", "studies", ["player_id", "id"])
    op.create_table(
        "archived_patterns",
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("pattern", KEY, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["archived_games.id"], name=op.f("fk_archived_patterns_game")
        ),
        sa.PrimaryKeyConstraint("game", "pattern", name=op.f("pk_archived_patterns")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_archived_patterns_pattern", "archived_patterns", ["pattern", "day", "game"])
    op.create_table(
        "archived_positions",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("next_order", KEY, nullable=False),
        sa.Column("score", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["archived_games.id"], name=op.f("fk_archived_positions_game")
        ),
        sa.PrimaryKeyConstraint(
            "key",
            "is_open",
            "next_order",
            "score",
            "game",
            "ply",
            name=op.f("pk_archived_positions"),
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "archived_records",
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["archived_games.id"], name=op.f("fk_archived_records_game")
        ),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_archived_records")),
    )
    op.create_table(
        "discussion",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("turn", KEY, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["archived_games.id"], name=op.f("fk_discussion_game")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_discussion_player_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_discussion")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_discussion_game", "discussion", ["game", "id"])
    op.create_index("ix_discussion_player_id", "discussion", ["player_id", "id"])
    op.create_table(
        "remarks",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("place", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("replaces", NUMBER, nullable=True),
        sa.CheckConstraint(
            "kind IN ('comment', 'sign', 'variation')", name=op.f("ck_remarks_kind")
        ),
        sa.ForeignKeyConstraint(["game"], ["archived_games.id"], name=op.f("fk_remarks_game")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_remarks_player_id")),
        sa.ForeignKeyConstraint(["replaces"], ["remarks.id"], name=op.f("fk_remarks_replaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_remarks")),
        sa.UniqueConstraint("replaces", name=op.f("uq_remarks_replaces")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_remarks_game", "remarks", ["game", "id"])
    op.create_index("ix_remarks_player_id", "remarks", ["player_id", "id"])
    op.create_table(
        "unarchived_games",
        sa.Column("game_id", KEY, nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_unarchived_games_game_id")
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_unarchived_games")),
    )
    op.execute("INSERT INTO unarchived_games SELECT id FROM games WHERE ended_at IS NOT NULL")


def downgrade() -> None:
    """Back."""
    for table in (
        "unarchived_games",
        "remarks",
        "discussion",
        "archived_records",
        "archived_positions",
        "archived_patterns",
        "studies",
        "archived_games",
    ):
        op.drop_table(table)
