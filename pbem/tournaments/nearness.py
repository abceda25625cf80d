"""Which pairs of a large Swiss field are worth weighing first: those that a good round is made of.

In a field of a thousand there are half a million pairs, and nearly all of them are far from where
anybody should play. What is near is a guess that saves time: if it holds no round without a fault,
all pairs are weighed (``swiss``). What a pair costs is left to ``weighing``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from pbem.tournaments.field import Field, Player
from pbem.tournaments.matching import Pair

Group = Sequence[Player]


def near_pairs(field: Field, near: int) -> set[Pair]:
    """Pairs up to ``near`` places away from where upper half meets lower half, or Gold meets Black,
    or one group of points meets the next."""
    players = field.players
    groups = [list(group) for _, group in groupby(players, key=lambda each: each.points)]
    found: set[Pair] = set()
    for group in groups:
        found |= _halves(group, near)
        found |= _houses(group, near)
    for one in players:
        beside = players[one.place + 1 : one.place + 1 + near]
        found |= {(one.place, each.place) for each in beside if each.points != one.points}
    excess = 0
    for group in groups[:-1]:
        excess += sum(each.tilt for each in group)
        below = group[-1].place + 1
        found |= set(_floats(players[:below], players[below:], excess, near))
    return found


def _halves(group: Group, near: int) -> set[Pair]:
    half = len(group) // 2
    return {
        (one.place, other.place)
        for one in group
        for other in group[max(one.spot + 1, one.spot + half - near) : one.spot + half + near + 1]
    }


def _houses(group: Group, near: int) -> set[Pair]:
    """Those who were Gold more often, and those who were Black, again halves against halves."""
    gold = [each.place for each in group if each.tilt > 0]
    black = [each.place for each in group if each.tilt < 0]
    if not black:
        return set()
    return {
        (min(one, other), max(one, other))
        for index, one in enumerate(gold)
        for step in range(-near // 2, near // 2 + 1)
        for other in (black[(index + len(black) // 2 + step) % len(black)],)
    }


def _floats(above: Group, below: Group, excess: int, near: int) -> Iterator[Pair]:
    """The last of those above and the first below, as many as have to float to be balanced."""
    sign = 1 if excess > 0 else -1
    wanted = abs(excess) + near
    last = islice((each.place for each in reversed(above) if each.tilt * sign > 0), wanted)
    first = list(islice((each.place for each in below if each.tilt * sign <= 0), wanted + near))
    for index, one in enumerate(last):
        for other in first[max(0, index - near) : index + near]:
            yield one, other
