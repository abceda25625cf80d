"""The pages and calls by which archived games are found."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest

from notation.position_line import format_position
from notation.record_reading import parse_record
from pbem.archive.facts import facts_of
from pbem.archive.indexing import read_game
from pbem.games.ortus.record_start import first_position
from pbem.play.archived import NewGame
from tests.ortus.games import random_table
from tests.play.shelf import new_game, shelve
from tests.web.club_site import Browser, ClubSite, Program, words

OPTIONS = {"level": "master", "starter": "gold"}


def archived(number: int, options: dict[str, Any] | None = None, **tags: str) -> NewGame:
    """A whole random game, as it is when it is archived."""
    text = random_table(number, options or OPTIONS).record(**tags)
    record = parse_record(text)
    return NewGame(facts_of(record), text, read_game(record).index)


def first_line(game: NewGame) -> str:
    return format_position(first_position(parse_record(game.record)).line())


def listed(browser: Browser, **query: str) -> list[int]:
    page = browser.get(f"/archive?{urlencode(query)}")
    assert page.status_code == 200
    return [int(number) for number in re.findall(r'href="/archive/(\d+)"', page.text)]


def test_games_are_listed_newest_first_and_narrowed_down(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    assert "No game is archived yet" in words(visitor.get("/archive"))
    older, newer = shelve(
        club_site.around,
        new_game("a", gold="Zoë <b>", event="Winter Cup", date="2026.01.05", level="wind"),
        new_game("b", date="2026.03.05", index=archived(4).index),
    )
    assert listed(visitor) == [newer, older]
    assert listed(visitor, player="zoë <B>") == [older]
    assert listed(visitor, level="wind", first_day="2026-01-01") == [older]
    assert listed(visitor, first_day="2026-02-01") == [newer]
    pattern = archived(4).index.patterns[0][0]
    assert listed(visitor, pattern=pattern) == [newer]
    assert "Zoë &lt;b&gt;" in visitor.get("/archive").text
    assert "No game is like that." in words(visitor.get("/archive?player=nobody"))


def test_pages_lead_on_to_older_games(club_site: ClubSite) -> None:
    numbers = shelve(
        club_site.around, *(new_game(str(n), date=f"2026.01.{1 + n % 28:02}") for n in range(60))
    )
    visitor = club_site.visitor()
    first = visitor.get("/archive?level=master").text
    (more,) = re.findall(r'class="button" href="(/archive\?[^"]+)"', first)
    second = visitor.get(more.replace("&amp;", "&")).text
    seen = [int(number) for number in re.findall(r'href="/archive/(\d+)"', first + second)]
    assert sorted(seen) == sorted(numbers)
    assert "Back to the newest" in second


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("first_day", "tomorrow", "not a day"),
        ("max_turns", "-1", "not a number"),
        ("min_rating", "99999", "not a number"),
        ("setup", "WWWWWWWW", "two each"),
        ("level", "novice", "no such choice"),
        ("pattern", "gold nothing", "no such choice"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    club_site: ClubSite, field: str, value: str, said: str
) -> None:
    page = club_site.visitor().get(f"/archive?{urlencode({field: value})}")
    assert page.status_code == 422
    fault = re.search(rf'id="{field}-error">([^<]*)', page.text)
    assert fault is not None
    assert said in fault[1]


def test_private_games_are_their_players(club_site: ClubSite) -> None:
    ann = club_site.club.join("Ann")
    game = archived(4)
    private = NewGame(
        game.facts, game.record, game.index, visibility="private", players=(ann.id, None)
    )
    [number] = shelve(club_site.around, private)
    line = urlencode({"line": first_line(game), "turned": "1"})
    for browser, sees in ((club_site.visitor(), False), (club_site.browser(ann), True)):
        assert (listed(browser) == [number]) is sees
        page = browser.get(f"/archive/position?{line}")
        assert (f"/archive/{number}?at=1g" in page.text) is sees
        # Not even its player sees it counted.
        assert "No open game came to this position." in words(page)
        found = browser.get(f"/archive/position?game={number}&at=1g")
        assert found.status_code == (200 if sees else 404)
        assert "No game is like that." in words(browser.get("/archive/setups"))


def test_a_position_shows_orders_scores_and_games(club_site: ClubSite) -> None:
    game = archived(4)
    [number] = shelve(club_site.around, game)
    visitor = club_site.visitor()
    page = visitor.get(f"/archive/position?{urlencode({'line': first_line(game)})}")
    text = words(page)
    order = re.search(r"^1g\. ([^;]+);", game.record, re.MULTILINE)
    assert order is not None
    assert re.sub(r"=.*", "", order[1]) in text
    assert "100 % (21–100 %)" in text or "0 % (0–79 %)" in text
    assert f'href="/archive/{number}?at=1g"' in page.text
    # The same from the game's own page, and for a later turn.
    again = visitor.get(f"/archive/position?game={number}&at=2g")
    assert "turn 2g" in words(again)
    for at in ("", "99g", "1x", "'"):
        assert visitor.get(f"/archive/position?game={number}&at={at}").status_code == 404
    assert visitor.get("/archive/position?game=999&at=1g").status_code == 404


def test_a_line_that_is_none_is_explained(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    page = visitor.get("/archive/position?line=origin+master")
    assert page.status_code == 422
    assert 'id="line-error"' in page.text
    bad_handicap = urlencode({"line": first_line(archived(4)), "handicap": "gold +9"})
    page = visitor.get(f"/archive/position?{bad_handicap}")
    assert page.status_code == 422
    assert 'id="handicap-error"' in page.text
    assert visitor.get("/archive/position?line=" + "x" * 5000).status_code == 422


def test_set_ups_are_drawn_and_lead_to_their_games(club_site: ClubSite) -> None:
    shelve(club_site.around, new_game("a", gold_setup="WWEEAAFF", starter="gold"))
    visitor = club_site.visitor()
    page = visitor.get("/archive/setups?level=master&started=yes")
    assert page.text.count('<use href="#element-') == 8
    link = re.search(r'<td><a href="(/archive\?[^"]+)"', page.text)
    assert link is not None
    assert "Ann" in words(visitor.get(link[1].replace("&amp;", "&")))
    for query in ("started=no", "level=wind", "house=black&arena=crown", "dice=dicey"):
        assert "No game is like that." in words(visitor.get(f"/archive/setups?{query}"))
    assert visitor.get("/archive/setups?level=%00&house=x&arena=%00").status_code == 200


def test_the_same_for_programs(club_site: ClubSite) -> None:
    game = archived(4)
    [number] = shelve(club_site.around, game)
    program = Program(club_site.app.test_client())
    found = program.get("/archive?level=master&limit=1").get_json()
    assert [each["number"] for each in found["games"]] == [number]
    assert found["next"] is None
    assert found["games"][0]["facts"]["gold_setup"] == game.facts.gold_setup
    line = first_line(game)
    asked = {"line": line, "turned": "true"}
    told = program.get("/archive/position", query_string=asked).get_json()
    assert [(each["game"]["number"], each["turn"], each["turning"]) for each in told["games"]] == [
        (number, 1, 0)
    ]
    (order,) = told["orders"]
    assert order["score"]["interval"] == pytest.approx([0.2065, 1.0], abs=1e-4) or order["score"][
        "interval"
    ] == pytest.approx([0.0, 0.7935], abs=1e-4)
    refused = program.get("/archive/position?line=nonsense")
    assert refused.status_code == 422
    assert "position" in refused.get_json()["faults"]
    setups = program.get("/archive/setups?house=black").get_json()["setups"]
    assert [each["setup"] for each in setups] == [game.facts.black_setup]
    for setup, status in (("WFEAAEFW", 200), ("WWWWWWWW", 422), ("WFEAAEF", 422)):
        assert program.get(f"/archive?setup={setup}").status_code == status


def test_a_game_leads_from_its_turns_to_the_same_position_elsewhere(club_site: ClubSite) -> None:
    [number] = shelve(club_site.around, archived(4))
    page = club_site.visitor().get(f"/archive/{number}?at=2g").text
    form = page.partition('action="/archive/position"')[2].partition("</form>")[0]
    assert f'name="game" value="{number}"' in form
    assert "<option selected>2g</option>" in form
    assert "Make a study" not in form
    hers = club_site.browser(club_site.club.join("Ann")).get(f"/archive/{number}").text
    assert 'formaction="/archive/studies/new"' in hers
