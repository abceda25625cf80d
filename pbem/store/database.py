"""The door to the database: engines as we want them, and units of work.

SQLite: one file in WAL mode, every commit on the disk before it is answered, and every unit begun
with the right to write, so that no two units ever find out late that they are in each other's way.
PostgreSQL: READ COMMITTED with row locks. Leaves the making of tables to ``schema``.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, make_url
from sqlalchemy.event import listen
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import ConnectionPoolEntry

from pbem.config import full_database_url
from pbem.errors import ConfigError, StoreBusyError
from pbem.store.archive import ArchiveQueries
from pbem.store.archive_search import ArchiveSearch
from pbem.store.backlog import BacklogQueries
from pbem.store.driver_errors import ours
from pbem.store.events import EventQueries
from pbem.store.faults import translate_errors
from pbem.store.finding import FindingQueries
from pbem.store.foresight import MailForesight
from pbem.store.forgetting import ForgettingQueries
from pbem.store.invitations import InvitationQueries
from pbem.store.paces import PaceQueries
from pbem.store.passes import PassQueries
from pbem.store.pulse import PulseQueries
from pbem.store.rated_games import RatedGameQueries
from pbem.store.ratings import RatingQueries
from pbem.store.remarks import RemarkQueries
from pbem.store.studies import StudyQueries
from pbem.store.trails import TrailQueries
from pbem.store.transaction import SPOILED

PATIENCE: Final = 30.0
"""Seconds a unit waits before it gives up as busy, for each thing of which there are few: its turn
to write, a lock, a connection."""
_IDLE_TRANSACTION: Final = 300.0
_REACHING: Final = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""How long a server far away is waited for when it says nothing at all, not even that it has gone:
ten seconds for a connection, a minute on one that is there (libpq's words)."""
_TRUSTED: Final = 1.0
"""Seconds for which a connection to a server is taken to be there still."""
_RETURNED: Final = "pbem_returned"
_KEPT: Final = 4
"""How many connections of each kind are kept at hand: for three readers, or couriers, and whoever
sends them. The others wait in the pool for anyone."""
_POOL: Final = {"postgresql": 3 * _KEPT - 1, "sqlite": 5}
"""Connections that stay open: as many as are kept of either kind, and some for anyone. In a rush
there are twice as many. To SQLite one at a time writes, and each takes a megabyte."""


class SqlUnit(
    MailForesight,
    InvitationQueries,
    PassQueries,
    PulseQueries,
    BacklogQueries,
    TrailQueries,
    ForgettingQueries,
    ArchiveQueries,
    RemarkQueries,
    ArchiveSearch,
    FindingQueries,
    StudyQueries,
    RatedGameQueries,
    RatingQueries,
    PaceQueries,
    EventQueries,
):
    """One transaction: the port ``Unit``, filled topic by topic."""


