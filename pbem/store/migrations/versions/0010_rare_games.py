"""Indexes for what hardly any archived game has, on PostgreSQL."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_TABLE = "archived_games"
_COLUMNS = (
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


def upgrade() -> None:
    """Forward."""
    if op.get_context().dialect.name == "postgresql":
        for column in _COLUMNS:
            op.create_index(f"ix_{_TABLE}_{column}", _TABLE, [column])


def downgrade() -> None:
    """Back."""
    if op.get_context().dialect.name == "postgresql":
        for column in reversed(_COLUMNS):
            op.drop_index(f"ix_{_TABLE}_{column}", table_name=_TABLE)
