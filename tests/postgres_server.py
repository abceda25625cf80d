"""A PostgreSQL server for tests: one that is named, one that is running, or one of our own.

``PBEM_TEST_POSTGRES_URL`` names a server (a user who may create databases), or is ``temporary``
for a server that is started for the tests and thrown away. Without it a server on the standard
port of this machine is used if it lets us in, else a temporary one, if PostgreSQL is installed.

``python -m tests.postgres_server`` says whether there will be one.
"""

from __future__ import annotations

import getpass
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from deploy.load.postgres import NoServerError, running_cluster

VARIABLE = "PBEM_TEST_POSTGRES_URL"


@contextmanager
def server() -> Iterator[str]:
    """The address of a database from which others can be created. Raises NoServerError."""
    named = os.environ.get(VARIABLE, "")
    if named not in ("", "temporary"):
        if reason := _refusal(named):
            raise NoServerError(f"{VARIABLE}: {reason}")
        yield named
        return
    if not named:
        for user in dict.fromkeys((getpass.getuser(), "postgres")):
            url = f"postgresql://{user}@127.0.0.1:5432/postgres"
            if not _refusal(url):
                yield url
                return
    with _temporary_server() as url:
        yield url


def _refusal(url: str) -> str | None:
    try:
        with psycopg.connect(url, connect_timeout=3) as connection:
            row = connection.execute(
                "SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.Error as error:
        return str(error)
    return None if row and row[0] else "the user may not create databases"


@contextmanager
def _temporary_server() -> Iterator[str]:
    place = Path(tempfile.mkdtemp(prefix="pbem-postgres-"))
    try:
        with running_cluster(place, is_durable=False) as cluster:
            yield cluster.url
    except NoServerError as error:
        raise NoServerError(
            f"{VARIABLE} is not set, and no server on port 5432 lets us in: {error}"
        ) from None
    finally:
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    try:
        with server() as found:
            print(found)
    except NoServerError as error:
        sys.exit(f"No PostgreSQL for the tests: {error}")
