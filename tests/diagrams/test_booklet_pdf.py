"""Booklets as PDF, read again with a library other than the one that wrote them."""

from __future__ import annotations

import io
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

from notation.record import Comment
from notation.record_reading import parse_record, read_records
from pbem.archive.booklet import Chapter, Diagram, make_chapter
from pbem.archive.framing import make_document
from pbem.catalogues import get_tongue
from pbem.diagrams import more_fonts
from pbem.diagrams.booklet_pdf import TooManyGamesError, booklet_pdf
from pbem.diagrams.more_fonts import find_fonts_for, own_letters, written
from pbem.diagrams.papers import MOST_CHAPTERS, PAPERS
from pbem.diagrams.pdf_sheet import Placed, Sheet
from pbem.games.ortus.drawing import draw_position
from tests.archive.test_booklet import annotated
from tests.diagrams.scenes import OPENING, position
from tests.ortus.games import random_table


def chapter(text: str, language: str = "en") -> Chapter:
    record = next(read_records(text, mode="recover")).record
    return make_chapter(make_document(record), tongue=get_tongue(language))


@cache
def annotated_pdf(language: str = "en", paper: str = "a4") -> bytes:
    text = annotated("[%diagram]").replace("東京 Жанна", "Жанна Ωμέγα")
    return booklet_pdf([chapter(text, language)], tongue=get_tongue(language), paper=PAPERS[paper])


def read(pdf: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(pdf))


def text_of(pdf: bytes) -> str:
    """All the text, with one space for whatever parts words."""
    return " ".join(" ".join(page.extract_text() for page in read(pdf).pages).split())


def outline(reader: PdfReader) -> list[object]:
    """The bookmarks, those below one in a list behind it."""

    def titles(entries: list[object]) -> list[object]:
        return [titles(e) if isinstance(e, list) else getattr(e, "title") for e in entries]  # noqa: B009

    return titles(list(reader.outline))


def test_all_that_is_written_can_be_found_again() -> None:
    text = text_of(annotated_pdf())
    for words in (
        "Adrian – Жанна Ωμέγα",
        "0–1 Gold resigned: Black wins.",
        "1b. W2:kite>G2; E3>F13; end",
        "Looks at I6. — Daan",
        "Instead of W2 rng H7=-: W2:kite>A8?; end Too slow.",
        "1. A standing rule answered: block W* <=2.",
        "2. Planned and not played: W2 rng H7=+; end",
        "In 2b, after W2 rng H7=-",
        "Annotated by Cleo, Daan",
    ):
        assert words in text, words


def test_a_booklet_speaks_dutch() -> None:
    text = text_of(annotated_pdf("nl"))
    assert "Goud gaf op: Zwart wint." in text
    assert "Het begin" in text
    assert "Notities" in text
    assert "Instead" not in text
    assert str(read(annotated_pdf("nl")).root_object["/Lang"]) == "nl"


@pytest.mark.parametrize("paper", PAPERS)
def test_paper_has_the_size_that_was_asked_for(paper: str) -> None:
    reader = read(annotated_pdf(paper=paper))
    wanted = PAPERS[paper]
    for page in reader.pages:
        assert float(page.mediabox.width) == pytest.approx(wanted.width * 72 / 25.4, abs=0.1)
        assert float(page.mediabox.height) == pytest.approx(wanted.height * 72 / 25.4, abs=0.1)
    assert len(reader.pages) <= 4


def test_bookmarks_lead_to_every_diagram() -> None:
    reader = read(annotated_pdf())
    shown = ["The beginning", "In 2b, after W2 rng H7=-", "The end", "Notes"]
    assert outline(reader) == ["Adrian – Жанна Ωμέγα", shown]


def test_fonts_are_embedded_and_the_document_says_what_it_is() -> None:
    reader = read(annotated_pdf())
    assert reader.metadata is not None
    assert reader.metadata.title == "Adrian – Жанна Ωμέγα"
    assert str(reader.root_object["/Lang"]) == "en"
    for page in reader.pages:
        fonts: Any = page["/Resources"]
        for font in fonts["/Font"].values():
            described = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"]
            assert "/FontFile2" in described.get_object()


def test_pictures_have_their_words() -> None:
    tree: Any = read(annotated_pdf()).root_object["/StructTreeRoot"]
    described = [
        element.get_object()["/Alt"]
        for element in tree["/K"][0]["/K"]
        if "/Alt" in element.get_object()
    ]
    assert sum("is to move." in str(words) for words in described) == 2
    assert "Energy, honour and Wells, turn by turn" in described


def test_the_same_game_gives_the_same_bytes() -> None:
    chapters = [chapter(annotated("[%diagram]"))]
    assert booklet_pdf(chapters) == booklet_pdf(chapters)


def test_several_games_have_a_list_before_them() -> None:
    games = [
        chapter(
            random_table(number, {"level": "wind"}, entries=12).record(
                Gold=f"Player {number}", Event="Cup", Date="2026.11.16"
            )
        )
        for number in (1, 2, 3)
    ]
    pdf = booklet_pdf(games, title="Three of the Winter Cup")
    first = " ".join(read(pdf).pages[0].extract_text().split())
    assert first.startswith("Three of the Winter Cup")
    for number in (1, 2, 3):
        assert f"{number}. Player {number} – Black * Cup, 2026.11.16" in first
    assert len(read(pdf).pages) >= 4


