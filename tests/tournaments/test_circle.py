"""The tables of round robins against their definition, for every size."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.tournaments import circle

SIZES = range(2, 34)


@pytest.mark.parametrize("cycles", [1, 2, 3, 4])
@pytest.mark.parametrize("count", SIZES)
def test_all_meet_all_as_often_as_there_are_cycles(count: int, cycles: int) -> None:
    met = Counter(frozenset(pair) for pairs in circle.table(count, cycles=cycles) for pair in pairs)
    assert met == {frozenset((a, b)): cycles for a in range(count) for b in range(a)}


@pytest.mark.parametrize("count", SIZES)
def test_nobody_plays_twice_in_a_round_and_one_is_free_if_they_are_odd(count: int) -> None:
    rounds = circle.table(count)
    assert len(rounds) == (count - 1 if count % 2 == 0 else count)
    free: Counter[int] = Counter()
    for pairs in rounds:
        busy = [place for pair in pairs for place in pair]
        assert len(busy) == len(set(busy)) == count - count % 2
        free.update(set(range(count)) - set(busy))
    assert free == ({} if count % 2 == 0 else dict.fromkeys(range(count), 1))


@pytest.mark.parametrize("cycles", [1, 2, 3, 4])
@pytest.mark.parametrize("count", SIZES)
def test_starts_are_balanced_within_one_after_every_round(count: int, cycles: int) -> None:
    tilt = [0] * count
    for pairs in circle.table(count, cycles=cycles):
        for one, other in pairs:
            tilt[one] += 1
            tilt[other] -= 1
        assert max(map(abs, tilt)) <= 1
    assert tuple(tilt) == circle.tilts(count, cycles=cycles)


@pytest.mark.parametrize("count", SIZES)
def test_in_two_cycles_everybody_starts_once_against_everybody(count: int) -> None:
    pairs = [pair for pairs in circle.table(count, cycles=2) for pair in pairs]
    assert Counter(pairs) == {(a, b): 1 for a in range(count) for b in range(count) if a != b}


@pytest.mark.parametrize("count", [0, 1])
def test_who_is_alone_meets_nobody(count: int) -> None:
    assert [pair for pairs in circle.table(count) for pair in pairs] == []
