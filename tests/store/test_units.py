"""A unit is kept whole or not at all, and units do not get into each other's way (L1.2)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
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
from pbem.play.model import Address, Message, Notice, OpenRequest, Preferences
from pbem.play.ports import Store, Unit
from pbem.store import database
from pbem.store.database import SqlStore, SqlUnit, open_store
from tests.databases import begin_waiting
from tests.store import things
from tests.store.things import NOW, add_game, add_players, an_arrival, lock, play


def as_port(store: SqlStore) -> Store:
    """The type checker's word that the port is filled."""
    return store


@pytest.fixture
def row_locking(database_url: str) -> Iterator[SqlStore]:
    """A store in which two can write at once."""
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite has one writer at a time")
    store = open_store(database_url)
    yield store
    store.dispose()


def test_an_exception_undoes_everything(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)

    def work_and_fail(unit: Unit) -> None:
        play(unit, lock(unit, game.id), key="k")
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
        lambda unit, game: _open(unit, things.a_request(game), things.a_request(game)),
    ),
    "request of nobody": (
        StoreConflictError,
        lambda unit, game: unit.save_request(things.a_request(game, opened_by=9)),
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
        lambda unit, game: unit.add_address(Address("A@example.org", 1, NOW)),
    ),
    "address twice": (
        StoreConflictError,
        lambda unit, game: _share_an_address(unit),
    ),
    "address of nobody": (
        StoreConflictError,
        lambda unit, game: unit.save_address(Address("b@example.org", 1, NOW)),
    ),
    "invitation twice": (
        StoreConflictError,
        lambda unit, game: _invite_twice(unit),
    ),
    "invitation that is not there": (
        StoreConflictError,
        lambda unit, game: unit.save_invitation(things.an_invitation(1)),
    ),
    "request closed by no entry": (
        StoreConflictError,
        lambda unit, game: unit.open_request(things.a_request(game, closed_by=5, closed_at=NOW)),
    ),
    "request for a place twice": (
        StoreConflictError,
        lambda unit, game: _open(
            unit, things.a_request(game, mark="a"), things.a_request(game, mark="b")
        ),
    ),
    "entry with a NUL": (
        UnstorableError,
        lambda unit, game: unit.add_entry(game, things.an_entry(0, text="a\0b")),
    ),
    "entry with half a pair": (
        UnstorableError,
        lambda unit, game: unit.add_entry(game, things.an_entry(0, key="\ud800")),
    ),
    "entry with a large number": (
        UnstorableError,
        lambda unit, game: unit.add_entry(game, replace(things.an_entry(0), turns=10**30)),
    ),
    "notice that is not plain": (
        UnstorableError,
        lambda unit, game: unit.add_notice(Notice("c", 1, "turn", NOW, facts={"a": object()})),
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


def _open(unit: Unit, *requests: OpenRequest) -> None:
    for request in requests:
        unit.open_request(request)


def _share_an_address(unit: Unit) -> None:
    for player in add_players(unit):
        unit.add_address(Address("a@example.org", player.id, NOW))


def _end_twice(unit: Unit) -> None:
    invitation = things.an_invitation(add_players(unit)[0].id)
    unit.add_invitation(invitation)
    ended = replace(invitation, closed_at=NOW, outcome="declined")
    for state in (ended, replace(ended, outcome="withdrawn")):
        unit.save_invitation(state)


def _invite_twice(unit: Unit) -> None:
    invitation = things.an_invitation(add_players(unit)[0].id)
    for _ in range(2):
        unit.add_invitation(invitation)


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_ours_and_spoil_the_unit(store: Store, name: str) -> None:
    kind, fault = FAULTS[name]
    with store.begin() as unit:
        game = add_game(unit)
    with pytest.raises(kind), store.begin() as unit:
        fault(unit, game.id)
    # Caught inside the block it is the same: nothing of the unit may be kept. What waits to be
    # written is found to be wrong by the next reading.

    def fail_and_look(unit: Unit) -> None:
        fault(unit, game.id)
        unit.find_game(game.id)

    def catch(unit: Unit) -> None:
        unit.add_message(Message(game.id, 0, 0, NOW, "before"))
        with pytest.raises(kind):
            fail_and_look(unit)

    def go_on(unit: Unit) -> None:
        catch(unit)
        with pytest.raises(StoreError):
            unit.messages_of(game.id)
        unit.add_notice(Notice("behind", game.players[0], "turn", NOW))

    if name != "request closed by no entry":
        for attempt in (catch, go_on):
            with pytest.raises(StoreError), store.begin() as unit:
                attempt(unit)
    with store.begin() as unit:
        assert unit.messages_of(game.id) == []
        assert unit.entries(game.id) == []
        assert unit.requests_of(game.id, only_open=False) == []
        assert unit.notices_for("behind") == []
        assert unit.find_game(game.id) == game
        unit.add_message(Message(game.id, 0, 0, NOW, "behind"))
    with store.begin() as unit:
        assert [message.text for message in unit.messages_of(game.id)] == ["behind"]


def test_what_waits_to_be_written_is_seen_by_every_reading(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
    readings: list[Callable[[Unit], object]] = [
        lambda unit: unit.entries(game.id)[-1].hash,
        lambda unit: lock(unit, game.id).head,
        lambda unit: unit.lock_game(game.id, key=str(number)).known.hash,  # type: ignore[union-attr]
        lambda unit: unit.find_game(game.id).head,  # type: ignore[union-attr]
    ]
    for number, reading in enumerate(readings):
        with store.begin() as unit:
            after = play(unit, lock(unit, game.id), key=str(number))
            assert reading(unit) == after.head
    with store.begin() as unit:
        after = lock(unit, game.id)
        request = things.a_request(game.id)
        unit.open_request(request)
        assert unit.find_request(request.id) == request
        unit.save_request(replace(request, deadline=NOW))
        assert unit.requests_of(game.id) == [replace(request, deadline=NOW)]
        unit.add_notice(Notice("cause", game.players[0], "turn", NOW))
        assert len(unit.notices_for("cause")) == 1
        unit.save_game(replace(after, due=NOW))
        assert unit.due_games(NOW, 10) == [game.id]
    with store.begin() as unit:
        assert unit.find_game(game.id) == replace(after, due=NOW)


def test_writes_keep_their_order(store: Store) -> None:
    """Through the queue or beside it: what is written later finds what was written before."""
    with store.begin() as unit:
        game = add_game(unit)
        request = things.a_request(game.id)
        unit.open_request(request)
        unit.remove_request(request)
        unit.open_request(request)
        unit.add_entry(game.id, things.an_entry(0))
        unit.save_request(replace(request, closed_by=0, closed_at=NOW))
        unit.put_request(request)
        unit.save_request(replace(request, deadline=NOW))
        unit.save_game(replace(game, entries=1, head="a"))
        unit.save_game(replace(game, entries=2, head="b"))
    with store.begin() as unit:
        assert unit.requests_of(game.id, only_open=False) == [replace(request, deadline=NOW)]
        assert lock(unit, game.id) == replace(game, entries=2, head="b")


def test_a_connection_is_as_good_as_new_after_faults(database_url: str) -> None:
    """Statements are prepared by the server after a few uses; a fault must not confuse that."""
    store = open_store(database_url, pool_size=1)
    with store.begin() as unit:
        game = add_game(unit)
        unit.add_entry(game.id, things.an_entry(0, key="k"))

    def fail(unit: Unit) -> None:
        unit.add_entry(game.id, things.an_entry(0))
        unit.open_request(things.a_request(game.id))
        unit.add_notice(Notice("cause", game.players[0], "turn", NOW))

    for number in range(12):
        with pytest.raises(StoreConflictError), store.begin() as unit:
            fail(unit)
        with store.begin() as unit:
            assert unit.requests_of(game.id) == []
            assert unit.notices_for("cause") == []
            unit.open_request(things.a_request(game.id))
            unit.remove_request(things.a_request(game.id))
            unit.add_notice(Notice(f"other {number}", game.players[0], "turn", NOW))
    with store.begin() as unit:
        assert len(unit.entries(game.id)) == 1
        assert len(unit.notices_for("other 11")) == 1
    store.dispose()


def test_a_request_is_closed_only_once(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        request = things.a_request(game.id)
        unit.open_request(request)
        unit.add_entry(game.id, things.an_entry(0))
        unit.save_request(replace(request, closed_by=0, closed_at=NOW))
        unit.open_request(replace(request, opened_by=1))
    for late in (replace(request, deadline=NOW), replace(request, closed_by=0, closed_at=NOW)):
        with pytest.raises(StoreConflictError), store.begin() as unit:
            unit.save_request(late)


def test_a_request_is_closed_by_an_entry_that_is_there(store: Store) -> None:
    """Only the end of a unit can tell, for the entry may be added behind it."""
    with store.begin() as unit:
        game = add_game(unit)
        request = things.a_request(game.id)
        unit.open_request(request)

    def close(unit: Unit) -> None:
        unit.save_request(replace(request, closed_by=5, closed_at=NOW))
        assert unit.requests_of(game.id) == []

    with pytest.raises(StoreConflictError), store.begin() as unit:
        close(unit)
    with store.begin() as unit:
        assert unit.requests_of(game.id) == [request]
        unit.save_request(replace(request, closed_by=0, closed_at=NOW))
        unit.add_entry(game.id, things.an_entry(0))
    with store.begin() as unit:
        assert unit.requests_of(game.id) == []


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


def test_a_part_undone_gives_its_locks_back(store: Store) -> None:
    with store.begin() as unit:
        game, other = add_game(unit), add_game(unit)

    def work(unit: Unit) -> None:
        with unit.nested():
            play(unit, lock(unit, game.id), key="k")
            play(unit, lock(unit, other.id))
            raise ZeroDivisionError

    with store.begin() as unit:
        play(unit, lock(unit, game.id))
        with pytest.raises(ZeroDivisionError):
            work(unit)
        play(unit, lock(unit, game.id))
        with unit.nested(), unit.nested():
            play(unit, lock(unit, other.id), key="k")
    with store.begin() as unit:
        assert [len(unit.entries(each.id)) for each in (game, other)] == [2, 1]


def test_a_game_locked_in_a_part_undone_is_not_locked(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)

    def lock_and_fail(unit: Unit) -> None:
        with unit.nested():
            lock(unit, game.id)
            raise ZeroDivisionError

    def work() -> None:
        with store.begin() as unit:
            with pytest.raises(ZeroDivisionError):
                lock_and_fail(unit)
            unit.save_game(game)

    with pytest.raises(StoreConflictError, match="without having been locked"):
        work()


@pytest.mark.parametrize("workers", [4])
def test_units_racing_for_one_game_lose_nothing(store: Store, workers: int) -> None:
    with store.begin() as unit:
        game = add_game(unit)
    start = threading.Barrier(workers)

    def work(worker: int) -> None:
        start.wait()
        for turn in range(10):
            with store.begin() as unit:
                locked = unit.lock_game(game.id, key=f"{worker}/{turn}")
                assert locked is not None
                assert locked.known is None
                play(unit, locked.game, key=f"{worker}/{turn}")

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
        request = things.a_request(game.id)
        unit.open_request(request)
    start = threading.Barrier(2)

    def answer(key: str) -> str:
        start.wait()
        with store.begin() as unit:
            locked = unit.lock_game(game.id)
            assert locked is not None
            if not locked.requests:
                found = unit.find_request(request.id)
                assert found is not None
                assert found.closed_by == 0
                return "too late"
            play(unit, locked.game, key=key)
            unit.save_request(replace(locked.requests[0], closed_by=0, closed_at=NOW))
            return "won"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(answer, "ab")) == ["too late", "won"]


def test_notices_do_not_wait_for_a_locked_player_or_game(row_locking: SqlStore) -> None:
    """Who has locked a player and wants a game meets who has that game and writes to the player."""
    with row_locking.begin() as unit:
        game = add_game(unit)
    locked, written = threading.Event(), threading.Event()

    def announce_leave() -> None:
        with row_locking.begin() as unit:
            unit.lock_player(game.players[0])
            locked.set()
            assert written.wait(60)
            unit.lock_game(game.id)

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(announce_leave)
        assert locked.wait(60)
        with row_locking.begin() as unit:
            unit.lock_game(game.id)
            unit.add_notice(Notice("c", game.players[0], "turn", NOW, game_id=game.id))
            written.set()
        other.result()


def lock_and_fail(unit: Unit, game_id: str) -> None:
    lock(unit, game_id)
    raise ZeroDivisionError


def test_a_lock_that_was_undone_is_taken_anew(row_locking: SqlStore) -> None:
    with row_locking.begin() as unit:
        game = add_game(unit)
    with row_locking.begin() as unit:
        with pytest.raises(ZeroDivisionError), unit.nested():
            lock_and_fail(unit, game.id)
        with row_locking.begin() as other:
            play(other, lock(other, game.id))
        assert lock(unit, game.id).entries == 1


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores that are opened from here on do not wait for locks."""
    monkeypatch.setattr(database, "PATIENCE", 0.05)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("locks_game", [True, False])
def test_a_mail_that_plays_keeps_others_from_its_game(
    row_locking: SqlStore, locks_game: bool
) -> None:
    with row_locking.begin() as unit:
        game = add_game(unit)
        mail = unit.lock_inbound(unit.add_inbound(an_arrival()))
        assert mail is not None
    with row_locking.begin() as unit:
        assert unit.lock_to_act(mail, game.players[0], game.id, locks_game=locks_game) == mail
        if locks_game:
            with pytest.raises(StoreBusyError), row_locking.begin() as other:
                other.lock_game(game.id)
            play(unit, lock(unit, game.id))
        else:
            with row_locking.begin() as other:
                play(other, lock(other, game.id))
            assert lock(unit, game.id).entries == 1


def test_what_is_looked_up_behind_the_lock_of_a_game_is_as_it_is_then(
    row_locking: SqlStore,
) -> None:
    with row_locking.begin() as unit:
        game = add_game(unit)
        mail = unit.lock_inbound(unit.add_inbound(an_arrival()))
        assert mail is not None
    player_id = game.players[0]

    def find_name() -> str:
        with row_locking.begin() as unit:
            unit.lock_to_act(mail, player_id, game.id, locks_game=True)
            player = unit.find_player(player_id)
            return "" if player is None else player.name

    with ThreadPoolExecutor(1) as pool:
        with row_locking.begin() as unit:
            unit.lock_game(game.id)
            player = unit.find_player(player_id)
            assert player is not None
            unit.save_player(replace(player, name="Another"))
            name = begin_waiting(row_locking, pool, find_name)
        assert name.result(60) == "Another"


def test_reading_waits_for_nobody_and_cannot_write(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
    with store.begin() as writer:
        play(writer, lock(writer, game.id))
        with store.read() as reader:
            assert reader.find_game(game.id) == game
    with store.read() as reader:
        before = reader.find_game(game.id)
        with store.begin() as writer:
            play(writer, lock(writer, game.id))
            writer.open_request(things.a_request(game.id))
        assert reader.find_game(game.id) == before
        assert len(reader.entries(game.id)) == 1
        assert reader.requests_of(game.id) == []
    writes: list[Callable[[Unit], object]] = [
        lambda unit: unit.add_message(Message(game.id, 0, 0, NOW, "x")),
        # These wait to be written until the unit ends.
        lambda unit: unit.add_entry(game.id, things.an_entry(2)),
        lambda unit: unit.remove_request(things.a_request(game.id)),
    ]
    for write in writes:
        with pytest.raises(StoreUnavailableError), store.read() as reader:
            write(reader)
    with store.begin() as unit:
        assert unit.messages_of(game.id) == []
        assert len(unit.entries(game.id)) == 2
        assert len(unit.requests_of(game.id)) == 1


def test_waiting_too_long_is_busy(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    store = open_store(database_url)
    other = open_store(database_url)  # as another process has it
    with store.begin() as unit:
        game = add_game(unit)
    for where in (store, other):
        with store.begin() as unit:
            unit.lock_game(game.id)
            with pytest.raises(StoreBusyError), where.begin() as second:
                second.lock_game(game.id)
        with where.begin() as unit:  # whoever was busy has given back what it waited with
            unit.lock_game(game.id)
    store.dispose()
    other.dispose()


def test_who_fails_gives_back_the_right_to_write(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    store = open_store(database_url)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), store.begin():
            raise ZeroDivisionError
    with store.begin() as unit:
        add_game(unit)
    store.dispose()


def test_too_many_units_at_once_are_busy(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    store = open_store(database_url, pool_size=1)
    with store.read(), store.read(), pytest.raises(StoreBusyError), store.read():
        pass
    store.dispose()


def test_a_small_pool_serves_writers_and_readers_in_turn(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    store = open_store(database_url, pool_size=1)
    for number in range(2):
        with store.begin() as unit:
            add_game(unit)
            with store.read() as other:
                assert len(list(other.all_games())) == number
        with store.read() as unit, store.read() as other:
            assert list(unit.all_games()) == list(other.all_games())
    store.dispose()


def test_units_from_many_threads_at_once(store: Store) -> None:
    """More units than connections: they wait for each other and all of them end."""
    with store.begin() as unit:
        game = add_game(unit)

    def work(number: int) -> int:
        with store.begin() as unit:
            unit.add_message(Message(game.id, 0, number, NOW, ""))
        with store.read() as unit:
            return len(unit.messages_of(game.id))

    with ThreadPoolExecutor(16) as pool:
        seen = list(pool.map(work, range(64)))
    assert max(seen) == 64
    with store.read() as unit:
        assert sorted(message.entry for message in unit.messages_of(game.id)) == list(range(64))
