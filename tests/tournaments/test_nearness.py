"""In large fields only near pairs are weighed: the rounds are as good as if all had been."""

from __future__ import annotations

from random import Random

import pytest

from pbem.tournaments import swiss
from pbem.tournaments.field import Field, field_of
from pbem.tournaments.matching import Pair
from pbem.tournaments.nearness import near_pairs
from pbem.tournaments.weighing import Cost
from tests.tournaments.events import at_random, made, paired, played


def total(field: Field, couples: set[Pair]) -> Cost:
    found = Cost()
    for couple in couples:
        found = found.plus(swiss.cost_of_pair(field, couple))
    return found


@pytest.mark.parametrize("meeting", ["single", "pair"])
@pytest.mark.parametrize("count", [90, 131])
def test_what_weighs_most_is_as_good_as_in_the_best_round(
    count: int, meeting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(count)
    event = made([rng.randrange(1200, 2200) for _ in range(count)], meeting=meeting)
    for number in range(6):
        field = field_of(event)
        best = total(field, swiss.best_round(field, seed=b"seed"))
        with monkeypatch.context() as patched:
            patched.setattr(swiss, "ALL_WEIGHED", 0)
            patched.setattr(swiss, "NEAR", 16)
            near = total(field, swiss.best_round(field, seed=b"seed"))
        assert near[:6] == best[:6]
        event = paired(event, swiss.pair(event, seed=bytes([number])))
        event = played(event, at_random(rng))


def test_most_pairs_of_a_large_field_are_left_out() -> None:
    field = field_of(made(1000))
    assert len(near_pairs(field, swiss.NEAR)) < 30_000


def test_where_no_near_round_is_without_fault_all_pairs_are_weighed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    field = field_of(made(40))
    wanted = swiss.best_round(field, seed=b"seed")
    monkeypatch.setattr(swiss, "ALL_WEIGHED", 0)
    monkeypatch.setattr(swiss, "near_pairs", lambda field, near: {(0, 1)})
    assert swiss.best_round(field, seed=b"seed") == wanted
