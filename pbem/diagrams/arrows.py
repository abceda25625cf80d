"""Arrows and dotted lines as plain polygons, so that every kind of picture can fill them.

An arrow leaves the pieces at both ends readable: it starts and stops at their rims.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.games.scene import ArrowKind

Point = tuple[float, float]
Outline = tuple[Point, ...]

CASING: Final = 1.8
"""How far the pale edge of an arrow reaches beyond it."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """The measures of one kind of arrow."""

    start_gap: float
    end_gap: float
    half_width: float
    head_length: float
    head_half: float
    dash: float | None = None


_CUTS: Final = {
    ArrowKind.MOVE: _Cut(11, 21, 1.8, 12, 5.4),
    ArrowKind.SLIDE: _Cut(11, 21, 1.8, 12, 5.4, dash=7),
    ArrowKind.ATTACK: _Cut(14, 13, 2.6, 15, 7),
    ArrowKind.NOTE: _Cut(14, 13, 3.2, 15, 8),
}


def outlined(kind: ArrowKind | None, across: float, down: float) -> tuple[tuple[Outline, ...], ...]:
    """A figure from the origin to a point: the polygons of each of its coats, of which the first
    reaches furthest.

    An arrow has an edge and a body, a line of dots, which is of no kind, just these.
    """
    start, end = (0.0, 0.0), (across, down)
    if kind is None:
        return (tuple(dotted_outlines(start, end)),)
    edge = tuple(arrow_outlines(start, end, kind, grown=CASING))
    return edge, tuple(arrow_outlines(start, end, kind))


def arrow_outlines(
    start: Point, end: Point, kind: ArrowKind, *, grown: float = 0.0
) -> Iterator[Outline]:
    """The polygons of an arrow: its head, then its shaft, in pieces if it is dashed."""
    length = math.dist(start, end)
    if not length:
        return
    cut = _CUTS[kind]
    tip = length - cut.end_gap
    neck = tip - cut.head_length
    axis = _Axis(start, end, length)
    # The head's point grows further than its flanks, as a mitred outline would.
    yield axis.polygon(
        (tip + 2.1 * grown, 0.0),
        (neck - grown, cut.head_half + 1.7 * grown),
        (neck - grown, -cut.head_half - 1.7 * grown),
    )
    half = cut.half_width + grown
    begin = min(cut.start_gap, neck)
    step = neck + 1 - begin if cut.dash is None else cut.dash * 1.7
    while begin < neck:
        stop = min(begin + (cut.dash or step), neck + 1)
        yield axis.bar(begin - grown, stop + grown, half)
        begin += step


def lying_arrow(length: float, kind: ArrowKind, *, grown: float = 0.0) -> tuple[Outline, str]:
    """An arrow to the right in few words: the outline of its head, and the attributes of a line
    along it that is its shaft."""
    cut = _CUTS[kind]
    head, *_ = arrow_outlines((0, 0), (length, 0), kind, grown=grown)
    neck = length - cut.end_gap - cut.head_length
    begin = min(cut.start_gap, neck)
    start, stop = begin - grown, neck + 1 + grown
    line = f'd="M{start:.1f} 0H{stop:.1f}" stroke-width="{2 * (cut.half_width + grown):.1f}"'
    if cut.dash is not None:
        dash = cut.dash + 2 * grown
        line += f' stroke-dasharray="{dash:.1f} {cut.dash * 1.7 - dash:.1f}"'
    return head, line


def dotted_outlines(start: Point, end: Point, *, half: float = 1.6) -> Iterator[Outline]:
    """The dots of a line between two points, evenly spread."""
    length = math.dist(start, end)
    if not length:
        return
    axis = _Axis(start, end, length)
    count = max(2, round(length / 8))
    for index in range(1, count):
        middle = length * index / count
        yield axis.bar(middle - half, middle + half, half)


class _Axis:
    """Turns measures along and across an arrow into points."""

    def __init__(self, start: Point, end: Point, length: float) -> None:
        self._start = start
        self._along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def polygon(self, *points: Point) -> Outline:
        (x, y), (ux, uy) = self._start, self._along
        return tuple((x + a * ux - b * uy, y + a * uy + b * ux) for a, b in points)

    def bar(self, begin: float, stop: float, half: float) -> Outline:
        return self.polygon((begin, half), (stop, half), (stop, -half), (begin, -half))
