"""How Alembic reaches the database: over the connection it is given, or the operator's settings."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from pbem.config import read_settings
from pbem.store.columns import Instant, Json, Key, Row, Words, is_found_on
from pbem.store.database import make_engine

_PLAIN = {
    Instant: "sa.BigInteger()",
    Json: "sa.Text()",
    Words: "sa.Text()",
    Key: 'sa.Text().with_variant(sa.Text(collation="C"), "postgresql")',
}
"""Migrations must not change with the program, so our own column types are not named in them."""


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """How a new migration writes one of our column types."""
    return _PLAIN.get(type(item), False) if kind == "type" else False


def run(connection: Connection) -> None:
    """Run the migrations in the transaction of a connection."""
    context.configure(
        connection=connection,
        target_metadata=Row.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        render_item=render_item,
        include_object=partial(is_found_on, connection.dialect.name),
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if (given := context.config.attributes.get("connection")) is not None:
    run(given)
else:
    with make_engine(read_settings().database_url).begin() as connection:
        run(connection)
