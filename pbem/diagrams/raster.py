"""SVG to pixels, through resvg: the slow step, which callers do once and keep."""

from __future__ import annotations

import io
import math
from typing import Final

import resvg
from PIL import Image

from pbem.diagrams.fonts import render_options
from pbem.diagrams.shapes import FONT_FAMILY, Ground, Reach

Place = tuple[int, int]

COARSE: Final = [round(round(alpha * 3 / 255) * 255 / 3) for alpha in range(256)]
"""Four steps from nothing to full ink. More make letters hardly clearer, but files larger."""


def render_svg(svg: str) -> Image.Image:
    """A whole SVG document as an RGBA image. Raises FontMissingError without a font."""
    tree = resvg.usvg.Tree.from_str(svg, render_options())
    # The transform is a matrix row by row; all scaling is done by the document itself.
    image = Image.open(io.BytesIO(resvg.render(tree, (1, 0, 0, 0, 1, 0))))
    return image.convert("RGBA")


def coarsen(image: Image.Image) -> Image.Image:
    """The same image with four steps of transparency instead of 256."""
    image.putalpha(image.getchannel("A").point(COARSE))
    return image


def render_on_ground(
    fragment: str, *, reach: Reach, ground: Ground, scale: float
) -> tuple[Image.Image, Image.Image, Place] | None:
    """A fragment on its ground in full colour, a mask of where it has ink, and where that begins.

    The place is relative to the fragment's origin, in pixels. None when there is no ink.
    """
    left, up, right, down = (math.ceil(side * scale) for side in reach)
    size = (left + right, up + down)

    def draw(body: str) -> Image.Image:
        box = f"{-left / scale} {-up / scale} {size[0] / scale} {size[1] / scale}"
        return render_svg(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{size[0]}"'
            f' height="{size[1]}" font-family="{FONT_FAMILY}">{body}</svg>'
        )

    drawn = coarsen(draw(fragment))
    mask = drawn.getchannel("A")
    ink = mask.getbbox()
    if ink is None:
        return None
    picture = Image.new("RGBA", size, ground.fill)
    if ground.floor:
        picture.alpha_composite(draw(ground.floor))
    picture.alpha_composite(drawn)
    place = (ink[0] - left, ink[1] - up)
    return picture.crop(ink).convert("RGB"), mask.crop(ink).point(_ANY_INK, "1"), place


_ANY_INK: Final = [0] + [255] * 255
