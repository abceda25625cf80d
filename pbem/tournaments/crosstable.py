"""The crosstable: who met whom and what came of it, in the order of the table.

Where all meet all, there is a column for each opponent; elsewhere one for each round. Who had the
first turn is marked in every game: that is never hidden. Signs are the same in every language
(``show_cell``); what they mean is told by who shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from pbem.tournaments.event import show_points
from pbem.tournaments.sheets import Line
from pbem.tournaments.standings import Row, Table

Kind = Literal["opponents", "rounds"]
MOST_OPPONENTS: Final = 24
"""With more there is a column for each round instead."""

STARTED: Final = "›"
"""Before the result of a game in which somebody had the first turn."""
RUNNING: Final = "·"
BYE: Final = "–"
ANNULLED: Final = "×"
FORFEITS: Final = {2: "+", 1: "=", 0: "−"}
"""Results without play, as on paper."""


class Cell(NamedTuple):
    """One game, from the side of who stands in the line."""

    opponent: int | None
    number: int
    """Of the opponent's line, from 1, as nobody shares one; 0 if there is none."""
    line: Line


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A line: somebody's row of the table, and their games, column by column."""

    row: Row
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Who met whom. ``heads`` are the columns: entrants in the order of the table, or rounds."""

    kind: Kind
    heads: tuple[int, ...]
    rows: tuple[CrossRow, ...]
    table: Table


def crosstable_of(table: Table) -> Crosstable:
    """The crosstable of a table."""
    order = tuple(row.entrant for row in table.rows)
    numbers = {entrant: number for number, entrant in enumerate(order, 1)}
    is_square = table.sheet.is_fixed and len(order) <= MOST_OPPONENTS
    last = max((line.round for lines in table.sheet.lines.values() for line in lines), default=0)
    heads = order if is_square else tuple(range(1, last + 1))
    return Crosstable(
        kind="opponents" if is_square else "rounds",
        heads=heads,
        rows=tuple(
            CrossRow(
                row,
                tuple(
                    tuple(
                        _cells(table.sheet.lines[row.entrant], head, numbers, is_square=is_square)
                    )
                    for head in heads
                ),
            )
            for row in table.rows
        ),
        table=table,
    )


def _cells(
    lines: Sequence[Line], head: int, numbers: Mapping[int, int], *, is_square: bool
) -> Iterator[Cell]:
    for line in lines:
        if (line.opponent if is_square else line.round) == head:
            number = numbers[line.opponent] if line.opponent is not None else 0
            yield Cell(line.opponent, number, line)


def show_result(line: Line) -> str:
    """The sign of a game: ``1``, ``½``, ``0``, with ``›`` for who had the first turn."""
    if line.is_absent:
        return ""
    if line.is_bye:
        return f"{BYE}{show_points(line.points)}"
    start = STARTED if line.has_started else ""
    if line.is_running:
        return start + RUNNING
    if line.ending == "void":
        return ANNULLED
    if line.ending == "forfeit":
        return start + FORFEITS[line.points]
    return start + show_points(line.points)


def show_cell(cells: Sequence[Cell], kind: Kind) -> str:
    """The games of a cell: ``›1 ½``; by rounds with the opponent's line before them, ``12: ›1``.

    Two halves of a bye are one bye.
    """
    if not cells:
        return ""
    if cells[0].line.is_bye:
        return f"{BYE}{show_points(sum(cell.line.points for cell in cells))}"
    results = " ".join(filter(None, (show_result(cell.line) for cell in cells)))
    if kind == "opponents" or not cells[0].number:
        return results
    return f"{cells[0].number}: {results}"
