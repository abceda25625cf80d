"""Single things as SVG fragments around the origin: cells, pieces, tokens, marks, arrows.

``svg`` puts them in their places, ``png`` has them drawn once each and keeps the result, so both
kinds of picture come from the same outlines. No fragment uses an id: any number of pictures can
stand on one page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from pbem.diagrams.layout import HALF, RADIUS, SIDE
from pbem.diagrams.theme import CellColours, Theme
from pbem.games.scene import ArrowKind, Cell, CellKind, Mark, Shape

FONT_FAMILY: Final = "Source Sans Pro"
"""What ``fonts`` provides; a browser that has not got it takes the next best."""
FONT_STACK: Final = (
    f"'{FONT_FAMILY}', 'Source Sans 3', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
)

CAP_MIDDLE: Final = 0.33
"""Half the height of a capital, in parts of the font size: lowers text to centre it on a point."""

PIECE_RISE: Final = 4.6
"""Pieces stand a little above the middle of their hex, to leave room for its name below."""

NAME_DROP: Final = 19
SMALL_NAME: Final = 12
CELL_NAME: Final = 14
CELL_NAME_STYLE: Final = f'font-size="{CELL_NAME}" font-weight="600"'
ADVANCES: Final = {"": 7, "I": 4, "M": 11} | dict.fromkeys("DGHNO", 9) | dict.fromkeys("ABCEK", 8)
SMALL_ADVANCES: Final = (
    {"": 6, "I": 4, "M": 10} | dict.fromkeys("DGHNO", 8) | dict.fromkeys("ABCEK", 7)
)
"""How far each letter of a cell's name moves the next one, in whole units, by size."""

PIECE_REACH: Final = 25.0

Reach = tuple[float, float, float, float]
"""How far a fragment goes from its origin: left, up, right, down."""


class Ground(NamedTuple):
    """What a fragment lies on: a colour, and perhaps a cell, whose middle is at ``dx``, ``dy``."""

    fill: str
    floor: str = ""
    dx: float = 0
    dy: float = 0


OUTLINES: Final = {
    Shape.KITE: "M0-17 20 0 0 17-20 0z",
    Shape.SQUARE: "M-14.2-14H14.2V13.4H-14.2z",
    Shape.DISC: "M-15.8 0a15.8 15.8 0 1 1 31.6 0a15.8 15.8 0 1 1-31.6 0z",
    Shape.FLAME: "M0-18.2Q12.6-5 18.4 12.2Q0 14.6-18.4 12.2Q-12.6-5 0-18.2z",
}

LETTER_DROP: Final = {Shape.KITE: 0.0, Shape.SQUARE: -0.3, Shape.DISC: 0.0, Shape.FLAME: 3.0}
LETTER_SIZE: Final = {Shape.KITE: 16, Shape.SQUARE: 18.5, Shape.DISC: 18, Shape.FLAME: 16}

TOKEN_CORNERS: Final = ((-14.5, -16.0), (14.5, -16.0))
"""Where a token sits in an occupied hex, by seat: two seats' tokens may share a hex."""
TOKEN_RADIUS: Final = 16.0
TOKEN_CORNER_RADIUS: Final = 10.5

MARK_PLACES: Final = ((15.0, 9.0), (-15.0, 9.0), (15.0, -14.0), (-15.0, -14.0))


