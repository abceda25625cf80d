"""Whether private notes join the archived game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Forward."""
    op.add_column(
        "players", sa.Column("notes_join", sa.Text(), nullable=False, server_default="never")
    )
    op.create_table(
        "note_wishes",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("wish", KEY, nullable=True),
        sa.Column("joined_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "wish IN ('never', 'after', 'agreed')", name=op.f("ck_note_wishes_wish")
        ),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"],
            ["seats.game_id", "seats.seat"],
            name=op.f("fk_note_wishes_game_id_seat"),
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_note_wishes")),
    )


def downgrade() -> None:
    """Back."""
    op.drop_table("note_wishes")
    with op.batch_alter_table("players") as table:
        table.drop_column("notes_join")
