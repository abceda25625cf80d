"""What somebody needs for a place: from all ways in which open games can end, a few conditions.

With the same results of others more points of one's own never cost a place, so it is asked how few
points do, and what others must then do: nothing, or get some points of an encounter, at least or at
most. If more than a few encounters of others matter, it is told what the two that matter most can
do, and in how many ways it is enough altogether. Points are halves. ``prospects`` says whom it is
about, ``pbem.play.events.saying_prospects`` says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Final, NamedTuple

from pbem.tournaments.open_games import Open

MOST_OTHERS: Final = 3
"""Conditions name at most so many encounters of others."""
MOST_NEEDS: Final = 2
"""So many conditions are told for one number of points of one's own."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What an entrant must get of an encounter: from ``least`` to ``most``, in halves."""

    encounter: int
    entrant: int
    opponent: int
    games: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Need:
    """Enough for a place: so many points of one's own, and what others must do besides.

    Where too many encounters of others matter to tell them all, or it depends on how the points
    were won, ``good`` of ``ways`` of those ways are in favour; elsewhere both are 0.
    """

    least: int
    others: tuple[Condition, ...] = ()
    good: int = 0
    ways: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question is answered from: who has which place in each way that all can end.

    ``reached`` is in the order of ``itertools.product`` over the ends of ``opens``; ``points`` are
    what everybody has now.
    """

    opens: tuple[Open, ...]
    reached: Sequence[bool]
    points: dict[int, int]


def needs_of(asked: Asked, entrant: int) -> tuple[Need, ...]:
    """The fewest points that are enough by themselves, and what fewer need besides; best first."""
    found: list[Need] = []
    before: frozenset[tuple[int, ...]] | None = None
    in_some: Need | None = None
    for gained, truth in _by_gain(asked, entrant):
        good = frozenset(levels for levels, count in truth.items() if count.is_enough)
        if len(good) == len(truth):
            found = [Need(gained)]
        elif good and good != before:
            found += _with_others(asked, entrant, gained, truth)
        elif good:
            kept = [need for need in found if need.least != found[-1].least]
            last = [need for need in found if need.least == found[-1].least]
            found = kept + [Need(gained, need.others, need.good, need.ways) for need in last]
        elif in_some is None and any(count.good for count in truth.values()):
            in_some = _in_some(gained, truth)
        before = good
    if not found and in_some is not None:
        return (in_some,)
    return tuple(need for need in found if not any(_is_less(other, need) for other in found))


def _is_less(one: Need, other: Need) -> bool:
    """Whether a need asks for nothing that another does not ask for, and for less."""
    if one == other or one.ways or one.least > other.least:
        return False
    return set(one.others) <= set(other.others)


class Count(NamedTuple):
    """Of so many ways, in how many something is enough."""

    good: int
    ways: int

    @property
    def is_enough(self) -> bool:
        """Whether it is in all of them."""
        return self.good == self.ways


_Box = tuple[tuple[int, int], ...]

Truth = dict[tuple[int, ...], Count]
"""For what the sides at home get of the encounters of others: whether that is enough."""


def _by_gain(asked: Asked, entrant: int) -> Iterator[tuple[int, Truth]]:
    """For each number of points that somebody can still get, from the most: when it is enough."""
    own = [each.side_of(entrant) for each in asked.opens]
    truths: dict[int, Truth] = {}
    ways = product(*(each.ends for each in asked.opens))
    for ends, is_reached in zip(ways, asked.reached, strict=True):
        gained = 0
        levels = []
        for side, end in zip(own, ends, strict=True):
            if side is None:
                levels.append(end.points[0])
            else:
                gained += end.points[side]
        weight = prod(end.ways for end in ends)
        truth = truths.setdefault(gained, {})
        _count(truth, tuple(levels), Count(weight * is_reached, weight))
    return iter(sorted(truths.items(), reverse=True))


def _count(truth: Truth, levels: tuple[int, ...], more: Count) -> None:
    before = truth.get(levels, Count(0, 0))
    truth[levels] = Count(before.good + more.good, before.ways + more.ways)


def _in_some(gained: int, truth: Truth) -> Need:
    return Need(
        gained,
        good=sum(count.good for count in truth.values()),
        ways=sum(count.ways for count in truth.values()),
    )


def _with_others(asked: Asked, entrant: int, gained: int, truth: Truth) -> list[Need]:
    """What others must do, for one number of points."""
    others = [each for each in asked.opens if each.side_of(entrant) is None]
    mattering = [index for index in range(len(others)) if _matters(truth, index)]
    if len(mattering) <= MOST_OTHERS:
        boxes = _boxes(_projected(truth, mattering), [others[index].top for index in mattering])
        if len(boxes) <= MOST_NEEDS:
            return [_told(others, asked.points, gained, mattering, box) for box in boxes]
    two, boxes = _best_two(truth, mattering, [each.top for each in others])
    told = [_told(others, asked.points, gained, two, box) for box in boxes[:MOST_NEEDS]]
    return [*told, _in_some(gained, truth)]


def _projected(truth: Truth, indexes: Sequence[int]) -> Truth:
    """By what becomes of some encounters alone."""
    found: Truth = {}
    for levels, count in truth.items():
        _count(found, tuple(levels[index] for index in indexes), count)
    return found


def _best_two(
    truth: Truth, mattering: Sequence[int], tops: Sequence[int]
) -> tuple[tuple[int, ...], list[_Box]]:
    """The two encounters that by themselves settle most, and when they are enough."""

    def settled(two: tuple[int, ...]) -> int:
        return sum(count.ways for count in _projected(truth, two).values() if count.is_enough)

    best = max(combinations(mattering, 2), key=settled)
    return best, _boxes(_projected(truth, best), [tops[index] for index in best])


def _told(
    others: Sequence[Open],
    points: dict[int, int],
    gained: int,
    indexes: Sequence[int],
    box: _Box,
) -> Need:
    return Need(
        gained,
        tuple(
            _condition(others[index], span, points)
            for index, span in zip(indexes, box, strict=True)
            if span != (0, others[index].top)
        ),
    )


def _matters(truth: Truth, index: int) -> bool:
    seen: dict[tuple[int, ...], bool] = {}
    for levels, count in truth.items():
        rest = levels[:index] + levels[index + 1 :]
        if seen.setdefault(rest, count.is_enough) != count.is_enough:
            return True
    return False


def _boxes(truth: Truth, tops: Sequence[int]) -> list[_Box]:
    """Ranges of points in all of which it is enough, the widest first, until all is covered."""
    good = {levels for levels, count in truth.items() if count.is_enough}
    spans = [list(combinations_with_replacement(range(top + 1), 2)) for top in tops]
    inside: dict[_Box, set[tuple[int, ...]]] = {}
    for box in product(*spans):
        points = {
            levels
            for levels in truth
            if all(low <= level <= high for level, (low, high) in zip(levels, box, strict=True))
        }
        if points and points <= good:
            inside[box] = points
    found: list[_Box] = []
    left = set(good)
    while left and inside:
        best = max(inside, key=lambda box: (len(inside[box] & left), len(inside[box]), box))
        if not inside[best] & left:
            break
        found.append(best)
        left -= inside[best]
    return found


def _condition(each: Open, span: tuple[int, int], points: dict[int, int]) -> Condition:
    """Told of the side that has more points."""
    home, away = each.sides
    if points[home] >= points[away]:
        return Condition(each.encounter, home, away, each.games, *span)
    low, high = each.top - span[1], each.top - span[0]
    return Condition(each.encounter, away, home, each.games, low, high)
