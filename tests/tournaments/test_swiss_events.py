"""Whole Swiss events, round by round, with draws, byes, withdrawals, late entries, running games.

Small fields are held against every round there is (``slow_pairing``); large ones against what must
hold in them for certain.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments.event import Encounter, Event
from pbem.tournaments.starts import balance, pasts
from pbem.tournaments.swiss import pair
from tests.tournaments import slow_pairing as slow
from tests.tournaments.events import at_random, changed, made, paired, played


class Course(NamedTuple):
    """How an event goes, apart from who wins."""

    players: int
    rounds: int
    meeting: str
    leaving: float = 0.0
    late: float = 0.0
    running: float = 0.0
    bye_worth: str = "win"


def check_legal(event: Event, found: tuple[Encounter, ...]) -> None:
    """All who are there are paired just once, with the games of their meeting."""
    paired_ = [number for each in found for number in each.entrants]
    assert sorted(paired_) == sorted(slow.present(event))
    assert sum(each.is_bye for each in found) == len(paired_) % 2
    assert {each.round for each in found} <= {event.round + 1}
    first = len(event.encounters) + 1
    assert [each.number for each in found] == list(range(first, first + len(found)))
    for each in found:
        games = [(game.gold, game.black) for game in each.games]
        both = [(each.home, each.away), (each.away, each.home)]
        assert games == ([] if each.is_bye else both[: event.charter.games])
        assert each.why


def go_on(event: Event, found: tuple[Encounter, ...], course: Course, rng: Random) -> Event:
    """The round is played; some leave, and some come late."""
    event = played(paired(event, found), at_random(rng, running=course.running))
    for each in event.entrants:
        if rng.random() < course.leaving and len(slow.present(event)) > 4:
            out = rng.choice(["withdrawn", "disqualified"])
            event = changed(event, each.number, standing=out)
    return event


def begin(course: Course, rng: Random) -> Event:
    event = made(
        [rng.randrange(1200, 2200) for _ in range(course.players)],
        meeting=course.meeting,
        bye_worth=course.bye_worth,
        rounds=1,  # nothing is foreseen: each round is the best by itself
    )
    for each in event.entrants[4:]:
        if rng.random() < course.late:
            event = changed(event, each.number, first_round=rng.randrange(2, 4))
    return event


courses = st.builds(
    Course,
    players=st.integers(5, 8),
    rounds=st.integers(3, 9),
    meeting=st.sampled_from(["single", "single", "pair", "bid"]),
    leaving=st.sampled_from([0.0, 0.0, 0.05]),
    late=st.sampled_from([0.0, 0.2]),
    running=st.sampled_from([0.0, 0.2]),
    bye_worth=st.sampled_from(["win", "draw", "nothing"]),
)


@settings(deadline=None, max_examples=25)
@given(course=courses, chance=st.integers(0, 2**32))
def test_no_round_of_a_small_event_could_have_fewer_faults(course: Course, chance: int) -> None:
    rng = Random(chance)
    event = begin(course, rng)
    for _ in range(course.rounds):
        found = pair(event, seed=rng.randbytes(8))
        check_legal(event, found)
        faults = slow.faults_of(event, tuple((each.home, each.away) for each in found))
        assert faults == slow.best_faults(event)
        event = go_on(event, found, course, rng)


@pytest.mark.parametrize("chance", range(3))
def test_nor_of_one_of_ten(chance: int) -> None:
    rng, course = Random(chance), Course(10, 7, "single")
    event = begin(course, rng)
    for _ in range(course.rounds):
        found = pair(event, seed=rng.randbytes(8))
        faults = slow.faults_of(event, tuple((each.home, each.away) for each in found))
        assert faults == slow.best_faults(event)
        event = go_on(event, found, course, rng)


@pytest.mark.parametrize("meeting", ["single", "pair", "bid"])
@pytest.mark.parametrize("count", [12, 13, 16, 31, 64, 101, 128])
def test_up_to_a_quarter_of_the_field_all_rounds_are_without_fault(
    count: int, meeting: str
) -> None:
    # Every unmet opponent of the other balance is one of half the field, so that each has at least
    # half of that half left: by Hall's theorem all can be paired.
    rng = Random(count)
    course = Course(count, min(9, count // 4 + 1), meeting, running=0.1)
    event = begin(course, rng)
    for _ in range(course.rounds):
        found = pair(event, seed=rng.randbytes(8))
        check_legal(event, found)
        event = go_on(event, found, course, rng)
        tilts = {number: past.tilt for number, past in pasts(event).items()}
        assert max(map(abs, tilts.values())) <= (0 if meeting == "pair" else 1)
        if meeting == "single":
            assert all(balance(event, number) == tilt for number, tilt in tilts.items())
    both = Counter(frozenset(each.entrants) for each in event.encounters)
    assert max(both.values()) == 1
    assert len(both) == len(event.encounters)


@pytest.mark.parametrize("count", [17, 40, 90, 128])
def test_nobody_meets_again_or_has_a_second_bye_though_some_leave_and_some_come_late(
    count: int,
) -> None:
    rng = Random(count)
    course = Course(count, 7, "single", leaving=0.02, late=0.1, running=0.1)
    event = begin(course, rng)
    unbalanced = 0
    for _ in range(course.rounds):
        found = pair(event, seed=rng.randbytes(8))
        check_legal(event, found)
        unbalanced += sum(why.code == "starts_unbalanced" for each in found for why in each.why)
        event = go_on(event, found, course, rng)
    both = Counter(frozenset(each.entrants) for each in event.encounters)
    assert max(both.values()) == 1
    assert len(slow.present(event)) < count
    assert unbalanced == 0


def test_balance_can_be_impossible_when_those_with_the_other_balance_leave() -> None:
    event = made(8)
    event = paired(event, pair(event, seed=b"seed"))
    black = [game.black for each in event.encounters for game in each.games]
    for number in black[:2]:
        event = changed(event, number, standing="withdrawn")
    found = pair(event, seed=b"seed")
    # Four who were Gold, two who were Black: two of the four must meet, and one is Gold again.
    check_legal(event, found)
    lost = [why.facts for each in found for why in each.why if why.code == "starts_unbalanced"]
    assert [(facts["had"], facts["games"]) for facts in lost] == [(2, 2)]
