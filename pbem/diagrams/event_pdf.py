"""Tables of an event as a PDF on A4: standings, crosstable, and why each stands where they do.

Made on the server, without a browser, in the manner of booklets (``booklet_pdf``). What is said is
``pbem.play.events.saying_standings``' to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.diagrams.booklet_pdf import MISSING_LETTERS
from pbem.diagrams.papers import Paper
from pbem.diagrams.pdf_sheet import Sheet, Style
from pbem.diagrams.shapes import printable
from pbem.play.events.saying_standings import ABOUT, SHORT, SIGNS, say_explained, say_tie_break
from pbem.tongue import ENGLISH, N_, Tongue
from pbem.tournaments.crosstable import Crosstable, crosstable_of, show_cell
from pbem.tournaments.event import show_points
from pbem.tournaments.explaining import explanations
from pbem.tournaments.standings import Table
from pbem.tournaments.tie_breaks import show_figure

LANDSCAPE: Final = Paper("A4 landscape", 297, 210, 1, 14)
_TITLE: Final = Style("B", 18)
_HEADING: Final = Style("B", 12)
_HEAD: Final = Style("B", 8, "#5c6167")
_TEXT: Final = Style(size=9)
_STRONG: Final = Style("B", 9)
_SMALL: Final = Style(size=8, colour="#5c6167")
_ROW: Final = 4.9
_GAP: Final = 2.0
_WIDEST_GAP: Final = 7.0
_WIDEST_NAME: Final = 62.0
_SMALLEST: Final = 5.0
"""No crosstable is printed smaller, in points."""


@dataclass(frozen=True, slots=True)
class Part:
    """One table, its heading, and the names of those in it."""

    heading: str
    table: Table
    names: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: what stands above it, and a text for each line."""

    head: str
    texts: tuple[str, ...]
    is_right: bool = True
    style: Style = _TEXT


def event_pdf(title: str, parts: Sequence[Part], *, tongue: Tongue = ENGLISH) -> bytes:
    """The whole document; equal tables give equal bytes.

    Raises FontMissingError when there is nothing to write with.
    """
    title = printable(title)
    texts = [title, tongue.say(SIGNS), *(text for part in parts for text in _texts(part, tongue))]
    sheet = Sheet(
        LANDSCAPE,
        title=title,
        author="",
        language=tongue.language,
        text=" ".join(filter(None, texts)),
    )
    sheet.add_page()
    sheet.write(sheet.words(title, _TITLE))
    for number, part in enumerate(parts):
        if number:
            sheet.add_page()
        _part(sheet, part, tongue)
    if sheet.lacks_letters:
        sheet.skip(4)
        sheet.write(sheet.words(tongue.say(MISSING_LETTERS), _SMALL))
    return sheet.save()


def _texts(part: Part, tongue: Tongue) -> Iterator[str]:
    yield part.heading
    yield from part.names.values()
    yield from (say_explained(each, part.names, tongue=tongue) for each in explanations(part.table))


def _part(sheet: Sheet, part: Part, tongue: Tongue) -> None:
    table = part.table
    heading = part.heading or tongue.say(N_("Standings"))
    sheet.skip(3)
    sheet.bookmark(heading, 0)
    sheet.write(sheet.words(heading, _HEADING))
    if table.is_provisional:
        sheet.write(sheet.words(tongue.say(N_("Games are still open: this may change.")), _SMALL))
    sheet.skip(1.5)
    _grid(sheet, _standings(part, tongue))
    _crosstable(sheet, part, tongue)
    _explained(sheet, part, tongue)


def _standings(part: Part, tongue: Tongue) -> list[_Column]:
    table, rows = part.table, part.table.rows

    def counted(head: str, name: str) -> _Column:
        return _Column(tongue.say(head), tuple(str(getattr(row, name)) for row in rows))

    return [
        _Column("", tuple(str(row.place) for row in rows)),
        _names(part, tongue),
        _points(table, tongue),
        *(
            _Column(
                tongue.say(SHORT[tie_break]),
                tuple(show_figure(tie_break, row.figures[index]) for row in rows),
            )
            for index, tie_break in enumerate(table.tie_breaks)
        ),
        counted(N_("Won"), "wins"),
        counted(N_("Drawn"), "draws"),
        counted(N_("Lost"), "losses"),
        counted(N_("Byes"), "byes"),
        counted(N_("First turns"), "starts"),
        counted(N_("Second turns"), "other_starts"),
        counted(N_("Still open"), "running"),
    ]


