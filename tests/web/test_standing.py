"""The editor of standing rules: what holds, what it means, what it would have answered, setting."""

from __future__ import annotations

import pytest

from pbem.play import players
from pbem.play.model import Preferences
from tests.play.club import NOON, Club, Match
from tests.web.club_site import Browser, ClubSite, words

PLACE = {"gold": "W1@F5 F2@H6", "black": "E3@F8 A4@H10", "energy": (18, 9)}


@pytest.fixture
def match(club: Club) -> Match:
    """Black was attacked twice: F8 was saved, H10 fell."""
    match = club.study(PLACE)
    match.send("gold", "W1 rng F8")
    match.send("black", "F8+")
    match.send("gold", "F2 rng H10")
    match.send("black", "H10-")
    return match


@pytest.fixture
def black(club_site: ClubSite, match: Match) -> Browser:
    """The browser of the player who was attacked."""
    return club_site.browser(match.players[1])


def editor(match: Match) -> str:
    return f"/games/{match.id}/standing"


def test_rules_are_tried_on_the_game_so_far_and_nothing_is_set(
    black: Browser, match: Match
) -> None:
    before = match.entries()
    tried = black.post(editor(match), {"text": "block E* <=4\nask all", "try": "1"})
    page = words(tried)
    assert tried.status_code == 200
    assert "Save any Earth, if the Power is 4 or less." in page
    assert "Earth 3 on F8, Power 4 Then was saved These rules save block E* <=4" in page
    assert "Water 4 on H10, Power 4 Then fell These rules ask you" in page
    assert "This is not set yet." in page
    assert match.entries() == before


def test_rules_are_set_through_the_game(black: Browser, match: Match) -> None:
    done = black.post(editor(match), {"text": "blok aarde <=4"})
    assert done.status_code == 303
    assert match.texts()[-1] == (1, "standing: block E* <=4")
    page = words(black.get(editor(match)))
    assert "These rules hold for every attack from now on." in page
    assert "Save any Earth, if the Power is 4 or less." in page


def test_an_empty_box_clears(black: Browser, match: Match) -> None:
    match.send("black", "standing: fall W*")
    black.post(editor(match), {"text": "  "})
    assert match.texts()[-1] == (1, "standing: off")
    assert "No rules: you are asked about every attack." in words(black.get(editor(match)))


def test_sent_twice_it_is_set_once(black: Browser, match: Match) -> None:
    for _ in range(2):
        black.post(editor(match), {"text": "fall W*", "key": "one-form"})
    assert match.texts().count((1, "standing: fall W*")) == 1


@pytest.mark.parametrize("how", [{}, {"try": "1"}])
def test_rules_that_cannot_be_read_are_shown_with_the_reason(
    black: Browser, match: Match, how: dict[str, str]
) -> None:
    before = match.entries()
    refused = black.post(editor(match), {"text": "block 3 <script>", **how})
    assert refused.status_code == 422
    assert "block 3 &lt;script&gt;</textarea>" in refused.text
    assert 'href="/help/notation#N3.1"' in refused.text
    assert 'id="N3.1"' in black.get("/help/notation").text
    assert match.entries() == before


def test_rules_for_all_games_stand_below(black: Browser, match: Match) -> None:
    players.set_general_rules(match.around, match.players[1].id, "fall A*", now=NOON)
    page = words(black.get(editor(match)))
    assert "for all games fall A* Let any Water fall." in page
    assert "Water 4 on H10, Power 4 Then fell These rules let fall fall A*" in page


def test_nobody_sees_the_rules_of_another_seat(
    club: Club, club_site: ClubSite, match: Match
) -> None:
    match.send("black", "standing: fall W* <=3")
    opponent = club_site.browser(match.players[0]).get(editor(match))
    assert opponent.status_code == 200
    assert "fall W* &lt;=3" not in opponent.text
    assert "You have not been attacked in this game yet." in words(opponent)
    spectator = club_site.browser(club.join())
    assert spectator.get(editor(match)).status_code == 404
    assert spectator.post(editor(match), {"text": "fall all"}).status_code == 404
    assert club_site.visitor().get(editor(match)).status_code == 303  # to the sign-in page


def test_in_dutch(black: Browser, match: Match) -> None:
    chosen = Preferences(language="nl")
    players.set_preferences(match.around, match.players[1].id, chosen, now=NOON)
    page = words(black.post(editor(match), {"text": "red aarde", "try": "1"}))
    assert "Red elke Aarde-krijger." in page
    assert "Aarde 3 op F8, Kracht 4" in page


def test_a_setup_is_previewed_and_its_pieces_are_shown(club: Club, club_site: ClubSite) -> None:
    match = club.start(level="master")
    browser = club_site.browser(match.players[0])
    page = f"/games/{match.id}"
    shown = browser.get(page).text
    assert shown.count("data-letter=") == 8
    assert "setup.js" in shown
    tried = browser.post(f"{page}/turn", {"text": "setup FWEAAEWF", "try": "1"}).text
    assert 'data-piece="F1"' in tried
    assert tried.index('data-letter="F"') < tried.index('data-letter="W"')
    assert match.texts() == []
    assert "data-letter=" not in club_site.visitor().get(page).text
    browser.post(f"{page}/turn", {"text": "setup FWEAAEWF"})
    assert match.texts() == [(0, "setup FWEAAEWF")]
    assert "data-letter=" not in browser.get(page).text
