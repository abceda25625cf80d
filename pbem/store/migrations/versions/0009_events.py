"""Events: their logs, who has to do with them, their games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
HAS_DUE = sa.text("due IS NOT NULL")
WAITS = sa.text("NOT is_counted AND (is_over OR game_id IS NULL)")


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "events",
        sa.Column("id", KEY, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("format", KEY, nullable=False),
        sa.Column("phase", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("mark", KEY, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("entrants", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("acts >= 0", name=op.f("ck_events_acts")),
        sa.CheckConstraint(
            "phase IN ('draft', 'open', 'running', 'paused', 'over', 'cancelled')",
            name=op.f("ck_events_phase"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index("ix_events_phase", "events", ["phase", "created_at", "id"])
    op.create_index(
        "ix_events_due", "events", ["due", "id"], sqlite_where=HAS_DUE, postgresql_where=HAS_DUE
    )
    op.create_table(
        "event_acts",
        sa.Column("event_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by_player", NUMBER, nullable=True),
        sa.Column("name", KEY, nullable=False),
        sa.Column("player_id", NUMBER, nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("mark", KEY, nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_event_acts_number")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_acts_event_id")),
        sa.ForeignKeyConstraint(
            ["by_player"], ["players.id"], name=op.f("fk_event_acts_by_player")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_event_acts_player_id")
        ),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_event_acts")),
    )
    op.create_index("ix_event_acts_by", "event_acts", ["by_player"])
    op.create_index("ix_event_acts_player_id", "event_acts", ["player_id"])
    op.create_table(
        "event_people",
        sa.Column("event_id", KEY, nullable=False),
        sa.Column("player_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("role", KEY, nullable=False),
        sa.CheckConstraint(
            "role IN ('director', 'entrant', 'waiting', 'asked')", name=op.f("ck_event_people_role")
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_people_event_id")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_event_people_player_id")
        ),
        sa.PrimaryKeyConstraint("event_id", "player_id", "role", name=op.f("pk_event_people")),
    )
    op.create_index("ix_event_people_player_id", "event_people", ["player_id", "event_id"])
    op.create_table(
        "event_games",
        sa.Column("event_id", KEY, nullable=False),
        sa.Column("encounter", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("game_id", KEY, nullable=True),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.Column("is_counted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_games_event_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_event_games_game_id")),
        sa.PrimaryKeyConstraint("event_id", "encounter", "game", name=op.f("pk_event_games")),
    )
    op.create_index("uq_event_games_game_id", "event_games", ["game_id"], unique=True)
    op.create_index(
        "ix_event_games_waiting",
        "event_games",
        ["event_id"],
        sqlite_where=WAITS,
        postgresql_where=WAITS,
    )
    op.create_table(
        "event_statements",
        sa.Column("event_id", KEY, nullable=False),
        sa.Column("encounter", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id", "encounter", "game"],
            ["event_games.event_id", "event_games.encounter", "event_games.game"],
            name=op.f("fk_event_statements_event_id_encounter_game"),
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_event_statements_player_id")
        ),
        sa.PrimaryKeyConstraint(
            "event_id", "encounter", "game", "player_id", name=op.f("pk_event_statements")
        ),
    )
    op.create_index("ix_event_statements_player_id", "event_statements", ["player_id"])


def downgrade() -> None:
    """Back."""
    for name in ("event_statements", "event_games", "event_people", "event_acts", "events"):
        op.drop_table(name)
