"""The post: mails that came in, letters as written, how addresses fare, counters and the pulse."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

OLD_STATES = "state IN ('new', 'sent', 'dead')"
NEW_STATES = "state IN ('new', 'sent', 'dead', 'moot')"
OLD_DELIVERIES = "delivery IN ('each', 'digest')"
NEW_DELIVERIES = "delivery IN ('each', 'digest', 'none')"


def upgrade() -> None:
    """Forward."""
    _change_check("players", "delivery", _players(OLD_DELIVERIES), NEW_DELIVERIES)
    _change_check("notices", "state", _notices(OLD_STATES), NEW_STATES, _columns())
    if op.get_context().dialect.name == "sqlite":
        entry = "json_extract(facts, '$.entry')"
    else:
        entry = "CAST(CAST(facts AS json) ->> 'entry' AS integer)"
    op.execute(f"UPDATE notices SET entry = {entry}")
    op.create_index("ix_notices_told", "notices", ["game_id", "player_id", "entry"])
    op.create_index(
        "ix_notices_dead",
        "notices",
        ["id"],
        sqlite_where=sa.text("state = 'dead'"),
        postgresql_where=sa.text("state = 'dead'"),
    )

    op.create_table(
        "inbound",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("key", KEY, nullable=False),
        sa.Column("destination", KEY, nullable=False),
        sa.Column("lane", KEY, nullable=False),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("arrived", sa.BigInteger(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("is_confirmed", sa.Boolean(), nullable=False),
        sa.Column("player_id", NUMBER, nullable=True),
        sa.Column("game_id", KEY, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state IN ('new', 'handled', 'held', 'quarantined')", name=op.f("ck_inbound_state")
        ),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_inbound_attempts")),
        sa.CheckConstraint("repeats >= 0", name=op.f("ck_inbound_repeats")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_inbound_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_inbound_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
        sa.UniqueConstraint("key", "destination", name=op.f("uq_inbound_key_destination")),
    )
    for name, columns, where in (
        ("ix_inbound_waiting", ["arrived", "id"], "state = 'new'"),
        ("ix_inbound_lane", ["lane", "arrived", "id"], "state = 'new'"),
        ("ix_inbound_player_id", ["player_id", "id"], "state = 'held'"),
        ("ix_inbound_state", ["state", "id"], "state IN ('held', 'quarantined')"),
    ):
        op.create_index(
            name,
            "inbound",
            columns,
            sqlite_where=sa.text(where),
            postgresql_where=sa.text(where),
        )

    op.create_table(
        "letters",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("message_id", KEY, nullable=False),
        sa.Column("token_hash", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("address", KEY, nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", KEY, nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("request_id", KEY, nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("lines", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_letters_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_letters_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letters")),
        sa.UniqueConstraint("message_id", name=op.f("uq_letters_message_id")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_letters_token_hash")),
    )
    op.create_index("ix_letters_player_id_game_id_id", "letters", ["player_id", "game_id", "id"])
    op.create_index("ix_letters_game_id", "letters", ["game_id"])

    op.create_table(
        "address_health",
        sa.Column("address", KEY, nullable=False),
        sa.Column("bounced_at", sa.BigInteger(), nullable=True),
        sa.Column("soft_score", sa.Float(), nullable=False),
        sa.Column("soft_at", sa.BigInteger(), nullable=True),
        sa.Column("unsubscribed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_address_health")),
    )
    op.create_table(
        "counters",
        sa.Column("bucket", KEY, nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_counters")),
    )
    op.create_index("ix_counters_ends", "counters", ["ends"])

    op.create_table(
        "nonces",
        sa.Column("nonce", KEY, nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("nonce", name=op.f("pk_nonces")),
    )
    op.create_index("ix_nonces_used_at", "nonces", ["used_at"])

    op.create_table(
        "heartbeats",
        sa.Column("name", KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "outages",
        sa.Column("begins", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.Column("after", KEY, nullable=False),
        sa.CheckConstraint("begins < ends", name=op.f("ck_outages_instants")),
        sa.PrimaryKeyConstraint("begins", name=op.f("pk_outages")),
    )


def downgrade() -> None:
    """Back. Mails that came in are lost; who wanted no mail gets one a day."""
    for table in (
        "outages",
        "heartbeats",
        "nonces",
        "counters",
        "address_health",
        "letters",
        "inbound",
    ):
        op.drop_table(table)
    op.drop_index("ix_notices_dead", "notices")
    op.drop_index("ix_notices_told", "notices")
    for column in ("entry", "since", "reason"):
        op.drop_column("notices", column)
    op.execute("UPDATE notices SET state = 'dead' WHERE state = 'moot'")
    op.execute("UPDATE players SET delivery = 'digest' WHERE delivery = 'none'")
    _change_check("notices", "state", _notices(NEW_STATES), OLD_STATES)
    _change_check("players", "delivery", _players(NEW_DELIVERIES), OLD_DELIVERIES)


def _columns() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("entry", sa.Integer(), nullable=True),
    )


def _change_check(
    table: str,
    name: str,
    before: sa.Table,
    condition: str,
    added: tuple[sa.Column[Any], ...] = (),
) -> None:
    """Another condition; SQLite makes the table anew for it, from what it was before."""
    full = f"ck_{table}_{name}"
    options = {"sqlite_autoincrement": True} if table == "players" else {}
    with op.batch_alter_table(table, copy_from=before, table_kwargs=options) as batch:
        batch.drop_constraint(batch.f(full), type_="check")
        batch.create_check_constraint(batch.f(full), sa.text(condition))
        for column in added:
            batch.add_column(column)


def _players(deliveries: str) -> sa.Table:
    return sa.Table(
        "players",
        sa.MetaData(),
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
        sa.CheckConstraint(deliveries, name=op.f("ck_players_delivery")),
        sa.CheckConstraint(
            "(quiet_from IS NULL) = (quiet_to IS NULL)", name=op.f("ck_players_quiet")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sqlite_autoincrement=True,
    )


def _notices(states: str) -> sa.Table:
    table = sa.Table(
        "notices",
        sa.MetaData(),
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
        sa.CheckConstraint(states, name=op.f("ck_notices_state")),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_notices_attempts")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notices_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_notices_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sa.UniqueConstraint(
            "cause", "player_id", "kind", name=op.f("uq_notices_cause_player_id_kind")
        ),
        sa.UniqueConstraint("message_id", name=op.f("uq_notices_message_id")),
    )
    sa.Index(
        "ix_notices_waiting",
        table.c.next_try,
        table.c.id,
        sqlite_where=sa.text("state = 'new'"),
        postgresql_where=sa.text("state = 'new'"),
    )
    return table
