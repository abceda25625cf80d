"""Points after each round, as one small drawing: a line for each who leads, fine ones for the rest.

Lines differ by colour and by stroke, and each ends in its number, which stands before the name
below. Readable at 340 pixels, which is what a telephone has. Who does not see it reads the same
figures in the crosstable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from pbem.diagrams import shapes
from pbem.diagrams.shapes import number, safe
from pbem.diagrams.svg import open_svg
from pbem.diagrams.theme import LIGHT, Theme
from pbem.tournaments.climb import Climb
from pbem.tournaments.event import show_points

WIDTH: Final = 340
LEFT: Final = 28
RIGHT: Final = 312
_TOP: Final = 14
_HEIGHT: Final = 190
_FOOT: Final = 26
_ROW: Final = 18
_SIZE: Final = 12
_LABEL_ROOM: Final = 26
_LEVEL_ROOM: Final = 22
_APART: Final = 12.5
"""Numbers at the ends of lines are at least so far from each other."""
_LONGEST_NAME: Final = 17
_STROKES: Final = ("", "7 3", "2 3", "10 3 2 3", "4 4", "12 4")
"""How lines are dashed, in the order of their colours."""


def climb_svg(
    climb: Climb,
    names: Mapping[int, str],
    *,
    title: str,
    theme: Theme = LIGHT,
    width: int | None = None,
) -> str:
    """The drawing. ``width`` sets a size in pixels; without it the page decides."""
    leaders = climb.lines[: len(theme.entrants)]
    rest = climb.lines[len(theme.entrants) :]
    bottom = _TOP + _HEIGHT
    full = bottom + _FOOT + _ROW * -(-len(leaders) // 2)
    parts = [open_svg(WIDTH, full, width=width), f"<title>{safe(title)}</title>"]
    parts.append(f'<path d="M0 0H{WIDTH}V{full}H0z" fill="{theme.page}"/>')
    parts += _levels(climb, theme)
    parts += _rounds(climb, theme)
    for _, points in rest:
        line = _line(climb, points)
        parts.append(f'<path d="{line}" fill="none" stroke="{theme.muted}" stroke-opacity=".35"/>')
    for index in range(len(leaders) - 1, -1, -1):
        parts.append(_leader(_line(climb, leaders[index][1]), index, theme))
    ends = _apart([_y(climb, points[-1]) for _, points in leaders])
    for index, end in enumerate(ends):
        parts.append(_number(index, RIGHT + 12, end, theme))
    parts += _names(leaders, names, top=bottom + _FOOT, theme=theme)
    parts.append("</svg>")
    return "".join(parts)


def _x(climb: Climb, index: int) -> float:
    return LEFT + (RIGHT - LEFT) * index / max(len(climb.rounds) - 1, 1)


def _y(climb: Climb, points: int) -> float:
    return _TOP + _HEIGHT * (1 - points / max(climb.most, 2))


def _line(climb: Climb, points: Sequence[int]) -> str:
    places = (f"{number(_x(climb, i))} {number(_y(climb, each))}" for i, each in enumerate(points))
    return "M" + "L".join(places)


def _leader(line: str, index: int, theme: Theme) -> str:
    dashes = f' stroke-dasharray="{_STROKES[index]}"' if _STROKES[index] else ""
    return (
        f'<path d="{line}" fill="none" stroke="{theme.entrants[index]}" stroke-width="2.2"'
        f' stroke-linejoin="round"{dashes}/>'
    )


def _levels(climb: Climb, theme: Theme) -> Iterator[str]:
    """Level lines at whole points, as many as there is room for."""
    most = max(climb.most, 2)
    step = next(
        step
        for step in (1, 2, 5, 10, 20, 50, 100, 1000)
        if _HEIGHT * 2 * step / most >= _LEVEL_ROOM or step == 1000
    )
    for points in range(0, most // 2 + 1, step):
        y = _y(climb, 2 * points)
        yield f'<path d="M{LEFT} {number(y)}H{RIGHT}" stroke="{theme.groove}" fill="none"/>'
        yield shapes.text(
            str(points), x=LEFT - 6, y=y, size=_SIZE - 1, fill=theme.muted, anchor="end"
        )


def _rounds(climb: Climb, theme: Theme) -> Iterator[str]:
    """The numbers of rounds below, as many as there is room for."""
    last = len(climb.rounds) - 1
    step = (RIGHT - LEFT) / max(last, 1)
    every = max(1, -(-_LABEL_ROOM // max(step, 0.01)))
    shown = [index for index in range(1, last) if index % every == 0]
    shown = [index for index in shown if (last - index) * step >= _LABEL_ROOM]
    for index in [*shown, last] if last else []:
        yield shapes.text(
            str(climb.rounds[index]),
            x=_x(climb, index),
            y=_TOP + _HEIGHT + 14,
            size=_SIZE,
            fill=theme.muted,
            weight=600,
        )


def _number(index: int, x: float, y: float, theme: Theme) -> str:
    fill = theme.entrants[index]
    return shapes.text(str(index + 1), x=x, y=y, size=_SIZE, fill=fill)


def _names(
    leaders: Sequence[tuple[int, tuple[int, ...]]],
    names: Mapping[int, str],
    *,
    top: float,
    theme: Theme,
) -> Iterator[str]:
    """Who has which line, in two columns, with their points."""
    half = -(-len(leaders) // 2)
    for index, (entrant, points) in enumerate(leaders):
        x = 8 + (index // half) * (WIDTH / 2)
        y = top + _ROW * (index % half) + _ROW / 2 - 2
        yield _leader(f"M{number(x + 14)} {number(y)}h20", index, theme)
        yield _number(index, x + 5, y, theme)
        name = names[entrant]
        shown = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
        yield shapes.text(
            f"{shown} {show_points(points[-1])}",
            x=x + 40,
            y=y,
            size=_SIZE,
            fill=theme.text,
            weight=600,
            anchor="start",
        )


def _apart(ends: Sequence[float]) -> list[float]:
    """Where the numbers at the ends go: moved off each other, and none below the drawing."""
    order = sorted(range(len(ends)), key=lambda index: (ends[index], index))
    places = list(ends)
    for before, index in pairwise(order):
        places[index] = max(places[index], places[before] + _APART)
    bottom = float(_TOP + _HEIGHT)
    for index in reversed(order):
        places[index] = min(places[index], bottom)
        bottom = places[index] - _APART
    return places
