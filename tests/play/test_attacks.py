"""What players try who mean no good, and what must come of it."""

from __future__ import annotations

from tests.ortus.drawing import DEFAULT_SETUP, HOUSES
from tests.play.club import Club, at

# -- what is held for correction ----------------------------------------------------------------


def test_what_somebody_sends_who_is_not_asked_is_released_in_time(club: Club) -> None:
    match = club.start(correction="1h")
    for house in HOUSES:
        match.hold(house, f"setup {DEFAULT_SETUP}", 0)
    match.sweep(at(1))
    asked = match.request().seat
    waiting = HOUSES[1 - asked]
    match.hold(waiting, "resign", 2)
    assert match.stored.due == at(3)
    assert not match.sweep(at(2.5)).is_over
    match.sweep(at(4))
    assert match.result() == (HOUSES[asked], "resignation")
    assert match.stored.ended_at == at(3)
    match.verify()
