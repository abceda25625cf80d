"""The pages of ratings: lists by level, a player's own, and nothing that is not everybody's."""

from __future__ import annotations

import re

import pytest

from pbem.play import farewell
from pbem.play.model import Player
from pbem.play.rating import count_ratings, take_in
from pbem.play.rating_seen import PAGE
from pbem.tournaments.ratings import ENOUGH_TURNS
from tests.play.club import Club
from tests.play.test_rating import play
from tests.web.club_site import ClubSite


def count(club: Club) -> None:
    while take_in(club.around).after is not None:
        pass
    count_ratings(club.around)


@pytest.fixture
def pair(club_site: ClubSite) -> tuple[Player, Player]:
    """Ann has beaten Ben in three months."""
    club = club_site.club
    ann, ben = club.join("Ann"), club.join("Ben <b>")
    for number in range(3):
        play(club, ann, ben, days=number * 31)
    count(club)
    club_site.later(days=70)
    return ann, ben


def names(page: str) -> list[str]:
    return re.findall(r'href="/players/\d+/ratings/\w+">([^<]+)</a>', page)


def test_the_list_of_a_level(club_site: ClubSite, pair: tuple[Player, Player]) -> None:
    visitor = club_site.visitor()
    assert visitor.get("/ratings").headers["Location"].endswith("/ratings/apprentice")
    assert names(visitor.get("/ratings/apprentice").text) == []
    page = visitor.get("/ratings/apprentice?provisional=1").text
    assert names(page) == ["Ann", "Ben &lt;b&gt;"]
    assert page.count('title="provisional">?') == 2
    assert "Nobody is in this list" in visitor.get("/ratings/master?provisional=1").text
    for nothing in ("/ratings/nonsense", "/ratings/master?page=0", "/players/99/ratings/master"):
        assert visitor.get(nothing).status_code == 404


def test_more_than_a_page(club_site: ClubSite, monkeypatch: pytest.MonkeyPatch) -> None:
    club = club_site.club
    for _ in range(PAGE // 2 + 1):
        play(club, club.join(), club.join())
    count(club)
    visitor = club_site.visitor()
    first = visitor.get("/ratings/apprentice?provisional=1").text
    second = visitor.get("/ratings/apprentice?provisional=1&page=2").text
    assert len(names(first)) == PAGE
    assert len(names(second)) == 2
    assert set(names(first)) & set(names(second)) == set()
    assert 'rel="next"' in first
    assert 'rel="next"' not in second
    assert 'rel="prev"' in second


def test_a_players_rating_month_by_month(club_site: ClubSite, pair: tuple[Player, Player]) -> None:
    ann, _ = pair
    visitor = club_site.visitor()
    page = visitor.get(f"/players/{ann.id}/ratings/apprentice").text
    assert "3 rated games" in page
    assert re.findall(r"<td>(20\d\d-\d\d)</td>", page) == ["2027-01", "2026-12", "2026-11"]
    assert page.count("<circle") == 3
    assert page.count("Ben &lt;b&gt;") == 3
    home = visitor.get(f"/players/{ann.id}").text
    assert f'href="/players/{ann.id}/ratings/apprentice"' in home
    assert "<svg" in home.partition("Ratings")[2]


def test_why_a_game_does_not_count_is_told(club_site: ClubSite) -> None:
    club = club_site.club
    ann, ben = club.join("Ann"), club.join("Ben")
    play(club, ann, ben, rated=False)
    play(club, ann, ben, turns=1)
    count(club)
    page = club_site.visitor().get(f"/players/{ann.id}/ratings/apprentice").text
    assert "No game has counted yet." in page
    assert "no: friendly" in page
    assert f"no: it was given up before {ENOUGH_TURNS} turns" in page


def test_private_games_are_named_to_their_players_only(club_site: ClubSite) -> None:
    club = club_site.club
    ann, ben, cleo = club.join("Ann"), club.join("Ben"), club.join("Cleo")
    match = play(club, ann, ben, visibility="private")
    count(club)
    path = f"/players/{ann.id}/ratings/apprentice"
    for browser in (club_site.visitor(), club_site.browser(cleo)):
        page = browser.get(path).text
        assert "1 rated game" in page
        assert match.id not in page
    assert match.id in club_site.browser(ben).get(path).text


def test_who_has_left_is_on_no_page(club_site: ClubSite, pair: tuple[Player, Player]) -> None:
    ann, ben = pair
    farewell.delete(club_site.around, ben.id, now=club_site.now)
    visitor = club_site.visitor()
    assert names(visitor.get("/ratings/apprentice?provisional=1").text) == ["Ann"]
    assert visitor.get(f"/players/{ben.id}/ratings/apprentice").status_code == 404
    assert "Ben" not in visitor.get(f"/players/{ann.id}/ratings/apprentice").text
