"""Leagues: divisions keep their size, and the right ones go up and down."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments import league, progress
from pbem.tournaments.event import Encounter, Event, Result
from pbem.tournaments.steps import Finish, PairRound
from tests.tournaments.simulating import (
    STARTS,
    entrants,
    opened,
    simulate,
    with_result,
    with_standing,
)


def begun(count: int, **terms: Any) -> Event:
    event = replace(opened(count, format="league", **terms), phase="running")
    return paired(event)


def paired(event: Event) -> Event:
    made = league.pair(event, seed=b"seed")
    return replace(
        event,
        encounters=(*event.encounters, *made),
        round=progress.round_after(event, made),
        round_began=STARTS,
    )


def best_win(event: Event, *, but: int = 0) -> Event:
    """Every game is won by the entrant with the lower number; the last so many go on."""
    last = len(event.encounters) - but
    for each in event.encounters[:last]:
        for index, game in enumerate(each.games):
            gold = 2 if game.gold < game.black else 0
            event = with_result(event, each.number, index, Result(gold, 2 - gold))
    return event


def members(event: Event, stage: str) -> set[int]:
    return {number for each in event.encounters if each.stage == stage for number in each.entrants}


def test_the_first_season_goes_by_rating() -> None:
    event = begun(20, size=8)
    assert members(event, "S1/1") == set(range(1, 9))
    assert members(event, "S1/2") == set(range(9, 17))
    assert members(event, "S1/3") == set(range(17, 21))


def test_stages_name_season_and_division() -> None:
    assert league.stage_of(2, 1) == "S2/1"
    assert league.find_division("S2/1") == (2, 1)
    for stage in ("", "final", "A", "S/1", "2/1", "S2"):
        assert league.find_division(stage) is None


@pytest.mark.parametrize(
    ("standing", "movers", "after"),
    [
        ([[1, 2, 3, 4], [5, 6, 7, 8]], 1, [[1, 2, 3, 5], [4, 6, 7, 8]]),
        (
            [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],
            2,
            [[1, 2, 5, 6], [3, 4, 9, 10], [7, 8, 11, 12]],
        ),
        # No more than half of a division goes down, nor more come up than the one below has.
        ([[1, 2, 3, 4], [5, 6, 7, 8]], 4, [[1, 2, 5, 6], [3, 4, 7, 8]]),
        ([[1, 2, 3, 4], [5]], 2, [[1, 2, 3, 5], [4]]),
        ([[1, 2, 3]], 2, [[1, 2, 3]]),
    ],
)
def test_the_best_go_up_and_the_last_go_down(
    standing: list[list[int]], movers: int, after: list[list[int]]
) -> None:
    assert league.moved(standing, movers) == after


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(8, [8]), (10, [10]), (11, [8, 3]), (17, [8, 9]), (18, [8, 10]), (19, [8, 8, 3]), (2, [2])],
)
def test_a_rest_that_is_too_small_plays_in_the_division_above(count: int, sizes: list[int]) -> None:
    found = league.parted(range(1, count + 1), 8)
    assert list(map(len, found)) == sizes
    assert [number for division in found for number in division] == list(range(1, count + 1))


def test_movers_change_places_between_seasons() -> None:
    event = best_win(begun(12, size=6, movers=2))
    assert progress.next_step(event, STARTS) == PairRound(2)
    event = paired(event)
    assert members(event, "S2/1") == {1, 2, 3, 4, 7, 8}
    assert members(event, "S2/2") == {5, 6, 9, 10, 11, 12}
    told = {
        (why.code, why.facts.get("entrant"))
        for each in event.encounters
        for why in each.why
        if why.code in ("league_came_up", "league_came_down", "league_new")
    }
    ups = {("league_came_up", 7), ("league_came_up", 8)}
    assert told == ups | {("league_came_down", 5), ("league_came_down", 6)}


def test_who_leaves_counts_as_going_down_and_who_is_new_starts_at_the_bottom() -> None:
    event = best_win(begun(12, size=6, movers=1))
    event = with_standing(event, (2,), "withdrawn")
    new = tuple(replace(each, rating=2900) for each in entrants(14)[12:])
    event = replace(event, entrants=(*event.entrants, *new))
    first, second = league.next_season(event)
    # The sixth goes down and the seventh comes up; the free place lets the sixth stay.
    assert set(first) == {1, 3, 4, 5, 6, 7}
    assert second == (8, 9, 10, 11, 12, 13, 14)


def test_a_season_at_its_limit_counts_what_goes_on_as_drawn() -> None:
    event = best_win(begun(8, size=4, movers=1, round_days=50), but=1)
    assert event.encounters[-1].stage == "S1/2"
    assert progress.next_step(event, STARTS) is None
    due = progress.due_at(event)
    assert due is not None
    assert (due - STARTS).days == 50
    assert progress.next_step(event, due) == PairRound(2, running=(12,))
    assert set(league.next_season(event)[0]) == {1, 2, 3, 5}


def test_a_game_that_goes_on_at_the_limit_can_save_from_going_down() -> None:
    event = begun(8, size=4, movers=1, round_days=50, meeting="single")
    won = {(1, 3): 1, (1, 4): 4, (2, 4): 2, (3, 4): 3, (2, 3): None}
    for each in event.encounters:
        game = each.games[0]
        pair = min(each.entrants), max(each.entrants)
        if pair == (1, 2):
            continue
        winner = won.get(pair, pair[0])
        points = (1, 1) if winner is None else (2, 0) if winner == game.gold else (0, 2)
        event = with_result(event, each.number, 0, Result(*points))
    # Half a point from the game that goes on has the first above the fourth, who beat them.
    assert league.divisions(event, 1)[0] == (2, 1, 3, 4)
    assert set(league.next_season(event)[0]) == {1, 2, 3, 5}


def test_a_league_ends_with_its_last_season() -> None:
    event = best_win(begun(6, size=6, rounds=1))
    assert progress.next_step(event, STARTS) == Finish()
    endless = best_win(begun(6, size=6, rounds=0))
    assert progress.next_step(endless, STARTS) == PairRound(2)


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(5, 64),
    size=st.integers(3, 10),
    movers=st.integers(1, 4),
    pace=st.sampled_from(["together", "rounds"]),
    leaving=st.sampled_from([0.0, 0.001, 0.005]),
    late=st.sampled_from([0.0, 0.05]),
    seed=st.integers(0, 2**32),
)
def test_divisions_keep_their_size_and_all_of_one_meet_once(
    count: int, size: int, movers: int, pace: Any, leaving: float, late: float, seed: int
) -> None:
    charter = {"size": size, "movers": movers, "pace": pace, "meeting": "single", "round_days": 30}

    def watch(before: Event, encounters: tuple[Encounter, ...]) -> None:
        season = league.season_of(before) + 1
        by_stage: dict[str, Counter[frozenset[int]]] = {}
        starts: Counter[int] = Counter()
        for each in encounters:
            by_stage.setdefault(each.stage, Counter())[frozenset(each.entrants)] += 1
            starts[each.games[0].gold] += 1
            starts[each.games[0].black] -= 1
        assert all(abs(tilt) <= 1 for tilt in starts.values())
        sizes = []
        seen: set[int] = set()
        for number in range(1, len(by_stage) + 1):
            met = by_stage[league.stage_of(season, number)]
            playing = {entrant for pair in met for entrant in pair}
            assert seen.isdisjoint(playing)
            seen |= playing
            assert set(met.values()) == {1}
            assert len(met) == len(playing) * (len(playing) - 1) // 2
            sizes.append(len(playing))
        assert seen == {each.number for each in before.entrants if each.is_in}
        assert all(found == size for found in sizes[:-1])
        assert min(2, size) <= sizes[-1] < size + 3

    event = opened(count, format="league", rounds=3, **charter)
    simulate(event, seed, watch=watch, leaving=leaving, late=late)


@settings(max_examples=25, deadline=None)
@given(count=st.integers(12, 40), seed=st.integers(0, 2**32))
def test_nobody_moves_by_more_than_one_division(count: int, seed: int) -> None:
    event = opened(count, format="league", size=6, movers=2, rounds=4)
    world = simulate(event, seed)
    where: dict[int, dict[int, int]] = {}
    for each in world.event.encounters:
        division = league.find_division(each.stage)
        assert division is not None
        for number in each.entrants:
            where.setdefault(number, {})[division.season] = division.number
    for seasons in where.values():
        assert all(abs(one - other) <= 1 for one, other in pairwise(seasons.values()))
        assert len(seasons) == 4
