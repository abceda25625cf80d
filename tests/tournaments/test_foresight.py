"""Small fields that play many rounds: no round spoils a later one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pbem.tournaments.event import Event
from pbem.tournaments.starts import pasts
from pbem.tournaments.swiss import pair
from pbem.tournaments.why_not import why_not
from tests.tournaments.events import DRAWN, at_random, made, met, paired, played


def whole(count: int, rounds: int, chance: int, meeting: str) -> Event:
    """An event played to its end; starts are looked at after every round."""
    rng = Random(chance)
    event = made(count, rounds=rounds, meeting=meeting)
    for _ in range(rounds):
        event = paired(event, pair(event, seed=rng.randbytes(8)))
        event = played(event, at_random(rng))
        tilts = [past.tilt for past in pasts(event).values()]
        assert max(map(abs, tilts)) <= (0 if meeting == "pair" else 1)
    return event


@pytest.mark.parametrize("meeting", ["single", "pair"])
@pytest.mark.parametrize("count", range(4, 11))
def test_as_many_rounds_as_a_round_robin_has_are_paired_without_a_fault(
    count: int, meeting: str
) -> None:
    for chance in range(4):
        event = whole(count, count - 1 + count % 2, chance, meeting)
        met_ = Counter(frozenset(each.entrants) for each in event.encounters)
        assert max(met_.values()) == 1


def two_rounds(rounds: int) -> Event:
    """1, 2 and 3 have each met two of 4, 5 and 6; by points they should meet the third next."""
    event = met(made(6, meeting="pair", rounds=rounds), (1, 4), (2, 5, DRAWN), (6, 3))
    return met(event, (1, 5), (6, 2, DRAWN), (4, 3))


def test_six_players_do_not_fall_apart_into_triangles_if_a_fourth_round_is_planned() -> None:
    third = pair(two_rounds(3), seed=b"seed")
    assert {frozenset(each.entrants) for each in third} == {
        frozenset({1, 6}),
        frozenset({2, 4}),
        frozenset({3, 5}),
    }
    foreseen = pair(two_rounds(4), seed=b"seed")
    assert all("foreseen" in {why.code for why in each.why} for each in foreseen)
    last = pair(paired(two_rounds(4), foreseen), seed=b"seed")
    assert {"first_meeting"} <= {why.code for each in last for why in each.why}
    assert "repeat_unavoidable" not in {why.code for each in last for why in each.why}


def test_what_is_foreseen_is_a_reason_why_two_do_not_meet() -> None:
    for chance in range(40):
        rng = Random(chance)
        event = made(6, rounds=5, meeting="pair")
        for _ in range(5):
            found = pair(event, seed=rng.randbytes(8))
            if any(why.code == "foreseen" for each in found for why in each.why):
                codes = {
                    why.code
                    for one in range(1, 7)
                    for other in range(1, one)
                    for why in why_not(event, found, one, other)
                }
                assert "worse_foreseen" in codes
                assert "worse_as_weighed" not in codes
                return
            event = played(paired(event, found), at_random(rng))
    raise AssertionError("nothing was ever foreseen")
