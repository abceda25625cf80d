"""The cheapest pairing: levels are kept apart, however large the figures, and ties go by lot."""

from __future__ import annotations

import subprocess
import sys

from pbem.tournaments.matching import find_matching
from pbem.tournaments.weighing import Cost

SEED = b"seed"


def test_a_higher_level_outweighs_any_sum_of_lower_ones() -> None:
    costs = {
        (0, 1): Cost(score=1),
        (2, 3): Cost(score=1),
        (0, 2): Cost(starts=1),
        (1, 3): Cost(),
        (0, 3): Cost(halves=10**6),
        (1, 2): Cost(score=1, halves=10**6),
    }
    assert find_matching(4, costs, seed=SEED) == {(0, 3), (1, 2)}
    costs[1, 2] = Cost(score=3)
    assert find_matching(4, costs, seed=SEED) == {(0, 1), (2, 3)}


def test_figures_that_do_not_fit_lose_only_what_weighs_least() -> None:
    huge = 2**40
    costs = {
        (0, 1): Cost(repeats=huge, score=huge, halves=huge),
        (2, 3): Cost(repeats=huge, score=huge, halves=huge),
        (0, 2): Cost(repeats=huge, score=huge, halves=huge),
        (1, 3): Cost(repeats=huge, score=huge - 1, halves=huge),
    }
    assert find_matching(4, costs, seed=SEED) == {(0, 2), (1, 3)}


def test_who_cannot_all_be_paired_are_not() -> None:
    assert find_matching(4, {(0, 1): Cost(), (0, 2): Cost(), (0, 3): Cost()}, seed=SEED) is None
    assert find_matching(2, {}, seed=SEED) is None


def test_equals_are_told_apart_by_lot_and_always_alike() -> None:
    costs = {(one, other): Cost() for other in range(8) for one in range(other)}
    found = {frozenset(find_matching(8, costs, seed=bytes([seed])) or ()) for seed in range(12)}
    assert len(found) > 6
    assert len({frozenset(find_matching(8, costs, seed=SEED) or ()) for _ in range(12)}) == 1


def test_who_only_reads_an_event_loads_no_matching() -> None:
    code = (
        "import sys, pbem.tournaments.why_not, pbem.tournaments.round_robin;"
        "sys.exit(bool({'rustworkx', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
