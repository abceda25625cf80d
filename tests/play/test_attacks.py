"""What players try who mean no good, and what must come of it."""

from __future__ import annotations

import pytest

from pbem.play.errors import NotAllowedError
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


# -- keys of submissions ------------------------------------------------------------------------


@pytest.mark.parametrize("correction", ["", "1h"], ids=["played", "held"])
def test_a_key_of_the_opponent_shows_nothing_of_theirs(club: Club, correction: str) -> None:
    match = club.start(correction=correction)
    match.submit("gold", "setup WFEAAEFW", 1, key="mail 1")
    before = club.contents()
    with pytest.raises(NotAllowedError) as caught:
        match.submit("black", "setup FWEAAEWF", 2, key="mail 1")
    assert caught.value.code == "key_of_another_seat"
    assert "WFEAAEFW" not in str(caught.value)
    assert club.contents() == before


@pytest.mark.parametrize("correction", ["", "1h"], ids=["played", "held"])
@pytest.mark.parametrize("key", ["", "a\0b", "a\nb", "\ud800", "x" * 10_000], ids=ascii)
def test_a_key_that_no_store_can_keep_stops_no_game(club: Club, key: str, correction: str) -> None:
    match = club.start(correction=correction)
    with pytest.raises(NotAllowedError) as caught:
        match.submit("gold", "setup WFEAAEFW", 1, key=key)
    assert caught.value.code == "bad_key"
    match.submit("gold", "setup WFEAAEFW", 1, key="x" * 200)
    match.sweep(at(5))
    assert match.entries()[-1].key == "x" * 200
    match.verify()
