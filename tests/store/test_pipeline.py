"""Statements to PostgreSQL in one round trip: what is sent when, and what a fault leaves behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from psycopg.pq import PipelineStatus, TransactionStatus
from sqlalchemy import LargeBinary, Text, any_, bindparam, cast, func, literal, select, text
from sqlalchemy.dialects.postgresql import ARRAY

from pbem.errors import StoreConflictError, StoreError, StoreUnavailableError, UnstorableError
from pbem.play.model import Address
from pbem.store.database import SqlStore, SqlUnit
from pbem.store.pipeline import Pipeline
from tests.store.things import NOW, add_game, add_players, an_arrival, fresh, lock

BYTES = cast(bindparam("bytes", type_=LargeBinary()), LargeBinary())
ECHO = select(BYTES.label("bytes"))
MANY = select(literal(1)).where(literal("x") == any_(bindparam("many", type_=ARRAY(Text()))))
SLEEP = select(func.pg_sleep(30))
SLEEPS = "SELECT true FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'"
WRONG = select(literal(1) / func.length(BYTES))


@pytest.fixture(autouse=True)
def _only_postgresql(database_url: str) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("for PostgreSQL")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The first word of each statement, by round trip."""
    trips: list[list[str]] = []
    exchange = Pipeline._exchange

    def noted(self: Pipeline, commands: Sequence[Any]) -> Any:
        trips.append([text.split()[0] for text, _, _ in commands])
        return exchange(self, commands)

    monkeypatch.setattr(Pipeline, "_exchange", noted)
    return trips


def link(unit: SqlUnit) -> Any:
    driver: Any = unit._connection.connection.driver_connection
    return driver.pgconn


def test_a_unit_begins_with_its_first_statement_and_ends_with_its_last(
    store: SqlStore, sent: list[list[str]]
) -> None:
    with store.begin() as unit:
        game = add_game(unit)
    sent.clear()
    with store.begin() as unit:
        unit.end_notice(1, "sent")
    assert sent == [["BEGIN", "UPDATE", "COMMIT"]]
    sent.clear()
    with store.read() as unit:
        unit.find_player(game.players[0])
    assert [trip[0] for trip in sent] == ["BEGIN", "COMMIT"]
    sent.clear()
    with store.begin(), store.read():
        pass
    assert sent == []


def test_what_must_change_a_row_is_looked_at_before_the_end(
    store: SqlStore, sent: list[list[str]]
) -> None:
    with store.begin() as unit:
        player = add_players(unit)[0]
    sent.clear()
    with store.begin() as unit:
        unit.save_player(player)
    assert [trip[-1] for trip in sent][-1] == "COMMIT"
    assert len(sent) == 2


def test_what_waits_to_be_written_goes_with_what_is_read(
    store: SqlStore, sent: list[list[str]]
) -> None:
    with store.begin() as unit:
        player = add_players(unit)[0]
        sent.clear()
        unit.add_address(Address(f"{fresh('a')}@example.org", player.id, NOW))
        assert unit.addresses_of(player.id)
    assert sent[0] == ["INSERT", "SELECT"]


def test_a_reader_sees_one_instant_and_writes_nothing(store: SqlStore) -> None:
    with store.begin() as unit:
        player = add_players(unit)[0]
    with store.read() as unit:
        before = unit.addresses_of(player.id)
        with store.begin() as other:
            other.add_address(Address(f"{fresh('a')}@example.org", player.id, NOW))
        unit._seen.clear()
        assert unit.addresses_of(player.id) == before

    def write() -> None:
        with store.read() as unit:
            unit.end_notice(1, "sent")

    with pytest.raises(StoreUnavailableError):
        write()


