"""Events of every format come to their end by the clock, and say when they want to be woken."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments import progress
from pbem.tournaments.event import Encounter, Entrant, Event, Result
from pbem.tournaments.steps import (
    AskCheckIn,
    Begin,
    CloseEntries,
    Finish,
    MoveUp,
    OpenRound,
    PairRound,
    PutOff,
    Walkover,
)
from tests.tournaments.simulating import (
    OPENED,
    STARTS,
    World,
    opened,
    simulate,
    with_result,
    with_standing,
)

DAY = timedelta(days=1)
YEAR = 365 * DAY

FORMATS: list[dict[str, Any]] = [
    {"format": "swiss"},
    {"format": "swiss", "meeting": "single", "round_days": 20},
    {"format": "round_robin"},
    {"format": "round_robin", "meeting": "bid", "pace": "rounds", "round_days": 15},
    {"format": "round_robin", "meeting": "single", "group_size": 6, "cycles": 2},
    {"format": "knockout"},
    {"format": "knockout", "meeting": "bid", "third_place": True},
    {"format": "league", "size": 6, "rounds": 3},
    {"format": "league", "size": 5, "rounds": 2, "pace": "rounds", "round_days": 15},
    {"format": "ladder"},
    {"format": "teams", "boards": 3},
    {"format": "teams", "boards": 4, "pace": "rounds", "meeting": "single"},
]


def begun(count: int, **terms: Any) -> World:
    """An event whose first round has just begun."""
    world = World(opened(count, **terms), Random(1), now=STARTS)
    for _ in range(2):
        step = progress.next_step(world.event, world.now)
        assert step is not None
        world.do(step)
    return world


def all_won(world: World, *, but: int = 0) -> None:
    """Every game that goes on is won by Gold, but the last so many."""
    open_games = [
        (each.number, index)
        for each in world.event.encounters
        for index, game in enumerate(each.games)
        if game.result is None and each.round <= world.event.round
    ]
    for number, index in open_games[: len(open_games) - but]:
        world.end_game(number, index, Result(2, 0, at=world.now))


@pytest.mark.parametrize("terms", FORMATS, ids=lambda terms: "-".join(map(str, terms.values())))
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_every_event_comes_to_its_end(terms: dict[str, Any], data: st.DataObject) -> None:
    count = data.draw(st.integers(5, 40), label="entrants")
    seed = data.draw(st.integers(0, 2**32), label="seed")
    leaving = data.draw(st.sampled_from([0.0, 0.001, 0.01]), label="leaving")
    late = 0.02 if terms["format"] in ("swiss", "league", "ladder") else 0.0
    event = opened(count, team_size=3 if terms["format"] == "teams" else 0, **terms)
    until = STARTS + YEAR if terms["format"] == "ladder" else None
    paired: list[int] = []

    def watch(before: Event, encounters: tuple[Encounter, ...]) -> None:
        for each in encounters:
            assert all(before.entrant(number).is_in for number in each.entrants)
            assert len(set(each.entrants)) == len(each.entrants)
            assert each.why
            paired.append(each.number)
            if not each.is_bye:
                assert {(game.gold, game.black) for game in each.games} <= {
                    (each.home, each.away),
                    (each.away, each.home),
                }

    world = simulate(event, seed, watch=watch, until=until, leaving=leaving, late=late)
    assert world.event.phase == "over"
    assert paired == [each.number for each in world.event.encounters]
    if until is None:
        assert all(each.is_over for each in world.event.encounters)
        assert isinstance(world.steps[-1][1], Finish)
        assert progress.next_step(world.event, world.now + YEAR) is None


LARGE = [terms for terms in FORMATS if terms.get("round_days") != 15]
"""All but those that take 127 rounds."""


@pytest.mark.parametrize("terms", LARGE, ids=lambda terms: "-".join(map(str, terms.values())))
def test_an_event_of_128_comes_to_its_end(terms: dict[str, Any]) -> None:
    event = opened(128, team_size=4 if terms["format"] == "teams" else 0, **terms)
    until = STARTS + 90 * DAY if terms["format"] == "ladder" else None
    world = simulate(event, 128, until=until, leaving=0.001)
    assert world.event.phase == "over"
    assert any(each.standing == "withdrawn" for each in world.event.entrants)


@pytest.mark.parametrize("terms", FORMATS, ids=lambda terms: "-".join(map(str, terms.values())))
def test_a_step_is_due_from_its_instant_on_and_not_before(terms: dict[str, Any]) -> None:
    event = opened(11, team_size=3 if terms["format"] == "teams" else 0, **terms)
    until = STARTS + YEAR if terms["format"] == "ladder" else None
    states: list[Event] = []
    simulate(event, 3, watch=lambda before, _: states.append(before), until=until, leaving=0.002)
    assert states
    for state in [event, *states]:
        due = progress.due_at(state)
        assert due is not None
        assert progress.next_step(state, max(due, OPENED)) is not None
        if due > OPENED:
            assert progress.next_step(state, due - timedelta(microseconds=1)) is None


@pytest.mark.parametrize("phase", ["draft", "paused", "over", "cancelled"])
def test_nothing_happens_by_itself_in_an_event_that_does_not_run(phase: Any) -> None:
    event = replace(begun(8, format="swiss").event, phase=phase)
    assert progress.next_step(event, STARTS + YEAR) is None
    assert progress.due_at(event) is None


def test_entering_ends_check_in_is_asked_and_the_event_begins_each_in_its_time() -> None:
    event = opened(6, format="swiss", closes_at=STARTS - 5 * DAY, check_in_hours=48)
    assert progress.due_at(event) == STARTS - 5 * DAY
    world = World(event, Random(1), now=STARTS - 5 * DAY)
    assert progress.next_step(event, world.now) == CloseEntries()
    world.do(CloseEntries())
    assert progress.next_step(world.event, world.now) is None
    assert progress.due_at(world.event) == STARTS - 2 * DAY
    assert progress.next_step(world.event, STARTS - 2 * DAY) == AskCheckIn()
    world.do(AskCheckIn())
    present = tuple(replace(each, is_checked_in=each.number != 3) for each in world.event.entrants)
    world.event = replace(world.event, entrants=present)
    assert progress.due_at(world.event) == STARTS
    assert progress.next_step(world.event, STARTS) == Begin(absent=(3,))


def test_who_waits_comes_in_when_a_place_is_free_and_at_the_start_if_they_checked_in() -> None:
    event = opened(6, format="swiss", max_entrants=4, check_in_hours=24)
    event = with_standing(event, (5, 6), "waiting")
    assert progress.next_step(event, OPENED) is None
    left = with_standing(event, (2,), "withdrawn")
    assert progress.next_step(left, OPENED) == MoveUp((5,))
    asked = replace(
        event,
        check_in_asked=True,
        entrants=tuple(replace(each, is_checked_in=each.number != 1) for each in event.entrants),
    )
    assert progress.next_step(asked, STARTS) == Begin(absent=(1,), moved_up=(5,))
    silent = replace(
        asked,
        entrants=tuple(
            replace(each, is_checked_in=each.number in (2, 3, 4, 6)) for each in event.entrants
        ),
    )
    assert progress.next_step(silent, STARTS) == Begin(absent=(1,), moved_up=(6,))


def test_too_few_put_the_start_off_to_a_day_that_is_still_to_come() -> None:
    event = opened(5, format="swiss", min_entrants=6)
    assert progress.next_step(event, STARTS) == PutOff(STARTS + 7 * DAY, found=5, least=6)
    assert progress.next_step(event, STARTS + 15 * DAY) == PutOff(STARTS + 21 * DAY, 5, 6)
    world = World(event, Random(1), now=STARTS)
    world.do(PutOff(STARTS + 7 * DAY, 5, 6))
    assert progress.next_step(world.event, STARTS) is None
    assert progress.due_at(world.event) == STARTS + 7 * DAY


def test_a_team_match_needs_two_teams() -> None:
    event = opened(4, team_size=4, format="teams")
    assert progress.next_step(event, STARTS) == PutOff(STARTS + 7 * DAY, found=1, least=2)


def test_an_event_without_a_start_waits_for_its_director() -> None:
    event = opened(6, format="swiss", starts_at=None, closes_at=STARTS)
    assert progress.next_step(event, STARTS) == CloseEntries()
    closed = replace(event, is_closed=True)
    assert progress.next_step(closed, STARTS + YEAR) is None
    assert progress.due_at(closed) is None


def test_a_round_waits_for_its_last_game() -> None:
    world = begun(8, format="swiss")
    all_won(world, but=1)
    assert progress.next_step(world.event, STARTS + YEAR) is None
    assert progress.due_at(world.event) is None
    all_won(world)
    assert progress.next_step(world.event, STARTS) == PairRound(2)


def test_a_round_with_a_limit_turns_over_while_a_game_goes_on() -> None:
    world = begun(8, format="swiss", round_days=30)
    all_won(world, but=1)
    assert progress.due_at(world.event) == STARTS + 30 * DAY
    assert progress.next_step(world.event, STARTS + 30 * DAY) == PairRound(2, running=(4,))
    longer = replace(world.event, extra_days=5)
    assert progress.next_step(longer, STARTS + 30 * DAY) is None
    assert progress.due_at(longer) == STARTS + 35 * DAY


def test_an_event_is_over_only_with_its_last_game() -> None:
    world = begun(4, format="swiss", rounds=1, round_days=10)
    all_won(world, but=1)
    assert progress.next_step(world.event, STARTS + YEAR) is None
    all_won(world)
    assert progress.next_step(world.event, STARTS) == Finish()


def test_rounds_of_a_round_robin_are_paired_at_once_and_begin_one_after_the_other() -> None:
    world = begun(6, format="round_robin", pace="rounds", round_days=20)
    assert len(world.event.encounters) == 15
    assert world.event.round == 1
    assert progress.due_at(world.event) == STARTS + 20 * DAY
    all_won(world)
    assert progress.next_step(world.event, STARTS) == OpenRound(2)


def test_who_left_loses_what_goes_on_and_two_who_left_have_nothing() -> None:
    world = begun(4, format="round_robin")
    first = world.event.encounters[0]
    assert first.away is not None
    one_left = with_standing(world.event, (first.home,), "withdrawn")
    step = progress.next_step(one_left, STARTS)
    assert step == Walkover(1, 0, Result(0, 2, "forfeit"))
    both = with_standing(one_left, (first.away,), "disqualified")
    step = progress.next_step(both, STARTS)
    assert step == Walkover(1, 0, Result(0, 0, "void"))


def test_what_was_played_stays_when_somebody_leaves() -> None:
    world = begun(4, format="round_robin")
    all_won(world)
    before = world.event
    left = with_standing(before, (1,), "withdrawn")
    assert progress.next_step(left, STARTS) == Finish()


def test_a_swiss_event_has_as_many_rounds_as_find_one_winner() -> None:
    world = simulate(opened(9, format="swiss"), 5, late=0.05)
    assert len(world.event.entrants) > 9, "nobody came late"
    assert world.event.round == 4


def test_an_event_that_everybody_leaves_is_over() -> None:
    for terms in FORMATS:
        if terms["format"] == "ladder":
            continue
        world = begun(6, team_size=3 if terms["format"] == "teams" else 0, **terms)
        world.event = with_standing(world.event, tuple(range(1, 7)), "withdrawn")
        assert world.run().phase == "over"


def test_groups_send_their_best_into_a_final() -> None:
    world = begun(12, format="round_robin", group_size=4, finalists=2, meeting="single")
    assert {each.stage for each in world.event.encounters} == {"A", "B", "C"}
    for each in world.event.encounters:
        better = 2 if each.home < (each.away or 99) else 0
        world.event = with_result(world.event, each.number, 0, Result(better, 2 - better))
    assert progress.next_step(world.event, STARTS) == PairRound(2)
    final = progress.pair(world.event, seed=b"seed")
    assert {each.stage for each in final} == {"final"}
    assert {number for each in final for number in each.entrants} == set(range(1, 7))
    assert len(final) == 15


def test_places_are_not_limited_unless_the_charter_says_so() -> None:
    event = opened(3, format="swiss")
    waiting: Entrant = replace(event.entrants[2], standing="waiting")
    event = replace(event, entrants=(*event.entrants[:2], waiting))
    assert progress.next_step(event, OPENED) == MoveUp((3,))
