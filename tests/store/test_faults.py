"""What happens when the machine does not do its part: killed, no space, no server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import func, select, text

from pbem.errors import StoreConflictError, StoreUnavailableError
from pbem.play.log import check_chain
from pbem.play.model import Address, Message
from pbem.store import database
from pbem.store.database import SqlStore, SqlUnit, make_engine, open_store
from pbem.store.schema import find_damage
from tests.store.things import NOW, a_request, add_game, add_players, an_entry, fresh, lock, play

WRITER = """
import sys
from pbem.store.database import open_store
from tests.store.things import lock, play

store = open_store(sys.argv[1])
print("ready", flush=True)
while True:
    with store.begin() as unit:
        game = lock(unit, "g")
        after = play(unit, game, text="x" * 5000, key=str(game.entries))
    print(after.entries, flush=True)
"""


def test_a_writer_is_killed(database_url: str) -> None:
    """Whatever was answered is there, and whatever is there is whole (L1.1)."""
    store = open_store(database_url)
    with store.begin() as unit:
        add_game(unit, "g")
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, database_url],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONPATH": "."},
        stdout=subprocess.PIPE,
    )
    assert writer.stdout is not None
    answered = [writer.stdout.readline() for _ in range(40)]
    os.kill(writer.pid, signal.SIGKILL)
    answered += writer.communicate()[0].splitlines(keepends=True)
    # A line that was cut off by the end was no answer.
    last = [line for line in answered if line.endswith(b"\n")][-1]
    with store.begin() as unit:
        game = lock(unit, "g")
        log = unit.entries("g")
        assert game.entries == len(log) >= int(last) >= 39
        assert game.head == check_chain(log)
        play(unit, game)
    store.dispose()
    engine = make_engine(database_url)
    assert find_damage(engine) == []
    engine.dispose()


def test_a_server_that_says_nothing_is_not_waited_for_for_ever(migrated_postgres: str) -> None:
    """Not even that it has gone: as behind a router that forgets connections."""
    sign = "&" if "?" in migrated_postgres else "?"
    engine = make_engine(f"{migrated_postgres}{sign}keepalives_idle=7&connect_timeout=3")
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        given = driver.info.get_parameters()
    engine.dispose()
    assert given["keepalives_interval"] == "10"
    assert given["keepalives_count"] == "3"
    assert given["tcp_user_timeout"] == "60000"
    # What an operator has chosen is left alone.
    assert (given["keepalives_idle"], given["connect_timeout"]) == ("7", "3")


def test_a_full_disk(database_url: str) -> None:
    if not database_url.startswith("sqlite"):
        pytest.skip("a server's disk cannot be filled from here")
    engine = make_engine(database_url)

    def limit(pages: int) -> None:
        # The limit holds for its connection only.
        found = unit._connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        assert found.scalar_one() == pages

    store = SqlStore(engine, engine)
    with store.begin() as unit:
        game = add_game(unit)
        pages = unit._connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        limit(pages + 20)

    def fill() -> int:
        for number in range(1000):
            with store.begin() as unit:
                unit.add_message(Message(game.id, 0, number, NOW, "x" * 2000))
                unit.add_message(Message(game.id, 1, number, NOW, "y" * 2000))
        return number

    with pytest.raises(StoreUnavailableError):
        fill()
    assert find_damage(engine) == []
    with store.begin() as unit:
        kept = unit.messages_of(game.id)
        assert [message.seat for message in kept] == [0, 1] * (len(kept) // 2)
        assert len(kept) >= 4
        assert unit.find_game(game.id) == game
    # Room again, and the same store goes on.
    with store.begin() as unit:
        limit(pages + 2000)
        unit.add_message(Message(game.id, 0, 0, NOW, "x" * 2000))
    with store.begin() as unit:
        assert len(unit.messages_of(game.id)) == len(kept) + 1
    store.dispose()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "pbem.sqlite3"
    file.write_bytes(b"This is a letter, not a database." * 100)
    with pytest.raises(StoreUnavailableError):
        open_store(f"sqlite:///{file}")


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path}/none/pbem.sqlite3")
    with pytest.raises(StoreUnavailableError), engine.connect():
        pass
    engine.dispose()


def test_no_server() -> None:
    with pytest.raises(StoreUnavailableError):
        open_store("postgresql://nobody@127.0.0.1:1/none")


def _cut(store: SqlStore, unit: SqlUnit) -> None:
    number = unit._connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    with store.begin() as other:
        other._connection.exec_driver_sql(f"SELECT pg_terminate_backend({number})")


CUT_BEFORE: dict[str, Callable[[SqlUnit, str], object]] = {
    "reading": lambda unit, game: unit.find_game(game),
    "writes": lambda unit, game: unit.add_entry(game, an_entry(0)),
    "writes and a reading": lambda unit, game: (
        unit.open_request(a_request(game)),  # type: ignore[func-returns-value]
        unit.requests_of(game),
    ),
    "another write": lambda unit, game: unit.add_message(Message(game, 0, 0, NOW, "")),
    "the end": lambda unit, game: None,
}


@pytest.mark.parametrize("name", CUT_BEFORE)
def test_a_connection_cut_in_the_middle(database_url: str, name: str) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite has no connection")
    store = open_store(database_url)
    with store.begin() as unit:
        game = add_game(unit)

    def cut(unit: SqlUnit) -> None:
        play(unit, lock(unit, game.id))
        _cut(store, unit)
        CUT_BEFORE[name](unit, game.id)

    with pytest.raises(StoreUnavailableError), store.begin() as unit:
        cut(unit)
    # All of the unit is gone with its connection, and the store has another.
    with store.begin() as unit:
        assert lock(unit, game.id) == game
        assert unit.entries(game.id) == []
        play(unit, game)
    store.dispose()


def test_a_lost_connection_stays_lost(database_url: str) -> None:
    """Who catches it inside the unit is told again, by every use and by the end."""
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite has no connection")
    store = open_store(database_url)
    with store.begin() as unit:
        game = add_game(unit)

    def go_on(unit: SqlUnit) -> None:
        _cut(store, unit)
        for look in (unit.find_game, unit.lock_game, unit.messages_of, unit.entries):
            with pytest.raises(StoreUnavailableError):
                look(game.id)
        unit.add_entry(game.id, an_entry(0))
        with pytest.raises(StoreConflictError):
            unit.save_game(game)

    with pytest.raises(StoreUnavailableError), store.begin() as unit:
        go_on(unit)
    with pytest.raises(StoreUnavailableError), store.read() as unit:
        go_on(unit)
    with store.begin() as unit:
        assert unit.entries(game.id) == []
    store.dispose()


@pytest.mark.parametrize("trusted", [0.0, 0.1])
def test_a_server_that_was_restarted(
    database_url: str, monkeypatch: pytest.MonkeyPatch, trusted: float
) -> None:
    """A connection that stood idle is asked whether it is there before a unit relies on it."""
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite has no connection")
    monkeypatch.setattr(database, "_TRUSTED", trusted)
    store = open_store(database_url)
    with store.begin() as unit:
        game = add_game(unit)
        number = unit._connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(%s)", [number])
    time.sleep(2 * trusted)
    with store.begin() as unit:
        assert lock(unit, game.id) == game
    store.dispose()


def test_a_commit_that_fails_is_told(database_url: str) -> None:
    store = open_store(database_url)
    # What breaks a rule that is looked at in the end.
    breaks = [
        "CREATE TABLE parents (id INTEGER PRIMARY KEY)",
        "CREATE TABLE children (parent INTEGER REFERENCES parents (id)"
        " DEFERRABLE INITIALLY DEFERRED)",
        "INSERT INTO children VALUES (1)",
    ]

    def add_with_faults() -> None:
        with store.begin() as unit:
            add_game(unit, "g")
            for statement in breaks:
                unit._connection.execute(text(statement))

    with pytest.raises(StoreConflictError):
        add_with_faults()
    with store.begin() as unit:
        assert unit.find_game("g") is None
    store.dispose()


def test_what_changed_nothing_keeps_the_rest_from_being_kept(store: SqlStore) -> None:
    with store.begin() as unit:
        nobody = replace(add_players(unit)[0], id=987_654)

    def save_nobody() -> None:
        with store.begin() as unit:
            add_game(unit, "g2")
            unit.save_player(nobody)

    with pytest.raises(StoreConflictError):
        save_nobody()
    with store.begin() as unit:
        assert unit.find_game("g2") is None


class _InterruptedError(Exception):
    pass


_HOLD = text("UPDATE addresses SET added_at = added_at WHERE address = :wanted")


@contextmanager
def interrupted_soon() -> Iterator[None]:
    """An exception after a moment, as of the time limit of a job, whatever is done then."""

    def interrupt(*_: object) -> None:
        raise _InterruptedError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_unit_that_is_interrupted_is_undone(store: SqlStore, database_url: str) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("its statements are not waited for")

    def sleep() -> None:
        with store.begin() as unit:
            add_game(unit, "g3")
            unit._rows(select(func.pg_sleep(20)))

    with pytest.raises(_InterruptedError), interrupted_soon():
        sleep()
    with store.begin() as unit:
        assert unit.find_game("g3") is None


def test_a_unit_that_is_interrupted_at_its_end_is_undone(
    store: SqlStore, database_url: str
) -> None:
    """It waits for a lock with its last write, and the end is sent already."""
    if database_url.startswith("sqlite"):
        pytest.skip("its statements are not waited for")
    with store.begin() as unit:
        player = add_players(unit)[0]
        address = Address(f"{fresh('a')}@example.org", player.id, NOW)
        unit.add_address(address)
    other = store.begin()
    with other as unit:
        unit.lock_player(player.id)
        unit._change(_HOLD, {"wanted": address.address})

        def drop() -> None:
            with store.begin() as unit:
                unit.remove_address(address.address)

        with pytest.raises(_InterruptedError), interrupted_soon():
            drop()
    time.sleep(0.2)
    with store.begin() as unit:
        assert unit.find_address(address.address) is not None
