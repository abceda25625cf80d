"""SVG to pixels, through resvg: the slow step, which callers do once and keep."""

from __future__ import annotations

import io
import math
from functools import lru_cache
from typing import Final

import resvg
from PIL import Image

from pbem.diagrams.fonts import render_options
from pbem.diagrams.shapes import FONT_FAMILY, Ground, Reach

Place = tuple[int, int]

COARSE: Final = [round(round(alpha * 2 / 255) * 255 / 2) for alpha in range(256)]
"""Nothing, half and full ink. More steps make letters hardly clearer, but files larger."""


def render_svg(svg: str) -> Image.Image:
    """A whole SVG document as an RGBA image. Raises FontMissingError without a font."""
    tree = resvg.usvg.Tree.from_str(svg, render_options())
    # The transform is a matrix row by row; all scaling is done by the document itself.
    image = Image.open(io.BytesIO(resvg.render(tree, (1, 0, 0, 0, 1, 0))))
    return image.convert("RGBA")


def coarsen(image: Image.Image) -> Image.Image:
    """The same image with three steps of transparency instead of 256."""
    image.putalpha(image.getchannel("A").point(COARSE))
    return image


def render_on_ground(
    fragment: str, *, reach: Reach, ground: Ground, scale: float
) -> tuple[Image.Image, Image.Image, Place] | None:
    """A fragment on its ground in full colour, a mask of where it has ink, and where that begins.

    The place is relative to the fragment's origin, in pixels. None when there is no ink.
    """
    drawn = coarsen(_render_around(fragment, reach, scale).copy())
    mask = drawn.getchannel("A")
    ink = mask.getbbox()
    if ink is None:
        return None
    picture = Image.new("RGBA", drawn.size, ground.fill)
    if ground.floor:
        place = f"translate({ground.dx} {ground.dy})"
        floor = f'<g transform="{place}">{ground.floor}</g>'
        picture.alpha_composite(_render_around(floor, reach, scale))
    picture.alpha_composite(drawn)
    left, up, _, _ = _pixels(reach, scale)
    begin = (ink[0] - left, ink[1] - up)
    return picture.crop(ink).convert("RGB"), mask.crop(ink).point(_ANY_INK, "1"), begin


@lru_cache(maxsize=256)
def _render_around(fragment: str, reach: Reach, scale: float) -> Image.Image:
    """A fragment by itself. The same piece is met on several grounds, the same ground often."""
    left, up, right, down = _pixels(reach, scale)
    width, height = left + right, up + down
    box = f"{-left / scale} {-up / scale} {width / scale} {height / scale}"
    return render_svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}"'
        f' height="{height}" font-family="{FONT_FAMILY}">{fragment}</svg>'
    )


def _pixels(reach: Reach, scale: float) -> tuple[int, int, int, int]:
    left, up, right, down = (math.ceil(side * scale) for side in reach)
    return left, up, right, down


_ANY_INK: Final = [0] + [255] * 255
