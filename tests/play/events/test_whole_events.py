"""Whole events of every format, by the clock, from their making to their end."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.play.events.ports import GameOfEvent
from tests.play.club import Club
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
