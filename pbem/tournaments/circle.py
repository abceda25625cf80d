"""The circle method: the table in which all of a group meet, with the first turn balanced.

One place stands still and the others move around a circle, one step a round. Who starts goes by
how far a place has moved: it changes from round to round but once, and there the place that stands
still makes up for it. So everybody has had as many starts as not, or one more or less, after every
round. A second cycle goes through the rounds backwards with the starts swapped, for the same
reason. Who has which place is left to ``round_robin``.
"""

from __future__ import annotations

Table = tuple[tuple[tuple[int, int], ...], ...]
"""For each round the pairs of places, from 0; the first of each pair starts."""


def table(count: int, *, cycles: int = 1) -> Table:
    """All rounds of a group of ``count``. With an odd number one place is free in each round."""
    once = tuple(_round(count, number) for number in range(rounds_of(count)))
    back = tuple(tuple((other, one) for one, other in each) for each in reversed(once))
    return tuple(pairs for cycle in range(cycles) for pairs in (back if cycle % 2 else once))


def rounds_of(count: int) -> int:
    """How many rounds a cycle has."""
    return max(0, count + count % 2 - 1)


def tilts(count: int, *, cycles: int = 1) -> tuple[int, ...]:
    """How many starts more than not each place has in the end."""
    found = [0] * count
    for pairs in table(count, cycles=cycles):
        for one, other in pairs:
            found[one] += 1
            found[other] -= 1
    return tuple(found)


def _round(count: int, number: int) -> tuple[tuple[int, int], ...]:
    around = rounds_of(count)
    pairs = []
    for apart in range(1, around // 2 + 1):
        ahead, behind = (number + apart) % around, (number - apart) % around
        # How far ahead a place is falls by one each round: even ones start, odd ones do not.
        pairs.append((ahead, behind) if apart % 2 == 0 else (behind, ahead))
    if count % 2 == 0 and count:
        pairs.insert(0, (around, number) if number % 2 == 0 else (number, around))
    return tuple(pairs)