def test_too_many_games_are_refused_before_anything_is_drawn() -> None:
    with pytest.raises(TooManyGamesError):
        booklet_pdf([chapter(annotated())] * (MOST_CHAPTERS + 1))


NASTY = {
    "long": ("W" * 3000, "x"),
    "many words": ("ab " * 1500, "x"),
    "markup": ("<b>&amp;{}%s\\", "**bold** __under__"),
    "nobody": ("?", ""),
    "right to left": ("שלום עולם", "مرحبا بالعالم"),
    "far away": ("東京の人", "ผู้เล่น हिन्दी 🐉🐉"),
    "signs": ("a\u0301\u200d\u202eb\ufeff", "\U0010ffff\ue000"),
}


@pytest.mark.parametrize("names", NASTY.values(), ids=NASTY)
def test_no_name_breaks_a_booklet(names: tuple[str, str]) -> None:
    record = parse_record(annotated())
    record.tags.update(Gold=names[0], Black=names[1], Event=names[0])
    record.turns[0].orders[0].comments += (
        Comment(names[0]),
        Comment(f"{names[1]} [%by {names[0]}]"),
    )
    pdf = booklet_pdf([make_chapter(make_document(record))])
    assert 1 <= len(read(pdf).pages) <= 12
    assert "W2:kite>G2" in text_of(pdf)


def test_a_name_that_runs_from_the_right_is_written_from_the_right(tmp_path: Path) -> None:
    """Read by a program that goes by where letters stand: poppler's ``pdftotext``."""
    reader = shutil.which("pdftotext")
    if reader is None:
        pytest.skip("there is no pdftotext (poppler-utils) on this machine")
    if not find_fonts_for("ש"):
        pytest.skip("no font of this machine has Hebrew letters")
    record = parse_record(annotated())
    record.tags["Gold"] = "שלום"
    file = tmp_path / "game.pdf"
    file.write_bytes(booklet_pdf([make_chapter(make_document(record))]))
    done = subprocess.run([reader, str(file), "-"], capture_output=True, check=True, timeout=60)
    text = done.stdout.decode()
    assert "שלום" in text
    assert "שלום"[::-1] not in text


def test_letters_without_a_font_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(more_fonts, "_files", tuple)
    more_fonts._find_fonts.cache_clear()
    try:
        text = text_of(booklet_pdf([chapter(annotated())]))
    finally:
        more_fonts._find_fonts.cache_clear()
    assert "Adrian – ?? Жанна" in text
    assert "Some letters are printed as ?" in text


def test_a_font_of_the_machine_is_taken_for_what_ours_lacks() -> None:
    fonts = find_fonts_for("A☃")
    if not fonts:
        pytest.skip("no font of this machine has a snowman")
    assert len(fonts) == 1
    assert written("A☃", fonts) == "A☃"
    assert ord("☃") not in own_letters()


def test_our_own_font_is_enough_for_europe() -> None:
    assert find_fonts_for("Ångström Ζεύς Жанна — „quoted“ ½ é") == ()


def picture_places(page: PageObject) -> list[float]:
    """How high above the foot of its page each picture ends, in points."""
    places: list[float] = []

    def visit(operator: bytes, _args: object, matrix: list[float], _text: object) -> None:
        if operator == b"Do":
            places.append(matrix[5])

    page.extract_text(visitor_operand_before=visit)
    return places


def test_a_diagram_is_never_cut() -> None:
    """However much text stands before it, a picture ends above the foot of its page."""
    scene = draw_position(position(OPENING), caption="")
    for count in range(0, 60, 7):
        shown = chapter(annotated())
        lines = tuple(block for block in shown.blocks if not isinstance(block, Diagram))
        filler = lines * count
        full = Chapter(shown.names, "*", "", (), None, (*filler, Diagram(scene, "Here", "x")), ())
        reader = read(booklet_pdf([full]))
        page = next(page for page in reader.pages if "Here" in page.extract_text())
        places = picture_places(page)
        assert places
        assert min(places) > 30


def test_what_is_never_cut_is_smaller_rather_than_on_another_page() -> None:
    sheet = Sheet(PAPERS["a5"], title="x", author="", language="en", text="x")
    sheet.add_page()
    sheet.begin_columns()
    drawn: list[float] = []

    def draw(height: float) -> None:
        drawn.append(height)
        sheet.y += height

    room = sheet.bottom - sheet.y
    for _ in range(3):
        sheet.place(Placed((room * 0.6, room * 0.35), draw))
    sheet.place_waiting()
    sheet.save()
    assert drawn == [room * 0.6, room * 0.35, room * 0.6]


def test_an_endless_game_ends() -> None:
    record = parse_record(random_table(9, {"level": "master"}, entries=120).record())
    for turn in record.turns:
        for played in turn.orders:
            played.comments += tuple(Comment("Много слов. " * 50) for _ in range(20))
    shown = make_chapter(make_document(record))
    assert any("comments are left out here" in said for said in shown.left_out)
    pdf = booklet_pdf([shown])
    assert len(read(pdf).pages) < 60
    assert shown.left_out[0] in text_of(pdf)
