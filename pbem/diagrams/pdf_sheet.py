"""Sheets of a PDF with columns: words are broken into lines, pictures are never cut.

Owns measuring and placing; what is written is ``booklet_pdf``'s. The library (fpdf2) embeds the
fonts, so that text can be searched and copied, and writes the same bytes for the same calls.
"""

from __future__ import annotations

import io
import logging
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from fpdf import FPDF, ViewerPreferences

from pbem.diagrams.fonts import font_files
from pbem.diagrams.more_fonts import find_fonts_for, written
from pbem.diagrams.papers import Paper

FAMILY: Final = "Source Sans Pro"
_FACES: Final = {
    "": "SourceSansPro-Regular.ttf",
    "B": "SourceSansPro-Semibold.ttf",
    "I": "SourceSansPro-It.ttf",
}
_POINT: Final = 25.4 / 72
_LEADING: Final = 1.28
_NEW_YEAR: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""A booklet is the same whenever it is made, so it has no date of its own."""


GUTTER: Final = 8.0


@dataclass(frozen=True, slots=True)
class Style:
    """How words look: face (``B`` or ``I`` or nothing), size in points, colour, raised or not."""

    face: str = ""
    size: float = 10
    colour: str = "#1d1f23"
    is_raised: bool = False


class Word(NamedTuple):
    """What is not broken; ``is_joined`` if no space stands before it."""

    text: str
    style: Style
    is_joined: bool = False


class Placed(NamedTuple):
    """Something that is never cut: how high it may be, best first, and what draws it so high where
    the sheet then is."""

    heights: tuple[float, ...]
    draw: Callable[[float], None]


class _Document(FPDF):
    """fpdf2's document with our foot line."""

    foot = ""

    def footer(self) -> None:
        """Title and number of the page."""
        self.set_y(-11)
        self.set_font(FAMILY, "", 8)
        self.set_text_color(109, 114, 120)
        self.set_text_shaping(any(map(_needs_shaping, self.foot)))
        self.cell(0, 4, self.foot, align="L", new_x="LMARGIN", new_y="TOP")
        self.set_text_shaping(False)
        self.cell(0, 4, str(self.page_no()), align="R")


