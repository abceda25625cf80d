"""What several couriers have sent is noted together: each note is kept before its courier goes on,
and none is lost when the database fails one of them."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import pytest

from pbem.errors import StoreBusyError, StoreConflictError, StoreUnavailableError
from pbem.mail import noting
from pbem.mail.noting import SentNotes, _Note
from pbem.play.ports import Unit
from pbem.play.post import NEW, SENT
from pbem.store.database import SqlUnit
from tests.play.club import NOON, Club
from tests.play.conftest import club, postgresql_store, sqlite_store, store  # noqa: F401
from tests.play.hasty_store import HastyStore


def nothing() -> None: ...


class Watched:
    """A store that counts its units and lets a test in before each and before it is kept."""

    def __init__(self, real: HastyStore) -> None:
        self._real = real
        self.units = 0
        self.before: Callable[[], None] = nothing
        self.at_the_end: Callable[[], None] = nothing

    def read(self) -> AbstractContextManager[Unit]:
        return self._real.read()

    @contextmanager
    def begin(self) -> Iterator[Unit]:
        self.units += 1
        self.before()
        with self._real.begin() as unit:
            yield unit
            self.at_the_end()


class Couriers:
    """Three couriers with mails that have left."""

    def __init__(self, opened: HastyStore) -> None:
        self.store = Watched(opened)
        self.notes = SentNotes(self.store)
        with self.store.read() as unit:
            self.mails = [outgoing.id for outgoing, _ in unit.notices_in_state(NEW)]
        self.threads = ThreadPoolExecutor(3)

    def note(self, number: int) -> Future[None]:
        return self.threads.submit(self.notes.keep, self.mails[number], NOON)

    def note_behind(self, gate: Gate, *numbers: int) -> list[Future[None]]:
        """Have the first stop at a gate, and the others put down their notes meanwhile."""
        done = []
        for count, number in enumerate(numbers, 1):
            done.append(self.note(number))
            wait_for(lambda count=count: len(self.notes._waiting) == count)  # type: ignore[misc]
            wait_for(lambda: gate.is_reached)
        return done

    def noted(self) -> set[int]:
        with self.store.read() as unit:
            sent = {outgoing.id for outgoing, _ in unit.notices_in_state(SENT)}
        return {number for number, mail in enumerate(self.mails) if mail in sent}


class Gate:
    """The first who comes waits here until it is opened, and fails then if that is wanted."""

    def __init__(self, fault: BaseException | None = None) -> None:
        self.is_reached = False
        self._fault = fault
        self._open = threading.Event()

    def __call__(self) -> None:
        if not self.is_reached:
            self.is_reached = True
            assert self._open.wait(60)
            if self._fault is not None:
                raise self._fault

    def open(self) -> None:
        self._open.set()


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.001)


@pytest.fixture
def couriers(club: Club, store: HastyStore) -> Iterator[Couriers]:  # noqa: F811
    for _ in range(4):
        club.start()
    made = Couriers(store)
    assert len(made.mails) > 7
    with made.threads:
        yield made
    assert not made.notes._waiting


def test_what_is_put_down_until_one_can_write_is_kept_in_one_unit(couriers: Couriers) -> None:
    couriers.store.before = gate = Gate()
    done = couriers.note_behind(gate, 2, 0, 1)
    assert couriers.noted() == set()
    gate.open()
    assert [each.result() for each in done] == [None] * 3
    assert couriers.noted() == {0, 1, 2}
    assert couriers.store.units == 1


def test_what_is_put_down_while_one_writes_is_kept_in_the_next_unit(couriers: Couriers) -> None:
    couriers.store.at_the_end = gate = Gate()
    done = couriers.note_behind(gate, 0, 1, 2)
    assert not any(each.done() for each in done)
    gate.open()
    assert [each.result() for each in done] == [None] * 3
    assert couriers.noted() == {0, 1, 2}
    assert couriers.store.units == 2


@pytest.mark.parametrize(
    "fault", [StoreBusyError("locked"), StoreUnavailableError("gone"), SystemExit()]
)
def test_only_who_tried_is_told_what_failed(couriers: Couriers, fault: BaseException) -> None:
    """The others' notes were in the same unit: they are kept when those try themselves."""
    couriers.store.before = before = Gate()
    couriers.store.at_the_end = at_the_end = Gate(fault)
    tried, *others = couriers.note_behind(before, 0, 1, 2)
    before.open()
    wait_for(lambda: at_the_end.is_reached)
    at_the_end.open()
    assert tried.exception() is fault
    assert [each.result() for each in others] == [None] * 2
    assert couriers.noted() >= {1, 2}
    couriers.note(0).result()
    assert couriers.noted() == {0, 1, 2}


def test_a_note_that_can_never_be_kept_is_only_its_own_couriers_trouble(
    couriers: Couriers, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = SqlUnit.end_notice

    def contradict(self: SqlUnit, outgoing_id: int, *rest: Any, **more: Any) -> None:
        if outgoing_id == couriers.mails[1]:
            raise StoreConflictError("it was never there")
        end(self, outgoing_id, *rest, **more)

    monkeypatch.setattr(SqlUnit, "end_notice", contradict)
    couriers.store.before = gate = Gate()
    done = couriers.note_behind(gate, 0, 1, 2)
    gate.open()
    assert [type(each.exception()) for each in done] == [type(None), StoreConflictError, type(None)]
    assert couriers.noted() == {0, 2}


def test_notes_are_kept_in_the_order_of_numbers(
    couriers: Couriers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two senders that note the same mails would else wait for each other."""
    ended: list[int] = []
    monkeypatch.setattr(SqlUnit, "end_notice", lambda _, number, *__, **___: ended.append(number))
    several = 40
    couriers.notes._waiting.update(_Note(number, NOON) for number in range(several, 0, -1))
    couriers.notes.keep(several + 1, NOON)
    assert ended == list(range(1, several + 2))


def test_who_has_given_up_leaves_no_note(
    couriers: Couriers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noting, "PATIENCE", 0.01)
    couriers.store.before = gate = Gate()
    [tried] = couriers.note_behind(gate, 0)
    assert isinstance(couriers.note(1).exception(), StoreBusyError)
    assert len(couriers.notes._waiting) == 1
    gate.open()
    assert tried.result() is None
    assert couriers.noted() == {0}


def test_every_note_is_kept_before_its_courier_goes_on(couriers: Couriers) -> None:
    """Of a database that fails every third time."""
    tries = itertools.count(1)

    def fail_sometimes() -> None:
        if next(tries) % 3 == 0:
            raise StoreBusyError("locked")

    def note(number: int) -> bool:
        while True:
            with suppress(StoreBusyError):
                couriers.notes.keep(couriers.mails[number], NOON)
                return number in couriers.noted()

    couriers.store.at_the_end = fail_sometimes
    every = range(len(couriers.mails))
    assert all(couriers.threads.map(note, every))
    assert couriers.noted() == set(every)
