"""How points grew: what everybody had after each round. Data for a chart.

Games that go on count when they end, in the round they belong to.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.tournaments.event import Event
from pbem.tournaments.standings import Table, table_of


@dataclass(frozen=True, slots=True)
class Climb:
    """One line for each entrant, from the top of the table."""

    rounds: tuple[int, ...]
    """From 0, the beginning, where nobody has anything."""
    lines: tuple[tuple[int, tuple[int, ...]], ...]
    """Entrants with their points after each of the rounds, in halves."""

    @property
    def most(self) -> int:
        """The most that anybody has."""
        return max((points[-1] for _, points in self.lines), default=0)


def climb(event: Event, stage: str = "") -> Climb:
    """The points of everybody in a table, round by round."""
    return climb_of(table_of(event, stage))


def climb_of(table: Table) -> Climb:
    """The same, of a table that is there already. A season begins with its own first round."""
    numbers = sorted({line.round for lines in table.sheet.lines.values() for line in lines})
    lines = []
    for row in table.rows:
        gained = dict.fromkeys(numbers, 0)
        for line in table.sheet.lines[row.entrant]:
            gained[line.round] += line.points
        points = [0]
        for number in numbers:
            points.append(points[-1] + gained[number])
        lines.append((row.entrant, tuple(points)))
    return Climb((0, *range(1, len(numbers) + 1)), tuple(lines))
