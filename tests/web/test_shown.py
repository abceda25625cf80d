"""What is kept of a page: never another's, never what it was before, in the viewer's language."""

from __future__ import annotations

import re

import pytest
from markupsafe import Markup

from pbem.games.scene import Scene
from pbem.web import shown
from pbem.web.boards import draw
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Match
from tests.web.club_site import Browser, ClubSite, words


@pytest.fixture
def match(club_site: ClubSite) -> Match:
    shown._kept.clear()
    return club_site.club.study(TWO_ARCHERS)


def look(browser: Browser, match: Match, at: int | None = None) -> str:
    return words(browser.get(f"/games/{match.id}", query_string={} if at is None else {"at": at}))


def browsers(site: ClubSite, match: Match) -> tuple[Browser, Browser]:
    gold, black = match.players
    return site.browser(gold), site.browser(black)


def drawn(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The scenes that are drawn from now on."""
    scenes: list[object] = []

    def noting(scene: Scene) -> Markup:
        scenes.append(scene)
        return draw(scene)

    monkeypatch.setattr(shown, "draw", noting)
    return scenes


def test_it_is_drawn_once_for_each_entry_and_seat(
    club_site: ClubSite, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes = drawn(monkeypatch)
    gold, black = browsers(club_site, match)
    for _ in range(3):
        for browser in (gold, black, club_site.visitor()):
            assert browser.get(f"/games/{match.id}").status_code == 200
    assert len(scenes) == 3
    match.send("gold", "W1 rng I4", 1)
    pages = [look(gold, match), look(gold, match), look(gold, match, at=0)]
    assert len(scenes) == 5
    assert "W1 rng I4" in pages[0]
    assert pages[0] == pages[1]
    assert "as it was then" in pages[2]


def test_the_question_is_the_seats_own(club_site: ClubSite, match: Match) -> None:
    for _ in range(2):
        asked = [
            'id="turn"' in browser.get(f"/games/{match.id}").text
            for browser in (*browsers(club_site, match), club_site.visitor())
        ]
        assert asked == [True, False, False]
    match.send("gold", "end", 1)
    asked = [
        'id="turn"' in browser.get(f"/games/{match.id}").text
        for browser in (*browsers(club_site, match), club_site.visitor())
    ]
    assert asked == [False, True, False]


def test_rules_are_nobody_elses(club_site: ClubSite, match: Match) -> None:
    gold, black = browsers(club_site, match)
    match.send("gold", "standing: block F* <=3", 1)
    for _ in range(2):
        assert "block F*" in words(gold.get(f"/games/{match.id}/standing"))
        assert "block F*" not in look(black, match)
        assert "block F*" not in look(club_site.visitor(), match)


def test_in_the_viewers_language(club_site: ClubSite, match: Match) -> None:
    visitor = club_site.visitor()
    pages = [
        words(visitor.get(f"/games/{match.id}", headers={"Accept-Language": language}))
        for language in ("en", "nl", "en", "nl")
    ]
    assert "The game so far" in pages[0]
    assert "The game so far" not in pages[1]
    assert "Skip to the page" not in pages[1]
    assert pages[:2] == pages[2:]
    dutch = club_site.club.join("Daan", language="nl")
    assert "The game so far" not in look(club_site.browser(dutch), match)


def test_who_has_another_seat_sees_that(club_site: ClubSite, match: Match) -> None:
    """What is kept belongs to the seat, not to who sat there."""
    gold, _ = browsers(club_site, match)
    assert 'id="turn"' in gold.get(f"/games/{match.id}").text
    cleo = club_site.club.join("Cleo")
    with club_site.around.store.begin() as unit:
        unit.change_seat(match.id, 0, cleo.id)
    assert 'id="turn"' not in gold.get(f"/games/{match.id}").text
    assert 'id="turn"' in club_site.browser(cleo).get(f"/games/{match.id}").text


def test_the_number_of_games_that_wait(club_site: ClubSite, match: Match) -> None:
    def badge(browser: Browser) -> str | None:
        found = re.search(r'class="badge">(\d+)<', browser.get("/games").text)
        return None if found is None else found[1]

    gold, black = browsers(club_site, match)
    assert (badge(gold), badge(black), badge(club_site.visitor())) == ("1", None, None)
    first, second = match.players
    held = club_site.club.study(TWO_ARCHERS, gold=first, black=second, correction="1h")
    assert badge(gold) == "2"
    held.hold("gold", "W1 rng I4", 0.5)
    assert badge(gold) == "1", "what is held is not waited for"
    match.send("gold", "end", 1)
    assert (badge(gold), badge(black)) == (None, "1")
    match.send("black", "resign", 2)
    assert (badge(gold), badge(black)) == (None, None)
