"""A unit is kept whole or not at all, and units do not get into each other's way (L1.2)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

import pytest

from pbem.errors import (
    StoreBusyError,
    StoreConflictError,
    StoreError,
    StoreUnavailableError,
    UnstorableError,
)
from pbem.play.log import LogEntry
from pbem.play.model import Address, Message, Notice, Preferences
from pbem.play.ports import Store, Unit
from pbem.store import database
from pbem.store.database import SqlStore, SqlUnit, open_store
from tests.store import things
from tests.store.things import NOW, add_game, add_players, play


def as_port(store: SqlStore) -> Store:
    """The type checker's word that the port is filled."""
    return store


def test_an_exception_undoes_everything(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)

    def work_and_fail(unit: Unit) -> None:
        locked = unit.lock_game(game.id)
        assert locked is not None
        play(unit, locked, key="k")
        unit.open_request(things.a_request(game.id))
        unit.add_notice(Notice("cause", game.players[0], "turn", NOW))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), store.begin() as unit:
        work_and_fail(unit)
    with store.begin() as unit:
        assert unit.find_game(game.id) == game
        assert unit.entries(game.id) == []
        assert unit.requests_of(game.id) == []
        assert unit.notices_for("cause") == []


FAULTS: dict[str, tuple[type[StoreError], Callable[[Unit, str], object]]] = {
    "entry twice": (
        StoreConflictError,
        lambda unit, game: _add_entries(unit, game, things.an_entry(0), things.an_entry(0)),
    ),
    "key twice": (
        StoreConflictError,
        lambda unit, game: _add_entries(
            unit, game, things.an_entry(0, key="k"), things.an_entry(1, key="k")
        ),
    ),
    "request twice": (
        StoreConflictError,
        lambda unit, game: [unit.open_request(things.a_request(game)) for _ in range(2)],
    ),
    "request of nobody": (
        StoreConflictError,
        lambda unit, game: unit.save_request(things.a_request(game, id=10**9)),
    ),
    "no such seat": (
        StoreConflictError,
        lambda unit, game: unit.open_request(things.a_request(game, seat=2)),
    ),
    "no such game": (
        StoreConflictError,
        lambda unit, game: unit.add_message(Message("none", 0, 0, NOW, "")),
    ),
    "seat that is not there": (
        StoreConflictError,
        lambda unit, game: unit.change_seat(game, 7, 1),
    ),
    "no such player": (
        StoreConflictError,
        lambda unit, game: unit.add_notice(Notice("c", 10**9, "turn", NOW)),
    ),
    "player not there": (
        StoreConflictError,
        lambda unit, game: unit.save_player(replace(add_players(unit)[0], id=10**9)),
    ),
    "address in capitals": (
        StoreConflictError,
        lambda unit, game: unit.save_address(Address("A@example.org", 1, NOW)),
    ),
    "unknown board": (
        StoreConflictError,
        lambda unit, game: unit.add_player("x", Preferences(board="braille"), NOW),
    ),
    "end without a word for it": (
        StoreConflictError,
        lambda unit, game: add_game(unit, ended_at=NOW),
    ),
    "game twice": (
        StoreConflictError,
        add_game,
    ),
    "invitation ended twice": (
        StoreConflictError,
        lambda unit, game: _end_twice(unit),
    ),
    "not locked": (
        StoreConflictError,
        lambda unit, game: unit.save_game(things.a_game((), game)),
    ),
    "NUL": (
        UnstorableError,
        lambda unit, game: unit.add_message(Message(game, 0, 0, NOW, "a\0b")),
    ),
    "half a pair": (
        UnstorableError,
        lambda unit, game: unit.add_message(Message(game, 0, 0, NOW, "\ud800")),
    ),
    "no time zone": (
        UnstorableError,
        lambda unit, game: unit.add_message(Message(game, 0, 0, datetime(2026, 1, 1), "")),
    ),
    "not plain": (
        UnstorableError,
        lambda unit, game: add_game(unit, terms={"a": object()}),
    ),
    "not a number": (
        UnstorableError,
        lambda unit, game: add_game(unit, terms={"a": float("nan")}),
    ),
    "large number": (
        UnstorableError,
        lambda unit, game: unit.add_message(Message(game, 0, 10**30, NOW, "")),
    ),
}


def _add_entries(unit: Unit, game_id: str, *entries: LogEntry) -> None:
    for entry in entries:
        unit.add_entry(game_id, entry)


def _end_twice(unit: Unit) -> None:
    invitation = things.an_invitation(add_players(unit)[0].id)
    ended = replace(invitation, closed_at=NOW, outcome="declined")
    for state in (invitation, ended, replace(ended, outcome="withdrawn")):
        unit.save_invitation(state)


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_ours_and_spoil_the_unit(store: Store, name: str) -> None:
    kind, fault = FAULTS[name]
    with store.begin() as unit:
        game = add_game(unit)
    with pytest.raises(kind), store.begin() as unit:
        fault(unit, game.id)
    # Caught inside the block it is the same: nothing of the unit may be kept.

    def catch(unit: Unit) -> None:
        unit.add_message(Message(game.id, 0, 0, NOW, "before"))
        with pytest.raises(kind):
            fault(unit, game.id)

    with pytest.raises(StoreError), store.begin() as unit:
        catch(unit)
    with store.begin() as unit:
        assert unit.messages_of(game.id) == []
        assert unit.find_game(game.id) == game
        unit.add_message(Message(game.id, 0, 0, NOW, "behind"))
    with store.begin() as unit:
        assert [message.text for message in unit.messages_of(game.id)] == ["behind"]


