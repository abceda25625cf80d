"""Fixtures of the databases, for every test that stores something; each runs on both.

``database_url`` is a database with all its tables and nothing in them, ``empty_database_url`` one
without tables, ``store`` an open store. ``PBEM_REQUIRE_POSTGRES=1`` makes a missing PostgreSQL a
failure; else its tests are skipped, and the end of the run says so.
"""

from __future__ import annotations

import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import psycopg
import pytest
from sqlalchemy import make_url, text

from deploy.load.postgres import NoServerError
from pbem.store.columns import Row
from pbem.store.database import SqlStore, make_engine, open_store
from pbem.store.schema import upgrade
from tests.postgres_server import server

BOTH = ("sqlite", "postgresql")
_SKIPPED = "no PostgreSQL to test with"
_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
_NUMBERED_AGAIN = {
    "sqlite": "DELETE FROM sqlite_sequence",
    "postgresql": "SELECT setval(oid::regclass, 1, false) FROM pg_class"
    " WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace",
}
Done = TypeVar("Done")


def emptying(database: str) -> list[str]:
    """The statements that forget everything. What comes after is numbered from 1 again: which
    ids nobody has must not follow from how many tests ran before."""
    tables = reversed(Row.metadata.sorted_tables)
    return [*(f'DELETE FROM "{table.name}"' for table in tables), _NUMBERED_AGAIN[database]]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    try:
        running = server()
        url = running.__enter__()
    except NoServerError as error:
        if os.environ.get("PBEM_REQUIRE_POSTGRES"):
            pytest.fail(str(error))
        pytest.skip(f"{_SKIPPED}: {error}")
    yield url
    running.__exit__(None, None, None)


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str) -> Iterator[str]:
    """One database for all tests of this process, with its tables."""
    with _fresh_database(postgres_server) as url:
        _migrate(url)
        yield url


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file to be copied, with its tables."""
    file = tmp_path_factory.mktemp("database") / "template.sqlite3"
    _migrate(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def sweeper(migrated_postgres: str) -> Iterator[psycopg.Connection]:
    """To empty the tables with: a new connection for each test would take 20 times as long."""
    with psycopg.connect(migrated_postgres, autocommit=True) as connection:
        yield connection


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        file = tmp_path / "pbem.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), file)
        return f"sqlite:///{file}"
    sweeper: psycopg.Connection = request.getfixturevalue("sweeper")
    sweeper.execute(";".join(emptying("postgresql")).encode())
    url: str = request.getfixturevalue("migrated_postgres")
    return url


@pytest.fixture(scope="session")
def bare_postgres(postgres_server: str) -> Iterator[str]:
    """One database for all tests of this process that make their tables themselves."""
    with _fresh_database(postgres_server) as url:
        yield url


@pytest.fixture(params=BOTH)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    url: str = request.getfixturevalue("bare_postgres")
    with psycopg.connect(url) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url


@pytest.fixture
def store(database_url: str) -> Iterator[SqlStore]:
    opened = open_store(database_url)
    yield opened
    opened.dispose()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = {str(report.longrepr[2]) for report in skipped if isinstance(report.longrepr, tuple)}
    for reason in sorted(reason for reason in reasons if _SKIPPED in reason):
        terminalreporter.write_line(f"PostgreSQL was NOT tested. {reason}", red=True, bold=True)


@contextmanager
def _fresh_database(server_url: str) -> Iterator[str]:
    """A new database on a server, dropped in the end."""
    name = f"pbem_test_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield make_url(server_url).set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def _migrate(url: str) -> None:
    engine = make_engine(url)
    upgrade(engine)
    engine.dispose()


def begin_waiting(
    store: SqlStore, pool: ThreadPoolExecutor, work: Callable[[], Done]
) -> Future[Done]:
    """Have something done that has to wait for a lock of a row, and come back when it does."""
    done = pool.submit(work)
    until = time.monotonic() + 60
    with store._engine.connect() as connection:
        while not connection.execute(_WAITING).scalar_one():
            assert time.monotonic() < until, "it does not wait"
            assert not done.done(), "it did not wait"
            time.sleep(0.01)
            connection.rollback()
    return done