class SqlStore:
    """The port ``Store``. Made by ``open_store``; threads may share it, forked processes not."""

    def __init__(self, engine: Engine, reading: Engine) -> None:
        self._engine = engine
        self._reading = reading
        self._writing = threading.Lock() if engine.dialect.name == "sqlite" else None
        pool: Any = engine.pool
        # A small pool would have nothing left for the other kind.
        self._kept = min(_KEPT, (pool.size() + 1) // 3)
        self._idle: dict[Engine, deque[tuple[Connection, float]]] = {
            engine: deque(),
            reading: deque(),
        }

    @contextmanager
    def begin(self) -> Iterator[SqlUnit]:
        """A unit that is kept when its block ends and undone when it raises."""
        with (
            self._turn_to_write(),
            self._connected(self._engine) as connection,
            _transaction(connection) as unit,
        ):
            yield unit

    @contextmanager
    def read(self) -> Iterator[SqlUnit]:
        """A unit that only reads, all as of one instant, in nobody's way. Nothing is kept."""
        with (
            self._connected(self._reading) as connection,
            _transaction(connection) as unit,
        ):
            yield unit

    @contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """Threads of this process write to SQLite in turns: whoever waits here goes on at once,
        where SQLite would look again after ever longer naps."""
        if self._writing is None:
            yield
        elif not self._writing.acquire(timeout=PATIENCE):
            raise StoreBusyError("the database is busy with other writers")
        else:
            try:
                yield
            finally:
                self._writing.release()

    @contextmanager
    def _connected(self, engine: Engine) -> Iterator[Connection]:
        """A connection that was in use a moment ago, or one from the pool.

        Going through the pool would take longer than many a unit does. What fails is not kept.
        """
        idle = self._idle[engine]
        connection: Connection | None = None
        while connection is None and (kept := _pop(idle)) is not None:
            connection, returned = kept
            if time.monotonic() - returned >= _TRUSTED:
                info = connection.info
                connection.close()
                connection = None
                info[_RETURNED] = returned  # nobody has used it since
        if connection is None:
            try:
                connection = engine.connect()
            except PoolTimeoutError:
                raise StoreBusyError("all connections to the database are in use") from None
        connection.info.pop(SPOILED, None)
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        if len(idle) < self._kept and not connection.invalidated:
            idle.append((connection, time.monotonic()))
        else:
            connection.close()

    def dispose(self) -> None:
        """Close all connections. A store that is used again opens new ones."""
        for idle in self._idle.values():
            while (kept := _pop(idle)) is not None:
                kept[0].close()
        self._engine.dispose()
        self._reading.dispose()


@contextmanager
def _transaction(connection: Connection) -> Iterator[SqlUnit]:
    """A unit that ends its transaction itself; SQLAlchemy only hears of it."""
    transaction = connection.begin()
    try:
        unit = SqlUnit(connection)
        yield unit
        unit.finish()
        if connection.invalidated:  # it went down as soon as all was kept
            transaction.close()
        else:
            transaction.commit()
    except BaseException:
        transaction.rollback()
        raise


def _pop(idle: deque[tuple[Connection, float]]) -> tuple[Connection, float] | None:
    """The connection used last. Not asked first whether there is one: others take them too."""
    try:
        return idle.pop()
    except IndexError:
        return None


def open_store(url: str, *, pool_size: int | None = None) -> SqlStore:
    """The store at an address, ready for use.

    Raises SchemaError if its tables do not fit this program, ConfigError, StoreUnavailableError.
    """
    # It asks this module where a database is.
    from pbem.store.revisions import check_schema  # noqa: PLC0415

    engine = make_engine(url, pool_size=pool_size)
    try:
        check_schema(engine)
    except BaseException:
        engine.dispose()
        raise
    if engine.dialect.name == "sqlite":
        reading = make_engine(url, pool_size=pool_size, only_reading=True)
    else:
        reading = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
    return SqlStore(engine, reading)


def make_engine(url: str, *, pool_size: int | None = None, only_reading: bool = False) -> Engine:
    """An engine for an address, not yet connected. Raises ConfigError."""
    try:
        parsed = make_url(full_database_url(url))
        size = pool_size or _POOL.get(parsed.get_backend_name(), 1)
        options: dict[str, Any] = {
            "pool_size": size,
            "max_overflow": size,
            "pool_timeout": PATIENCE,
        }
        if parsed.get_backend_name() == "postgresql":
            options["isolation_level"] = "READ COMMITTED"
            # What an operator has written into the address is theirs.
            options["connect_args"] = {
                name: value for name, value in _REACHING.items() if name not in parsed.query
            }
        engine = create_engine(parsed, **options)
    except ConfigError as error:
        raise ConfigError(f"the database's address {error}") from None
    except (ArgumentError, ValueError):
        # The address may hold a password, and so may what SQLAlchemy says of it.
        raise ConfigError("the database's address cannot be read") from None
    translate_errors(engine)
    if engine.dialect.name == "sqlite":
        listen(engine, "connect", _set_up_sqlite)
        if only_reading:
            listen(engine, "connect", _forbid_writing)
        begin = "BEGIN" if only_reading else "BEGIN IMMEDIATE"
        listen(engine, "begin", partial(_begin_sqlite, begin))
    else:
        listen(engine, "connect", _set_up_postgresql)
        listen(engine, "checkin", _note_the_time)
        listen(engine, "checkout", partial(_check_if_idle, engine))
    return engine


def file_of(url: URL) -> Path | None:
    """The file of a SQLite database; None for one on a server."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _set_up_sqlite(driver: sqlite3.Connection, record: object) -> None:
    # The driver would begin transactions as it likes, and never with the right to write.
    driver.isolation_level = None
    driver.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
    _choose_wal(driver)
    driver.execute("PRAGMA synchronous = FULL")
    # Kilobytes: every connection keeps its own, and the system has all of the file anyway.
    driver.execute("PRAGMA cache_size = -256")
    driver.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(statement: str, connection: Connection) -> None:
    # Not through SQLAlchemy, which would take longer over it than SQLite; its errors are told
    # as ours all the same.
    driver: Any = connection.connection.driver_connection
    try:
        driver.execute(statement)
    except sqlite3.Error as error:
        raise ours(error) from error


def _choose_wal(driver: sqlite3.Connection) -> None:
    # Going over to WAL does not wait for others, whatever the busy timeout is.
    until = time.monotonic() + PATIENCE
    while True:
        try:
            driver.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _forbid_writing(driver: sqlite3.Connection, record: object) -> None:
    driver.execute("PRAGMA query_only = ON")


def _set_up_postgresql(driver: Any, record: object) -> None:
    # Statements that come again are prepared by ``pipeline``. psycopg drops all that are when it
    # undoes a transaction in which it has prepared any.
    driver.prepare_threshold = None
    with driver.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {int(PATIENCE * 1000)}")
        cursor.execute(f"SET idle_in_transaction_session_timeout = {int(_IDLE_TRANSACTION * 1000)}")
        # A commit that was answered must be on the disk (L1.1), whatever the server's default is.
        cursor.execute(
            "SELECT set_config('synchronous_commit', 'on', false)"
            " WHERE current_setting('synchronous_commit') = 'off'"
        )
    driver.commit()


def _note_the_time(driver: Any, record: ConnectionPoolEntry) -> None:
    record.info[_RETURNED] = time.monotonic()


def _check_if_idle(engine: Engine, driver: Any, record: ConnectionPoolEntry, proxy: object) -> None:
    """Ask a connection that nobody has used for a while whether it is still there.

    Asking each time would cost every unit a round trip.
    """
    if time.monotonic() - record.info.get(_RETURNED, time.monotonic()) < _TRUSTED:
        return
    try:
        engine.dialect.do_ping(driver)
    except engine.dialect.loaded_dbapi.Error as error:
        raise DisconnectionError from error
