"""Cards: the size that programs want, small, and no name breaks one."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from notation.record import Record
from notation.record_reading import parse_record
from pbem.archive.card import Card, make_card
from pbem.archive.framing import make_document
from pbem.catalogues import get_tongue
from pbem.diagrams import more_fonts
from pbem.diagrams.card import MOST_BYTES, SIZE, card_png
from pbem.diagrams.theme import LIGHT
from tests.archive.test_booklet import annotated
from tests.diagrams.test_booklet_pdf import NASTY


def card(place: str | None = None, **tags: str) -> Card:
    record = parse_record(annotated())
    record.tags.update(tags)
    return make_card(make_document(record), place=place)


def read(png: bytes) -> Image.Image:
    assert len(png) <= MOST_BYTES
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    assert image.size == SIZE
    return image.convert("RGB")


def test_what_stands_on_a_card() -> None:
    shown = card()
    assert shown.names == ("Adrian", "東京 Жанна")
    assert shown.scores == ("0", "1")
    assert shown.event == "Winter Cup · 2026.11.??"
    assert shown.told == "Gold resigned: Black wins."
    assert shown.facts == "Level master · arena origin · 4 turns"


def test_a_card_of_a_moment_shows_its_board() -> None:
    then, end = card("2b.1"), card()
    assert then.told == "After 2b"
    assert then.scene != end.scene
    assert then.scene is not None
    assert then.scene.struck == ("H7",)
    assert card("99g") == end, "a place that is not there is the end"


def test_a_card_speaks_dutch() -> None:
    shown = make_card(make_document(parse_record(annotated())), tongue=get_tongue("nl"))
    assert shown.told == "Goud gaf op: Zwart wint."
    assert shown.facts == "Niveau meester · arena origin · 4 beurten"


@pytest.mark.parametrize("names", NASTY.values(), ids=NASTY)
def test_no_name_breaks_a_card_or_runs_into_the_board(names: tuple[str, str]) -> None:
    gold, black = names
    drawn = read(card_png(card(Gold=gold, Black=black, Event=gold * 3), site="pbem.example.org"))
    plain = read(card_png(card(Gold="A", Black="B", Event="C"), site="pbem.example.org"))
    different = ImageChops.difference(drawn, plain).getbbox()
    assert different is None or different[2] <= 560


def test_the_same_game_gives_the_same_bytes() -> None:
    assert card_png(card(), site="x") == card_png(card(), site="x")


def test_without_fonts_for_a_name_there_is_still_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(more_fonts, "_files", tuple)
    more_fonts._find_fonts.cache_clear()
    try:
        read(card_png(card()))
    finally:
        more_fonts._find_fonts.cache_clear()


def test_a_game_without_a_board_has_a_card() -> None:
    record = Record({"Gold": "Ann", "Result": "1-0", "Termination": "time"}, (), "1-0")
    image = read(card_png(make_card(make_document(record))))
    right = image.crop((600, 0, *SIZE))
    assert right.getcolors() == [(600 * 630, Image.new("RGB", (1, 1), LIGHT.page).getpixel((0, 0)))]
