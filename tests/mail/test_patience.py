"""A database that is away for a moment is waited for by whoever has something in hand."""

from __future__ import annotations

import itertools

import pytest

from pbem.errors import (
    ConfigError,
    SchemaError,
    StoreBusyError,
    StoreConflictError,
    StoreUnavailableError,
)
from pbem.mail import patience
from pbem.mail.patience import patiently


class Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(patience, "time", made)
    return made


def test_what_works_is_not_waited_for(clock: Clock) -> None:
    assert patiently(lambda: "done") == "done"
    assert clock.slept == []


def test_it_is_done_soon_after_the_database_is_back(clock: Clock) -> None:
    def work() -> str:
        if clock.now < 20:
            raise StoreUnavailableError("starting up")
        return "done"

    assert patiently(work) == "done"
    assert 20 <= clock.now < 20 + 1.5 * patience.LONGEST_PAUSE
    assert clock.slept[0] < 2 * patience.FIRST_PAUSE
    assert max(clock.slept) <= 1.5 * patience.LONGEST_PAUSE


def test_not_all_come_back_at_the_same_instant(clock: Clock) -> None:
    def fail() -> None:
        raise StoreBusyError("locked")

    for _ in range(2):
        with pytest.raises(StoreBusyError):
            patiently(fail, 5)
    half = len(clock.slept) // 2
    assert clock.slept[:half] != clock.slept[half:]


def test_it_is_given_up_when_the_time_is_over(clock: Clock) -> None:
    tries = itertools.count()

    def fail() -> None:
        next(tries)
        raise StoreUnavailableError("gone")

    with pytest.raises(StoreUnavailableError):
        patiently(fail, 10)
    assert 10 <= clock.now < 10.1
    assert next(tries) > 8


@pytest.mark.parametrize("error", [StoreConflictError, SchemaError, ConfigError, KeyError])
def test_what_would_fail_again_is_not_tried_again(clock: Clock, error: type[Exception]) -> None:
    def fail() -> None:
        raise error("no")

    with pytest.raises(error):
        patiently(fail)
    assert clock.slept == []
