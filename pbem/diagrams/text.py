"""A scene as a text board for plain mail: monospaced, ASCII, at most 78 columns.

Each hex takes four columns and each row is shifted by two, so the three families of lines run
level and along both slants. Seat 0 is written in capitals and seat 1 in small letters, which no
mail program and no screen changes. ``=`` is a home cell, ``( )`` a source, ``##`` the centre, a
blank a cut; a token stands behind a piece, or alone on an empty cell.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pbem.games.scene import Board, CellKind, Panel, Piece, Scene, Token, Track, TrackStyle

COLUMNS: Final = 78
CELL_WIDTH: Final = 4
SIDE: Final = 5
"""Columns beside the board for the names of each row's first and last cell."""
BAR_LETTERS: Final = 16

_EMPTY: Final = {
    CellKind.PLAIN: " .  ",
    CellKind.HOME: " =  ",
    CellKind.SOURCE: "( ) ",
    CellKind.CENTRE: " ## ",
    CellKind.CUT: "    ",
}


def scene_text(scene: Scene, *, with_key: bool = True) -> str:
    """The board, and below it what stands beside it in a picture; no spaces at line ends.

    Raises ValueError for a scene that names cells its board does not have.
    """
    grid = _grid(scene.board, scene.bottom_seat)
    board = grid.lines.copy()
    for name, written in _contents(scene, grid.signs).items():
        row, column = grid.places[name]
        line = board[row]
        board[row] = line[:column] + written + line[column + CELL_WIDTH :]
    below = list(_facts(scene))
    if with_key and scene.key:
        below += ["", *(part for line in scene.key for part in _wrapped(line))]
    return "\n".join([*board, "", *below])


class _Grid:
    """The empty board as lines, where each cell's four columns begin, and what stands there."""

    __slots__ = ("lines", "places", "signs")

    def __init__(
        self, lines: list[str], places: dict[str, tuple[int, int]], signs: dict[str, str]
    ) -> None:
        self.lines = lines
        self.places = places
        self.signs = signs


@lru_cache(maxsize=16)
def _grid(board: Board, bottom_seat: int) -> _Grid:
    sign = -1 if bottom_seat else 1
    half = CELL_WIDTH // 2
    spots = {cell.name: (-sign * cell.r, sign * (2 * cell.q + cell.r)) for cell in board.cells}
    top = min(row for row, _ in spots.values())
    left = min(column for _, column in spots.values())
    # On the left room for the name of a row's first cell, above a line for the letters.
    places = {
        name: (row - top + 1, (column - left) * half + SIDE)
        for name, (row, column) in spots.items()
    }
    bottom = max(row for row, _ in places.values())
    width = max(column for _, column in places.values()) + CELL_WIDTH + SIDE
    if width > COLUMNS:
        raise ValueError(f"this board is {width} columns wide, {COLUMNS} is the most")
    lines = [[" "] * width for _ in range(bottom + 2)]
    signs = {cell.name: _EMPTY[cell.kind] for cell in board.cells}
    for name, (row, column) in places.items():
        lines[row][column : column + CELL_WIDTH] = signs[name]
        # The letter of a column stands where the column runs out of the board.
        if row == 1:
            lines[0][column + 1 + half] = name[0]
        if row == bottom:
            lines[-1][column + 1 - half] = name[0]
    for row in range(1, bottom + 1):
        names = sorted((column, name) for name, (line, column) in places.items() if line == row)
        (start, first), (end, last) = names[0], names[-1]
        lines[row][start - SIDE : start - 1] = f"{first:>{SIDE - 1}}"
        end += CELL_WIDTH + 1
        lines[row][end : end + len(last)] = last
    return _Grid(["".join(line).rstrip() for line in lines], places, signs)


def _contents(scene: Scene, signs: dict[str, str]) -> dict[str, str]:
    """What is written on each cell that is not empty: four letters."""
    written: dict[str, str] = {}
    try:
        for piece in scene.pieces:
            if piece.cell is not None:
                before, after = "()" if signs[piece.cell] == _EMPTY[CellKind.SOURCE] else "  "
                written[piece.cell] = f"{before}{_label(piece):<2.2}{after}"
        for token in scene.tokens:
            here = written.get(token.cell)
            if here is None:
                sign = signs[token.cell]
                here = sign[:1] + _letter(token) + sign[2:]
            elif token.cell in {piece.cell for piece in scene.pieces}:
                here = here[:3] + _letter(token)
            else:
                here = here[:2] + _letter(token) + here[3:]
            written[token.cell] = here
    except KeyError as error:
        raise ValueError(f"the board has no cell {error.args[0]!r}") from None
    return written


def _label(piece: Piece) -> str:
    return piece.label.lower() if piece.seat else piece.label.upper()


def _letter(token: Token) -> str:
    return token.label[:1].lower() if token.seat else token.label[:1].upper()


def _facts(scene: Scene) -> Iterator[str]:
    upper_first = sorted(scene.panels, key=lambda panel: panel.seat == scene.bottom_seat)
    for panel in upper_first:
        yield from _panel(panel)
    names = dict(scene.mark_names)
    marked: dict[str, list[str]] = {}
    for piece in scene.pieces:
        shown = scene.marked.format(piece=_label(piece), cell=piece.cell) if piece.marks else ""
        for mark in piece.marks:
            marked.setdefault(names.get(mark, mark.value), []).append(shown)
    for name, pieces in marked.items():
        yield from _wrapped(f"{name.capitalize()}: {', '.join(pieces)}")
    if scene.caption:
        yield from _wrapped(scene.caption)


def _panel(panel: Panel) -> Iterator[str]:
    status = f", {panel.status}" if panel.status else ""
    yield from _wrapped(f"{'*' if panel.is_active else ' '} {panel.title}{status}", indent="  ")
    facts = [_track(track) for track in panel.tracks]
    facts += [f"{count.label} {count.value}" for count in panel.counts]
    if panel.off_board:
        lost = " ".join(_label(piece) for piece in panel.off_board)
        facts.append(f"{panel.off_board_title} {lost}")
    line = "  "
    for fact in facts:
        if len(line) + 2 + len(fact) > COLUMNS:
            yield from _wrapped(line, indent="    ")
            line = "  "
        line += "  " + fact
    if line.strip():
        yield from _wrapped(line, indent="    ")


def _track(track: Track) -> str:
    if track.style is TrackStyle.PIPS:
        return f"{track.label} {track.value}/{track.maximum}"
    shown = min(max(track.value, 0), track.maximum)
    filled = round(BAR_LETTERS * shown / max(track.maximum, 1))
    return f"{track.label} {track.value:>2} [{'#' * filled:-<{BAR_LETTERS}}]"


def _wrapped(line: str, *, indent: str = "") -> list[str]:
    if len(line) <= COLUMNS and line.isascii() and line.isprintable():
        return [line]
    return textwrap.wrap(_ascii(line), COLUMNS, subsequent_indent=indent) or [""]


def _ascii(words: str) -> str:
    """Words in ASCII: accents are dropped, what has no likeness becomes a question mark."""
    if words.isascii() and words.isprintable():
        return words
    bare = unicodedata.normalize("NFKD", words)
    kept = (letter for letter in bare if not unicodedata.combining(letter))
    return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in kept)