def test_behind_a_fault_nothing_is_run_and_the_connection_goes_on(store: SqlStore) -> None:
    address = Address(f"{fresh('a')}@example.org", 1, NOW)
    with store.begin() as unit:
        unit.add_address(Address(address.address, add_players(unit)[0].id, NOW))

    def add_twice() -> None:
        with store.begin() as unit:
            own = add_players(unit)[0]
            unit.add_address(Address(address.address, own.id, NOW))
            add_game(unit, "behind")

    for _ in range(3):  # statements that were prepared before the fault are known afterwards
        with pytest.raises(StoreConflictError):
            add_twice()
        with store.begin() as unit:
            assert unit.find_game("behind") is None
            assert link(unit).pipeline_status == PipelineStatus.OFF

    def divide() -> None:
        with store.begin() as unit:
            unit._fetch((ECHO, {"bytes": b"x"}), (WRONG, {"bytes": b""}), (ECHO, {"bytes": b"y"}))

    with pytest.raises(StoreError):
        divide()
    with store.begin() as unit:
        assert unit._rows(ECHO, {"bytes": b"\0\xff"}) == [(b"\0\xff",)]
        assert link(unit).transaction_status == TransactionStatus.INTRANS


def test_more_than_fits_into_sockets(store: SqlStore) -> None:
    much = bytes(range(256)) * 8192  # 2 MB
    wanted = [(ECHO, {"bytes": much + bytes([number])}) for number in range(8)]
    with store.begin() as unit:
        found = unit._fetch(*wanted)
        assert [len(rows[0].bytes) for rows in found] == [len(much) + 1] * 8
        assert found[5][0].bytes[-1] == 5
        number = unit.add_inbound(an_arrival(raw=much))
    with store.read() as unit:
        stored = unit.find_inbound(number)
        assert stored is not None
        assert stored.arrival.raw == much


def test_a_server_that_ends_the_connection_while_it_works(
    store: SqlStore, database_url: str
) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        number = unit._connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()

    def end_it() -> None:
        with psycopg.connect(database_url, autocommit=True) as connection:
            until = time.monotonic() + 60
            while not connection.execute(SLEEPS, [number]).fetchone():
                assert time.monotonic() < until, "it does not sleep"
                time.sleep(0.02)
            connection.execute("SELECT pg_terminate_backend(%s)", [number])

    def sleep() -> None:
        with store.begin() as unit:
            lock(unit, game.id)
            unit.end_notice(1, "sent")
            unit._rows(SLEEP)

    ending = threading.Thread(target=end_it)
    ending.start()
    with pytest.raises(StoreUnavailableError):
        sleep()
    ending.join()
    with store.begin() as unit:
        assert lock(unit, game.id) == game


def test_a_statement_that_the_server_has_forgotten_is_prepared_again(store: SqlStore) -> None:
    """As behind a pool of connections, or when a table was changed meanwhile."""
    with store.begin() as unit:
        player = add_players(unit)[0]
        assert unit.find_player(player.id) is not None
        unit._connection.exec_driver_sql("DEALLOCATE ALL")

    def look() -> None:
        with store.begin() as unit:
            assert unit.find_player(player.id) is not None

    with pytest.raises(StoreError):
        look()
    look()


def test_a_unit_in_which_something_was_interrupted_is_not_kept(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever catches an interrupt within a unit cannot go on with it."""

    def interrupt(*_: object) -> None:
        raise ZeroDivisionError

    def work() -> None:
        with store.begin() as unit:
            add_game(unit, "interrupted")
            monkeypatch.setattr(Pipeline, "run", interrupt)
            with suppress(ZeroDivisionError):
                unit.flush()
            monkeypatch.undo()

    with pytest.raises(StoreError):
        work()
    with store.begin() as unit:
        assert unit.find_game("interrupted") is None


def test_what_the_server_has_kept_before_it_went_is_kept(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange = Pipeline._exchange

    def cut_off(self: Pipeline, commands: Sequence[Any]) -> Any:
        done = yield from exchange(self, commands)
        if commands[-1][0] == "COMMIT":
            self.driver.close()
        return done

    monkeypatch.setattr(Pipeline, "_exchange", cut_off)
    for begin in (store.begin, store.begin, store.read):
        with begin() as unit:
            if begin == store.begin:
                add_game(unit)
            unit.find_player(1)
    monkeypatch.undo()
    with store.begin() as unit:
        assert len(unit._connection.execute(text("SELECT id FROM games")).all()) == 2


def test_half_a_character_is_told_and_nothing_is_kept(store: SqlStore) -> None:
    def look() -> None:
        with store.begin() as unit:
            add_game(unit, "half")
            unit._rows(MANY, {"many": ["\ud800"]})

    with pytest.raises(UnstorableError):
        look()
    with store.begin() as unit:
        assert unit.find_game("half") is None
