"""Figures of two seats over the turns of a game, as one small drawing of level strips.

Each strip has its own height and all share the
turns, so what happened at one moment stands in one line. Seats differ by their strokes: seat 0 is
a cased line, seat 1 a dashed one, and each ends in the sign of its seat. Readable at 340 pixels,
which is what a telephone has. Who does not see it reads the figures as a table: ``Chart.rows``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.diagrams import shapes
from pbem.diagrams.shapes import number, safe
from pbem.diagrams.svg import open_svg
from pbem.diagrams.theme import LIGHT, Theme
from pbem.games.chart import Chart, Strip

WIDTH: Final = 340
LEFT: Final = 24
RIGHT: Final = 324
_HEAD: Final = 26
_TITLE: Final = 20
_GAP: Final = 12
_FOOT: Final = 24
_SIZE: Final = 12
_LABEL_ROOM: Final = 34
"""Between two labels of turns there is at least this much."""
_LONGEST_NAME: Final = 14
_SIGN: Final = 11.5
"""The height of the sign at the end of a line."""


def chart_svg(chart: Chart, *, theme: Theme = LIGHT, width: int | None = None) -> str:
    """The drawing. ``width`` sets a size in pixels; without it the page decides.

    The upright line ``.chart-now`` stands at the end; ``data-left`` and ``data-step`` tell a script
    where the first moment is and how far apart they are.
    """
    tops = list(_tops(chart))
    bottom = tops[-1] + chart.strips[-1].height if chart.strips else _HEAD
    step = _step(chart)
    head = open_svg(WIDTH, bottom + _FOOT, width=width)
    head = f'{head[:-1]} class="chart" data-left="{LEFT}" data-step="{step:.4f}">'
    parts = [head, f"<title>{safe(chart.title)}</title>"]
    parts.append(f'<path d="M0 0H{WIDTH}V{bottom + _FOOT}H0z" fill="{theme.page}"/>')
    parts += _legend(chart, theme)
    parts += _turns(chart, bottom=bottom, top=_HEAD + _TITLE - 4, theme=theme)
    for strip, top in zip(chart.strips, tops, strict=True):
        parts += _strip(strip, top=top, step=step, theme=theme)
    now = number(LEFT + step * (len(chart.moments) - 1))
    parts.append(
        f'<path class="chart-now" d="M0 {_HEAD + _TITLE - 4}V{bottom}"'
        f' transform="translate({now})" stroke="{theme.accent}" stroke-width="1.4"'
        ' fill="none"/></svg>'
    )
    return "".join(parts)


def _tops(chart: Chart) -> Iterator[int]:
    top = _HEAD
    for strip in chart.strips:
        top += _TITLE
        yield top
        top += strip.height + _GAP


def _step(chart: Chart) -> float:
    return (RIGHT - LEFT) / max(len(chart.moments) - 1, 1)


def _legend(chart: Chart, theme: Theme) -> Iterator[str]:
    half = (RIGHT - LEFT) / 2
    for seat, name in enumerate(chart.names):
        shown = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
        x = LEFT + seat * half
        line = "".join(_stroke(f"M{number(x)} 13h24", seat, theme))
        sign = f'<g transform="translate({number(x + 32)} 13) scale(.6)">'
        yield f"{line}{sign}{shapes.swatch(seat, theme)}</g>"
        yield shapes.text(
            shown, x=x + 42, y=13, size=_SIZE + 1, fill=theme.text, weight=600, anchor="start"
        )


def _turns(chart: Chart, *, bottom: int, top: int, theme: Theme) -> Iterator[str]:
    """Labels under the strips, as many as there is room for, with a fine line up from each."""
    step, last = _step(chart), len(chart.moments) - 1
    every = max(1, -(-_LABEL_ROOM // max(step, 0.01)))
    shown = [index for index in range(1, last) if index % every == 0]
    shown = [index for index in shown if (last - index) * step >= _LABEL_ROOM]
    for index in [*shown, last] if last else []:
        x = LEFT + step * index
        yield f'<path d="M{number(x)} {top}V{bottom}" stroke="{theme.groove}" fill="none"/>'
        yield shapes.text(
            chart.moments[index],
            x=x,
            y=bottom + 15,
            size=_SIZE,
            fill=theme.muted,
            weight=600,
            anchor="middle" if index < last else "end",
        )


def _strip(strip: Strip, *, top: int, step: float, theme: Theme) -> Iterator[str]:
    def y(value: int) -> float:
        share = min(max(value, 0), strip.maximum) / max(strip.maximum, 1)
        return top + strip.height * (1 - share)

    yield shapes.text(
        strip.title, x=LEFT, y=top - 10, size=_SIZE, fill=theme.text, weight=700, anchor="start"
    )
    for level in strip.levels:
        height = number(y(level))
        is_goal = level == strip.goal
        look = f'stroke="{theme.accent if is_goal else theme.groove}"'
        if is_goal:
            look += ' stroke-dasharray="1.5 3" stroke-width="1.5"'
        yield f'<path d="M{LEFT} {height}H{RIGHT}" {look} fill="none"/>'
        yield shapes.text(
            str(level), x=LEFT - 5, y=y(level), size=_SIZE - 1, fill=theme.muted, anchor="end"
        )
    ends = []
    for seat, values in enumerate(strip.values):
        path = f"M{LEFT} {number(y(values[0]))}"
        for index in range(1, len(values)):
            if values[index] != values[index - 1] or index == len(values) - 1:
                path += f"H{number(LEFT + step * index)}V{number(y(values[index]))}"
        yield from _stroke(path, seat, theme)
        ends.append(y(values[-1]))
    for seat, end in enumerate(_apart(ends, bottom=top + strip.height)):
        place = f"translate({RIGHT + 7} {number(end)}) scale(.55)"
        yield f'<g transform="{place}">{shapes.swatch(seat, theme)}</g>'


def _apart(ends: list[float], *, bottom: float) -> list[float]:
    """Where the signs at the ends go: moved off each other if they would overlap."""
    upper, lower = sorted(ends)
    lack = max(0.0, _SIGN - (lower - upper)) / 2
    upper, lower = upper - lack, lower + lack
    below = max(0.0, lower - bottom)
    places = (upper - below, lower - below)
    return list(places) if ends[0] <= ends[1] else list(reversed(places))


def _stroke(path: str, seat: int, theme: Theme) -> Iterator[str]:
    """A line in the manner of a seat: cased for the first, dashed for the second."""
    line = f'<path d="{path}" fill="none" stroke-linejoin="round"'
    if seat == 0:
        yield f'{line} stroke="{theme.seats[0].rim}" stroke-width="4.4"/>'
        yield f'{line} stroke="{theme.tracks[0]}" stroke-width="2"/>'
    else:
        yield f'{line} stroke="{theme.tracks[1]}" stroke-width="2" stroke-dasharray="5 2.5"/>'
