"""A sheet with every way in which its open games can end: what a table is made of for each.

For formats in which tie-breaks look at more than ``what_if`` keeps. Which games of an encounter
brought what makes no difference to a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from pbem.tournaments.event import DRAW, WIN
from pbem.tournaments.open_games import Open
from pbem.tournaments.sheets import Line, Sheet


def ended_sheets(sheet: Sheet, opens: Sequence[Open]) -> Iterator[Sheet]:
    """The sheet with each way in which all can end, in the order of ``itertools.product``."""
    running = {each.encounter: each for each in opens}
    for ends in product(*(each.ends for each in opens)):
        by_encounter = {each.encounter: end for each, end in zip(opens, ends, strict=True)}
        lines: dict[int, tuple[Line, ...]] = {}
        for number, own in sheet.lines.items():
            left: dict[int, list[tuple[int, bool]]] = {}
            for encounter, end in by_encounter.items():
                side = running[encounter].side_of(number)
                if side is not None:
                    left[encounter] = _games(
                        end.points[side],
                        end.wins[side],
                        end.seconds[side],
                        running[encounter].games,
                    )
            lines[number] = tuple(
                _ended(line, left[line.encounter]) if line.is_running else line for line in own
            )
        points = {number: sum(line.points for line in own) for number, own in lines.items()}
        yield replace(sheet, lines=lines, points=points)


def _games(points: int, wins: int, seconds: int, games: int) -> list[tuple[int, bool]]:
    """Games that bring so much: the points of each, and whether they had the first turn."""
    draws = points - WIN * wins
    results = [WIN] * wins + [DRAW] * draws + [0] * (games - wins - draws)
    return [(result, index >= seconds) for index, result in enumerate(results)]


def _ended(line: Line, left: list[tuple[int, bool]]) -> Line:
    points, has_started = left.pop()
    return line._replace(points=points, ending="played", has_started=has_started, is_over=True)
