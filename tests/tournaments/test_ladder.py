"""Ladders: who may challenge whom, and what happens to the order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments import ladder, progress
from pbem.tournaments.event import Answer, Event, Result
from pbem.tournaments.steps import Lapse, PairRound, Slip
from tests.tournaments.simulating import (
    STARTS,
    Chances,
    World,
    entrants,
    opened,
    with_result,
    with_standing,
)

DAY = timedelta(days=1)


def begun(count: int = 8, **terms: Any) -> Event:
    event = opened(count, format="ladder", **{"meeting": "single", **terms})
    return ladder.begun(replace(event, phase="running"), STARTS)


def accepted(event: Event, challenger: int, challenged: int) -> Event:
    """The event in which a challenge was accepted at once and is being played."""
    event = ladder.challenged(event, challenger, challenged, STARTS)
    event = ladder.answered(event, len(event.challenges), "accepted", STARTS)
    made = progress.pair(event, seed=b"seed")
    number = progress.round_after(event, made)
    return replace(event, encounters=(*event.encounters, *made), round=number)


def ended(event: Event, number: int, winner: int | None) -> Event:
    """The event after an encounter of one game was won, or drawn."""
    game = event.encounter(number).games[0]
    points = (1, 1) if winner is None else (2, 0) if game.gold == winner else (0, 2)
    event = with_result(event, number, 0, Result(*points, at=STARTS + 20 * DAY))
    return ladder.settled(event, event.encounter(number), STARTS + 20 * DAY)


def code(event: Event, challenger: int, challenged: int, after: timedelta = DAY) -> str | None:
    found = ladder.check_challenge(event, challenger, challenged, STARTS + after)
    return None if found is None else found.code


def test_a_ladder_begins_by_rating_and_who_comes_later_joins_at_the_bottom() -> None:
    event = begun(4)
    assert event.ladder == (1, 2, 3, 4)
    new = replace(entrants(5)[4], rating=2900)
    event = ladder.joined(replace(event, entrants=(*event.entrants, new)), 5, STARTS)
    assert event.ladder == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("challenger", "challenged", "found"),
    [
        (5, 4, None),
        (5, 2, None),
        (5, 1, "challenge_too_far"),
        (5, 6, "challenge_not_above"),
        (5, 5, "challenge_not_above"),
        (5, 9, "not_on_ladder"),
    ],
)
def test_one_may_challenge_so_many_places_above(
    challenger: int, challenged: int, found: str | None
) -> None:
    assert code(begun(reach=3), challenger, challenged) == found


def test_nobody_is_in_two_challenges_at_a_time() -> None:
    event = ladder.challenged(begun(), 5, 4, STARTS)
    assert code(event, 5, 3) == "challenge_busy"
    assert code(event, 6, 4) == "challenge_busy"
    assert code(event, 4, 3) == "challenge_busy"
    assert code(event, 6, 3) is None
    playing = accepted(begun(), 5, 4)
    assert code(playing, 6, 5) == "challenge_busy"
    assert code(ended(playing, 1, None), 6, 5) is None


def test_the_same_one_cannot_be_challenged_again_for_a_while() -> None:
    event = ended(accepted(begun(), 5, 4), 1, 4)
    over = 20 * DAY
    assert code(event, 5, 4, over + DAY) == "challenge_too_soon"
    assert code(event, 5, 3, over + DAY) is None
    assert code(event, 5, 4, over + ladder.COOLING_TIME) is None


@pytest.mark.parametrize(
    ("winner", "order"),
    [
        (6, (1, 2, 6, 3, 4, 5, 7, 8)),
        (3, (1, 2, 3, 4, 5, 6, 7, 8)),
        (None, (1, 2, 3, 4, 5, 6, 7, 8)),
    ],
)
def test_who_wins_takes_the_place_and_those_between_move_down(
    winner: int | None, order: tuple[int, ...]
) -> None:
    assert ended(accepted(begun(), 6, 3), 1, winner).ladder == order


def test_a_tied_pair_changes_nothing() -> None:
    event = accepted(begun(meeting="pair"), 4, 3)
    for index in range(2):
        event = with_result(event, 1, index, Result(2, 0))
    assert ladder.ladder_after(event, event.encounter(1)) == event.ladder


def test_who_has_come_above_meanwhile_is_not_put_back() -> None:
    event = accepted(begun(), 6, 5)
    event = replace(event, ladder=(1, 6, 2, 3, 4, 5, 7, 8))
    assert ended(event, 1, 6).ladder == (1, 6, 2, 3, 4, 5, 7, 8)


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("declined", (1, 4, 2, 3)),
        ("lapsed", (1, 4, 2, 3)),
        ("excused", (1, 2, 3, 4)),
        ("withdrawn", (1, 2, 3, 4)),
        ("accepted", (1, 2, 3, 4)),
    ],
)
def test_declining_without_a_reason_costs_the_place(answer: Answer, order: tuple[int, ...]) -> None:
    event = ladder.challenged(begun(4), 4, 2, STARTS)
    assert ladder.answered(event, 1, answer, STARTS + DAY).ladder == order


def test_a_reason_is_good_once_in_a_while() -> None:
    event = ladder.challenged(begun(4), 4, 2, STARTS)
    assert ladder.can_excuse(event, 2, STARTS)
    event = ladder.answered(event, 1, "excused", STARTS)
    assert not ladder.can_excuse(event, 2, STARTS + DAY)
    assert ladder.can_excuse(event, 3, STARTS + DAY)
    assert ladder.can_excuse(event, 2, STARTS + ladder.EXCUSE_TIME)


def test_a_challenge_that_nobody_answers_lapses() -> None:
    event = ladder.challenged(begun(), 5, 4, STARTS)
    assert progress.due_at(event) == STARTS + ladder.ANSWER_TIME
    assert progress.next_step(event, STARTS + ladder.ANSWER_TIME) == Lapse(1)
    event = ladder.lapsed(event, 1, STARTS + ladder.ANSWER_TIME)
    assert event.ladder == (1, 2, 3, 5, 4, 6, 7, 8)
    assert progress.due_at(event) == STARTS + ladder.IDLE_TIME


def test_a_challenge_that_is_accepted_is_paired_and_says_so() -> None:
    event = ladder.challenged(ladder.challenged(begun(), 5, 4, STARTS), 7, 6, STARTS)
    event = ladder.answered(event, 2, "accepted", STARTS)
    assert progress.next_step(event, STARTS) == PairRound(2)
    (made,) = progress.pair(event, seed=b"seed")
    assert (made.number, made.round) == (1, 2)
    assert made.why[0].code == "ladder_challenge"
    assert made.why[0].facts == {"challenger": 7, "challenged": 6, "place": 6}
    event = replace(event, encounters=(made,), round=progress.round_after(event, (made,)))
    # The first challenge is accepted later, and gets its encounter all the same.
    event = ladder.answered(event, 1, "accepted", STARTS)
    (second,) = progress.pair(event, seed=b"seed")
    assert (second.number, second.round) == (2, 1)
    assert progress.round_after(event, (second,)) == 2


def test_who_does_nothing_slips_but_neither_the_first_nor_the_last_nor_who_plays() -> None:
    event = accepted(begun(5), 4, 3)
    idle = STARTS + ladder.IDLE_TIME
    assert progress.next_step(event, idle - DAY) is None
    assert progress.next_step(event, idle) == Slip(2)
    event = ladder.slipped(event, 2, idle)
    assert event.ladder == (1, 3, 2, 4, 5)
    assert progress.next_step(event, idle) is None
    assert progress.due_at(event) == idle + ladder.IDLE_TIME


@pytest.mark.parametrize("answer", ["open", "accepted"])
def test_who_leaves_is_off_the_ladder_and_out_of_challenges(answer: Answer) -> None:
    event = ladder.challenged(begun(5), 4, 3, STARTS)
    event = ladder.answered(event, 1, answer, STARTS)
    event = ladder.gone(with_standing(event, (3,), "withdrawn"), 3, STARTS)
    assert event.ladder == (1, 2, 4, 5)
    assert event.challenges[0].answer == "withdrawn"
    assert code(event, 4, 2) is None
    assert progress.next_step(event, STARTS) is None


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(5, 128),
    seed=st.integers(0, 2**32),
    reach=st.integers(1, 5),
    leaving=st.sampled_from([0.0, 0.001]),
    late=st.sampled_from([0.0, 0.05]),
)
def test_a_ladder_is_always_everybody_who_is_in_once(
    count: int, seed: int, reach: int, leaving: float, late: float
) -> None:
    event = opened(count, format="ladder", reach=reach)
    chances = Chances(leaving=leaving, late=late)
    world = World(event, Random(seed), chances, until=STARTS + 120 * DAY)
    answers = set()
    while world.event.phase != "over":
        step = progress.next_step(world.event, world.now)
        if step is not None:
            world.do(step)
        else:
            assert world._wait()
        if world.event.phase == "running":
            there = [each.number for each in world.event.entrants if each.is_in]
            assert sorted(world.event.ladder) == there
            playing = [
                number
                for each in world.event.encounters
                if not each.is_over
                for number in each.entrants
            ]
            assert len(playing) == len(set(playing))
    answers = {each.answer for each in world.event.challenges}
    assert "accepted" in answers
