"""What a picture of a hex board shows, said without the words of any one game.

A game turns its position into a :class:`Scene`; ``pbem.diagrams`` turns the scene into SVG, PNG or
text. So the drawing code knows seats, cells, pieces and tracks and no rules, and the rules know no
colours. Cells lie on axial coordinates: ``q`` grows to the right, ``r`` away from seat 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class CellKind(StrEnum):
    """What a cell is; ``HOME`` belongs to a seat."""

    PLAIN = "plain"
    HOME = "home"
    SOURCE = "source"
    CENTRE = "centre"
    CUT = "cut"


class Shape(StrEnum):
    """The outline of a piece; each has its own colour too, so none is told by colour alone."""

    KITE = "kite"
    SQUARE = "square"
    DISC = "disc"
    FLAME = "flame"


class Mark(StrEnum):
    """A sign on a piece."""

    COVERED = "covered"
    REVEALED = "revealed"
    SHIELDED = "shielded"
    MOVED = "moved"


class ArrowKind(StrEnum):
    """What an arrow tells: a walk, a slide along a line, an attack, or what somebody points at."""

    MOVE = "move"
    SLIDE = "slide"
    ATTACK = "attack"
    NOTE = "note"


class Sign(StrEnum):
    """Signs on cells that are neither pieces nor tokens."""

    HIGHLIGHT = "highlight"
    STRUCK = "struck"
    LINE = "line"


class TrackStyle(StrEnum):
    """A bar for long tracks, pips for short ones."""

    BAR = "bar"
    PIPS = "pips"


@dataclass(frozen=True, slots=True)
class Cell:
    """One hex of the board; ``seat`` is the owner of a ``HOME`` cell."""

    name: str
    q: int
    r: int
    kind: CellKind = CellKind.PLAIN
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """The empty board. Its hash is kept, because pictures of empty boards are cached by it."""

    cells: tuple[Cell, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.cells:
            raise ValueError("a board needs at least one cell")
        if len({cell.name for cell in self.cells}) != len(self.cells):
            raise ValueError("two cells of a board have the same name")
        object.__setattr__(self, "_hash", hash(self.cells))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a cell, or beside the board when ``cell`` is None."""

    cell: str | None
    seat: int
    shape: Shape
    label: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Token:
    """Something of a seat's that lies on a cell without taking it up; ``label`` is one letter."""

    cell: str
    seat: int
    label: str


@dataclass(frozen=True, slots=True)
class Track:
    """A value out of a maximum. A value above the maximum is shown as a full track."""

    label: str
    value: int
    maximum: int
    style: TrackStyle


@dataclass(frozen=True, slots=True)
class Count:
    """A short fact beside the board, such as ``Held 2``."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Panel:
    """What is shown about one seat beside the board; ``status`` is a word or two, as *to move*."""

    seat: int
    title: str
    status: str = ""
    is_active: bool = False
    tracks: tuple[Track, ...] = ()
    counts: tuple[Count, ...] = ()
    off_board_title: str = ""
    off_board: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one cell to another."""

    source: str
    target: str
    kind: ArrowKind


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture.

    ``highlighted`` cells belong to the last action; on ``struck`` cells a piece has just been
    lost; ``noted`` are cells that somebody points at; ``lines`` join pairs of cells;
    ``bottom_seat`` says from whose side the board is seen.
    ``title`` and ``description`` are for those who do not see the picture, ``caption`` stands
    under it, and ``key`` explains signs to readers of the text board. ``mark_names`` are the words
    for the marks on pieces, ``marked`` is how a piece with a mark is named there.
    """

    board: Board
    pieces: tuple[Piece, ...] = ()
    tokens: tuple[Token, ...] = ()
    panels: tuple[Panel, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    highlighted: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    caption: str = ""
    title: str = ""
    description: str = ""
    key: tuple[str, ...] = ()
    marked: str = "{piece} on {cell}"
    mark_names: tuple[tuple[Mark, str], ...] = ()
    bottom_seat: int = 0


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One thing of a picture and what it means."""

    shown: Piece | Token | Cell | Mark | ArrowKind | Sign
    meaning: str
