"""How often a load is measured, and which of its runs counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deploy.load import turns
from deploy.load.floor import Floor
from deploy.load.playing import Measured
from deploy.load.servers import OneProcess


@contextmanager
def no_store() -> Iterator[tuple[Path, str]]:
    yield Path(), ""


MODE = turns.Mode("any", 40, OneProcess, 0, no_store)
BOUNDS = turns.Bounds(games=1, seconds=1)


def a_run(turns_played: int) -> Measured:
    return Measured(
        seconds=1.0,
        turns=turns_played,
        mails=0,
        size=0,
        usage={},
        drivers_cpu=0.0,
        others_cpu=0.0,
        stolen_cpu=0.0,
        has_pictures=1.0,
        latencies=[0.1],
    )


def test_what_went_wrong_in_a_slower_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    slower = replace(a_run(39), amiss=["came again"])

    async def run(*_: Any, **__: Any) -> tuple[Measured, int]:
        return a_run(4), 0

    async def floor(*_: Any) -> Floor:
        return Floor(100.0, 200.0)

    monkeypatch.setattr(turns, "saturate", lambda *_: [(a_run(41), 0), (slower, 0)])
    monkeypatch.setattr(turns, "run", run)
    monkeypatch.setattr(turns, "floor", floor)
    found = turns.measure(MODE, BOUNDS)
    assert [each.name for each in found if not each.ok] == [
        "any, slower run 1: turns and mails lost, doubled or refused"
    ]


@pytest.mark.parametrize(
    ("speeds", "quickest_first"),
    [
        ([40, 50], [40]),
        ([39, 41, 50], [41, 39]),
        ([38, 30, 39, 50], [39, 38, 30]),
    ],
)
def test_what_is_too_slow_is_measured_again_and_the_quickest_counts(
    monkeypatch: pytest.MonkeyPatch, speeds: list[int], quickest_first: list[int]
) -> None:
    left = iter(speeds)

    async def run(*_: Any) -> tuple[Measured, int]:
        return a_run(next(left)), 0

    monkeypatch.setattr(turns, "run", run)
    assert [each.speed for each, _ in turns.saturate(MODE, BOUNDS)] == quickest_first
