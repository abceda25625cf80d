"""Events for programs: the same that pages show, and nothing more."""

from __future__ import annotations

import pytest

from pbem.play.events import making
from tests.web.club_site import ClubSite, Program
from tests.web.fair import TERMS, Fair, build_fair


@pytest.fixture
def fair(club_site: ClubSite) -> Fair:
    return build_fair(club_site.around, club_site.now)


@pytest.fixture
def anybody(club_site: ClubSite) -> Program:
    return Program(club_site.app.test_client())


@pytest.fixture
def table(fair: Fair) -> str:
    event_id = fair.make("Lent table", "round_robin", max_entrants=4, meeting="single")
    fair.enter(event_id, fair.players[:4])
    fair.start(event_id)
    fair.play_round(event_id, but=2)
    return event_id


def test_pages_of_events(fair: Fair, anybody: Program, table: str) -> None:
    cup = fair.make("Cup", "knockout")
    making.make(
        fair.around,
        fair.dora.id,
        {"title": "Draft", "format": "swiss", "agreement": TERMS},
        now=fair.now,
    )
    first = anybody.get("/events?limit=1").get_json()
    second = anybody.get("/events", query_string={"limit": 1, "after": first["next"]}).get_json()
    assert {first["events"][0]["id"], second["events"][0]["id"]} == {cup, table}
    assert second["next"] is None
    (running,) = anybody.get("/events?phase=running").get_json()["events"]
    assert (running["id"], running["players"], running["round"]) == (table, 4, 1)


def test_one_event(fair: Fair, anybody: Program, table: str) -> None:
    found = anybody.get(f"/events/{table}").get_json()
    assert found["told"].startswith("Everybody meets everybody once.")
    assert [each["name"] for each in found["entrants"]] == ["Ann", "Ben", "Emil", "Fenna"]
    assert found["directors"] == [fair.dora.id]
    assert "@" not in str(found)


def test_standings_with_their_sentences(anybody: Program, table: str) -> None:
    found = anybody.get(f"/events/{table}/standings").get_json()
    assert found["is_provisional"]
    assert [row["why"] == "" for row in found["rows"]] == [True, False, False, False]
    assert sum(row["points"] for row in found["rows"]) == 4
    assert anybody.get(f"/events/{table}/standings?stage=Z").status_code == 404


def test_pairings_with_their_reasons(anybody: Program, table: str) -> None:
    found = anybody.get(f"/events/{table}/pairings").get_json()["pairings"]
    assert [each["number"] for each in found] == [1, 2, 3, 4, 5, 6]
    assert all(each["why"] for each in found)
    (game,) = found[0]["games"]
    assert game["gold_points"] + game["black_points"] == 1
    (last,) = found[-1]["games"]
    assert last["gold_points"] is None
    of_round = anybody.get(f"/events/{table}/pairings?round=1").get_json()["pairings"]
    assert {each["round"] for each in of_round} == {1}


def test_the_log(anybody: Program, table: str) -> None:
    first = anybody.get(f"/events/{table}/log?limit=2").get_json()
    assert [each["act"] for each in first["acts"]] == ["made", "opened"]
    second = anybody.get(f"/events/{table}/log?limit=2&after={first['next']}").get_json()
    assert second["acts"][0]["told"] == "Ann entered."


def test_entering_and_leaving(club_site: ClubSite, fair: Fair, anybody: Program) -> None:
    cup = fair.make("Cup", "knockout")
    assert anybody.call("POST", f"/events/{cup}/entry").status_code == 401
    reader = club_site.program(fair.ann, "read")
    assert reader.call("POST", f"/events/{cup}/entry").status_code == 403
    ann = club_site.program(fair.ann)
    assert ann.call("POST", f"/events/{cup}/entry").get_json()["players"] == 1
    again = ann.call("POST", f"/events/{cup}/entry")
    assert (again.status_code, again.get_json()["code"]) == (409, "entered_already")
    assert ann.call("DELETE", f"/events/{cup}/entry").get_json()["players"] == 0
    assert ann.call("POST", "/events/nothing/entry").status_code == 404