def test_a_request_is_closed_only_once(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        request = unit.open_request(things.a_request(game.id))
        unit.add_entry(game.id, things.an_entry(0))
        unit.save_request(replace(request, closed_by=0, closed_at=NOW))
        again = unit.open_request(replace(request, id=0))
        assert again.id != request.id
    for late in (replace(request, deadline=NOW), replace(request, closed_by=0, closed_at=NOW)):
        with pytest.raises(StoreConflictError), store.begin() as unit:
            unit.save_request(late)


def test_a_request_is_closed_by_an_entry_that_is_there(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        request = unit.open_request(things.a_request(game.id))
    with pytest.raises(StoreConflictError), store.begin() as unit:
        unit.save_request(replace(request, closed_by=5, closed_at=NOW))
    with store.begin() as unit:
        assert unit.requests_of(game.id) == [request]


def test_a_game_changed_under_its_lock_is_not_saved(store: SqlStore) -> None:
    with store.begin() as unit:
        game = add_game(unit)

    def save(unit: SqlUnit) -> None:
        unit.lock_game(game.id)
        unit._connection.exec_driver_sql("UPDATE games SET entries = entries + 1")
        unit.save_game(replace(game, state="ours"))

    with pytest.raises(StoreConflictError, match="changed"), store.begin() as unit:
        save(unit)
    with store.begin() as unit:
        unit.lock_game(game.id)
        unit.save_game(replace(game, state="ours", entries=1, head="h"))
        unit.save_game(replace(game, state="ours again", entries=2, head="i"))


@pytest.mark.parametrize("workers", [4])
def test_units_racing_for_one_game_lose_nothing(store: Store, workers: int) -> None:
    with store.begin() as unit:
        game = add_game(unit)
    start = threading.Barrier(workers)

    def work(worker: int) -> None:
        start.wait()
        for turn in range(10):
            with store.begin() as unit:
                locked = unit.lock_game(game.id)
                assert locked is not None
                assert unit.find_entry(game.id, f"{worker}/{turn}") is None
                play(unit, locked, key=f"{worker}/{turn}")

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, range(workers)))
    with store.begin() as unit:
        found = unit.find_game(game.id)
        log = unit.entries(game.id)
    assert found is not None
    assert found.entries == len(log) == workers * 10
    assert found.head == log[-1].hash
    assert len({entry.key for entry in log}) == workers * 10


def test_two_for_one_request_and_one_wins(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        request = unit.open_request(things.a_request(game.id))
    start = threading.Barrier(2)

    def answer(key: str) -> str:
        start.wait()
        with store.begin() as unit:
            locked = unit.lock_game(game.id)
            assert locked is not None
            found = unit.find_request(request.id)
            assert found is not None
            if found.closed_by is not None:
                return "too late"
            play(unit, locked, key=key)
            unit.save_request(replace(found, closed_by=0, closed_at=NOW))
            return "won"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(answer, "ab")) == ["too late", "won"]


def test_notices_do_not_wait_for_a_locked_player_or_game(database_url: str) -> None:
    """Who has locked a player and wants a game meets who has that game and writes to the player."""
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite has one writer at a time")
    store = open_store(database_url)
    with store.begin() as unit:
        game = add_game(unit)
    locked, written = threading.Event(), threading.Event()

    def announce_leave() -> None:
        with store.begin() as unit:
            unit.lock_player(game.players[0])
            locked.set()
            assert written.wait(20)
            unit.lock_game(game.id)

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(announce_leave)
        assert locked.wait(20)
        with store.begin() as unit:
            unit.lock_game(game.id)
            unit.add_notice(Notice("c", game.players[0], "turn", NOW, game_id=game.id))
            written.set()
        other.result()
    store.dispose()


def test_reading_waits_for_nobody_and_cannot_write(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
    with store.begin() as writer:
        locked = writer.lock_game(game.id)
        assert locked is not None
        play(writer, locked)
        with store.read() as reader:
            assert reader.find_game(game.id) == game
    with store.read() as reader:
        before = reader.find_game(game.id)
        with store.begin() as writer:
            locked = writer.lock_game(game.id)
            assert locked is not None
            play(writer, locked)
        assert reader.find_game(game.id) == before
        with pytest.raises(StoreUnavailableError):
            reader.add_message(Message(game.id, 0, 0, NOW, "x"))
    with store.begin() as unit:
        assert unit.messages_of(game.id) == []
        assert len(unit.entries(game.id)) == 2


def test_waiting_too_long_is_busy(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    store = open_store(database_url)
    with store.begin() as unit:
        game = add_game(unit)
    with store.begin() as unit:
        unit.lock_game(game.id)
        with pytest.raises(StoreBusyError), store.begin() as second:
            second.lock_game(game.id)
    store.dispose()


def test_too_many_units_at_once_are_busy(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    store = open_store(database_url, pool_size=1)
    with store.read(), store.read(), pytest.raises(StoreBusyError), store.read():
        pass
    store.dispose()
