"""A scene as a PNG for mail: small, quick, and the same bytes every time.

Drawing a whole board as SVG takes far too long for every mail. So the empty board is drawn once
for each arena, side, theme and width, every piece, every line of a panel and every word of a
caption once for each ground it lies on, and all are kept as palette indices: a picture is these,
laid on each other and packed. All caches are bounded.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from itertools import accumulate, chain
from typing import Final, NamedTuple

from PIL import Image

from pbem.diagrams import shapes
from pbem.diagrams.composition import (
    CAPTION_WEIGHT,
    Filled,
    caption_middle,
    compose,
    fit_caption,
)
from pbem.diagrams.layout import CAPTION_HEIGHT, WIDTH, lay_out
from pbem.diagrams.packing import pack_png
from pbem.diagrams.palette import palette_bytes, striped, to_indices
from pbem.diagrams.panels import compose_panels
from pbem.diagrams.polygons import fill_polygons
from pbem.diagrams.raster import (
    Pixels,
    coarsen,
    render_on_ground,
    render_svg,
)
from pbem.diagrams.shapes import Ground, Reach
from pbem.diagrams.svg import floors_svg, names_svg, open_svg
from pbem.diagrams.theme import LIGHT, Theme
from pbem.games.scene import Board, Scene

NARROWEST: Final = 350
_CAUTION: Final = 0.95
"""Small letters are not narrower by just so much: they end on whole pixels."""
WIDEST: Final = 1400
WORD_GAP: Final = 0.25
"""Between the ink of one word and the next, in parts of the size of letters."""
_SHEETS: Final[deque[bytearray]] = deque(maxlen=2)
"""What pictures were drawn on that are packed."""


def scene_png(scene: Scene, *, theme: Theme = LIGHT, width: int = WIDTH) -> bytes:
    """The whole picture, ``width`` pixels wide.

    Raises ValueError for a width that is no size for a picture, and for a scene that names cells
    its board does not have; FontMissingError when there is nothing to write with.
    """
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    layout = lay_out(scene.board, scene.bottom_seat)
    scale = width / WIDTH
    height = round((layout.height + (CAPTION_HEIGHT if scene.caption else 0)) * scale)
    # Pillow draws into these bytes, which are packed as they are.
    rows = _sheet_with(empty_board_rows(scene.board, scene.bottom_seat, theme, width))
    size = (width + 1, len(rows) // (width + 1))
    canvas = Image.frombuffer("L", size, rows, "raw", "L", 0, 1).im
    for item in chain(compose(scene, layout, theme), compose_panels(scene, layout, theme)):
        if isinstance(item, Filled):
            fill_polygons(item, canvas, theme=theme, scale=scale)
        else:
            x, y, fragment, reach, ground, _, _ = item
            tile = _tile(fragment, reach, ground, theme, scale)
            _paste(tile, canvas, round(x * scale), round(y * scale))
    if scene.caption:
        y = round(caption_middle(layout) * scale)
        for x, tile in _caption(scene.caption, theme, scale):
            _paste(tile, canvas, x, y)
    rows[:: width + 1] = bytes(size[1])  # no filter, whatever was drawn over the edge
    used = memoryview(rows)[: (width + 1) * height]
    packed = pack_png(used, width=width, height=height, palette=palette_bytes(theme))
    _SHEETS.append(rows)
    return packed


def _sheet_with(rows: bytes) -> bytearray:
    """A sheet of these bytes to draw on: if there is one, that of a picture that is packed. New
    memory of this size comes from the system page by page, which takes as long as to draw."""
    try:
        sheet = _SHEETS.pop()
    except IndexError:
        return bytearray(rows)
    if len(sheet) != len(rows):
        return bytearray(rows)
    memoryview(sheet)[:] = rows  # the sheet itself would copy them twice
    return sheet


def _paste(tile: _Tile | None, canvas: Pixels, x: int, y: int) -> None:
    """Lay a tile on rows of palette indices that have one column more on the left."""
    if tile is not None:
        (left, top, right, bottom), colours, ink = tile
        canvas.paste(colours, (x + left + 1, y + top, x + right + 1, y + bottom), ink)


@lru_cache(maxsize=128)
def _caption(caption: str, theme: Theme, scale: float) -> list[tuple[int, _Tile]]:
    """The words of a caption and how far right they go: few words make up all captions."""
    caption, size = fit_caption(caption)
    words, most = caption.split(), WIDTH * scale
    tiles = _words(words, size, theme, scale)
    width = sum(_widths(tiles, size, scale))
    if width > most:  # letters as wide as these are met with in no language of ours
        size *= _CAUTION * most / width
        tiles = _words(words, size, theme, scale)
    widths = _widths(tiles, size, scale)
    start = (most + size * WORD_GAP * scale - sum(widths)) / 2
    ends = accumulate(widths, initial=start)
    return [(round(x) - tile.box[0], tile) for x, tile in zip(ends, tiles, strict=False)]


def _words(words: list[str], size: float, theme: Theme, scale: float) -> list[_Tile]:
    drawn = (_word(word, size, theme, scale) for word in words)
    return [tile for tile in drawn if tile is not None]


def _widths(tiles: list[_Tile], size: float, scale: float) -> list[float]:
    """How far each word goes, with the gap behind it."""
    return [tile.box[2] - tile.box[0] + size * WORD_GAP * scale for tile in tiles]


def _word(word: str, size: float, theme: Theme, scale: float) -> _Tile | None:
    words = shapes.text(
        word, x=0, y=0, size=size, fill=theme.text, weight=CAPTION_WEIGHT, anchor="start"
    )
    return _tile(words, (2, 12, len(word) * size + 2, 12), Ground(theme.page), theme, scale)


@lru_cache(maxsize=12)
def empty_board_rows(board: Board, bottom_seat: int, theme: Theme, width: int) -> bytes:
    """The empty board as palette indices, with one column of zeros on the left.

    That column becomes the filter byte of each row of the file: 0, no filter.
    """
    layout = lay_out(board, bottom_seat)
    height = layout.height + CAPTION_HEIGHT
    head = open_svg(WIDTH, height, width=width)
    floors = floors_svg(board, bottom_seat, theme, is_crisp=width % WIDTH == 0)
    picture = render_svg(f"{head}{floors}</svg>")
    names = render_svg(f"{head}{names_svg(board, bottom_seat, theme)}</svg>")
    picture.alpha_composite(coarsen(names))
    middle = round(next(x for x, _ in layout.centres.values()) * width / WIDTH)
    drawn = striped(to_indices(picture.convert("RGB"), theme), theme, middle)
    rows = Image.new("L", (width + 1, drawn.height), 0)
    rows.paste(drawn, (1, 0))
    return rows.tobytes()


class _Tile(NamedTuple):
    """A sprite as palette indices, where it has ink, and the box around that."""

    box: tuple[int, int, int, int]
    colours: Pixels
    ink: Pixels


@lru_cache(maxsize=1024)
def _tile(fragment: str, reach: Reach, ground: Ground, theme: Theme, scale: float) -> _Tile | None:
    drawn = render_on_ground(fragment, reach=reach, ground=ground, scale=scale)
    if drawn is None:
        return None
    picture, ink, (left, top) = drawn
    box = (left, top, left + picture.width, top + picture.height)
    colours = to_indices(picture, theme)
    if ground.floor:
        colours = striped(colours, theme, round(ground.dx * scale) - left)
    return _Tile(box, colours.im, ink)
