"""Ratings for programs."""

from __future__ import annotations

from tests.play.test_rating import count, play
from tests.web.club_site import ClubSite


def test_lists_and_players(club_site: ClubSite) -> None:
    club = club_site.club
    ann, ben = club.join("Ann"), club.join("Ben")
    play(club, ann, ben)
    play(club, ann, ben, days=31, level="master")
    count(club)
    club_site.later(days=40)
    program = club_site.program(ben, "read")
    query = {"provisional": "true", "limit": 1}
    first = program.get("/ratings/apprentice", query_string=query).get_json()
    [listed] = first["ratings"]
    assert (listed["name"], listed["player"], listed["place"]) == ("Ann", ann.id, None)
    assert (listed["month"], listed["games"], listed["is_provisional"]) == ("2026-11", 1, True)
    query["after"] = first["next"]
    second = program.get("/ratings/apprentice", query_string=query).get_json()
    assert [each["name"] for each in second["ratings"]] == ["Ben"]
    assert second["next"] is None
    assert program.get("/ratings/apprentice").get_json() == {"ratings": [], "next": None}
    assert program.get("/ratings/nonsense").status_code == 404
    own = program.get(f"/players/{ann.id}/ratings").get_json()["ratings"]
    assert [each["level"] for each in own] == ["apprentice", "master"]
    assert [each["month"] for each in own[1]["history"]] == ["2026-12"]
    assert own[0]["rating"] > 1500
    assert program.get("/players/9999/ratings").status_code == 404
