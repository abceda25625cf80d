"""The first tables: players, games, their logs, requests, the outbox, and what players write."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "games",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("rematch_of", KEY, nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("clock", sa.Text(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=True),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("held", sa.Text(), nullable=False),
        sa.Column("trips_asked", sa.Integer(), nullable=False),
        sa.Column("trips_unaffordable", sa.Integer(), nullable=False),
        sa.Column("trips_by_rules", sa.Integer(), nullable=False),
        sa.Column("trips_by_plans", sa.Integer(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("termination", sa.Text(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(ended_at IS NULL) = (termination IS NULL)", name=op.f("ck_games_end")),
        sa.CheckConstraint("entries >= 0", name=op.f("ck_games_entries")),
        sa.CheckConstraint("turns >= 0", name=op.f("ck_games_turns")),
        sa.CheckConstraint("winner IS NULL OR ended_at IS NOT NULL", name=op.f("ck_games_winner")),
        sa.ForeignKeyConstraint(["rematch_of"], ["games.id"], name=op.f("fk_games_rematch_of")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index(
        "ix_games_due",
        "games",
        ["due", "id"],
        sqlite_where=sa.text("due IS NOT NULL"),
        postgresql_where=sa.text("due IS NOT NULL"),
    )

    op.create_table(
        "players",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("delivery", sa.Text(), nullable=False),
        sa.Column("quiet_from", sa.Time(), nullable=True),
        sa.Column("quiet_to", sa.Time(), nullable=True),
        sa.Column("rests_on_weekends", sa.Boolean(), nullable=False),
        sa.Column("messages_stop_plans", sa.Boolean(), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("stopped_since", sa.BigInteger(), nullable=True),
        sa.Column("first_stop", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("board IN ('image', 'text', 'spoken')", name=op.f("ck_players_board")),
        sa.CheckConstraint("delivery IN ('each', 'digest')", name=op.f("ck_players_delivery")),
        sa.CheckConstraint(
            "(quiet_from IS NULL) = (quiet_to IS NULL)", name=op.f("ck_players_quiet")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "addresses",
        sa.Column("address", KEY, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("verified_at", sa.BigInteger(), nullable=True),
        sa.Column("is_preferred", sa.Boolean(), nullable=False),
        sa.Column("is_fallback", sa.Boolean(), nullable=False),
        sa.CheckConstraint("address = lower(address)", name=op.f("ck_addresses_case")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_addresses_player_id")),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_addresses")),
    )
    op.create_index("ix_addresses_player_id", "addresses", ["player_id"])
    op.create_index(
        "uq_addresses_fallback",
        "addresses",
        ["player_id"],
        unique=True,
        sqlite_where=sa.text("is_fallback"),
        postgresql_where=sa.text("is_fallback"),
    )
    op.create_index(
        "uq_addresses_preferred",
        "addresses",
        ["player_id"],
        unique=True,
        sqlite_where=sa.text("is_preferred"),
        postgresql_where=sa.text("is_preferred"),
    )

    op.create_table(
        "invitations",
        sa.Column("id", KEY, nullable=False),
        sa.Column("host_id", NUMBER, nullable=False),
        sa.Column("guest_id", NUMBER, nullable=True),
        sa.Column("agreement", sa.Text(), nullable=False),
        sa.Column("host_seat", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("rematch_of", KEY, nullable=True),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", KEY, nullable=True),
        sa.Column("game_id", KEY, nullable=True),
        sa.CheckConstraint(
            "game_id IS NULL OR (outcome IS NOT NULL AND outcome = 'accepted')",
            name=op.f("ck_invitations_game"),
        ),
        sa.CheckConstraint(
            "outcome IN ('accepted', 'declined', 'withdrawn')", name=op.f("ck_invitations_outcome")
        ),
        sa.CheckConstraint(
            "(closed_at IS NULL) = (outcome IS NULL)", name=op.f("ck_invitations_closed")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_invitations_game_id")),
        sa.ForeignKeyConstraint(["guest_id"], ["players.id"], name=op.f("fk_invitations_guest_id")),
        sa.ForeignKeyConstraint(["host_id"], ["players.id"], name=op.f("fk_invitations_host_id")),
        sa.ForeignKeyConstraint(
            ["rematch_of"], ["games.id"], name=op.f("fk_invitations_rematch_of")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
    )
    op.create_index(
        "ix_invitations_guest",
        "invitations",
        ["guest_id"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_index(
        "ix_invitations_host",
        "invitations",
        ["host_id"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )

    op.create_table(
        "leaves",
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("begins", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.Column("announced_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("begins <= ends", name=op.f("ck_leaves_instants")),
        sa.CheckConstraint("first <= last", name=op.f("ck_leaves_days")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_leaves_player_id")),
        sa.PrimaryKeyConstraint("player_id", "place", name=op.f("pk_leaves")),
    )
    op.create_table(
        "notices",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("cause", KEY, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", KEY, nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("message_id", KEY, nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('new', 'sent', 'dead')", name=op.f("ck_notices_state")),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_notices_attempts")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notices_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_notices_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sa.UniqueConstraint(
            "cause", "player_id", "kind", name=op.f("uq_notices_cause_player_id_kind")
        ),
        sa.UniqueConstraint("message_id", name=op.f("uq_notices_message_id")),
    )
    op.create_index(
        "ix_notices_waiting",
        "notices",
        ["next_try", "id"],
        sqlite_where=sa.text("state = 'new'"),
        postgresql_where=sa.text("state = 'new'"),
    )

    op.create_table(
        "seats",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_seats_seat")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seats_player_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index("ix_seats_player_id", "seats", ["player_id", "game_id"])

    op.create_table(
        "log_entries",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("arrived", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("key", KEY, nullable=True),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.CheckConstraint("arrived <= at", name=op.f("ck_log_entries_arrived")),
        sa.CheckConstraint("number >= 0", name=op.f("ck_log_entries_number")),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"],
            ["seats.game_id", "seats.seat"],
            name=op.f("fk_log_entries_game_id_seat"),
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_log_entries_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_log_entries")),
        sa.UniqueConstraint("game_id", "key", name=op.f("uq_log_entries_game_id_key")),
    )
    op.create_table(
        "messages",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"],
            ["seats.game_id", "seats.seat"],
            name=op.f("fk_messages_game_id_seat"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index("ix_messages_game_id", "messages", ["game_id", "id"])

    op.create_table(
        "notes",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seats.game_id", "seats.seat"], name=op.f("fk_notes_game_id_seat")
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", "entry", name=op.f("pk_notes")),
    )
    op.create_table(
        "requests",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("opened_by", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("mark", KEY, nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("closed_by", sa.Integer(), nullable=True),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "(closed_by IS NULL) = (closed_at IS NULL)", name=op.f("ck_requests_closed")
        ),
        sa.ForeignKeyConstraint(
            ["game_id", "closed_by"],
            ["log_entries.game_id", "log_entries.number"],
            name=op.f("fk_requests_game_id_closed_by"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"],
            ["seats.game_id", "seats.seat"],
            name=op.f("fk_requests_game_id_seat"),
        ),
        sa.PrimaryKeyConstraint("game_id", "opened_by", "seat", name=op.f("pk_requests")),
    )
    op.create_index(
        "uq_requests_open",
        "requests",
        ["game_id", "seat", "kind", "mark"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )


def downgrade() -> None:
    """Back."""
    op.drop_table("requests")
    op.drop_table("notes")
    op.drop_table("messages")
    op.drop_table("log_entries")
    op.drop_table("seats")
    op.drop_table("notices")
    op.drop_table("leaves")
    op.drop_table("invitations")
    op.drop_table("addresses")
    op.drop_table("players")
    op.drop_table("games")
