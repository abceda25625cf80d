"""How many rounds are still to come, in every format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.tournaments import progress
from pbem.tournaments.charter import Charter
from pbem.tournaments.event import Entrant, Event, Holder
from pbem.tournaments.remaining import rounds_left


def begun(count: int, **charter: Any) -> Event:
    """An event whose first round is paired and goes on."""
    entrants = tuple(
        Entrant(number, (Holder(number, 1),), team="AB"[number % 2], board=(number + 1) // 2)
        for number in range(1, count + 1)
    )
    event = Event("e", Charter("Cup", **charter), phase="running", entrants=entrants)
    if charter["format"] == "teams":
        event = replace(event, teams=("A", "B"))
    made = progress.pair(event, seed=b"x")
    return replace(event, encounters=made, round=1)


@pytest.mark.parametrize(
    ("count", "charter", "left"),
    [
        (8, {"format": "swiss", "rounds": 5}, 4),
        (8, {"format": "swiss"}, 2),
        (8, {"format": "knockout"}, 2),
        (5, {"format": "knockout"}, 2),
        (6, {"format": "round_robin"}, 0),
        (6, {"format": "round_robin", "pace": "rounds"}, 4),
        (8, {"format": "round_robin", "group_size": 4, "finalists": 2}, 1),
        (8, {"format": "league", "size": 8}, None),
        (6, {"format": "league", "size": 6, "rounds": 1}, 0),
        (6, {"format": "league", "size": 6, "rounds": 3}, 2),
        (6, {"format": "league", "size": 6, "rounds": 2, "pace": "rounds"}, 9),
        (4, {"format": "teams", "boards": 2}, 0),
        (4, {"format": "ladder"}, None),
    ],
)
def test_rounds_to_come(count: int, charter: dict[str, Any], left: int | None) -> None:
    assert rounds_left(begun(count, **charter)) == left


def test_nothing_follows_where_one_is_left() -> None:
    event = begun(8, format="swiss", rounds=5)
    gone = tuple(replace(each, standing="withdrawn") for each in event.entrants[1:])
    assert rounds_left(replace(event, entrants=(event.entrants[0], *gone))) == 0
    assert rounds_left(replace(event, encounters=(), round=0)) == 0
