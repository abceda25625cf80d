"""SVG to pixels, through resvg: the slow step, which callers do once and keep."""

from __future__ import annotations

import io
import math
import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

import resvg
from PIL import Image

from pbem.diagrams.fonts import render_options
from pbem.diagrams.shapes import FONT_FAMILY, Ground, Reach

Place = tuple[int, int]
Pixels = Any
"""What a Pillow image wraps: the many checks around it take longer than so small a thing."""


class OnGround(NamedTuple):
    """A fragment on its ground in full colour, a mask of where it has ink, and where that begins.

    The place is relative to the fragment's origin, in pixels.
    """

    picture: Image.Image
    ink: Pixels
    begin: Place


COARSE: Final = [round(round(alpha * 2 / 255) * 255 / 2) for alpha in range(256)]
"""Nothing, half and full ink. More steps make letters hardly clearer, but files larger."""

_BETWEEN_COATS: Final = re.compile("(?<=/>)(?=<)|(?<=</text>)(?=<)")


def render_svg(svg: str) -> Image.Image:
    """A whole SVG document as an RGBA image. Raises FontMissingError without a font."""
    tree = resvg.usvg.Tree.from_str(svg, render_options())
    # The transform is a matrix row by row; all scaling is done by the document itself.
    image = Image.open(io.BytesIO(resvg.render(tree, (1, 0, 0, 0, 1, 0))))
    return image.convert("RGBA")


def coarsen(image: Image.Image) -> Image.Image:
    """The same image with three steps of transparency instead of 256."""
    # Pillow's own point looks at its table anew each time, which takes longer than all the rest.
    image.im.putband(image.im.getband(3).point(COARSE, None), 3)
    return image


def render_on_ground(
    fragment: str, *, reach: Reach, ground: Ground, scale: float
) -> OnGround | None:
    """A fragment on its ground. None when there is no ink."""
    left, up, right, down = _pixels(reach, scale)
    drawn = Image.new("RGBA", (left + right, up + down))
    coats = _coats(fragment)
    # What has one coat is met once; callers keep it.
    draw = _keep if len(coats) > 1 else _draw
    for coat in coats:
        _lay(draw(coat, reach, scale, is_coarse=True), drawn)
    mask = drawn.getchannel("A")
    ink = mask.getbbox()
    if ink is None:
        return None
    picture = Image.new("RGBA", drawn.size, ground.fill)
    if ground.floor:
        place = f"translate({ground.dx} {ground.dy})"
        floor = f'<g transform="{place}">{ground.floor}</g>'
        _lay(_keep(floor, reach, scale, is_coarse=False), picture)
    picture.alpha_composite(drawn)
    begin = (ink[0] - left, ink[1] - up)
    return OnGround(picture.crop(ink).convert("RGB"), mask.im.crop(ink).point(_ANY_INK, "1"), begin)


def _coats(fragment: str) -> list[str]:
    """The elements of a fragment that has no groups: all pieces of a kind share some of them."""
    return [fragment] if "<g" in fragment else _BETWEEN_COATS.split(fragment)


def _lay(coat: tuple[Image.Image, Place], picture: Image.Image) -> None:
    drawn, place = coat
    picture.alpha_composite(drawn, place)


def _draw(
    fragment: str, reach: Reach, scale: float, *, is_coarse: bool
) -> tuple[Image.Image, Place]:
    """Where a fragment by itself has ink, and where that begins in the box around it."""
    left, up, right, down = _pixels(reach, scale)
    drawn = render_svg(_document(fragment, (-left, -up), (left + right, up + down), scale))
    if is_coarse:
        drawn = coarsen(drawn)
    ink = drawn.getbbox() or (0, 0, 1, 1)
    return drawn.crop(ink), ink[:2]


_keep: Final = lru_cache(maxsize=96)(_draw)
"""For coats and grounds, which are met again and again."""


def _document(fragment: str, begin: Place, size: tuple[int, int], scale: float) -> str:
    """A fragment in a document of so many pixels."""
    width, height = size
    box = " ".join(str(side / scale) for side in (*begin, *size))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}"'
        f' height="{height}" font-family="{FONT_FAMILY}">{fragment}</svg>'
    )


def _pixels(reach: Reach, scale: float) -> tuple[int, int, int, int]:
    left, up, right, down = (math.ceil(side * scale) for side in reach)
    return left, up, right, down


_ANY_INK: Final = [0] + [255] * 255