def number(value: float) -> str:
    """A coordinate with at most two decimals and no idle zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def printable(words: str) -> str:
    """Without the characters that XML cannot hold, escaped or not."""
    if words.isprintable():
        return words
    return "".join(letter for letter in words if letter.isprintable() or letter == "\n")


def safe(words: str) -> str:
    """Words as they may stand in an SVG document."""
    return escape(printable(words))


def text(
    words: str,
    *,
    x: float,
    y: float,
    size: float,
    fill: str,
    weight: int = 700,
    anchor: str = "middle",
) -> str:
    """Words with the middle of their capitals on ``y``."""
    return (
        f'<text x="{number(x)}" y="{number(y + size * CAP_MIDDLE)}" font-size="{number(size)}"'
        f' font-weight="{weight}" text-anchor="{anchor}" fill="{fill}">'
        f"{safe(words)}</text>"
    )


@cache
def hex_path(scale: float = 1.0) -> str:
    """A hex around the origin, standing on a corner."""
    half, side, radius = HALF * scale, SIDE * scale / 2, RADIUS * scale
    points = [(0, -radius), (half, -side), (half, side), (0, radius), (-half, side), (-half, -side)]
    return "M" + " ".join(f"{number(x)} {number(y)}" for x, y in points) + "z"


@lru_cache(maxsize=1024)
def cell_colours(cell: Cell, theme: Theme) -> CellColours:
    """Which colours a cell has."""
    if cell.kind is CellKind.HOME:
        return theme.homes[1 if cell.seat else 0]
    return {
        CellKind.PLAIN: theme.plain,
        CellKind.SOURCE: theme.source,
        CellKind.CENTRE: theme.centre,
        CellKind.CUT: theme.cut,
    }[cell.kind]


@lru_cache(maxsize=1024)
def cell_ground(cell: Cell, theme: Theme) -> Ground:
    """What a thing on this cell lies on."""
    return Ground(theme.plain.fill, _floor(cell.kind, cell_colours(cell, theme), theme))


def _floor(kind: CellKind, colours: CellColours, theme: Theme) -> str:
    outline = f'<path d="{hex_at(0, 0)}" fill="{colours.fill}" stroke="{colours.edge}"/>'
    return outline + ornament(kind, theme)


def hex_at(x: int, y: int) -> str:
    """The outline of the cell in this place.

    It stands half a unit to the right, so that upright outlines fill whole pixels.
    """
    down = number(RADIUS - SIDE / 2)
    start = f"M{number(x + 0.5)} {number(y - RADIUS)}"
    return f"{start}l{HALF} {down}v{SIDE}l-{HALF} {down}-{HALF}-{down}v-{SIDE}z"


def ornament(kind: CellKind, theme: Theme) -> str:
    """What lies on the floor of a cell of this kind."""
    if kind is CellKind.SOURCE:
        outer, inner = theme.glow
        return (
            f'<path d="{hex_path(0.92)}" fill="none" stroke="{theme.source.edge}"'
            ' stroke-width="2.6"/>'
            f'<circle r="16.5" fill="{outer}"/><circle r="12.5" fill="{inner}"/>'
        )
    if kind is CellKind.CENTRE:
        return (
            f'<path d="{star(8, 17, 6.5)}" fill="{theme.centre_star}"/>'
            f'<circle r="4" fill="{theme.centre.fill}"/>'
        )
    return ""


def cell_name(name: str, place: tuple[int, int]) -> str:
    """The name in the middle of an empty cell, to stand in a group with CELL_NAME_STYLE."""
    x, y = place
    return _name(name, (x, y + 5), ADVANCES)


def named_cell(cell: Cell, theme: Theme) -> str:
    """One empty cell by itself."""
    floor = cell_ground(cell, theme).floor
    if cell.kind in (CellKind.CENTRE, CellKind.CUT):
        return floor
    fill = cell_colours(cell, theme).name
    return f'{floor}<g {CELL_NAME_STYLE} fill="{fill}">{cell_name(cell.name, (0, 0))}</g>'


class _Span(NamedTuple):
    """From where to where a name goes; its letter ends, and its number begins, between them."""

    left: int
    letter_end: int
    number: int
    right: int


def _span(name: str, x: int, advances: dict[str, int]) -> _Span:
    """Where a name around ``x`` stands, on whole units.

    A number behind one letter always begins in the same place, whatever the letter: in a PNG, the
    numbers of a row of cells are then the same pixels again and again, and its file is smaller. The
    letter stands in the middle of the room that an A would take.
    """
    steps = [advances.get(letter, advances[""]) for letter in name]
    first, others = sum(steps[:1]), sum(steps[1:])
    room = advances["A"]
    number = x - (room + others) // 2 + room
    letter_end = number - max(0, room - first) // 2
    return _Span(letter_end - first, letter_end, number, number + others)


def _name(name: str, place: tuple[int, int], advances: dict[str, int], style: str = "") -> str:
    """A name whose letter ends before its number begins: so they do not overlap in any font."""
    x, y = place
    head = f'<text{style and " "}{style} y="{y}"'
    letter, digits = name[:1], name[1:]
    if not (letter.isalpha() and digits.isdecimal()):
        return f'{head} x="{x}" text-anchor="middle">{safe(name)}</text>'
    span = _span(name, x, advances)
    return (
        f'{head}><tspan x="{span.letter_end}" text-anchor="end">{safe(letter)}</tspan>'
        f'<tspan x="{span.number}">{digits}</tspan></text>'
    )


@cache
def star(points: int, outer: float, inner: float) -> str:
    """A star around the origin with one point up."""
    corners = []
    for index in range(2 * points):
        reach = inner if index % 2 else outer
        angle = math.pi * index / points
        corners.append(f"{number(reach * math.sin(angle))} {number(-reach * math.cos(angle))}")
    return "M" + " ".join(corners) + "z"


@lru_cache(maxsize=512)
def piece(shape: Shape, seat: int, label: str, theme: Theme) -> str:
    """A piece: rim of its seat, band of its element, face and lettering."""
    return piece_body(shape, seat=seat, theme=theme) + text(
        label,
        x=0,
        y=LETTER_DROP[shape],
        size=LETTER_SIZE[shape],
        fill=theme.seats[1 if seat else 0].letter,
    )


@lru_cache(maxsize=64)
def piece_body(shape: Shape, *, seat: int, theme: Theme) -> str:
    """A piece without its lettering."""
    seat_colours = theme.seats[1 if seat else 0]
    outline = OUTLINES[shape]
    return (
        f'<path d="{outline}" fill="none" stroke="{seat_colours.rim}" stroke-width="6.4"'
        ' stroke-linejoin="round"/>'
        f'<path d="{outline}" fill="{seat_colours.faces[shape]}"/>'
        f'<path d="{outline}" fill="none" stroke="{theme.bands[shape]}"'
        ' stroke-width="3.6" stroke-linejoin="round"/>'
    )


@lru_cache(maxsize=64)
def token(label: str, *, seat: int, theme: Theme, radius: float = TOKEN_RADIUS) -> str:
    """A token: an eight-pointed star in the seat's colours with one letter."""
    colours = theme.seats[1 if seat else 0]
    other = theme.seats[0 if seat else 1]
    return (
        f'<path d="{star(8, radius, radius * 0.72)}" fill="{colours.swatch}"'
        f' stroke="{other.swatch}" stroke-width="1.6" stroke-linejoin="round"/>'
        + text(label, x=0, y=0, size=radius, fill=colours.token_letter)
    )