class Sheet:
    """Where the next thing goes. Lengths are millimetres."""

    def __init__(self, paper: Paper, *, title: str, author: str, language: str, text: str) -> None:
        """``text`` has every letter that will be written: fonts are chosen by it."""
        for name in ("fontTools", "fpdf"):  # they tell of every table of a font
            logging.getLogger(name).setLevel(logging.WARNING)
        pdf = _Document(format=(paper.width, paper.height))
        self._pdf, self.paper = pdf, paper
        pdf.set_creation_date(_NEW_YEAR)
        pdf.set_margin(paper.margin)
        pdf.set_auto_page_break(False)
        pdf.c_margin = 0
        files = font_files(names=tuple(_FACES.values()))
        for face, file in zip(_FACES, files, strict=True):
            pdf.add_font(FAMILY, face, file)
        self._fonts: tuple[Path, ...] = find_fonts_for(text)
        for number, path in enumerate(self._fonts):
            pdf.add_font(f"More {number}", "", path)
        if self._fonts:
            names = [f"More {number}" for number in range(len(self._fonts))]
            pdf.set_fallback_fonts(names, exact_match=False)
        self.lacks_letters = self.written(text) != text
        pdf.foot = self._cut(self.written(title), 90)
        pdf.set_title(title)
        pdf.set_author(author)
        pdf.set_lang(language)
        pdf.set_creator("pbem")
        pdf.viewer_preferences = ViewerPreferences(display_doc_title=True)
        self._widths: dict[tuple[str, str], float] = {}
        self._waiting: Placed | None = None
        self._column = 0
        self._top = paper.margin
        self.y = paper.margin

    # -- places ---------------------------------------------------------------------------------

    @property
    def full_width(self) -> float:
        """Between the margins."""
        return self.paper.width - 2 * self.paper.margin

    @property
    def width(self) -> float:
        """Of a column."""
        columns = self.paper.columns
        return (self.full_width - GUTTER * (columns - 1)) / columns

    @property
    def x(self) -> float:
        """The left edge of the column."""
        return self.paper.margin + self._column * (self.width + GUTTER)

    @property
    def bottom(self) -> float:
        """Where columns end."""
        return self.paper.height - self.paper.margin - 3

    def add_page(self) -> None:
        """Go on at the head of a new page."""
        self._pdf.add_page()
        self._column, self._top = 0, self.paper.margin
        self.y = self._top

    def begin_columns(self) -> None:
        """Columns begin here, below what stands over all of them."""
        self._column, self._top = 0, self.y

    def need(self, height: float) -> None:
        """Go to the next column or page if there is not this much room left in this one."""
        while self.y + height > self.bottom and self.y > self.paper.margin:
            self._next_column()

    def _next_column(self) -> None:
        if self._column + 1 < self.paper.columns:
            self._column += 1
            self.y = self._top
        else:
            self.add_page()
        self._try_waiting()

    def place(self, block: Placed) -> None:
        """Put a block here, or at the head of the next column while text goes on in this one.

        Only one waits at a time, so none comes far behind the text it belongs to.
        """
        self.place_waiting()
        self._waiting = block
        self._try_waiting()

    def place_waiting(self) -> None:
        """Put down what waits for a column, at once."""
        while self._waiting is not None:
            self._next_column()

    def _try_waiting(self) -> None:
        """Put down what waits as high as there is room for; on a page of its own it must fit."""
        block = self._waiting
        if block is None:
            return
        fitting = [height for height in block.heights if self.y + height <= self.bottom]
        if not fitting and self.y == self.paper.margin:
            fitting = [block.heights[-1]]
        if fitting:
            self._waiting = None
            block.draw(fitting[0])

    def skip(self, height: float) -> None:
        """Leave some room, but none at the head of a column."""
        if self.y > self._top:
            self.y += height

    def bookmark(self, name: str, level: int) -> None:
        """An entry of the document's outline that leads here."""
        self._pdf.set_y(self.y)
        self._pdf.start_section(self._cut(self.written(name), 100), level, strict=False)

    # -- words ----------------------------------------------------------------------------------

    def written(self, text: str) -> str:
        """The text as far as there are fonts for it, on one line."""
        return written(" ".join(text.split()), self._fonts)

    def words(self, text: str, style: Style) -> Iterator[Word]:
        """The words of a text."""
        return (Word(word, style) for word in self.written(text).split())

    def write(
        self,
        words: Iterable[Word],
        *,
        indent: float = 0,
        hanging: float = 0,
        x: float | None = None,
        width: float | None = None,
    ) -> None:
        """A paragraph in the column, or in a place of its own that does not break."""
        left = self.x if x is None else x
        room = (self.width if width is None else width) - indent
        is_first = True
        for line in self._lines(words, room, hanging):
            height = max(word.style.size for word in line) * _POINT * _LEADING
            if x is None:
                self.need(height)
                left = self.x
            self._draw(line, left + indent + (0 if is_first else hanging), height)
            self.y += height
            is_first = False

    def put(
        self, text: str, style: Style, *, x: float, width: float, is_right: bool = False
    ) -> None:
        """One line of text in a place of its own, cut if it is too long; nothing moves on."""
        shown = self.written(text)
        while shown and self._width(shown, style) > width:
            shown = shown.rstrip("…")[:-1] + "…" if len(shown) > 2 else ""
        if shown:
            left = x + width - self._width(shown, style) if is_right else x
            self._draw([Word(shown, style)], left, style.size * _POINT * _LEADING)

    def measure(self, text: str, style: Style) -> float:
        """How wide a text is."""
        return self._width(self.written(text), style)

    def _lines(self, words: Iterable[Word], room: float, hanging: float) -> Iterator[list[Word]]:
        line: list[Word] = []
        used, most = 0.0, room
        for word in words:
            for part in self._fitting(word, room - hanging):
                space = 0.0 if part.is_joined or not line else self._width(" ", part.style)
                width = self._width(part.text, part.style)
                if line and used + space + width > most:
                    yield line
                    line, used, space, most = [], 0.0, 0.0, room - hanging
                line.append(part)
                used += space + width
        if line:
            yield line

    def _fitting(self, word: Word, room: float) -> Iterator[Word]:
        """A word, or its parts if it is longer than a line."""
        text = word.text
        if self._width(text, word.style) <= room:
            yield word
            return
        start = 0
        while start < len(text):
            end, used = start, 0.0
            while end < len(text):
                used += self._width(text[end], word.style)
                if used > room * 0.98 and end > start:
                    break
                end += 1
            yield word._replace(text=text[start:end], is_joined=word.is_joined or start > 0)
            start = end

    def _width(self, text: str, style: Style) -> float:
        """The width of a text; but for scripts that are shaped it is that of its letters."""
        if any(map(_needs_shaping, text)):
            self._pdf.set_font(FAMILY, style.face, style.size)
            self._pdf.set_text_shaping(True)
            width = self._pdf.get_string_width(text)
            self._pdf.set_text_shaping(False)
            return width
        return sum(self._letter(letter, style.face) for letter in text) * style.size

    def _letter(self, letter: str, face: str) -> float:
        """The width of one letter at one point."""
        width = self._widths.get((face, letter))
        if width is None:
            self._pdf.set_font(FAMILY, face, 100)
            width = self._widths[face, letter] = self._pdf.get_string_width(letter) / 100
        return width

    def _draw(self, line: Sequence[Word], x: float, height: float) -> None:
        """One line: neighbours that look the same are one piece of text."""
        pdf = self._pdf
        for text, style in _joined(line):
            width = self._width(text, style)
            own = style.size * _POINT * _LEADING
            pdf.set_font(FAMILY, style.face, style.size)
            pdf.set_text_color(style.colour)
            pdf.set_text_shaping(any(map(_needs_shaping, text)))
            pdf.set_xy(x, self.y - 0.7 if style.is_raised else self.y + height - own)
            pdf.cell(width, own, text)
            pdf.set_text_shaping(False)
            x += width

    def _cut(self, text: str, most: int) -> str:
        return text if len(text) <= most else text[: most - 1] + "…"

    # -- pictures and rules ---------------------------------------------------------------------

    def picture(
        self, png: bytes, *, x: float, y: float, width: float, alternative: str = ""
    ) -> None:
        """A picture in its place."""
        self._pdf.image(io.BytesIO(png), x=x, y=y, w=width, alt_text=alternative or None)

    def rule(self) -> None:
        """A fine line over the whole width."""
        self._pdf.set_draw_color("#c9c5ba")
        self._pdf.set_line_width(0.2)
        right = self.paper.width - self.paper.margin
        self._pdf.line(self.paper.margin, self.y, right, self.y)

    def save(self) -> bytes:
        """The whole document."""
        return bytes(self._pdf.output())


def _joined(line: Sequence[Word]) -> Iterator[tuple[str, Style]]:
    text, style = "", line[0].style
    for number, word in enumerate(line):
        space = "" if word.is_joined or not number else " "
        if word.style == style:
            text += space + word.text
            continue
        # A space belongs to the words before it, where it is as wide as it was measured.
        yield text, style
        text, style = space + word.text, word.style
    yield text, style


def _needs_shaping(letter: str) -> bool:
    """Scripts that run from the right or whose letters change with their neighbours."""
    if letter < "\u0590":
        return False
    return (
        unicodedata.bidirectional(letter) in ("R", "AL", "AN")
        or unicodedata.combining(letter) > 0
        or "\u0900" <= letter <= "\u109f"
    )
