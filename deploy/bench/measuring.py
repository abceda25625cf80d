"""What all benches share: timing, the table, ``--json``, and the exit code.

A bench measures everything in one run and one process and judges it by ratios or fixed limits.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure and what it should be; without a target it is only shown."""

    name: str
    value: float
    unit: str
    target: str
    ok: bool


def at_least(name: str, value: float, unit: str, target: float) -> Figure:
    return Figure(name, round(value, 3), unit, f">= {target:g}", value >= target)


def at_most(name: str, value: float, unit: str, target: float) -> Figure:
    return Figure(name, round(value, 3), unit, f"<= {target:g}", value <= target)


def shown(name: str, value: float, unit: str) -> Figure:
    return Figure(name, round(value, 3), unit, "", True)


def median_ms(work: Callable[[], object], *, repeats: int = 31) -> float:
    """The median time of a piece of work, in milliseconds; the first call only warms up."""
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def rates(
    works: Sequence[Callable[[], int]], *, rounds: int = 7, warm_up: int = 1
) -> list[list[float]]:
    """How much each work gets done a second, in turns, so that a slow moment hits all alike."""
    found: list[list[float]] = [[] for _ in works]
    for number in range(rounds + warm_up):
        for work, into in zip(works, found, strict=True):
            began = time.perf_counter()
            done = work()
            if number >= warm_up:
                into.append(done / (time.perf_counter() - began))
    return found


def report(figures: Sequence[Figure]) -> None:
    """Print the table, or JSON if asked, and exit 1 if a target is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true", help="print a list of figures instead")
    sys.exit(print_figures(figures, as_json=parser.parse_args().json))


def print_figures(figures: Sequence[Figure], *, as_json: bool) -> int:
    """Print the table, or JSON; the exit code, 1 if a target is missed."""
    if as_json:
        print(json.dumps([asdict(figure) for figure in figures], indent=1))
    else:
        width = max(len(figure.name) for figure in figures)
        for figure in figures:
            verdict = "" if not figure.target else ("ok" if figure.ok else "MISSED")
            # What was counted has no decimals.
            value = f"{figure.value:,.{0 if isinstance(figure.value, int) else 3}f}"
            print(
                f"{figure.name:<{width}}  {value:>14} {figure.unit:<12} "
                f"{figure.target:<10} {verdict}"
            )
    return 0 if all(figure.ok for figure in figures) else 1
