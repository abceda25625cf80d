"""Tables of events on paper: everything is on it, in order, and nothing runs off the page."""

from __future__ import annotations

import io

from pypdf import PdfReader

from pbem.catalogues import get_tongue
from pbem.diagrams.event_pdf import LANDSCAPE, Part, event_pdf
from pbem.play.events.saying_standings import say_explained
from pbem.tongue import ENGLISH
from pbem.tournaments.explaining import explanations
from pbem.tournaments.standings import table_of
from tests.tournaments.making import make_event

ROUNDS = [["1 2 +=", "3 4 ++"], ["1 3 +.", "2 4 =="], ["1 4 -=", "2 3 Fv"]]
NAMES = {1: "Ann", 2: "Bob", 3: "Cas", 4: "Dee"}


def part() -> Part:
    return Part("", table_of(make_event(ROUNDS, format="round_robin", meeting="pair")), NAMES)


def pages(data: bytes) -> list[str]:
    found = [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]
    return [" ".join(text.split()) for text in found]


def test_it_has_standings_crosstable_and_every_explanation() -> None:
    text = " ".join(pages(event_pdf("Winter Open", [part()])))
    for words in ("Winter Open", "Standings", "Crosstable", "Games are still open"):
        assert words in text
    for told in explanations(part().table):
        assert say_explained(told, NAMES, tongue=ENGLISH) in text
    assert "Some letters" not in text


def test_it_is_in_the_language_of_who_asked() -> None:
    text = " ".join(pages(event_pdf("Winter Open", [part()], tongue=get_tongue("nl"))))
    assert "Kruistabel" in text
    assert "staat boven" in text


def test_equal_tables_give_equal_bytes() -> None:
    assert event_pdf("Winter Open", [part()]) == event_pdf("Winter Open", [part()])


def test_each_table_begins_on_a_page_of_its_own() -> None:
    found = pages(event_pdf("League", [Part("Division 1", part().table, NAMES), part()]))
    assert len(found) == 2
    assert "Division 1" in found[0]
    assert found[1].startswith("Standings")


def test_a_long_table_goes_on_with_its_heads() -> None:
    event = make_event([[f"{number} {number + 1} +" for number in range(1, 200, 2)]])
    names = {
        number: f"A player with quite a long name, number {number}" for number in range(1, 201)
    }
    data = event_pdf("Open", [Part("", table_of(event), names)])
    found = pages(data)
    assert len(found) > 8
    assert "Player" in found[1]
    assert "number 200" in " ".join(found)
    for page in PdfReader(io.BytesIO(data)).pages:
        assert round(page.mediabox.width * 25.4 / 72) == LANDSCAPE.width