_MARK_SIGNS: Final = {
    # A closed eye, an open eye, a shield, a tick.
    Mark.COVERED: '<path d="M-4-1Q0 4 4-1M-3.4 1.4l-1 1.8M0 2.2v2M3.4 1.4l1 1.8" {line}/>',
    Mark.REVEALED: '<path d="M-4.8 0Q0-5 4.8 0Q0 5-4.8 0z" {line}/><circle r="1.7" {fill}/>',
    Mark.SHIELDED: '<path d="M-4-4.2Q0-3.6 4-4.2Q4.6 2 0 5Q-4.6 2-4-4.2z" {fill}/>',
    Mark.MOVED: '<path d="M-3.4 0l2.4 2.8L3.6-2.6" {line}/>',
}


@lru_cache(maxsize=16)
def mark(kind: Mark, theme: Theme) -> str:
    """A small round badge."""
    ground, sign = theme.marks[kind]
    drawn = _MARK_SIGNS[kind].format(
        line=f'fill="none" stroke="{sign}" stroke-width="1.5" stroke-linecap="round"',
        fill=f'fill="{sign}"',
    )
    edge = sign if kind is Mark.REVEALED else theme.page
    return f'<circle r="7.4" fill="{ground}" stroke="{edge}" stroke-width="1.2"/>{drawn}'


def occupied_name(cell: Cell, theme: Theme) -> str:
    """The small name of a cell below what stands on it, on a plate that hides frames and rings."""
    fill = theme.glow[1] if cell.kind is CellKind.SOURCE else cell_colours(cell, theme).fill
    span = _span(cell.name, 0, SMALL_ADVANCES)
    left, width = span.left - 2, span.right - span.left + 4
    style = f'font-size="{SMALL_NAME}" font-weight="700" fill="{theme.text}"'
    return (
        f'<rect x="{left}" y="-5.5" width="{width}" height="11" rx="4" fill="{fill}"/>'
        f"{_name(cell.name, (0, 4), SMALL_ADVANCES, style)}"
    )


@lru_cache(maxsize=4)
def highlight(theme: Theme) -> str:
    """The frame of a cell that belongs to the last action."""
    return (
        f'<path d="{hex_path(0.93)}" fill="none" stroke="{theme.highlight}" stroke-width="3.2"'
        ' stroke-linejoin="round"/>'
    )


def noted(theme: Theme) -> str:
    """The frame of a cell that somebody points at."""
    return (
        f'<path d="{hex_path(0.9)}" fill="none" stroke="{theme.arrows[ArrowKind.NOTE]}"'
        ' stroke-width="5" stroke-linejoin="round"/>'
    )


def struck(theme: Theme) -> str:
    """The cross on a cell where a piece was lost."""
    cross = "M-9-9 9 9M9-9-9 9"
    return (
        f'<path d="{cross}" stroke="{theme.arrow_edge}" stroke-width="8" stroke-linecap="round"/>'
        f'<path d="{cross}" stroke="{theme.arrows[ArrowKind.ATTACK]}" stroke-width="4.5"'
        ' stroke-linecap="round"/>'
    )


def swatch(seat: int, theme: Theme) -> str:
    """The sign of a seat beside its name: light or dark, with the other as its edge."""
    colours = theme.seats[1 if seat else 0]
    return (
        f'<path d="{hex_path(0.42)}" fill="{colours.swatch}" stroke="{colours.rim}"'
        ' stroke-width="2" stroke-linejoin="round"/>'
    )


def pips(places: Sequence[int], *, seat: int, is_filled: bool, theme: Theme) -> str:
    """Steps of a short track, each where ``places`` say across."""
    if not places:
        return ""
    style = (
        f'fill="{theme.tracks[1 if seat else 0]}"'
        if is_filled
        else f'fill="none" stroke="{theme.muted}" stroke-width="1.4"'
    )
    radius = "5" if is_filled else "4.2"
    circles = "".join(f'<circle cx="{x}" cy="17" r="{radius}"/>' for x in places)
    return f"<g {style}>{circles}</g>"
