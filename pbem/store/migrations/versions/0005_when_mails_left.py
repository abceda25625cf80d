"""When a mail of ours was sent or given up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.add_column("notices", sa.Column("ended_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("notices") as table:
        table.drop_column("ended_at")
