"""Brackets are sound: seeds apart, byes for the best, and nobody who lost comes back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments import knockout
from pbem.tournaments.bracket import bracket, seeded_places, seeds
from pbem.tournaments.event import Encounter, Event, Result
from tests.tournaments.simulating import opened, simulate, with_result, with_standing


def paired(event: Event) -> Event:
    """The event with all that can begin."""
    made = knockout.pair(event, seed=b"seed")
    return replace(event, encounters=(*event.encounters, *made))


def best_win(event: Event) -> Event:
    """The event with every game won by the better seed; entrants are seeded by their numbers."""
    for each in event.encounters:
        for index, game in enumerate(each.games):
            if game.result is None:
                gold = 2 if game.gold < game.black else 0
                event = with_result(event, each.number, index, Result(gold, 2 - gold))
    return event


def running(count: int, **terms: Any) -> Event:
    return replace(opened(count, format="knockout", **terms), phase="running")


def test_the_bracket_of_eight_has_the_usual_order() -> None:
    assert seeded_places(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("count", range(2, 129))
def test_the_best_meet_as_late_as_can_be(count: int) -> None:
    event = running(count)
    size = len(seeded_places(count))
    assert size // 2 < count <= size
    rounds = []
    while not bracket(event).is_over:
        before = len(event.encounters)
        event = paired(event)
        rounds.append(event.encounters[before:])
        event = best_win(event)
    left = size
    for made in rounds:
        assert {number for each in made for number in each.entrants} == set(
            range(1, min(count, left) + 1)
        )
        for each in made:
            if each.away is not None:
                assert each.home + each.away == left + 1
        left //= 2
    assert {each.home for each in rounds[0] if each.is_bye} == set(range(1, size - count + 1))
    assert not any(each.is_bye for made in rounds[1:] for each in made)
    assert bracket(event).champion == 1


def test_seeds_go_by_rating_and_then_by_who_entered_first() -> None:
    event = running(4)
    ratings = [1500, 1800, 1500, 1900]
    entrants = zip(event.entrants, ratings, strict=True)
    event = replace(
        event, entrants=tuple(replace(each, rating=rating) for each, rating in entrants)
    )
    assert seeds(event) == (4, 2, 1, 3)


def test_seeds_stay_when_somebody_leaves() -> None:
    event = paired(running(6))
    left = with_standing(event, (1, 4), "withdrawn")
    assert seeds(left) == seeds(event) == (1, 2, 3, 4, 5, 6)


def test_a_result_that_is_corrected_later_changes_nobodys_place() -> None:
    event = best_win(paired(running(4, meeting="single")))
    event = paired(event)
    assert event.encounters[-1].entrants in ((1, 2), (2, 1))
    first = event.encounters[0]
    turned = Result(0, 2) if first.games[0].gold == 1 else Result(2, 0)
    found = bracket(with_result(event, 1, 0, turned))
    assert found.rounds[0][0].winner == 1
    assert found.rounds[1][0].sides == (1, 2)


@pytest.mark.parametrize("counts", [(5, 20), (21, 64), (65, 128)])
@settings(max_examples=10, deadline=None)
@given(
    data=st.data(),
    seed=st.integers(0, 2**32),
    leaving=st.sampled_from([0.0, 0.001, 0.01]),
    meeting=st.sampled_from(["pair", "single", "bid"]),
    third=st.booleans(),
)
def test_who_lost_never_comes_back(
    counts: tuple[int, int],
    data: st.DataObject,
    seed: int,
    leaving: float,
    meeting: Any,
    third: bool,
) -> None:
    count = data.draw(st.integers(*counts))
    event = opened(count, format="knockout", meeting=meeting, third_place=third)
    lost: set[int] = set()

    def watch(before: Event, encounters: tuple[Encounter, ...]) -> None:
        found = bracket(before)
        lost.update(
            match.loser for matches in found.rounds for match in matches if match.loser is not None
        )
        for each in encounters:
            if each.stage == "":
                assert lost.isdisjoint(each.entrants)

    world = simulate(event, seed, watch=watch, leaving=leaving, draw=0.3)
    found = bracket(world.event)
    assert found.is_over
    assert len(lost | {found.champion}) <= count
    by_place: dict[tuple[str, int, int], set[int]] = {}
    for each in world.event.encounters:
        key = each.stage, each.round, each.board
        by_place.setdefault(key, set()).update(each.entrants)
    assert all(len(numbers) <= 2 for numbers in by_place.values())
    for number in range(1, len(found.rounds) + 1):
        in_round = [
            entrant
            for (stage, round_, _), numbers in by_place.items()
            for entrant in numbers
            if not stage and round_ == number
        ]
        assert len(in_round) == len(set(in_round)), "somebody plays two matches in a round"
    if not leaving:
        assert found.champion is not None
        assert len([key for key in by_place if not key[0]]) == len(seeded_places(count)) - 1


@pytest.mark.parametrize("count", [5, 9, 16])
def test_everybody_has_a_place_in_the_end(count: int) -> None:
    world = simulate(opened(count, format="knockout", third_place=True), 7, leaving=0.002)
    places = knockout.places(world.event)
    assert sorted(number for shared in places for number in shared) == list(range(1, count + 1))
    found = bracket(world.event)
    assert places[0] == (found.champion,)
    assert places[1] == (found.rounds[-1][0].loser,)
