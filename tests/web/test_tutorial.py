"""The first game: step by step against the script, without an account, and however it is played."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from werkzeug.test import TestResponse

from pbem.catalogues import get_tongue
from pbem.games.base import Refused
from pbem.web.lessons import LESSONS, MAX_SENT, CannotFollowError, FirstGame, first_game
from tests.web.club_site import URL, Browser, ClubSite, words

WAY = tuple(lesson.example for lesson in LESSONS if lesson.example)


def game_of(*sent: str) -> FirstGame:
    game = first_game()
    for text in sent:
        behind = game.send(text)
        assert not isinstance(behind, Refused), text
        game = behind
    return game


def lessons(*sent: str) -> list[str]:
    """What is to be learnt, from the beginning on."""
    return [game_of(*sent[:count]).lesson.name for count in range(len(sent) + 1)]


# -- the script -----------------------------------------------------------------------------------


def test_the_examples_lead_through_all_lessons() -> None:
    assert lessons(*WAY) == [lesson.name for lesson in LESSONS]


def test_the_other_side_saves_once_and_then_cannot() -> None:
    saved = game_of(*WAY[:2])
    assert "Black's Water 4 on F9 was saved for 4 Energy." in told(saved)
    fell = game_of(*WAY[:3])
    assert "Black's Water 4 on F9 fell: there was not enough Energy to save it." in told(fell)


def told(game: FirstGame) -> tuple[str, ...]:
    return game.play.tell(game.before, game.events, 0)


def test_the_standing_rule_answers_the_second_attack() -> None:
    said = told(game_of(*WAY))
    assert "Your standing rule `block all <=4` answered for I6." in said


@pytest.mark.parametrize("answer", ["+", "-"])
def test_both_answers_lead_on(answer: str) -> None:
    assert lessons(*WAY[:4], answer)[-1] == "standing"


def test_several_orders_at_once_skip_lessons() -> None:
    assert lessons("F2>I6; W1 rng F9")[-1] == "again"
    assert lessons("F2>I6; W1 rng F9; E3 chg F9@E9; end")[-1] == "defend"
    assert lessons("W1 rng F9 [+: E3 chg F9@E9]; end")[-1] == "defend"


def test_who_ends_at_once_or_spends_all_still_gets_through() -> None:
    assert lessons("end")[-1] == "defend"
    spent = lessons("F2>I6; E6>M6; A4>K6; W8>O4; end")
    assert spent[-1] == "standing"  # nothing left: it fell unasked
    assert lessons("end", "-", "end")[-1] == "done"
    assert lessons("resign")[-1] == "done"


def test_with_everybody_at_home_nobody_is_attacked() -> None:
    game = game_of("W1>H1; F2>I1; E3>J1; end")
    assert game.lesson.name == "standing"


def test_what_cannot_be_played_cannot_be_followed() -> None:
    with pytest.raises(CannotFollowError):
        first_game(("F2>A15",))
    with pytest.raises(CannotFollowError):
        first_game(("standing: off",) * (MAX_SENT + 1))


# -- the pages ------------------------------------------------------------------------------------


def form_of(page: str) -> str:
    """Where the form of a page is sent to."""
    found = re.search(r'<form[^>]* action="([^"]*)"', page)
    assert found is not None
    return unescape(found[1])


def read(visitor: Browser, place: str, language: str = "en") -> TestResponse:
    return visitor.get(place, headers={"Accept-Language": language})


def play_on(
    visitor: Browser, place: str, text: str, *, language: str = "en", **more: str
) -> TestResponse:
    """Send the form of a page."""
    form = form_of(read(visitor, place).text)
    return visitor.post(form, {"text": text, **more}, headers={"Accept-Language": language})


def ask(visitor: Browser, place: str, **sent: object) -> TestResponse:
    """What the script of the board asks."""
    headers = {"Referer": f"{URL}/", "X-CSRFToken": visitor.form_token()}
    return visitor.client.post(place, base_url=URL, json=sent, headers=headers)


def place_of(response: TestResponse) -> str:
    assert response.status_code == 303
    found = urlsplit(response.headers["Location"])
    return f"{found.path}?{found.query}"


@pytest.mark.parametrize("language", ["en", "nl"])
def test_the_whole_way_without_scripts(club_site: ClubSite, language: str) -> None:
    visitor = club_site.visitor()
    say = get_tongue(language).say
    assert "/tutorial/play" in read(visitor, "/tutorial").text
    place = "/tutorial/play"
    for lesson in LESSONS[:-1]:
        assert say(lesson.title) in words(read(visitor, place, language))
        place = place_of(play_on(visitor, place, lesson.example))
    last = words(read(visitor, place, language))
    assert say(LESSONS[-1].title) in last
    assert say("Sign up and play") in last


def test_a_wrong_order_is_really_refused_with_suggestions(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    refused = play_on(visitor, "/tutorial/play", "F2>I7; W1 str F9")
    assert refused.status_code == 422
    page = words(refused)
    assert "W1 does not stand next to F9." in page
    assert "Did you mean one of these?" in page
    assert "F2&gt;I7; W1 str F9</textarea>" in refused.text
    assert "/help/rules#R5.3" in refused.text


def test_trying_plays_nothing(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    tried = play_on(visitor, "/tutorial/play", "F2>I6", **{"try": "1"})
    assert tried.status_code == 200
    assert "Understood as: F2>I6" in words(tried)
    assert "Move a warrior" in words(tried)


def test_the_board_can_be_clicked(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    found = ask(visitor, "/tutorial/choices", path=["F2>I6"]).get_json()
    orders = {choice["order"] for choice in found["choices"]}
    assert "W1 rng F9" in orders
    assert not any(order.startswith("F2>") for order in orders)
    shown = ask(visitor, "/tutorial/preview", text="W1 rng F9").get_json()
    assert "This can go 2 ways." in shown["html"]
    assert ask(visitor, "/tutorial/choices", path="F2>I6").status_code == 400


def test_an_address_that_we_did_not_write_begins_anew(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    place = place_of(play_on(visitor, "/tutorial/play", "F2>I6"))
    assert visitor.get(place).status_code == 200
    for signed in (place.partition("s=")[2][:-2] + "xx", "W10.xyz", "a" * 9000):
        response = visitor.get(f"/tutorial/play?s={signed}")
        assert response.status_code == 303
        assert response.headers["Location"] == "/tutorial"


def test_nothing_goes_without_the_form(club_site: ClubSite) -> None:
    response = club_site.visitor().client.post("/tutorial/play", data={"text": "F2>I6"})
    assert response.status_code == 400
