"""The table of teams: by points from matches, then from boards, then by the charter's tie-breaks.

A match counts when its last game is over. What a match is, is ``teams``' to say; tie-breaks are
counted over matches, with the same definitions as over games. The boards by themselves have the
usual table (``standings``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.tournaments.event import WIN, Event
from pbem.tournaments.sheets import Line, Sheet
from pbem.tournaments.standings import Table, make_table
from pbem.tournaments.teams import TeamMatch, matches


@dataclass(frozen=True, slots=True)
class TeamTable:
    """A table whose entrants are teams, numbered from 1 in the order of ``teams``."""

    teams: tuple[str, ...]
    table: Table
    board_points: dict[int, int]
    """Of each team, in halves, those of matches that go on with them."""

    def name(self, number: int) -> str:
        """The team of a number."""
        return self.teams[number - 1]


def team_table(event: Event) -> TeamTable:
    """The table of the teams as it stands."""
    numbers = {team: number for number, team in enumerate(event.teams, start=1)}
    lines: dict[int, list[Line]] = {number: [] for number in numbers.values()}
    boards = dict.fromkeys(numbers.values(), 0)
    for count, match in enumerate(matches(event), start=1):
        sides = numbers[match.teams[0]], numbers[match.teams[1]]
        for side, line in zip(sides, _lines(match, count, sides), strict=True):
            lines[side].append(line)
        for side, points in zip(sides, match.board_points, strict=True):
            boards[side] += points
    sheet = Sheet(
        stage="",
        lines={number: tuple(own) for number, own in lines.items()},
        points={number: sum(line.points for line in own) for number, own in lines.items()},
        is_fixed=True,
    )
    table = make_table(
        sheet,
        firsts={"points": sheet.points, "board_points": boards},
        tie_breaks=event.charter.order,
        is_settled=event.phase in ("over", "cancelled"),
    )
    return TeamTable(event.teams, table, boards)


def _lines(match: TeamMatch, count: int, sides: tuple[int, int]) -> Iterator[Line]:
    for index, opponent in enumerate(reversed(sides)):
        if match.is_over:
            points = match.points[index]
            yield Line(match.round, count, opponent, points, WIN, "played", None)
        else:
            yield Line(match.round, count, opponent, 0, WIN, None, None, is_over=False)
