"""A player's rating over the months, as one small drawing: a line, and how sure it is as a band.

In the manner of ``chart``: readable at 340 pixels, and with a table beside it for who does not see
it. Months without a rated game have no point of their own; the line goes on to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.diagrams import shapes
from pbem.diagrams.shapes import number, safe
from pbem.diagrams.svg import open_svg
from pbem.diagrams.theme import LIGHT, Theme

WIDTH: Final = 340
_LEFT: Final = 40
_RIGHT: Final = 328
_TOP: Final = 12
_HEIGHT: Final = 150
_FOOT: Final = 24
_SIZE: Final = 12
_LABEL_ROOM: Final = 62
"""Between the middles of two labels there is at least this much."""
_END_ROOM: Final = 84
"""Between the end of the axis, where a label ends, and the middle of the next."""
_LEAST_RANGE: Final = 200
_STEPS: Final = (50, 100, 200, 500, 1000)
_MOST_LEVELS: Final = 6
_DOTS: Final = 40
"""With more points than this the line has no dots."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating at the end of a month; ``month`` counts months, ``label`` names this one."""

    month: int
    label: str
    rating: float
    spread: float
    """How far the true strength may be from it, either way."""


def rating_chart_svg(title: str, points: Sequence[RatingPoint], *, theme: Theme = LIGHT) -> str:
    """The drawing of one point or more, oldest first."""
    scale = _Scale(points)
    bottom = _TOP + _HEIGHT
    parts = [
        f'{open_svg(WIDTH, bottom + _FOOT)[:-1]} class="chart">',
        f"<title>{safe(title)}</title>",
        f'<path d="M0 0H{WIDTH}V{bottom + _FOOT}H0z" fill="{theme.page}"/>',
    ]
    parts.append(f'<path d="{_band(points, scale)}" fill="{theme.groove}" fill-opacity=".55"/>')
    parts += _levels(scale, theme)
    parts += _months(points, scale, theme)
    line = "M" + "L".join(
        f"{number(scale.x(point.month))} {number(scale.y(point.rating))}" for point in points
    )
    look = f'fill="none" stroke="{theme.accent}" stroke-width="2.2" stroke-linejoin="round"'
    parts.append(f'<path d="{line}" {look}/>')
    if len(points) <= _DOTS:
        parts += (
            f'<circle cx="{number(scale.x(point.month))}" cy="{number(scale.y(point.rating))}"'
            f' r="3" fill="{theme.accent}"/>'
            for point in points
        )
    return "".join(parts) + "</svg>"


class _Scale:
    """Where months and ratings are."""

    def __init__(self, points: Sequence[RatingPoint]) -> None:
        low = min(point.rating - point.spread for point in points)
        high = max(point.rating + point.spread for point in points)
        lack = max(0.0, _LEAST_RANGE - (high - low)) / 2
        low, high = low - lack, high + lack
        step = next((each for each in _STEPS if (high - low) / each < _MOST_LEVELS), _STEPS[-1])
        self._low, self._high = low, high
        first = -(-low // step)
        last = high // step
        self.levels = [int(step * each) for each in range(int(first), int(last) + 1)]
        self._first = points[0].month
        self._months = max(points[-1].month - self._first, 1)

    def x(self, month: int) -> float:
        """A single point stands at the left."""
        return _LEFT + (_RIGHT - _LEFT) * (month - self._first) / self._months

    def y(self, rating: float) -> float:
        share = (rating - self._low) / (self._high - self._low)
        return _TOP + _HEIGHT * (1 - min(max(share, 0.0), 1.0))


def _band(points: Sequence[RatingPoint], scale: _Scale) -> str:
    """Between the rating and how far it may be off; a single point has a short one."""
    above = [(scale.x(each.month), scale.y(each.rating + each.spread)) for each in points]
    below = [(scale.x(each.month), scale.y(each.rating - each.spread)) for each in points]
    if len(points) == 1:
        above.append((above[0][0] + 14, above[0][1]))
        below.append((below[0][0] + 14, below[0][1]))
    corners = (f"{number(x)} {number(y)}" for x, y in (*above, *reversed(below)))
    return "M" + "L".join(corners) + "z"


def _levels(scale: _Scale, theme: Theme) -> Iterator[str]:
    for level in scale.levels:
        y = scale.y(level)
        yield f'<path d="M{_LEFT} {number(y)}H{_RIGHT}" stroke="{theme.groove}" fill="none"/>'
        yield shapes.text(
            str(level), x=_LEFT - 6, y=y, size=_SIZE - 1, fill=theme.muted, anchor="end"
        )


def _months(points: Sequence[RatingPoint], scale: _Scale, theme: Theme) -> Iterator[str]:
    """The labels of the first and the last month, and of those between that there is room for."""
    places = [(scale.x(point.month), point.label) for point in points]
    shown = places[:1]
    end = places[-1]
    for place in places[1:-1]:
        room = _LABEL_ROOM if len(shown) > 1 else _END_ROOM
        if place[0] - shown[-1][0] >= room and end[0] - place[0] >= _END_ROOM:
            shown.append(place)
    if len(places) > 1:
        shown.append(end)
    for index, (x, label) in enumerate(shown):
        anchor = "start" if index == 0 else "end" if index == len(shown) - 1 else "middle"
        yield shapes.text(
            label,
            x=x if index else _LEFT,
            y=_TOP + _HEIGHT + 15,
            size=_SIZE,
            fill=theme.muted,
            weight=600,
            anchor=anchor,
        )
