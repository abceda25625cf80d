"""Whole events of every format, by the clock, from their making to their end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pbem.play.events.ports import GameOfEvent
from tests.ortus.drawing import DEFAULT_SETUP
from tests.play.club import Club, Match
from tests.play.events.festival import Festival


def by_number(row: GameOfEvent) -> int | None:
    """Draws, wins of Gold and of Black, by the number of the encounter."""
    return (1, 0, None)[(row.encounter + row.game) % 3]


FORMATS: dict[str, tuple[int, dict[str, Any]]] = {
    "round robin": (4, {"format": "round_robin"}),
    "round robin by rounds": (5, {"format": "round_robin", "pace": "rounds", "meeting": "single"}),
    "groups": (8, {"format": "round_robin", "group_size": 4, "meeting": "single"}),
    "swiss": (7, {"format": "swiss"}),
    "knock-out": (6, {"format": "knockout", "third_place": True}),
    "league": (6, {"format": "league", "size": 3, "movers": 1, "rounds": 2, "meeting": "single"}),
    "teams": (6, {"format": "teams", "boards": 3}),
    "bid": (4, {"format": "swiss", "meeting": "bid"}),
}


@pytest.mark.parametrize("name", FORMATS)
def test_an_event_is_played_to_its_end(club: Club, name: str) -> None:
    count, charter = FORMATS[name]
    festival = Festival(club, count, **charter)
    festival.start()
    assert festival.event.phase == "running"
    assert festival.running()
    festival.play_out(by_number)
    event = festival.event
    assert event.phase == "over"
    assert all(encounter.is_over for encounter in event.encounters)
    assert festival.names()[:2] == ["made", "opened"]
    assert festival.names()[-1] == "finished"
    assert {each.player_id for each in festival.notices("event_over")} == {
        festival.director.id,
        *(player.id for player in festival.players),
    }
    festival.check()


@pytest.mark.parametrize("name", ["swiss", "knock-out", "round robin by rounds"])
def test_an_event_in_which_nobody_plays_ends_by_the_clock(club: Club, name: str) -> None:
    count, charter = FORMATS[name]
    festival = Festival(club, count, **charter)
    festival.start()
    for _ in range(20):
        if festival.event.phase == "over":
            break
        festival.now += timedelta(days=20)
        club.sweep(festival.now)
        festival.advance()
    event = festival.event
    assert event.phase == "over"
    results = [game.result for each in event.encounters for game in each.games]
    assert {result.ending for result in results if result is not None} == {"void"}
    festival.check()


def test_the_flag_of_one_ends_their_games_and_the_event_goes_on(club: Club) -> None:
    festival = Festival(club, 4, format="swiss", meeting="single", rounds=2)
    festival.start()
    for row in festival.running():
        match = Match(club, row.game_id or "", (festival.players[0], festival.players[1]))
        match.send("black", f"setup {DEFAULT_SETUP}", festival.now)
    festival.now += timedelta(days=20)
    club.sweep(festival.now)
    festival.advance()
    event = festival.event
    assert event.round == 2
    results = [each.games[0].result for each in event.of_round(1)]
    assert [(result.black, result.ending) for result in results if result] == [(2, "forfeit")] * 2
    festival.play_out(by_number)
    festival.check()
