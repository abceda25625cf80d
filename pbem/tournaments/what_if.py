"""Every way in which open games can end, and who then has which place. Exact, tie-breaks included.

All ends of all open encounters are gone through in depth; where nobody can change the first place
any more, what is below is the same and is not gone through. Points, wins and what everybody has of
everybody are kept in arrays that each step changes and takes back, which is why tie-breaks are
written here once more; tests hold the result against tables of all ends. This holds for formats
whose pairings are known beforehand, in which games without play are games like others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import prod

from pbem.tournaments import direct
from pbem.tournaments.charter import TieBreak
from pbem.tournaments.event import WIN
from pbem.tournaments.open_games import End, Open
from pbem.tournaments.sheets import Sheet


def ends_of(opens: Sequence[Open]) -> int:
    """In how many ways all can end."""
    return prod(len(each.ends) for each in opens)


def who_reaches(
    sheet: Sheet,
    opens: Sequence[Open],
    *,
    tie_breaks: Sequence[TieBreak],
    places: int,
    excluded: Iterable[int] = (),
) -> list[int]:
    """For every way in which all can end, who has one of the first places: bits by ``members``.

    The ways are in the order of ``itertools.product`` over the ends of each encounter.
    """
    field = _Field(sheet, tie_breaks, excluded)
    numbers = {number: index for index, number in enumerate(sheet.lines)}
    sides = [(numbers[each.sides[0]], numbers[each.sides[1]]) for each in opens]
    left = _left(opens, sides, len(numbers))
    found = [0] * ends_of(opens)

    def go(depth: int, first: int, size: int) -> None:
        if depth == len(opens):
            found[first] = field.reach(places)
            return
        if places == 1 and (leader := field.find_leader(left[depth])) is not None:
            found[first : first + size] = [1 << leader] * size
            return
        below = size // len(opens[depth].ends)
        for index, end in enumerate(opens[depth].ends):
            field.add(sides[depth], opens[depth].games, end, sign=1)
            go(depth + 1, first + index * below, below)
            field.add(sides[depth], opens[depth].games, end, sign=-1)

    go(0, 0, len(found))
    return found


def _left(opens: Sequence[Open], sides: list[tuple[int, int]], count: int) -> list[list[int]]:
    """What everybody can still get from the encounters of each depth on."""
    left = [[0] * count for _ in range(len(opens) + 1)]
    for depth in range(len(opens) - 1, -1, -1):
        left[depth] = list(left[depth + 1])
        for side in sides[depth]:
            left[depth][side] += opens[depth].top
    return left


class _Field:
    """Everybody's figures, changed by each end of an encounter."""

    def __init__(
        self, sheet: Sheet, tie_breaks: Sequence[TieBreak], excluded: Iterable[int]
    ) -> None:
        numbers = {number: index for index, number in enumerate(sheet.lines)}
        count = len(numbers)
        self.tie_breaks = tie_breaks
        out = {numbers[number] for number in excluded if number in numbers}
        self.members = [index for index in range(count) if index not in out]
        self.points = [sheet.points[number] for number in sheet.lines]
        self.worth = [0] * count
        self.wins = [0] * count
        self.seconds = [0] * count
        self.won = [[0] * count for _ in range(count)]
        self.games = [[0] * count for _ in range(count)]
        self.byes = [0] * count
        self.bye_products = [0] * count
        for number, index in numbers.items():
            for line in sheet.lines[number]:
                if not line.is_over:
                    continue
                self.worth[index] += line.worth
                self.wins[index] += line.points == WIN
                if line.opponent is None:
                    self.byes[index] += 1
                    self.bye_products[index] += line.points
                    continue
                opponent = numbers[line.opponent]
                self.won[index][opponent] += line.points
                self.games[index][opponent] += 1
                self.seconds[index] += line.has_started is False and line.ending != "forfeit"

    def add(self, sides: tuple[int, int], games: int, end: End, *, sign: int) -> None:
        """Let an encounter end so, or take it back."""
        for side in (0, 1):
            own, other = sides[side], sides[1 - side]
            points = sign * end.points[side]
            self.points[own] += points
            self.won[own][other] += points
            self.games[own][other] += sign * games
            self.worth[own] += sign * WIN * games
            self.wins[own] += sign * end.wins[side]
            self.seconds[own] += sign * end.seconds[side]

    def find_leader(self, left: list[int]) -> int | None:
        """Who is first whatever comes; None if that is open."""
        points = self.points
        first = max(self.members, key=points.__getitem__, default=None)
        if first is None:
            return None
        least = points[first]
        if any(points[each] + left[each] >= least for each in self.members if each != first):
            return None
        return first

    def reach(self, places: int) -> int:
        """Who has one of the first places, or shares the last of them; as bits."""
        points = self.points
        ranked = sorted(self.members, key=lambda each: -points[each])
        if len(ranked) <= places:
            return sum(1 << each for each in ranked)
        border = points[ranked[places - 1]]
        found = [each for each in ranked if points[each] > border]
        level = [each for each in self.members if points[each] == border]
        found += self._first_of(level, places - len(found))
        return sum(1 << each for each in found)

    def _first_of(self, level: list[int], room: int) -> list[int]:
        """Of some who have as many points, those for whom there is room, by the tie-breaks."""
        found: list[int] = []
        for tie_break in self.tie_breaks:
            if len(level) <= room:
                break
            for part in self._parts(level, tie_break):
                if len(part) > room:
                    level = list(part)
                    break
                found += part
                room -= len(part)
                if not room:
                    return found
        return found + level

    def _parts(self, level: list[int], tie_break: TieBreak) -> Sequence[Sequence[int]]:
        if tie_break == "direct":
            return direct.order_by(level, self._scores).classes
        figures = {each: self._figure(each, tie_break) for each in level}
        ranked = sorted(level, key=lambda each: -figures[each])
        return [list(part) for _, part in groupby(ranked, key=figures.__getitem__)]

    def _scores(self, group: tuple[int, ...]) -> dict[int, direct.Score]:
        found = {}
        for one in group:
            average = points = games = opponents = 0
            for other in group:
                count = self.games[one][other]
                if count:
                    average += direct.PARTS * self.won[one][other] // count
                    points += self.won[one][other]
                    games += count
                    opponents += 1
            found[one] = direct.Score(average, points, games, opponents)
        return found

    def _figure(self, one: int, tie_break: TieBreak) -> int:
        points = self.points
        if tie_break == "wins":
            return self.wins[one]
        if tie_break == "black_starts":
            return self.seconds[one]
        if tie_break == "sonneborn_berger":
            products = sum(p * won for p, won in zip(points, self.won[one], strict=True))
            return products + points[one] * self.bye_products[one]
        if tie_break == "koya":
            return sum(
                won
                for won, p, worth in zip(self.won[one], points, self.worth, strict=True)
                if 2 * p >= worth
            )
        seen = [points[one]] * self.byes[one]
        for p, games in zip(points, self.games[one], strict=True):
            seen += [p] * games
        seen.sort()
        if tie_break == "buchholz":
            return sum(seen)
        return sum(seen[1:] if tie_break == "buchholz_cut" else seen[1:-1])
