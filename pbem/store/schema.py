"""The tables of the database: making them fit this program, and whether they are as they should be.

Owns the running of the migrations in ``migrations``. Each change of the tables is a migration; a
test holds that they lead exactly to the tables the topics describe. Which one a database is at, and
which is wanted, is ``revisions``' to say.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import CheckConstraint, Connection, Engine, inspect

from pbem.errors import StoreError, StoreUnavailableError
from pbem.store.columns import Row, is_found_on
from pbem.store.database import file_of
from pbem.store.revisions import MIGRATIONS, check_known, find_revision

_LOCK: Final = 0x7062656D
"""Names the lock that keeps two upgrades of one PostgreSQL database apart."""


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring the tables to a revision, by default the newest; all of it or nothing.

    Raises SchemaError for tables that are not ours to change.
    """
    if (found := find_revision(engine)) is not None:
        check_known(found)
    if (file := file_of(engine.url)) is not None:
        _make_room_for(file)
    with _migrating(engine) as config:
        command.upgrade(config, revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Take the tables back to a revision; ``base`` drops them all with everything in them."""
    with _migrating(engine) as config:
        command.downgrade(config, revision)


def find_differences(engine: Engine) -> list[str]:
    """In what the tables differ from those this program describes; empty if all is well."""
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": True,
                "compare_server_default": True,
                "include_object": partial(is_found_on, engine.dialect.name),
            },
        )
        found = [str(difference) for difference in compare_metadata(context, Row.metadata)]
        return found + list(_check_differences(connection))


def find_damage(engine: Engine) -> list[str]:
    """What a SQLite file says of its own health; PostgreSQL looks after itself."""
    if engine.dialect.name != "sqlite":
        return []
    with engine.connect() as connection:
        told = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
        return [line for line in told if line != "ok"] + _dangling(connection)


def _check_differences(connection: Connection) -> Iterator[str]:
    # Alembic compares everything but CHECK constraints, so their names are compared here.
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    for table in Row.metadata.sorted_tables:
        if table.name not in there:
            continue
        wanted = {str(c.name) for c in table.constraints if isinstance(c, CheckConstraint)}
        found = {str(check["name"]) for check in inspector.get_check_constraints(table.name)}
        for name in sorted(wanted ^ found):
            yield f"{table.name}: check {name} is {'missing' if name in wanted else 'not ours'}"


def _dangling(connection: Connection) -> list[str]:
    rows = connection.exec_driver_sql("PRAGMA foreign_key_check")
    return [f"{row[0]} row {row[1]} refers to nothing in {row[2]}" for row in rows]


@contextmanager
def _migrating(engine: Engine) -> Iterator[Config]:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.connect() as connection:
        is_sqlite = engine.dialect.name == "sqlite"
        if is_sqlite:
            # Tables are changed by making them anew, which must not count as dropping what others
            # refer to; whether all still refer to something is looked at in the end.
            _driver(connection).execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                if not is_sqlite:
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
                config.attributes["connection"] = connection
                yield config
                if is_sqlite and (dangling := _dangling(connection)):
                    raise StoreError("the migration broke: " + "; ".join(dangling))
        finally:
            if is_sqlite:
                _driver(connection).execute("PRAGMA foreign_keys = ON")


def _driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def _make_room_for(file: Path) -> None:
    """The file with its directory, for nobody else to read: it will hold addresses and secrets."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailableError(f"{file}: {error.strerror}") from None
