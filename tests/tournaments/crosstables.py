"""Tables in a few characters a game, as the sheets that tie-breaks are counted from.

A line is a number and its games: ``+w9`` is a win against 9 with the first turn, ``=b2`` a draw
without it, ``-f3`` a game lost by forfeit to 3, ``+bye`` a bye, ``=out`` and ``-out`` a round in
which somebody was not paired and had half a point or none.
"""

from __future__ import annotations

from pbem.tournaments.event import WIN, Ending
from pbem.tournaments.sheets import Line, Sheet

POINTS = {"+": 2, "=": 1, "-": 0}


def read_sheet(text: str, *, is_fixed: bool = False) -> Sheet:
    lines = {}
    for row in text.strip().splitlines():
        number, *games = row.split()
        lines[int(number)] = tuple(
            _line(round_, game) for round_, game in enumerate(games, start=1)
        )
    points = {number: sum(line.points for line in own) for number, own in lines.items()}
    return Sheet(stage="", lines=lines, points=points, is_fixed=is_fixed)


def _line(round_: int, game: str) -> Line:
    points, rest = POINTS[game[0]], game[1:]
    if rest == "bye":
        return Line(round_, 99, None, points, WIN, None, None)
    if rest == "out":
        return Line(round_, 0, None, points, WIN, None, None)
    opponent, ending = int(rest[1:]), "forfeit" if rest[0] == "f" else "played"
    starts = None if rest[0] == "f" else rest[0] == "w"
    return Line(round_, 99, opponent, points, WIN, _ending(ending), starts)


def _ending(name: str) -> Ending:
    return "forfeit" if name == "forfeit" else "played"
