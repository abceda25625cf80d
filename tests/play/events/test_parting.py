"""Accounts that become one, or end, while their players take part in events."""

from __future__ import annotations

import json

import pytest

from pbem.play import farewell
from pbem.play.errors import NotAllowedError
from pbem.play.events import making, statements, substituting
from tests.play.club import NOON, Club
from tests.play.events.festival import Festival


def test_a_merged_account_keeps_place_games_and_log(club: Club) -> None:
    festival = Festival(club, 4, format="round_robin", meeting="single")
    festival.start()
    before = festival.event
    gone, kept = festival.players[0], club.join("Kept")
    farewell.merge(club.around, kept.id, gone.id, now=festival.now)
    after = festival.event
    assert after.entrant(1).player_id == kept.id
    assert after.acts == before.acts
    with club.store.read() as unit:
        assert [role for _, role in unit.events_of(kept.id)] == ["entrant"]
        assert unit.events_of(gone.id) == []
    festival.play_out(lambda row: row.encounter % 2)
    festival.check()


def test_two_of_one_event_do_not_become_one(club: Club) -> None:
    festival = Festival(club, 4, format="swiss")
    one, other = festival.players[:2]
    with pytest.raises(NotAllowedError, match="same_event"):
        farewell.merge(club.around, one.id, other.id, now=NOON)


def test_a_director_who_is_merged_goes_on_directing(club: Club) -> None:
    festival = Festival(club, 2, format="swiss")
    kept = club.join()
    farewell.merge(club.around, kept.id, festival.director.id, now=NOON)
    assert festival.event.directors == (kept.id,)
    making.close_entries(club.around, festival.id, kept.id, now=NOON)


def test_who_leaves_for_good_is_awaited_in_no_event(club: Club) -> None:
    festival = Festival(club, 4, format="round_robin", meeting="single")
    waiting = Festival(club, 0, format="swiss")
    leaver = festival.players[0]
    waiting.enter(leaver)
    festival.start()
    farewell.delete(club.around, leaver.id, now=festival.now)
    festival.advance(1)
    waiting.advance()
    assert festival.event.entrant(1).standing == "withdrawn"
    assert waiting.event.entrant(1).standing == "withdrawn"
    results = [game.result for each in festival.event.of_entrant(1) for game in each.games]
    assert all(result is not None for result in results)
    assert {game.points_of(1) for each in festival.event.of_entrant(1) for game in each.games} == {
        0
    }
    festival.play_out(lambda row: row.encounter % 2)


def test_a_director_who_leaves_for_good_leaves_the_event_to_the_others(club: Club) -> None:
    festival = Festival(club, 2, format="swiss")
    second = club.join()
    by = festival.director.id
    making.add_director(club.around, festival.id, by, second.id, now=NOON)
    farewell.delete(club.around, by, now=NOON)
    assert festival.event.directors == (second.id,)
    farewell.delete(club.around, second.id, now=NOON)
    assert not festival.event.directors
    making.add_director(club.around, festival.id, None, festival.players[0].id, now=NOON)
    assert festival.event.directors == (festival.players[0].id,)


def test_who_was_asked_and_leaves_is_not_asked_any_more(club: Club) -> None:
    festival = Festival(club, 2, format="round_robin")
    festival.start()
    asked = club.join()
    substituting.ask_substitute(
        club.around, festival.id, festival.director.id, 1, asked.id, now=NOON
    )
    farewell.delete(club.around, asked.id, now=NOON)
    assert festival.event.asked == ()


def test_what_is_taken_along_names_events_acts_and_statements(club: Club) -> None:
    festival = Festival(club, 2, format="round_robin")
    festival.start()
    author = festival.players[0]
    statements.state(club.around, festival.id, author.id, (1, 0), "Look.", now=NOON)
    taken = json.loads(farewell.export(club.around, author.id))
    assert taken["events"] == [{"id": festival.id, "title": "Autumn", "role": "entrant"}]
    assert [act["name"] for act in taken["event_acts"]] == ["entered"]
    assert [said["text"] for said in taken["statements"]] == ["Look."]
    farewell.delete(club.around, author.id, now=NOON)
    assert club.contents()["event_statements"] == []
