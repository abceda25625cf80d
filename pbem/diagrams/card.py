"""The card of a game as a PNG, 1200 by 630: who, how it ended, and the board.

That size is what programs show beside a link. Names may be of any length and in any script: they
are made smaller, then cut; letters that no font has are shown as ``?`` (``more_fonts``).
"""

from __future__ import annotations

import io
import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from pbem.archive.card import Card
from pbem.diagrams import shapes
from pbem.diagrams.fonts import font_files
from pbem.diagrams.more_fonts import find_fonts_for, has_letter, written
from pbem.diagrams.palette import to_indices
from pbem.diagrams.png import scene_png
from pbem.diagrams.raster import render_svg
from pbem.diagrams.theme import LIGHT, Theme

SIZE: Final = (1200, 630)
MOST_BYTES: Final = 100_000
_LEFT: Final = 52
_TEXT_WIDTH: Final = 500
_BOARD_WIDTH: Final = 620
_SCORE_WIDTH: Final = 56
_NAME_SIZES: Final = (46, 42, 38, 34, 30)
_SEMIBOLD, _BOLD = 0, 1
_LONGEST: Final = 160
"""Letters of a text that are looked at; far fewer fit."""


def card_png(card: Card, *, site: str = "", theme: Theme = LIGHT) -> bytes:
    """The picture. Raises FontMissingError when there is nothing to write with."""
    image = Image.new("RGB", SIZE, theme.page)
    if card.scene is not None:
        scene = replace(card.scene, caption="")
        board = Image.open(io.BytesIO(scene_png(scene, theme=theme, width=_BOARD_WIDTH)))
        image.paste(
            board.convert("RGB"), (SIZE[0] - _BOARD_WIDTH - 8, (SIZE[1] - board.height) // 2)
        )
    pen = _Pen(image, theme)
    pen.write(site, 60, size=24, fill=theme.muted)
    pen.write(card.event, 100, size=28, fill=theme.text)
    y = 178
    for seat, (name, score) in enumerate(zip(card.names, card.scores, strict=True)):
        y = pen.write_player(name, score, seat, y) + 26
    y = pen.write(card.told, y + 14, size=28, fill=theme.text, most_lines=3)
    pen.write(card.facts, max(SIZE[1] - 62, y + 20), size=24, fill=theme.muted)
    file = io.BytesIO()
    to_indices(image, theme).save(file, "PNG", optimize=True)
    return file.getvalue()


class _Pen:
    """Writes lines of text, each letter in the first font that has it."""

    def __init__(self, image: Image.Image, theme: Theme) -> None:
        self._image = image
        self._draw = ImageDraw.Draw(image)
        self._theme = theme

    def write(self, text: str, y: int, *, size: int, fill: str, most_lines: int = 1) -> int:
        """Some lines with the first one's middle on ``y``; where the next would be."""
        for line in self._lines(_tidy(text), size, _TEXT_WIDTH, most_lines, weight=_SEMIBOLD):
            self._line(line, _LEFT, y, size=size, fill=fill, weight=_SEMIBOLD)
            y += round(size * 1.3)
        return y

    def write_player(self, name: str, score: str, seat: int, y: int) -> int:
        """The sign of a House, who played it, and the score behind it; where the next would be."""
        sign = shapes.swatch(seat, self._theme)
        head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-14 -14 28 28" width="44"'
        drawn = render_svg(f'{head} height="44">{sign}</svg>')
        self._image.paste(drawn, (_LEFT - 4, y - 22), drawn)
        name, left = _tidy(name), _LEFT + 52
        room = _TEXT_WIDTH - 52 - (_SCORE_WIDTH if score else 0)
        size = next(
            (size for size in _NAME_SIZES if self._width(name, size, _BOLD) <= room),
            _NAME_SIZES[-1],
        )
        if score:
            width = self._width(score, 46, _BOLD)
            right = round(_LEFT + _TEXT_WIDTH - width)
            self._line(score, right, y, size=46, fill=self._theme.accent, weight=_BOLD)
        for line in self._lines(name, size, room, 2, weight=_BOLD):
            self._line(line, left, y, size=size, fill=self._theme.text, weight=_BOLD)
            y += round(size * 1.2)
        return y + 10

    def _lines(
        self, text: str, size: int, room: int, most_lines: int, *, weight: int
    ) -> Iterator[str]:
        """A text in lines of words; what is too much is cut."""
        line, count = "", 0
        words = text.split()
        for index, word in enumerate(words):
            longer = f"{line} {word}" if line else word
            if self._width(longer, size, weight) <= room:
                line = longer
                continue
            if count + 1 == most_lines or not line:
                rest = " ".join([line, *words[index:]]).strip()
                yield self._cut(rest, size, room, weight)
                return
            yield line
            line, count = word, count + 1
        if line:
            yield self._cut(line, size, room, weight)

    def _cut(self, text: str, size: int, room: int, weight: int) -> str:
        """The text, or as much of its beginning as there is room for."""
        if self._width(text, size, weight) <= room:
            return text
        end = bisect_right(
            range(len(text)),
            room,
            key=lambda end: math.ceil(self._width(text[:end] + "…", size, weight)),
        )
        return text[: max(end - 1, 0)].rstrip() + "…"

    def _width(self, text: str, size: int, weight: int) -> float:
        return sum(font.getlength(part) for part, font in _parts(text, size, weight))

    def _line(self, text: str, x: float, y: int, *, size: int, fill: str, weight: int) -> None:
        for part, font in _parts(text, size, weight):
            self._draw.text((x, y), part, font=font, fill=fill, anchor="lm")
            x += font.getlength(part)


def _tidy(text: str) -> str:
    """A text on one line, without what cannot be written, and not endless."""
    return " ".join(shapes.printable(text[: 2 * _LONGEST]).split())[:_LONGEST]


def _parts(text: str, size: int, weight: int) -> Iterator[tuple[str, ImageFont.FreeTypeFont]]:
    """The text in parts of one font each."""
    more = find_fonts_for(text)
    current = own = _own_fonts()[weight]
    part = ""
    for letter in written(text, more):
        file = next((file for file in (own, *more) if has_letter(file, letter)), current)
        if file != current and part:
            yield part, _font(current, size)
            part = ""
        part, current = part + letter, file
    if part:
        yield part, _font(current, size)


@cache
def _own_fonts() -> tuple[Path, ...]:
    return font_files()


@lru_cache(maxsize=64)
def _font(file: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(file), size)
