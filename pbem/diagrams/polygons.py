"""Polygons with smooth edges, drawn straight onto palette indices.

Arrows of one length and direction come again and again, so what they need is kept: for one of all
that are mirror images of each other, without its colours, and in bands, for the box around an
arrow across the board is nearly empty. The bands lie below each other in one small image, where
they are coloured all at once. Inside, each pixel has one colour whatever lies below. Only along the
outer rim is there a mixture with the ground: a row of palette indices says what each colour becomes
there. One step of any mixture is enough; more make files larger.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageDraw
from PIL.Image import Transpose

from pbem.diagrams.arrows import outlined
from pbem.diagrams.composition import Filled
from pbem.diagrams.palette import half_mixed, to_indices
from pbem.diagrams.raster import Pixels
from pbem.diagrams.theme import Theme
from pbem.games.scene import ArrowKind

SMOOTHING: Final = 2
"""Polygons are drawn this much larger and then reduced: five steps from nothing to full ink."""
PARTS: Final = SMOOTHING * SMOOTHING
STEPS: Final = PARTS + 1
BAND: Final = 48
"""The height of bands, in pixels."""

_INK: Final = [code % STEPS + code // STEPS for code in range(256)]
_SEEN: Final = [code * (ink >= PARTS // 2) for code, ink in enumerate(_INK)]
_MIXED: Final = [255 * (ink == PARTS // 2) for ink in _INK]


Box = tuple[int, int, int, int]


class _Figure(NamedTuple):
    """A drawing in bands: where each belongs, and where it lies among the others.

    ``parts`` says how many parts of each pixel its coats have, as a number in fives: 0 where less
    than half of it is seen. It is a mask as well.
    """

    bands: tuple[tuple[Box, Box], ...]
    size: tuple[int, int]
    parts: Pixels


def fill_polygons(filled: Filled, canvas: Pixels, *, theme: Theme, scale: float) -> None:
    """Draw polygons onto rows of palette indices that have one column more on the left."""
    across, down = filled.across, filled.down
    figure = _figure(filled.kind, abs(across), abs(down), scale)
    if figure is None:
        return
    size, parts = figure.size, figure.parts
    if across < 0:
        parts = parts.transpose(Transpose.FLIP_LEFT_RIGHT)
    if down < 0:
        parts = parts.transpose(Transpose.FLIP_TOP_BOTTOM)
    x, y = round(filled.place[0] * scale) + 1, round(filled.place[1] * scale)
    bands = [
        (_turned(box, across, down, (x, y)), _turned(lying, across, down, (0, 0), size))
        for box, lying in figure.bands
    ]
    drawn = Image.new("L", size, None).im
    for box, lying in bands:
        drawn.paste(canvas.crop(box), lying)
    whole = (0, 0, *size)
    mixed = drawn.point(half_mixed(filled.fills[0], theme), None)
    drawn.paste(parts.point(_colours(filled.fills, theme), "L"), whole, parts)
    drawn.paste(mixed, whole, parts.point(_MIXED, "1"))
    for box, lying in bands:
        canvas.paste(drawn.crop(lying), box)


def _turned(
    box: Box, across: float, down: float, place: tuple[int, int], size: tuple[int, int] = (0, 0)
) -> Box:
    """A box at a place, or its mirror image: around the origin, or within a size."""
    left, top, right, bottom = box
    if across < 0:
        left, right = size[0] - right, size[0] - left
    if down < 0:
        top, bottom = size[1] - bottom, size[1] - top
    x, y = place
    return x + left, y + top, x + right, y + bottom


@lru_cache(maxsize=128)
def _figure(kind: ArrowKind | None, across: float, down: float, scale: float) -> _Figure | None:
    coats = outlined(kind, across, down)
    points = [point for outline in coats[0] for point in outline]
    if not points:
        return None
    left, top = (math.floor(min(point[axis] for point in points) * scale) for axis in (0, 1))
    right, bottom = (math.ceil(max(point[axis] for point in points) * scale) for axis in (0, 1))
    size = ((right - left + 1) * SMOOTHING, (bottom - top + 1) * SMOOTHING)
    ink = Image.new("L", size)
    pen = ImageDraw.Draw(ink)
    # After the reduction a pixel says how many parts of it two coats have: a number in fives.
    for number, outlines in enumerate(coats):
        for outline in outlines:
            corners = [
                ((x * scale - left) * SMOOTHING, (y * scale - top) * SMOOTHING) for x, y in outline
            ]
            pen.polygon(corners, fill=PARTS * STEPS**number)
    cut = [*_cut(ink.reduce(SMOOTHING).point(_SEEN), left, top)]
    return _stacked(cut) if cut else None


def _cut(seen: Image.Image, left: int, top: int) -> Iterator[tuple[int, int, Image.Image]]:
    """The bands of a drawing that begins there: where each begins, and what it is."""
    for begin in range(0, seen.height, BAND):
        band = seen.crop((0, begin, seen.width, min(begin + BAND, seen.height)))
        box = band.getbbox()
        if box is not None:
            yield left + box[0], top + begin + box[1], band.crop(box)


def _stacked(cut: list[tuple[int, int, Image.Image]]) -> _Figure:
    """Bands below each other."""
    size = (max(band.width for _, _, band in cut), sum(band.height for _, _, band in cut))
    stack = Image.new("L", size)
    bands, at = [], 0
    for x, y, band in cut:
        stack.paste(band, (0, at))
        belongs = (x, y, x + band.width, y + band.height)
        bands.append((belongs, (0, at, band.width, at + band.height)))
        at += band.height
    return _Figure(tuple(bands), size, stack.im.point(_SEEN, "1"))


@lru_cache(maxsize=16)
def _colours(fills: tuple[str, ...], theme: Theme) -> list[int]:
    """The palette index of each mixture of the first coat with the last: one, half and half, or
    the other."""
    first, last = (Image.new("RGB", (1, 1), fills[number]) for number in (0, -1))
    mixtures = Image.new("RGB", (256, 1))
    for code in range(1, STEPS**2):
        share = round(2 * (code // STEPS) / _INK[code]) / 2
        mixtures.paste(Image.blend(first, last, share), (code, 0))
    return list(to_indices(mixtures, theme).tobytes())
