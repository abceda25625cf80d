"""Booklets, cards and games in words, as visitors and players get them."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from PIL import Image
from pypdf import PdfReader

from notation.record_reading import parse_record
from pbem.archive.card import Card, make_card
from pbem.archive.facts import facts_of
from pbem.archive.frames import Document
from pbem.archive.indexing import read_game
from pbem.play.archived import NewGame
from pbem.shelf import Shelf
from pbem.tongue import Tongue
from pbem.web import booklets, limits
from tests.archive.test_booklet import annotated
from tests.play.shelf import shelve
from tests.web.club_site import URL, Browser, ClubSite, words

WAYS = ("/booklet", ".pdf", "/card.png", "/words")


def game() -> NewGame:
    text = annotated("[%diagram]")
    record = parse_record(text)
    return NewGame(facts_of(record), text, read_game(record).index)


@pytest.fixture
def number(club_site: ClubSite) -> int:
    (shelved,) = shelve(club_site.around, game())
    return shelved


def dutch(site: ClubSite) -> Browser:
    browser = site.visitor()
    browser.post("/look", {"language": "nl", "next": "/"})
    return browser


def test_a_booklet_shows_the_game_with_boards_and_notes(club_site: ClubSite, number: int) -> None:
    page = club_site.visitor().get(f"/archive/{number}/booklet")
    assert page.status_code == 200
    said = words(page)
    for told in (
        "Adrian – 東京 Жанна",
        "1b. W2:kite>G2; E3>F13; end",
        "Looks at I6. — Daan",
        "Instead of W2 rng H7=-:",
        "A standing rule answered: block W* <=2.",
        "In 2b, after W2 rng H7=-",
    ):
        assert told in said, told
    assert page.text.count('class="diagram"') == 3
    assert 'class="chart"' in page.text
    for mark in re.findall(r'<sup><a href="#([^"]+)"', page.text):
        assert f'id="{mark}"' in page.text
    assert f'content="{URL}/archive/{number}/card.png"' in page.text


def test_the_pdf_is_a_pdf_of_the_size_asked_for(club_site: ClubSite, number: int) -> None:
    visitor = club_site.visitor()
    answer = visitor.get(f"/archive/{number}.pdf?paper=a5")
    assert answer.mimetype == "application/pdf"
    page = PdfReader(io.BytesIO(answer.data)).pages[0]
    assert "Gold resigned: Black wins." in page.extract_text()
    assert float(page.mediabox.width) == pytest.approx(148 * 72 / 25.4, abs=0.1)
    again = visitor.get(
        f"/archive/{number}.pdf?paper=a5", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304
    assert again.data == b""


def test_places_that_are_none_are_not_drawn_again(
    club_site: ClubSite, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str | None] = []

    def watched(document: Document, *, place: str | None, tongue: Tongue) -> Card:
        drawn.append(place)
        return make_card(document, place=place, tongue=tongue)

    monkeypatch.setattr(booklets, "make_card", watched)
    monkeypatch.setattr(booklets, "_kept", Shelf(booklets.MOST_BYTES, len))
    visitor = club_site.visitor()
    tags = {
        visitor.get(f"/archive/{number}/card.png?at={place}").headers["ETag"]
        for place in ("", "99g", "1b.77", "x" * 50, "1b/2/3")
    }
    assert len(tags) == 1
    assert drawn == [None]
    for place in ("1b", "1b.1"):
        visitor.get(f"/archive/{number}/card.png?at={place}")
    assert drawn == [None, "1b.1"]


def test_the_card_is_a_picture_that_others_may_show(club_site: ClubSite, number: int) -> None:
    answer = club_site.visitor().get(f"/archive/{number}/card.png")
    assert Image.open(io.BytesIO(answer.data)).size == (1200, 630)
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    then = club_site.visitor().get(f"/archive/{number}/card.png?at=1b")
    assert then.data != answer.data
    assert then.headers["ETag"] != answer.headers["ETag"]


def test_a_game_in_words_has_a_heading_for_every_round(club_site: ClubSite, number: int) -> None:
    page = club_site.visitor().get(f"/archive/{number}/words")
    assert re.findall(r'<h2 id="round-(\d+)">', page.text) == ["1", "2"]
    assert "Black's Wind 2 on G2 shot at Gold's Wind 1 on H7." in words(page)
    assert page.text.count("<details>") == 5


def test_they_speak_dutch(club_site: ClubSite, number: int) -> None:
    browser = dutch(club_site)
    assert "Goud gaf op: Zwart wint." in words(browser.get(f"/archive/{number}/booklet"))
    assert "Ronde 2" in words(browser.get(f"/archive/{number}/words"))
    english = club_site.visitor().get(f"/archive/{number}.pdf")
    assert browser.get(f"/archive/{number}.pdf").data != english.data


@pytest.mark.parametrize("way", WAYS)
def test_a_private_game_is_nobodys_but_its_players(club_site: ClubSite, way: str) -> None:
    ann = club_site.club.join("Ann")
    (number,) = shelve(
        club_site.around,
        replace(game(), visibility="private", players=(ann.id, None), source="played"),
    )
    assert club_site.visitor().get(f"/archive/{number}{way}").status_code == 404
    answer = club_site.browser(ann).get(f"/archive/{number}{way}")
    assert answer.status_code == 200
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.cache_control.private


@pytest.mark.parametrize("way", WAYS)
def test_there_is_nothing_of_a_game_that_is_not_there(club_site: ClubSite, way: str) -> None:
    assert club_site.visitor().get(f"/archive/999{way}").status_code == 404


@pytest.mark.parametrize("path", ["booklet", "words"])
def test_pages_that_take_long_are_counted(club_site: ClubSite, number: int, path: str) -> None:
    visitor = club_site.visitor()
    most = int(limits.DRAWINGS.split()[0])
    answers = [visitor.get(f"/archive/{number}/{path}").status_code for _ in range(most + 1)]
    assert answers == [200] * most + [429]
