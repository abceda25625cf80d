"""The direct encounter: how those who are level stand by their games with each other.

By article 6 of the FIDE Handbook's chapter C.07 (edition of 1 August 2024), in our own words:

- only games among those who are level count, and of several games with one opponent the average;
  a game that was forfeited counts only where the pairings were known beforehand (6.1);
- if all of them have met, that gives their order, and those who are then still level are looked at
  by themselves in the same way (6.2);
- if not all have met, who is first however the missing games might have ended is first, then the
  second in the same way, and so on; the rest is looked at by itself again (6.3).

What this is to a table is ``standings``; how it is told is ``explaining``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from pbem.tournaments.event import WIN
from pbem.tournaments.sheets import Sheet

_Group = tuple[int, ...]

PARTS: Final = 27720
"""Averages are counted in so many parts of half a point: with up to twelve games against one
opponent nothing is lost, and more games are as many for everybody."""


class Score(NamedTuple):
    """What somebody has from the games in a group."""

    average: int
    """The averages against each opponent together, in parts of half a point (``PARTS``)."""
    points: int
    """All points, in halves."""
    games: int
    opponents: int


@dataclass(frozen=True, slots=True)
class Seam:
    """Why one class is above the next: the games in a group, of whom all have met or not."""

    group: tuple[int, ...]
    have_all_met: bool


@dataclass(frozen=True, slots=True)
class Order:
    """Classes from the top, each of those who stay level, and a seam between each two."""

    classes: tuple[tuple[int, ...], ...]
    seams: tuple[Seam, ...]


def scores(sheet: Sheet, group: Sequence[int]) -> dict[int, Score]:
    """What each of a group has from the games in it."""
    members, found = frozenset(group), {}
    for number in group:
        met: dict[int, list[int]] = {}
        for line in sheet.lines[number]:
            if (
                line.opponent in members
                and line.is_over
                and (sheet.is_fixed or line.ending != "forfeit")
            ):
                met.setdefault(line.opponent, []).append(line.points)
        average = sum(PARTS * sum(won) // len(won) for won in met.values())
        points = sum(map(sum, met.values()))
        found[number] = Score(average, points, sum(map(len, met.values())), len(met))
    return found


def order(sheet: Sheet, group: Sequence[int]) -> Order:
    """The order of some who are level. In a class they keep the order in which they came."""
    return order_by(group, lambda part: scores(sheet, part))


def order_by(group: Sequence[int], scores_of: Callable[[_Group], Mapping[int, Score]]) -> Order:
    """The order of some who are level, by what each of a group has from the games in it."""
    classes: list[_Group] = []
    seams: list[Seam] = []

    def put(part: _Group) -> None:
        """Append the classes of a group, with the seams between them."""
        parts, have_all_met = _parts(part, scores_of(part)) if len(part) > 1 else ([part], True)
        if len(parts) == 1:
            classes.append(part)
            return
        for index, each in enumerate(parts):
            if index:
                seams.append(Seam(part, have_all_met))
            put(each)

    put(tuple(group))
    return Order(tuple(classes), tuple(seams))


def _parts(group: _Group, found: Mapping[int, Score]) -> tuple[list[_Group], bool]:
    have_all_met = all(score.opponents == len(group) - 1 for score in found.values())
    return (_by_score if have_all_met else _by_certainty)(group, found), have_all_met


def _by_score(group: _Group, found: Mapping[int, Score]) -> list[_Group]:
    ranked = sorted(group, key=lambda number: -found[number].average)
    return [tuple(part) for _, part in groupby(ranked, key=lambda number: found[number].average)]


def _by_certainty(group: _Group, found: Mapping[int, Score]) -> list[_Group]:
    """Those who are ahead of all after them, whatever the missing games bring; then the rest."""
    ranked = sorted(group, key=lambda number: -found[number].average)
    best = [
        found[number].average + PARTS * WIN * (len(group) - 1 - found[number].opponents)
        for number in ranked
    ]
    for index in range(len(best) - 2, -1, -1):
        best[index] = max(best[index], best[index + 1])
    first = 0
    while first < len(ranked) - 1 and found[ranked[first]].average > best[first + 1]:
        first += 1
    rest = tuple(number for number in group if number not in ranked[:first])
    return [*((number,) for number in ranked[:first]), rest]
