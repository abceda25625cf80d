"""SVG to pixels, through resvg: the slow step, which callers do once and keep."""

from __future__ import annotations

import io
import math

import resvg
from PIL import Image

from pbem.diagrams.fonts import render_options
from pbem.diagrams.shapes import FONT_FAMILY, Ground, Reach

Place = tuple[int, int]


def render_svg(svg: str) -> Image.Image:
    """A whole SVG document as an RGBA image. Raises FontMissingError without a font."""
    tree = resvg.usvg.Tree.from_str(svg, render_options())
    # The transform is a matrix row by row; all scaling is done by the document itself.
    image = Image.open(io.BytesIO(resvg.render(tree, (1, 0, 0, 0, 1, 0))))
    return image.convert("RGBA")


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

    drawn = draw(fragment)
    mask = drawn.getchannel("A").point(_INK)
    ink = mask.getbbox()
    if ink is None:
        return None
    picture = Image.new("RGBA", size, ground.fill)
    if ground.floor:
        picture.alpha_composite(draw(ground.floor))
    picture.alpha_composite(drawn)
    place = (ink[0] - left, ink[1] - up)
    return picture.crop(ink).convert("RGB"), mask.crop(ink).convert("1"), place


_INK = [0] * 12 + [255] * 244
"""Fainter than this is no ink: it would only add pixels nobody sees."""
