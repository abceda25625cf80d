"""Where everything of a picture goes, in units of which a picture is 700 wide.

Hexes stand on a corner, rows are level, and row distances are whole units, so a piece looks the
same wherever it stands. Seat 0 looks from below; for seat 1 the board is turned half round. The
panels use the corners that a hexagon leaves free.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pbem.games.scene import Board, Cell

WIDTH: Final = 700
HALF: Final = 22
"""Half the width of a hex."""
PITCH: Final = 38
"""The distance of two rows: very nearly √3 · HALF, and whole."""
RADIUS: Final = 25.5
"""From the middle of a hex to its upper corner; with half a SIDE it makes a PITCH."""
SIDE: Final = 25
BOARD_TOP: Final = 42
CAPTION_HEIGHT: Final = 30
MARGIN: Final = 16

LABEL_REACH: Final = 0.74
"""How far a coordinate at the edge stands from its hex, in steps to the next hex."""


@dataclass(frozen=True, slots=True)
class EdgeLabel:
    """A coordinate at the edge of the board."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of one board seen from one side. ``centres`` are by cell name."""

    centres: dict[str, tuple[int, int]]
    edge_labels: tuple[EdgeLabel, ...]
    board_bottom: int

    @property
    def height(self) -> int:
        """Of the picture without its caption."""
        return self.board_bottom + BOARD_TOP


@lru_cache(maxsize=16)
def lay_out(board: Board, bottom_seat: int) -> Layout:
    """The places of a board, with the given seat below."""
    sign = -1 if bottom_seat else 1
    columns = [sign * (2 * cell.q + cell.r) for cell in board.cells]
    rows = [-sign * cell.r for cell in board.cells]
    middle = (min(columns) + max(columns)) / 2
    top = min(rows)
    first_row = BOARD_TOP + round(RADIUS)
    centres = {
        cell.name: (round(WIDTH / 2 + (column - middle) * HALF), first_row + (row - top) * PITCH)
        for cell, column, row in zip(board.cells, columns, rows, strict=True)
    }
    bottom = first_row + (max(rows) - top) * PITCH + round(RADIUS)
    return Layout(centres, tuple(_edge_labels(board, centres, sign)), bottom)


def _edge_labels(board: Board, centres: dict[str, tuple[int, int]], sign: int) -> list[EdgeLabel]:
    """Letters where columns end and numbers where rows end, each on sides of its own.

    A letter stands at both ends of its slanting column. A number stands at that end of its row
    which no letter needs: there are three such sides for letters' ends and two for numbers'.
    """
    taken = {(cell.q, cell.r) for cell in board.cells}

    def label(cell: Cell, text: str, dq: int, dr: int) -> EdgeLabel:
        x, y = centres[cell.name]
        return EdgeLabel(
            text,
            x + sign * (2 * dq + dr) * HALF * LABEL_REACH,
            y - sign * dr * PITCH * LABEL_REACH,
        )

    found = []
    for cell in board.cells:
        letter, number = cell.name[0], cell.name[1:]
        for dr in (1, -1):
            if (cell.q, cell.r + dr) not in taken:
                found.append(label(cell, letter, 0, dr))
        for dq, corner in ((-1, 1), (1, -1)):
            # The row's end is free of letters where the neighbour across is missing as well.
            if (cell.q + dq, cell.r) not in taken and (cell.q + dq, cell.r + corner) not in taken:
                found.append(label(cell, number, dq, 0))
    return found
