"""Which revision of the tables a database has, and which this program needs.

Every process asks that when it starts. So it is asked without Alembic, which takes its time and
seven megabytes, and is for ``schema``, which changes tables.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Engine, inspect

from pbem.errors import SchemaError
from pbem.store.database import file_of

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_NOTED_IN: Final = "alembic_version"


@cache
def known_revisions() -> tuple[str, ...]:
    """All revisions, oldest first: what the names of the migrations begin with."""
    files = (MIGRATIONS / "versions").glob("[0-9]*_*.py")
    return tuple(sorted(file.name.partition("_")[0] for file in files))


def newest_revision() -> str:
    """The revision that this program needs."""
    return known_revisions()[-1]


def find_revision(engine: Engine) -> str | None:
    """The revision of a database; None if it has no tables of ours."""
    if (file := file_of(engine.url)) is not None and not file.exists():
        return None  # Looking must not make the file.
    with engine.connect() as connection:
        if not inspect(connection).has_table(_NOTED_IN):
            return None
        found = [
            str(row[0])
            for row in connection.exec_driver_sql(f"SELECT version_num FROM {_NOTED_IN}")
        ]
    if len(found) > 1:
        raise SchemaError(f"the database is another program's: it is at {', '.join(found)} at once")
    return found[0] if found else None


def check_schema(engine: Engine) -> None:
    """Raises SchemaError, which says what to run, if the tables do not fit this program."""
    wanted, found = newest_revision(), find_revision(engine)
    if found == wanted:
        return
    if found is None:
        raise SchemaError(
            f"the database {_named(engine.url)} has no tables yet; run: pbem db upgrade;"
            " or name another with PBEM_DATA_DIR or PBEM_DATABASE_URL"
        )
    check_known(found)
    raise SchemaError(
        f"the database is at revision {found} and this program needs {wanted}; "
        "stop the server, make a backup, then run: pbem db upgrade"
    )


def _named(url: URL) -> str:
    """Which database it is, without how to log in."""
    return str(url.database) if url.host is None else f"{url.database} on {url.host}"


def check_known(revision: str) -> None:
    """Raises SchemaError for a revision of a newer program."""
    if revision not in known_revisions():
        raise SchemaError(
            f"the database is at revision {revision}, which this program does not know: "
            "it was made by a newer one; install that"
        )
