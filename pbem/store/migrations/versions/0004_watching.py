"""Indexes for what an operator watches: running games, and addresses that fail."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_INDEXES = (
    ("ix_games_running", "games", ("id", "ended_at"), "ended_at IS NULL"),
    ("ix_address_health_bounced_at", "address_health", ("bounced_at",), "bounced_at IS NOT NULL"),
    ("ix_address_health_soft_at", "address_health", ("soft_at",), "soft_at IS NOT NULL"),
)


def upgrade() -> None:
    """Forward."""
    for name, table, columns, where in _INDEXES:
        condition = sa.text(where)
        op.create_index(
            name, table, list(columns), sqlite_where=condition, postgresql_where=condition
        )


def downgrade() -> None:
    """Back."""
    for name, table, _, _ in reversed(_INDEXES):
        op.drop_index(name, table_name=table)
