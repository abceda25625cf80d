"""The pages of archived games: every moment can be had, private ones are their players', and only
the page that is meant for it can be shown by other sites."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

import pbem.web
from pbem.play import players
from pbem.web import limits
from tests.archive.annotated import ANNOTATED
from tests.play.club import NOON
from tests.play.shelf import new_game, shelve
from tests.web.club_site import Browser, ClubSite
from tests.web.town import Town

STATIC = Path(pbem.web.__file__).parent / "static"
NASTY = '</script><script>alert("1")</script><!--'


@pytest.fixture
def number(club_site: ClubSite) -> int:
    (made,) = shelve(club_site.around, new_game("annotated", record=ANNOTATED))
    return made


def data_of(page: str) -> dict[str, Any]:
    """What the script is given."""
    found = re.search(r'id="replay-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


def links_of(page: str) -> list[tuple[str, str]]:
    """The orders of the list: place and text."""
    moves = page[page.index("data-moves") :]
    return re.findall(r'<a href="\?at=([^"]+)" data-n="\d+"[^>]*>([^<]+)', moves)


def step(page: str, rel: str) -> str | None:
    """Where a link to a neighbour leads."""
    found = re.search(rf'rel="{rel}" [^>]*href="([^"#]+)#board"', page)
    return None if found is None else found[1]


# -- moments ------------------------------------------------------------------------------------


def test_without_a_script_one_goes_through_by_links(club_site: ClubSite, number: int) -> None:
    visitor = club_site.visitor()
    path = f"/archive/{number}"
    page = visitor.get(path).text
    seen = []
    while (onward := step(page, "next")) is not None:
        page = visitor.get(path + onward).text
        (lit,) = re.findall(r'aria-current="step"[^>]*>([^<]+)', page)
        seen.append(lit)
    assert seen[0] == "W1:kite&gt;H7"
    assert seen[-1] == "W2 rng H7=+"
    assert len(seen) == 14
    back = step(page, "prev")
    assert back == "?at=2g.4"


def test_every_order_of_the_list_has_its_page(club_site: ClubSite, number: int) -> None:
    visitor = club_site.visitor()
    page = visitor.get(f"/archive/{number}").text
    links = links_of(page)
    assert len(links) == len(data_of(page)["frames"]) - 1 == 26
    for place, text in links:
        there = visitor.get(f"/archive/{number}?at={place}").text
        assert re.findall(r'aria-current="step"[^>]*>([^<]+)', there) == [text]


@pytest.mark.parametrize("at", ["9g.9", "<b>", "1g.1" * 200, "\x00", "1b"])
def test_nonsense_shows_the_beginning_and_a_turn_its_first_order(
    club_site: ClubSite, number: int, at: str
) -> None:
    page = club_site.visitor().get(f"/archive/{number}", query_string={"at": at}).text
    lit = re.findall(r'aria-current="step"[^>]*>([^<]+)', page)
    assert lit == (["A1&gt;H11"] if at == "1b" else [])


def test_comments_signs_and_faults_are_shown(club_site: ClubSite, number: int) -> None:
    page = club_site.visitor().get(f"/archive/{number}?at=1b.1").text
    for said in ("Played at leisure.", "A quiet start.", "Near.", "Keeps 5.", "27d3h", "Mira"):
        assert said in page
    assert 'class="note fault"' in page
    assert "Planned, not played:" in page
    assert "Cleo, Mira" in page


def test_a_page_is_in_the_language_of_its_reader(club_site: ClubSite, number: int) -> None:
    visitor = club_site.visitor()
    for language, word in (("nl", "Opdrachten"), ("en", "Orders")):
        headers = {"Accept-Language": language}
        page = visitor.client.get(f"/archive/{number}", headers=headers).text
        assert word in page


def test_names_and_comments_cannot_break_out(club_site: ClubSite) -> None:
    text = ANNOTATED.replace('"Mira"', json.dumps(NASTY)).replace("Near.", NASTY)
    (made,) = shelve(club_site.around, new_game("nasty", record=text))
    page = club_site.visitor().get(f"/archive/{made}").text
    assert "<script>alert" not in page
    assert "<!--" not in page
    assert data_of(page)["told"]


def test_a_game_without_a_board_has_a_page(club_site: ClubSite) -> None:
    tags = "\n".join(ANNOTATED.splitlines()[:9])
    (made,) = shelve(club_site.around, new_game("early", record=f"{tags}\n\n1-0\n"))
    page = club_site.visitor().get(f"/archive/{made}")
    assert page.status_code == 200
    assert "The game was over before there was a board." in page.text
    assert "replay-data" not in page.text


# -- who sees it --------------------------------------------------------------------------------


def test_a_private_game_is_its_players_alone(club_site: ClubSite) -> None:
    ann, cleo = (
        players.join(club_site.around, name, f"{name}@example.org", now=NOON, verified=True)
        for name in ("ann", "cleo")
    )
    game = new_game("secret", record=ANNOTATED, visibility="private", players=(ann.id, None))
    (made,) = shelve(club_site.around, game)

    def statuses(browser: Browser) -> tuple[int, int]:
        return (
            browser.get(f"/archive/{made}").status_code,
            browser.get(f"/archive/{made}/embed").status_code,
        )

    assert statuses(club_site.visitor()) == (404, 404)
    assert statuses(club_site.browser(cleo)) == (404, 404)
    assert statuses(club_site.browser(ann)) == (200, 404)
    assert "&lt;iframe" not in club_site.browser(ann).get(f"/archive/{made}").text


def test_there_is_no_game_that_is_not_there(club_site: ClubSite) -> None:
    for path in ("/archive/99", "/archive/99/embed", "/archive/99999999999999999999"):
        assert club_site.visitor().get(path).status_code == 404


def test_only_the_embedded_page_can_be_framed(club_site: ClubSite, number: int) -> None:
    def policy(path: str) -> tuple[str, str | None]:
        answer = club_site.visitor().get(path)
        assert answer.status_code == 200
        allowed = answer.headers["Content-Security-Policy"].rpartition("frame-ancestors ")[2]
        return allowed, answer.headers.get("X-Frame-Options")

    assert policy(f"/archive/{number}/embed") == ("*", None)
    assert policy(f"/archive/{number}") == ("'none'", "DENY")
    assert policy("/help") == ("'none'", "DENY")
    framed = club_site.visitor().get(f"/archive/{number}/embed").text
    assert "<form" not in framed
    assert "csrf" not in framed


def test_the_code_for_other_sites_leads_to_the_page(club_site: ClubSite, number: int) -> None:
    page = club_site.visitor().get(f"/archive/{number}").text
    (src,) = re.findall(r"src=&#34;([^&]+)&#34;", page)
    assert src == f"{club_site.office.site_url}/archive/{number}/embed"


# -- its weight ---------------------------------------------------------------------------------


def test_a_page_is_packed_for_who_can_unpack_it(club_site: ClubSite, number: int) -> None:
    def get(**headers: str) -> TestResponse:
        return club_site.visitor().client.get(f"/archive/{number}", headers=headers)

    plain = get()
    packed = get(**{"Accept-Encoding": "br, gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 4
    assert b"data-replay" in gzip.decompress(packed.data)


def test_a_usual_game_is_light(club_site: ClubSite, town: Town) -> None:
    page = club_site.visitor().get(f"/archive/{town.archived}")
    static = {name: len((STATIC / name).read_bytes()) for name in ("replay.js", "replay.css")}
    assert static["replay.js"] < 40_000
    assert len(page.data) < 100_000


# -- how often ----------------------------------------------------------------------------------


def test_replays_are_not_made_too_often_for_one_visitor(
    club_site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who goes through a whole archive, or asks for ever other annotators, waits; what is kept is
    shown to everybody."""
    monkeypatch.setattr(limits, "DRAWINGS", "2 per minute")
    records = [ANNOTATED.replace("Mira", f"Hasty {each}") for each in range(3)]
    first, second, third = shelve(
        club_site.around, *(new_game(record, record=record) for record in records)
    )
    visitor = club_site.visitor()
    asked = (first, second, third, first)
    answers = [visitor.get(f"/archive/{each}").status_code for each in asked]
    assert answers == [200, 200, 429, 200]
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    path = f"/archive/{third}"
    assert visitor.get(path, environ_overrides=elsewhere).status_code == 200
    assert visitor.get(path).status_code == 200
