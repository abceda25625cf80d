"""How requests are counted in the memory of a process."""

from __future__ import annotations

import pytest

from pbem.web import counting
from pbem.web.counting import Counting


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time it is, to be set."""
    now = [1000.0]
    monkeypatch.setattr("pbem.web.counting.time.time", lambda: now[0])
    return now


def test_a_window_begins_with_the_first_and_ends(clock: list[float]) -> None:
    counts = Counting()
    assert [counts.incr("ann", 60) for _ in range(3)] == [1, 2, 3]
    assert counts.incr("bob", 60, amount=5) == 5
    clock[0] += 59
    assert (counts.get("ann"), counts.get_expiry("ann")) == (3, 1060.0)
    clock[0] += 1
    assert (counts.get("ann"), counts.get_expiry("ann")) == (0, 1060.0)
    assert counts.incr("ann", 60) == 1
    assert counts.get_expiry("ann") == 1120.0


def test_what_was_never_counted(clock: list[float]) -> None:
    counts = Counting()
    assert (counts.get("ann"), counts.get_expiry("ann"), counts.check()) == (0, 1000.0, True)


def test_it_can_be_forgotten(clock: list[float]) -> None:
    counts = Counting()
    for key in ("ann", "bob"):
        counts.incr(key, 60)
    counts.clear("ann")
    assert (counts.get("ann"), counts.get("bob")) == (0, 1)
    assert counts.reset() == 1
    assert counts.get("bob") == 0


def test_windows_that_are_over_are_not_kept_for_ever(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_FEWEST", 10)
    counts = Counting()
    for number in range(500):
        clock[0] += 1
        counts.incr(f"visitor {number}", 5)
        counts.incr("always", 10_000)
    assert len(counts._windows) <= 30
    assert counts.get("always") == 500
