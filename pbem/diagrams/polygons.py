"""Polygons with smooth edges, drawn straight onto palette indices.

Arrows of one length and direction come again and again, so what they need is kept: for one of all
that are mirror images of each other, without its colours, and in bands, for the box around an
arrow across the board is nearly empty. Inside, each pixel has one colour whatever lies below. Only
along the outer rim is there a mixture with the ground: a row of palette indices says what each
colour becomes there. One step of any mixture is enough; more make files larger.
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
BAND: Final = 32
"""The height of bands, in pixels."""

_INK: Final = [code % STEPS + code // STEPS for code in range(256)]
_COVERED: Final = [255 * (ink > PARTS // 2) for ink in _INK]
_MIXED: Final = [255 * (ink == PARTS // 2) for ink in _INK]


class _Band(NamedTuple):
    """A part of a drawing: how many parts of each pixel its coats have, as a number in fives."""

    left: int
    top: int
    right: int
    bottom: int
    parts: Pixels


def fill_polygons(filled: Filled, canvas: Pixels, *, theme: Theme, scale: float) -> None:
    """Draw polygons onto rows of palette indices that have one column more on the left."""
    x, y = round(filled.place[0] * scale) + 1, round(filled.place[1] * scale)
    mixture = half_mixed(filled.fills[0], theme)
    colours = _colours(filled.fills, theme)
    to_left, upwards = filled.across < 0, filled.down < 0
    for band in _bands(filled.kind, abs(filled.across), abs(filled.down), scale):
        left, top, right, bottom, parts = band
        if to_left:
            left, right, parts = -right, -left, parts.transpose(Transpose.FLIP_LEFT_RIGHT)
        if upwards:
            top, bottom, parts = -bottom, -top, parts.transpose(Transpose.FLIP_TOP_BOTTOM)
        box = (x + left, y + top, x + right, y + bottom)
        canvas.paste(canvas.crop(box).point(mixture, None), box, parts.point(_MIXED, "1"))
        canvas.paste(parts.point(colours, None), box, parts.point(_COVERED, "1"))


@lru_cache(maxsize=256)
def _bands(kind: ArrowKind | None, across: float, down: float, scale: float) -> tuple[_Band, ...]:
    coats = outlined(kind, across, down)
    points = [point for outline in coats[0] for point in outline]
    if not points:
        return ()
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
    return tuple(_cut(ink.reduce(SMOOTHING), left, top))


def _cut(parts: Image.Image, left: int, top: int) -> Iterator[_Band]:
    for begin in range(0, parts.height, BAND):
        band = parts.crop((0, begin, parts.width, min(begin + BAND, parts.height)))
        box = band.getbbox()
        if box is not None:
            across, down, to_across, to_down = box
            yield _Band(
                left + across,
                top + begin + down,
                left + to_across,
                top + begin + to_down,
                band.im.crop(box),
            )


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
