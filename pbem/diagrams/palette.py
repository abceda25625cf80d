"""One palette for all pictures of a theme.

The colours of the theme are in it exactly; the rest are the blends that smooth edges really
produce, counted once on a specimen that has every shape on every kind of cell. Fewer colours than
a PNG allows: what the eye does not miss makes the file a tenth smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageColor

from pbem.diagrams import shapes
from pbem.diagrams.layout import HALF, PITCH
from pbem.diagrams.raster import render_svg
from pbem.diagrams.theme import Theme
from pbem.games.scene import Cell, CellKind, Mark, Shape

SIZE: Final = 72


@cache
def palette_image(theme: Theme) -> Image.Image:
    """An image that has the palette of a theme; there are as many as there are themes.

    The page comes first: rows of a picture begin with a 0 and most of them with the page.
    """
    page = ImageColor.getrgb(theme.page)
    others = {ImageColor.getrgb(name)[:3] for name in _colour_names(theme)} - {page}
    exact = [page, *sorted(others)]
    specimen = render_svg(_specimen(theme)).convert("RGB")
    blends = specimen.quantize(SIZE - len(exact), method=Image.Quantize.MEDIANCUT, kmeans=2)
    table = [part for colour in exact for part in colour]
    table += (blends.getpalette() or [])[: 3 * (SIZE - len(exact))]
    image = Image.new("P", (1, 1))
    image.putpalette(table)
    return image


@cache
def palette_bytes(theme: Theme) -> bytes:
    """The palette as it stands in a PNG file."""
    return bytes((palette_image(theme).getpalette() or [])[: 3 * SIZE])


def to_indices(colours: Image.Image, theme: Theme) -> Image.Image:
    """A picture in full colour brought down to the palette, each pixel to the nearest."""
    return colours.quantize(palette=palette_image(theme), dither=Image.Dither.NONE)


@lru_cache(maxsize=32)
def half_mixed(ink: str, theme: Theme) -> list[int]:
    """What each index becomes where as much ink as ground is seen."""
    ground = Image.frombytes("P", (SIZE, 1), bytes(range(SIZE)))
    ground.putpalette(palette_bytes(theme))
    inks = Image.new("RGB", ground.size, ink)
    mixed = to_indices(Image.blend(ground.convert("RGB"), inks, 0.5), theme)
    return [*mixed.tobytes(), *range(SIZE, 256)]


def _colour_names(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if value.startswith("#"):
            yield value
    elif isinstance(value, dict):
        yield from _colour_names(tuple(value.values()))
    elif isinstance(value, tuple):
        for item in value:
            yield from _colour_names(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _colour_names(getattr(value, field.name))


def _specimen(theme: Theme) -> str:
    """Every piece, token and mark on every kind of cell, spread out."""
    cells = [
        Cell("G4", 0, 0),
        Cell("G4", 0, 0, CellKind.HOME, 0),
        Cell("G4", 0, 0, CellKind.HOME, 1),
        Cell("G4", 0, 0, CellKind.SOURCE),
        Cell("H8", 0, 0, CellKind.CENTRE),
    ]
    tops = [
        shapes.piece(shape, seat=seat, label=label, theme=theme)
        for seat in (0, 1)
        for shape, label in zip(Shape, ("W3", "E5", "A6", "F8"), strict=True)
    ]
    tops += [shapes.token("G", seat=seat, theme=theme) for seat in (0, 1)]
    tops += ["".join(_corner_marks(theme)), shapes.highlight(theme), shapes.struck(theme), ""]
    width, height = (len(tops) + 1) * HALF * 2, (len(cells) + 1) * PITCH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' font-family="{shapes.FONT_FAMILY}">'
        f'<path d="M0 0H{width}V{height}H0z" fill="{theme.page}"/>'
    ]
    for row, cell in enumerate(cells):
        for column, top in enumerate(tops):
            x, y = (2 * column + 1 + row % 2) * HALF, (row + 0.8) * PITCH
            parts.append(_at(x, y, shapes.cell_ground(cell, theme).floor))
            parts.append(_at(x, y - shapes.PIECE_RISE, top))
            if top:
                parts.append(_at(x, y + shapes.NAME_DROP, shapes.occupied_name(cell, theme)))
            else:
                parts.append(_at(x, y, shapes.named_cell(cell, theme)))
    parts.append("</svg>")
    return "".join(parts)


def _at(x: float, y: float, fragment: str) -> str:
    return f'<g transform="translate({x} {y})">{fragment}</g>'


def _corner_marks(theme: Theme) -> Iterator[str]:
    for kind, (x, y) in zip(Mark, shapes.MARK_PLACES, strict=True):
        yield _at(x, y, shapes.mark(kind, theme))
