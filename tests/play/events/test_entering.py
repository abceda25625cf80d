"""Entering an event: limits, the waiting list, check-in, coming late, leaving."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.games.base import OptionsError
from pbem.play.errors import NotAllowedError
from pbem.play.events import entering, making, running, viewing
from pbem.play.events.open_event import NoSuchEventError
from tests.play.club import NOON, Club
from tests.play.events.festival import Festival, day


def test_a_draft_is_its_directors_alone(club: Club) -> None:
    festival = Festival(club, 0, opens=False, format="swiss")
    stranger = club.join()
    with club.store.read() as unit:
        assert viewing.see_event(unit, festival.id, viewer=festival.director.id).phase == "draft"
        with pytest.raises(NoSuchEventError):
            viewing.see_event(unit, festival.id, viewer=stranger.id)
        with pytest.raises(NoSuchEventError):
            viewing.see_event(unit, festival.id, viewer=None)
        assert viewing.list_events(unit) == []
    with pytest.raises(NotAllowedError, match="event_draft"):
        entering.enter(club.around, festival.id, stranger.id, now=NOON)
    with pytest.raises(NotAllowedError, match="not_director"):
        making.open_entries(club.around, festival.id, stranger.id, now=NOON)


def test_who_comes_too_late_waits_and_moves_up(club: Club) -> None:
    festival = Festival(club, 4, format="swiss", max_entrants=3)
    standings = [each.standing for each in festival.event.entrants]
    assert standings == ["in", "in", "in", "waiting"]
    [last] = festival.notices("event_waiting")
    assert last.player_id == festival.players[3].id
    entering.leave(club.around, festival.id, festival.players[0].id, now=NOON)
    festival.advance()
    standings = [each.standing for each in festival.event.entrants]
    assert standings == ["withdrawn", "in", "in", "in"]
    told = [each for each in festival.notices("event_entered") if each.facts.get("moved_up")]
    assert [each.player_id for each in told] == [festival.players[3].id]
    with club.store.read() as unit:
        assert [stored.entrants for stored, _ in unit.events_of(festival.players[3].id)] == [3]
        assert unit.events_of(festival.players[0].id) == []
    festival.check()


def test_nobody_enters_twice_and_who_left_may_come_back_behind_the_others(club: Club) -> None:
    festival = Festival(club, 2, format="swiss")
    first = festival.players[0]
    with pytest.raises(NotAllowedError, match="entered_already"):
        festival.enter(first)
    entering.leave(club.around, festival.id, first.id, now=NOON)
    with pytest.raises(NotAllowedError, match="not_in_event"):
        entering.leave(club.around, festival.id, first.id, now=NOON)
    festival.enter(first)
    found = festival.event.find_entrant(first.id)
    assert found is not None
    assert (found.number, found.standing) == (3, "in")


def test_ratings_outside_the_band_are_refused(club: Club) -> None:
    festival = Festival(club, 0, format="swiss", max_rating=1400)
    with pytest.raises(NotAllowedError, match="rating_band"):
        festival.enter()
    assert festival.event.entrants == ()


def test_check_in_is_asked_for_and_who_is_absent_gives_way(club: Club) -> None:
    festival = Festival(
        club, 4, format="swiss", max_entrants=3, check_in_hours=24, starts_at=day(3).isoformat()
    )
    with pytest.raises(NotAllowedError, match="no_check_in_yet"):
        entering.check_in(club.around, festival.id, festival.players[0].id, now=NOON)
    festival.advance(2)
    assert len(festival.notices("event_check_in")) == 4
    for place in (0, 1, 3):
        for _ in range(2):
            player_id = festival.players[place].id
            entering.check_in(club.around, festival.id, player_id, now=festival.now)
    festival.advance(1)
    assert [each.standing for each in festival.event.entrants] == ["in", "in", "withdrawn", "in"]
    assert festival.event.phase == "running"
    assert festival.running()
    festival.check()


def test_with_too_few_the_start_is_put_off(club: Club) -> None:
    festival = Festival(club, 1, format="swiss", min_entrants=4, starts_at=day(1).isoformat())
    with pytest.raises(NotAllowedError, match="too_few_entrants"):
        running.start(club.around, festival.id, festival.director.id, now=NOON)
    festival.advance(1)
    assert festival.event.phase == "open"
    assert festival.event.charter.starts_at == day(8)
    [told] = festival.notices("event_put_off")
    assert told.player_id == festival.director.id


def test_late_entry_into_a_swiss_event(club: Club) -> None:
    festival = Festival(club, 4, format="swiss", rounds=3)
    festival.start()
    late = festival.enter()
    found = festival.event.find_entrant(late.id)
    assert found is not None
    assert found.first_round == 2
    for row in festival.running():
        festival.resign(row, 1)
    festival.advance(1)
    assert festival.event.round == 2
    assert any(found.number in each.entrants for each in festival.event.of_round(2))
    entering.leave(club.around, festival.id, late.id, now=festival.now)
    with pytest.raises(NotAllowedError, match="entrant_out"):
        festival.enter(late)
    making.change(
        club.around, festival.id, festival.director.id, {"allows_late": False}, now=festival.now
    )
    with pytest.raises(NotAllowedError, match="entries_closed"):
        festival.enter()


def test_nobody_comes_when_the_last_round_of_a_swiss_event_has_been_paired(club: Club) -> None:
    festival = Festival(club, 4, format="swiss", rounds=2)
    festival.start()
    for row in festival.running():
        festival.resign(row, 1)
    festival.advance(1)
    assert festival.event.round == 2
    with pytest.raises(NotAllowedError, match="entries_closed"):
        festival.enter()


def test_who_withdraws_loses_what_is_not_over_in_the_games_own_logs_too(club: Club) -> None:
    festival = Festival(club, 3, format="round_robin", meeting="single")
    festival.start()
    gone = festival.players[0]
    entering.leave(club.around, festival.id, gone.id, now=festival.now + timedelta(hours=1))
    festival.advance(1)
    event = festival.event
    [told] = festival.notices("event_news")
    assert told.player_id == festival.director.id
    place = event.find_entrant(gone.id)
    assert place is not None
    assert place.standing == "withdrawn"
    for encounter in event.of_entrant(place.number):
        [game] = encounter.games
        assert game.result is not None
        assert game.result.ending == "forfeit"
        assert game.points_of(place.number) == 0
    assert event.phase == "running"
    with club.store.read() as unit:
        ended = [
            stored
            for row in festival.rows()
            if (stored := unit.find_game(row.game_id or "")) is not None and stored.is_over
        ]
    assert [stored.termination for stored in ended] == ["ruling", "ruling"]
    festival.check()


def test_what_does_not_make_an_event_is_told_at_once(club: Club) -> None:
    director = club.join()
    raw = {
        "title": "",
        "format": "chess",
        "rounds": 99,
        "tie_breaks": ["luck"],
        "starts_at": "soon",
        "agreement": {"clock": "never", "starter": "gold", "visibility": "private"},
        "colour": "red",
    }
    with pytest.raises(OptionsError) as caught:
        making.make(club.around, director.id, raw, now=NOON)
    assert set(caught.value.faults) == {
        "title",
        "format",
        "rounds",
        "tie_breaks",
        "starts_at",
        "agreement.clock",
        "agreement.starter",
        "agreement.visibility",
        "colour",
    }
    past = {"title": "Gone", "format": "swiss", "starts_at": day(-1).isoformat()}
    with pytest.raises(OptionsError) as caught:
        making.make(club.around, director.id, past, now=NOON)
    assert set(caught.value.faults) == {"starts_at"}


def test_a_director_announces_only_so_many_events_a_day(club: Club) -> None:
    director = club.join()
    raw = {"title": "Often", "format": "swiss"}
    for _ in range(making.EVENTS_A_DAY):
        making.make(club.around, director.id, raw, now=NOON)
    with pytest.raises(NotAllowedError, match="announced_often"):
        making.make(club.around, director.id, raw, now=NOON)
    making.make(club.around, director.id, raw, now=day(2))


def test_lists_show_what_is_public_newest_first(club: Club) -> None:
    festivals = [Festival(club, 1, format="swiss", title=f"Cup {n}") for n in range(3)]
    making.cancel(club.around, festivals[0].id, festivals[0].director.id, reason="Rain.", now=NOON)
    with club.store.read() as unit:
        every = viewing.list_events(unit)
        assert {stored.id for stored in every} == {each.id for each in festivals}
        first = viewing.list_events(unit, limit=1)
        rest = viewing.list_events(unit, before=(first[0].created_at, first[0].id), limit=9)
        assert [*first, *rest] == list(every)
        assert [each.phase for each in viewing.list_events(unit, phases=["cancelled"])] == [
            "cancelled"
        ]
        mine = viewing.my_events(unit, festivals[1].director.id)
    assert [(stored.id, roles) for stored, roles in mine] == [(festivals[1].id, ("director",))]
