"""Passes: links to sign in, sessions on the web, tokens for programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "passes",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("hash", KEY, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind IN ('link', 'session', 'token')", name=op.f("ck_passes_kind")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_passes_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passes")),
        sa.UniqueConstraint("hash", name=op.f("uq_passes_hash")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_passes_player_id", "passes", ["player_id", "kind"])


def downgrade() -> None:
    """Back."""
    op.drop_table("passes")
