"""A booklet of one or more games as a PDF: made on the server, without a browser.

Draws the blocks of ``pbem.archive.booklet`` on a ``Sheet``. Boards and charts are pictures fine
enough for print, with what they show in words as their alternative text.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from pbem.archive.booklet import Chapter, Diagram, Paragraph, Run
from pbem.diagrams.chart import chart_svg
from pbem.diagrams.palette import to_indices
from pbem.diagrams.papers import MOST_CHAPTERS, PAPERS, Paper
from pbem.diagrams.pdf_sheet import GUTTER, Placed, Sheet, Style, Word
from pbem.diagrams.png import scene_png
from pbem.diagrams.raster import render_svg
from pbem.diagrams.shapes import printable
from pbem.diagrams.theme import PAPER
from pbem.games.chart import Chart
from pbem.tongue import ENGLISH, N_, Tongue

CONTENTS: Final = N_("Contents")
NOTES: Final = N_("Notes")
MISSING_LETTERS: Final = N_(
    "Some letters are printed as ?, because the server has no font for them."
)

DIAGRAM_PIXELS: Final = 1000
CHART_PIXELS: Final = 1020
_DIAGRAMS: Final = {1: (80.0, 62.0), 2: (73.0, 56.0)}
"""Widths by the number of columns: in one of two columns three of the first fit below each other,
on a page with one column two. The second is for the rest of a column that would stay empty."""
_CAPTION: Final = 10.0
_CHART: Final = 78.0
_MUTED: Final = "#5c6167"
_TEXT: Final = Style(size=10)
_ORDER: Final = Style("B", 10)
_TITLE: Final = Style("B", 20)
_HEADING: Final = Style("B", 12)
_VARIATION: Final = Style(size=9)
_INDENT: Final = 4.0
_LABELS: Final = 26.0
_DEEPEST: Final = 5


class TooManyGamesError(ValueError):
    """A booklet has room for ``MOST_CHAPTERS`` games."""


def booklet_pdf(
    chapters: Sequence[Chapter],
    *,
    title: str = "",
    paper: Paper = PAPERS["a4"],
    tongue: Tongue = ENGLISH,
) -> bytes:
    """The whole booklet; equal chapters give equal bytes.

    Raises TooManyGamesError; FontMissingError when there is nothing to write with.
    """
    if len(chapters) > MOST_CHAPTERS:
        raise TooManyGamesError(f"a booklet has room for {MOST_CHAPTERS} games")
    title = printable(title or (chapters[0].title if chapters else ""))
    sheet = Sheet(
        paper,
        title=title,
        author=", ".join(dict.fromkeys(name for chapter in chapters for name in chapter.names)),
        language=tongue.language,
        text=" ".join([title, *_texts(chapters)]),
    )
    if len(chapters) != 1:
        _contents(sheet, chapters, title, tongue)
    for chapter in chapters:
        _Printer(sheet, chapter, tongue).print()
    if sheet.lacks_letters:
        sheet.skip(4)
        sheet.write(sheet.words(tongue.say(MISSING_LETTERS), Style("I", 8, _MUTED)))
    return sheet.save()


def _texts(chapters: Sequence[Chapter]) -> Iterator[str]:
    """Everything that will be written; pictures bring their own letters."""
    for chapter in chapters:
        yield from (*chapter.names, chapter.occasion, chapter.ending)
        yield from (*chapter.notes, *chapter.left_out)
        for label, value in chapter.facts:
            yield f"{label} {value}"
        for block in chapter.blocks:
            if isinstance(block, Diagram):
                yield block.caption
            else:
                yield from (run.text for run in block.runs)


def _contents(sheet: Sheet, chapters: Sequence[Chapter], title: str, tongue: Tongue) -> None:
    sheet.add_page()
    sheet.bookmark(tongue.say(CONTENTS), 0)
    sheet.write(sheet.words(title, _TITLE), x=sheet.paper.margin, width=sheet.full_width)
    sheet.y += 6
    sheet.begin_columns()
    for number, chapter in enumerate(chapters, start=1):
        sheet.write(
            [
                Word(f"{number}.", _ORDER),
                *sheet.words(chapter.title, _ORDER),
                *sheet.words(chapter.result, _TEXT),
                *sheet.words(chapter.occasion, Style(size=9, colour=_MUTED)),
            ],
            hanging=_INDENT,
        )
        sheet.skip(1.5)


class _Printer:
    """Prints one chapter."""

    def __init__(self, sheet: Sheet, chapter: Chapter, tongue: Tongue) -> None:
        self._sheet = sheet
        self._chapter = chapter
        self._tongue = tongue

    def print(self) -> None:
        """From its title to its notes."""
        sheet, chapter = self._sheet, self._chapter
        sheet.add_page()
        sheet.bookmark(chapter.title, 0)
        self._head()
        sheet.begin_columns()
        for block in chapter.blocks:
            if isinstance(block, Diagram):
                self._diagram(block)
            else:
                self._paragraph(block)
        sheet.place_waiting()
        self._notes()

    def _head(self) -> None:
        """Who, how it ended, the facts, and beside or below them the chart."""
        sheet, chapter = self._sheet, self._chapter
        left, full = sheet.paper.margin, sheet.full_width
        sheet.write(sheet.words(chapter.title, _TITLE), x=left, width=full)
        sheet.y += 1
        result = [Word(chapter.result, _HEADING), *sheet.words(chapter.ending, Style(size=12))]
        sheet.write(result, x=left, width=full)
        sheet.y += 4
        top = sheet.y
        is_beside = sheet.paper.columns > 1
        room = full - _CHART - GUTTER if is_beside and chapter.chart else full
        for label, value in chapter.facts:
            line = sheet.y
            sheet.write(sheet.words(label, Style("I", 9.5, _MUTED)), x=left, width=_LABELS)
            sheet.y = line
            value_at = left + _LABELS + 2
            sheet.write(sheet.words(value, Style(size=9.5)), x=value_at, width=room - _LABELS - 2)
            sheet.y += 0.4
        if chapter.chart is not None:
            png, share = _chart_png(chapter.chart)
            x, y = (left + full - _CHART, top) if is_beside else (left, sheet.y + 2)
            sheet.picture(png, x=x, y=y, width=_CHART, alternative=chapter.chart.title)
            sheet.y = max(sheet.y, y + _CHART * share)
        sheet.y += 4
        sheet.rule()
        sheet.y += 4

    def _diagram(self, diagram: Diagram) -> None:
        sheet = self._sheet
        png = scene_png(diagram.scene, theme=PAPER, width=DIAGRAM_PIXELS)
        share = _png_share(png)
        widths = [min(sheet.width, width) for width in _DIAGRAMS[sheet.paper.columns]]

        def draw(room: float) -> None:
            height = room - _CAPTION
            width = height / share
            sheet.skip(2)
            sheet.bookmark(diagram.caption, 1)
            x = sheet.x + (sheet.width - width) / 2
            told = printable(diagram.scene.description)
            sheet.picture(png, x=x, y=sheet.y, width=width, alternative=told)
            sheet.y += height + 0.5
            words = sheet.words(diagram.caption, Style("B", 9, _MUTED))
            sheet.write(words, x=x, width=width)
            sheet.y += 2.5

        sheet.place(Placed(tuple(width * share + _CAPTION for width in widths), draw))

    def _paragraph(self, paragraph: Paragraph) -> None:
        sheet = self._sheet
        depth = min(paragraph.depth, _DEEPEST)
        words = [Word(paragraph.label, _ORDER)] if paragraph.label else []
        for before, run in pairwise((None, *paragraph.runs)):
            assert run is not None, "only the first has none before it"
            is_second = before is not None and before.kind == run.kind == "mark"
            words += self._run(run, is_varied=depth > 0, is_second=is_second)
        sheet.write(words, indent=_INDENT * depth)
        sheet.skip(1.4)

    def _run(self, run: Run, *, is_varied: bool, is_second: bool) -> Iterator[Word]:
        sheet, plain = self._sheet, _VARIATION if is_varied else _TEXT
        match run.kind:
            case "order":  # it is not broken: verbs and hexes stay together
                yield Word(run.text, plain if is_varied else _ORDER)
            case "mark":
                text = f",{run.text}" if is_second else run.text
                yield Word(text, Style(size=6.5, is_raised=True), is_joined=True)
            case "by":
                yield from sheet.words(f"— {run.text}", Style("I", plain.size - 0.5, _MUTED))
            case "lead":
                yield from sheet.words(run.text, Style("I", plain.size))
            case _:
                yield from sheet.words(run.text, plain)

    def _notes(self) -> None:
        sheet, chapter = self._sheet, self._chapter
        if chapter.notes:
            sheet.skip(3)
            sheet.need(14)
            sheet.bookmark(self._tongue.say(NOTES), 1)
            sheet.write(sheet.words(self._tongue.say(NOTES), _HEADING))
            sheet.skip(1)
        for number, note in enumerate(chapter.notes, start=1):
            words = [Word(f"{number}.", Style("B", 8.5)), *sheet.words(note, Style(size=8.5))]
            sheet.write(words, hanging=_INDENT)
        for said in chapter.left_out:
            sheet.skip(2)
            sheet.write(sheet.words(said, Style("I", 9)))


def _chart_png(chart: Chart) -> tuple[bytes, float]:
    """The chart as a picture, and its height by its width."""
    image = to_indices(
        render_svg(chart_svg(chart, theme=PAPER, width=CHART_PIXELS)).convert("RGB"), PAPER
    )
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue(), image.height / image.width


def _png_share(png: bytes) -> float:
    """The height of a picture by its width, which stand at the head of the file."""
    width, height = (int.from_bytes(png[start : start + 4], "big") for start in (16, 20))
    return height / width
