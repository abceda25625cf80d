"""A scene as a PNG for mail: small, quick, and the same bytes every time.

Drawing a whole board as SVG takes far too long for every mail. So the empty board is drawn once
for each arena, side, theme and width, every piece and every line of words once for each ground it
lies on, and all are kept as palette indices: a picture is these, laid on each other and packed.
All caches are bounded.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image

from pbem.diagrams.composition import Item, Sprite, caption_sprite, compose
from pbem.diagrams.layout import CAPTION_HEIGHT, WIDTH, lay_out
from pbem.diagrams.packing import pack_png
from pbem.diagrams.palette import palette_bytes, to_indices
from pbem.diagrams.panels import compose_panels
from pbem.diagrams.polygons import fill_polygons
from pbem.diagrams.raster import Place, coarsen, render_on_ground, render_svg
from pbem.diagrams.shapes import Ground, Reach
from pbem.diagrams.svg import floors_svg, names_svg, open_svg
from pbem.diagrams.theme import LIGHT, Theme
from pbem.games.scene import Board, Scene

NARROWEST: Final = 350
WIDEST: Final = 1400


def scene_png(scene: Scene, *, theme: Theme = LIGHT, width: int = WIDTH) -> bytes:
    """The whole picture, ``width`` pixels wide.

    Raises ValueError for a width that is no size for a picture, and for a scene that names cells
    its board does not have; FontMissingError when there is nothing to write with.
    """
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    layout = lay_out(scene.board, scene.bottom_seat)
    rows = empty_board_rows(scene.board, scene.bottom_seat, theme, width).copy()
    scale = width / WIDTH
    height = layout.height
    for item in compose(scene, layout, theme):
        _draw(item, rows, theme=theme, scale=scale)
    for item in compose_panels(scene, layout, theme):
        _draw(item, rows, theme=theme, scale=scale)
    if scene.caption:
        height += CAPTION_HEIGHT
        _draw(caption_sprite(scene.caption, layout, theme), rows, theme=theme, scale=scale)
    pixels = round(height * scale)
    packed = rows.crop((0, 0, width + 1, pixels)).tobytes()
    return pack_png(packed, width=width, height=pixels, palette=palette_bytes(theme))


@lru_cache(maxsize=12)
def empty_board_rows(board: Board, bottom_seat: int, theme: Theme, width: int) -> Image.Image:
    """The empty board as palette indices, with one column of zeros on the left.

    That column becomes the filter byte of each row of the file: 0, no filter.
    """
    height = lay_out(board, bottom_seat).height + CAPTION_HEIGHT
    head = open_svg(WIDTH, height, width=width)
    picture = render_svg(f"{head}{floors_svg(board, bottom_seat, theme)}</svg>")
    names = render_svg(f"{head}{names_svg(board, bottom_seat, theme)}</svg>")
    picture.alpha_composite(coarsen(names))
    drawn = to_indices(picture.convert("RGB"), theme)
    rows = Image.new("P", (width + 1, drawn.height), 0)
    rows.paste(drawn, (1, 0))
    return rows


def _draw(item: Item, rows: Image.Image, *, theme: Theme, scale: float) -> None:
    if isinstance(item, Sprite):
        tile = _tile(item.fragment, item.reach, item.ground, theme, scale)
        if tile is not None:
            image, mask, (left, top) = tile
            x, y = round(item.x * scale) + left + 1, round(item.y * scale) + top
            # Not rows.paste, whose many checks take longer than the pasting of so small a thing.
            rows.im.paste(image.im, (x, y, x + image.width, y + image.height), mask.im)
    else:
        fill_polygons(item, rows, theme=theme, scale=scale)


@lru_cache(maxsize=2048)
def _tile(
    fragment: str, reach: Reach, ground: Ground, theme: Theme, scale: float
) -> tuple[Image.Image, Image.Image, Place] | None:
    drawn = render_on_ground(fragment, reach=reach, ground=ground, scale=scale)
    if drawn is None:
        return None
    picture, mask, place = drawn
    return to_indices(picture, theme), mask, place