def _names(part: Part, tongue: Tongue) -> _Column:
    texts = tuple(part.names[row.entrant] for row in part.table.rows)
    return _Column(tongue.say(N_("Player")), texts, is_right=False)


def _points(table: Table, tongue: Tongue) -> _Column:
    texts = tuple(show_points(row.points) for row in table.rows)
    return _Column(tongue.say(N_("Points")), texts, style=_STRONG)


def _crosstable(sheet: Sheet, part: Part, tongue: Tongue) -> None:
    cross = crosstable_of(part.table)
    if not cross.heads:
        return
    sheet.skip(5)
    sheet.need(6 * _ROW)
    sheet.bookmark(tongue.say(N_("Crosstable")), 1)
    sheet.write(sheet.words(tongue.say(N_("Crosstable")), _HEADING))
    sheet.write(sheet.words(tongue.say(SIGNS), _SMALL))
    sheet.skip(1.5)
    rows = part.table.rows
    columns = [
        _Column("", tuple(map(str, range(1, len(rows) + 1)))),
        _names(part, tongue),
        *_cells(cross),
        _points(part.table, tongue),
    ]
    _grid(sheet, columns)


def _cells(cross: Crosstable) -> Iterator[_Column]:
    for index, head in enumerate(cross.heads):
        shown = index + 1 if cross.kind == "opponents" else head
        texts = tuple(
            "■"
            if cross.kind == "opponents" and row.row.entrant == head
            else show_cell(row.cells[index], cross.kind)
            for row in cross.rows
        )
        yield _Column(str(shown), texts)


def _grid(sheet: Sheet, columns: Sequence[_Column]) -> None:
    """Columns side by side, as small as they must be, over as many pages as it takes."""
    scale = 1.0
    widths = _widths(sheet, columns, scale)
    while sum(widths) + _GAP * len(widths) > sheet.full_width and 9 * scale > _SMALLEST:
        scale -= 0.06
        widths = _widths(sheet, columns, scale)
    gap = min((sheet.full_width - sum(widths)) / len(widths), _WIDEST_GAP)
    height = max(_ROW * scale, 3.0)
    count = max((len(column.texts) for column in columns), default=0)
    for index in range(-1, count):
        if index >= 0 and sheet.y + height > sheet.bottom:
            sheet.add_page()
            _line(sheet, columns, widths, index=-1, gap=gap, scale=scale)
            sheet.y += height
        elif index < 0:
            sheet.need(2 * height)
        _line(sheet, columns, widths, index=index, gap=gap, scale=scale)
        sheet.y += height
        if index < 0 or index % 5 == 4:
            sheet.y += 0.5
            sheet.rule()
            sheet.y += 0.3


def _line(
    sheet: Sheet,
    columns: Sequence[_Column],
    widths: Sequence[float],
    *,
    index: int,
    gap: float,
    scale: float,
) -> None:
    """One line of a grid; its head before the first."""
    x = sheet.paper.margin
    for column, width in zip(columns, widths, strict=True):
        text = column.head if index < 0 else column.texts[index]
        style = _scaled(_HEAD if index < 0 else column.style, scale)
        sheet.put(text, style, x=x, width=width, is_right=column.is_right)
        x += width + gap


def _widths(sheet: Sheet, columns: Sequence[_Column], scale: float) -> list[float]:
    found = []
    for column in columns:
        style, head = _scaled(column.style, scale), _scaled(_HEAD, scale)
        widest = max((sheet.measure(text, style) for text in column.texts), default=0.0)
        wanted = max(widest, sheet.measure(column.head, head)) + 0.2
        found.append(wanted if column.is_right else min(wanted, _WIDEST_NAME))
    return found


def _scaled(style: Style, scale: float) -> Style:
    return Style(style.face, style.size * scale, style.colour)


def _explained(sheet: Sheet, part: Part, tongue: Tongue) -> None:
    told = explanations(part.table)
    if not told:
        return
    sheet.skip(5)
    sheet.need(4 * _ROW)
    heading = tongue.say(N_("Why the table is so"))
    sheet.bookmark(heading, 1)
    sheet.write(sheet.words(heading, _HEADING))
    for each in told:
        words = sheet.words(say_explained(each, part.names, tongue=tongue), _TEXT)
        sheet.write(words, hanging=4)
    sheet.skip(3)
    for tie_break in part.table.tie_breaks:
        name = say_tie_break(tie_break, tongue=tongue)
        text = f"{name[:1].upper()}{name[1:]}: {tongue.say(ABOUT[tie_break])}"
        sheet.write(sheet.words(text, _SMALL), hanging=4)
