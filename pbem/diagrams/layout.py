"""Where everything of a picture goes, in units of which a picture is 700 wide.

Hexes stand on a corner, rows are level, and row distances are whole units, so a piece looks the
same wherever it stands. Seat 0 looks from below; for seat 1 the board is turned half round. The
panels use the corners that a hexagon leaves free.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pbem.games.scene import Board

WIDTH: Final = 700
HALF: Final = 23
"""Half the width of a hex."""
PITCH: Final = 40
"""The distance of two rows: very nearly √3 · HALF, and whole."""
RADIUS: Final = 26.5
"""From the middle of a hex to its upper corner; with half a SIDE it makes a PITCH."""
SIDE: Final = 27
BOARD_TOP: Final = 40
CAPTION_HEIGHT: Final = 30
MARGIN: Final = 16


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of one board seen from one side. ``centres`` are by cell name."""

    centres: dict[str, tuple[int, int]]
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
    return Layout(centres, bottom)
