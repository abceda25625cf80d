"""One palette for all pictures of a theme.

The colours of the theme are in it exactly; the rest are what smooth edges need: of any two colours
that meet on a board the one half way between; cards and charts make do with these. More steps make
edges hardly smoother, but files larger. The colour of plain cells is in it three times: STRIPES.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from itertools import chain, product
from typing import Final

from PIL import Image, ImageColor

from pbem.diagrams.theme import Theme

Colour = tuple[int, ...]

ALIKE: Final = 60
"""Colours that differ by less, all three parts together, are taken for one another."""

STRIPES: Final = "10110020210221200012220"
"""Which of three equal colours each column of a plain cell has; it begins again every half cell.

What packs a picture looks for the last place that had the same few bytes. On a ground of one
colour that is any place near by, and what it copies from there ends with the next outline. No three
columns are like three others here, so it meets the same place of another cell, and copies far on.
"""


@cache
def palette_image(theme: Theme) -> Image.Image:
    """An image that has the palette of a theme; there are as many as there are themes."""
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in _colours(theme) for part in colour])
    return image


@cache
def palette_bytes(theme: Theme) -> bytes:
    """The palette as it stands in a PNG file: with the colours of the stripes at the end."""
    ground = _colour(theme.plain.fill)
    return bytes(chain.from_iterable((*_colours(theme), ground, ground)))


def to_indices(colours: Image.Image, theme: Theme) -> Image.Image:
    """A picture in full colour brought down to the palette, each pixel to the nearest."""
    return colours.quantize(palette=palette_image(theme), dither=Image.Dither.NONE)


def striped(drawn: Image.Image, theme: Theme, middle: int) -> Image.Image:
    """Palette indices that look the same, with stripes on plain cells.

    ``middle`` is the column in which the middle of a cell is, or would be.
    """
    line, is_ground = _stripes(theme)
    start = -middle % len(STRIPES)
    width, height = drawn.size
    if len(line) < start + width:
        line *= (start + width) // len(line) + 1
    pattern = Image.frombytes("L", drawn.size, line[start : start + width] * height)
    rows = Image.frombytes("L", drawn.size, drawn.tobytes())
    # Pillow's own point looks at its table anew each time, which takes longer than all the rest.
    rows.im.paste(pattern.im, (0, 0, width, height), rows.im.point(is_ground, "1"))
    return rows


@cache
def _stripes(theme: Theme) -> tuple[bytes, list[int]]:
    """A few cells' width of stripes, and which index is the one that they replace."""
    colours = _colours(theme)
    ground = colours.index(_colour(theme.plain.fill))
    stripes = (ground, len(colours), len(colours) + 1)
    line = bytes(stripes[int(step)] for step in STRIPES)
    return line * 8, [255 * (index == ground) for index in range(256)]


@lru_cache(maxsize=32)
def half_mixed(ink: str, theme: Theme) -> list[int]:
    """What each index becomes where as much ink as ground is seen."""
    size = len(palette_bytes(theme)) // 3
    ground = Image.frombytes("P", (size, 1), bytes(range(size)))
    ground.putpalette(palette_bytes(theme))
    inks = Image.new("RGB", ground.size, ink)
    mixed = to_indices(Image.blend(ground.convert("RGB"), inks, 0.5), theme)
    return [*mixed.tobytes(), *range(size, 256)]


@cache
def _colours(theme: Theme) -> list[Colour]:
    """The page comes first: rows of a picture begin with a 0 and most of them with the page."""
    page = _colour(theme.page)
    colours = [page, *sorted({_colour(name) for name in _colour_names(theme)} - {page})]
    # Most letters of a picture have this one, so that another like it would be seen as a tint.
    colours.append(_half(theme.plain.fill, theme.plain.name))
    for first, second in _neighbours(theme):
        half = _half(first, second)
        if all(_distance(half, colour) >= ALIKE for colour in colours):
            colours.append(half)
    return colours


def _colour(name: str) -> Colour:
    return ImageColor.getrgb(name)[:3]


def _half(first: str, second: str) -> Colour:
    pair = zip(_colour(first), _colour(second), strict=True)
    return tuple((one + other) // 2 for one, other in pair)


def _distance(one: Colour, other: Colour) -> int:
    return sum(abs(first - second) for first, second in zip(one, other, strict=True))


def _neighbours(theme: Theme) -> Iterator[tuple[str, str]]:
    """Colours that meet, those that meet in most pictures first."""
    cells = (theme.plain, *theme.homes, theme.source, theme.centre)
    for cell in cells:
        yield from product((cell.fill,), (cell.edge, cell.name, theme.text))
        yield cell.edge, theme.page
        yield cell.edge, theme.plain.fill
    yield from product((theme.page,), (theme.text, theme.muted, theme.accent, *theme.tracks))
    glow, light = theme.glow
    yield from ((theme.source.fill, glow), (glow, light))
    yield from product((light,), (theme.source.name, theme.text))
    grounds = (theme.plain.fill, theme.page, *(home.fill for home in theme.homes), glow)
    for seat in theme.seats:
        for shape, face in seat.faces.items():
            yield from ((theme.bands[shape], seat.rim), (theme.bands[shape], face))
            yield face, seat.letter
        yield from product(grounds, (seat.rim, seat.swatch))
        yield seat.swatch, seat.token_letter
    yield from ((theme.centre.fill, theme.centre_star), (theme.plain.fill, theme.highlight))
    for arrow in theme.arrows.values():
        yield from ((arrow, theme.arrow_edge), (arrow, theme.plain.fill))
    yield from theme.marks.values()


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
