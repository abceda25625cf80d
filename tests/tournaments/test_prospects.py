"""Who can still win, and what each needs: held against tables of every way all can end."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments.charter import TIE_BREAKS
from pbem.tournaments.circle import table as circle_table
from pbem.tournaments.event import Event, EventGame, Result
from pbem.tournaments.needs import Condition, Need
from pbem.tournaments.prospects import Prospects, goal, prospects
from pbem.tournaments.standings import standings
from tests.tournaments.making import make_event, with_entrant
from tests.tournaments.simulating import opened, simulate, with_result


def every_end(event: Event) -> list[Event]:
    """The event with every way in which its open games can end."""
    open_ = [
        (each.number, index, game)
        for each in event.encounters
        for index, game in enumerate(each.games)
        if game.result is None
    ]
    found = []
    for results in product(*(_results(event, game) for _, _, game in open_)):
        ended = event
        for (number, index, _), result in zip(open_, results, strict=True):
            ended = with_result(ended, number, index, result)
        found.append(ended)
    return found


def _results(event: Event, game: EventGame) -> list[Result]:
    starters = ("gold", "black") if event.charter.meeting == "bid" else ("gold",)
    return [Result(gold, 2 - gold, starter=each) for gold in (0, 1, 2) for each in starters]  # type: ignore[arg-type]


def gained(before: Event, after: Event, number: int, encounter: int | None = None) -> int:
    """What somebody has got since, of all encounters or of one."""
    found = 0
    for old, new in zip(before.encounters, after.encounters, strict=True):
        if number in old.entrants and encounter in (None, old.number):
            found += new.points_of(number) - old.points_of(number)
    return found


def is_met(need: Need, before: Event, after: Event, number: int) -> bool:
    return gained(before, after, number) >= need.least and all(
        each.least <= gained(before, after, each.entrant, each.encounter) <= each.most
        for each in need.others
    )


def check(event: Event, found: Prospects) -> None:
    """That everything told is so in every way all can end."""
    assert found.method == "exact"
    ends = every_end(event)
    assert found.ways == len(ends)
    tables = [{row.entrant for row in standings(end) if row.place <= found.places} for end in ends]
    for row in found.rows:
        if event.entrant(row.entrant).standing == "disqualified":
            assert row.state == "out"
            continue
        reached = [row.entrant in table for table in tables]
        assert row.good == sum(reached)
        expected = "certain" if all(reached) else "possible" if any(reached) else "out"
        assert row.state == expected
        for end, is_reached in zip(ends, reached, strict=True):
            met = [
                need
                for need in row.needs
                if not need.ways and is_met(need, event, end, row.entrant)
            ]
            assert is_reached or not met
        if row.state == "possible":
            assert row.needs
            assert any(need.least or need.others or need.ways for need in row.needs)


def last_round(seed: int, count: int, **charter: Any) -> Event:
    """A round robin with all games played but those of its last round."""
    rng = Random(seed)
    games = 2 if charter.get("meeting") == "pair" else 1
    rounds = circle_table(count, cycles=1)
    told = [
        [
            f"{one + 1} {other + 1} "
            + ("." * games if index == len(rounds) - 1 else "".join(rng.choices("+=-fF", k=games)))
            for one, other in pairs
        ]
        for index, pairs in enumerate(rounds)
    ]
    order = tuple(rng.sample(TIE_BREAKS, rng.randint(1, len(TIE_BREAKS))))
    return make_event(
        told, entrants=count, **{"format": "round_robin", "tie_breaks": order, **charter}
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 7), st.integers(0, 2**32), st.integers(1, 3))
def test_the_last_round_of_single_games_is_exact(count: int, seed: int, places: int) -> None:
    event = last_round(seed, count, meeting="single")
    check(event, prospects(event, places=places))


@settings(max_examples=8, deadline=None)
@given(st.integers(3, 5), st.integers(0, 2**32), st.sampled_from(["pair", "bid"]))
def test_the_last_round_of_pairs_and_of_bids_is_exact(count: int, seed: int, meeting: str) -> None:
    event = last_round(seed, count, meeting=meeting)
    check(event, prospects(event))


def test_the_last_round_of_twelve_is_exact() -> None:
    event = last_round(5, 12, meeting="single", tie_breaks=())
    found = prospects(event)
    assert found.ways == 3**6
    check(event, found)


def test_the_last_round_of_twelve_with_pairs_of_games_is_exact() -> None:
    event = last_round(5, 12, meeting="pair", tie_breaks=())
    found = prospects(event)
    assert (found.method, found.ways, found.open_games) == ("exact", 3**12, 12)
    rng = Random(1)
    ends = [_random_end(event, rng) for _ in range(150)]
    for row in found.rows:
        for end in ends:
            is_first = any(
                each.place == 1 and each.entrant == row.entrant for each in standings(end)
            )
            assert row.state != "certain" or is_first
            assert row.state != "out" or not is_first
            for need in row.needs:
                if not need.ways and is_met(need, event, end, row.entrant):
                    assert is_first


def _random_end(event: Event, rng: Random) -> Event:
    for each in event.encounters:
        for index, game in enumerate(each.games):
            if game.result is None:
                gold = rng.choice((0, 1, 2))
                event = with_result(event, each.number, index, Result(gold, 2 - gold))
    return event


@settings(max_examples=15, deadline=None)
@given(st.integers(4, 8), st.integers(0, 2**32))
def test_the_last_games_of_a_swiss_event_are_exact(count: int, seed: int) -> None:
    rng = Random(seed)
    numbers = list(range(1, count + 1))
    rounds = []
    for round_ in range(3):
        rng.shuffle(numbers)
        signs = "+=-F" if round_ < 2 else ".."
        told = [
            f"{one} {other} {rng.choice(signs)}"
            for one, other in zip(numbers[::2], numbers[1::2], strict=False)
        ]
        rounds.append(told + ([str(numbers[-1])] if count % 2 else []))
    order = tuple(rng.sample(TIE_BREAKS, 3))
    event = make_event(rounds, entrants=count, rounds=3, tie_breaks=order)
    check(event, prospects(event))


def test_what_two_need_who_are_level_and_play_others() -> None:
    rounds = [["1 2 ="], ["1 3 +", "2 4 +"], ["1 4 .", "2 3 ."], ["3 4 ="]]
    event = make_event(rounds, format="round_robin", tie_breaks=("wins",))
    row = prospects(event).rows[0]
    assert row.entrant == 1
    assert row.needs == (
        Need(2),
        Need(1, (Condition(5, 2, 3, 1, 0, 1),)),
        Need(0, (Condition(5, 2, 3, 1, 0, 0),)),
    )


def test_who_was_disqualified_wins_nothing() -> None:
    event = with_entrant(last_round(3, 5, meeting="single"), 1, standing="disqualified")
    check(event, prospects(event))


def test_a_table_that_is_over_is_certain() -> None:
    event = make_event([["1 2 +"]], format="round_robin")
    found = prospects(event)
    assert [row.state for row in found.rows] == ["certain", "out"]
    assert (found.ways, found.open_games) == (1, 0)


def test_too_many_ways_are_tried_out_and_told_so() -> None:
    told = [[f"{one} {other} ." for one, other in combinations(range(1, 13), 2)]]
    event = make_event(told, format="round_robin")
    found = prospects(event)
    assert (found.method, found.open_games) == ("simulated", 66)
    assert found.ways == 2000
    assert sum(row.good for row in found.rows) == found.ways
    assert {row.state for row in found.rows} == {"possible"}
    assert prospects(event) == found
    assert prospects(replace(event, acts=9)).rows != found.rows


def test_trials_do_not_hide_what_points_make_certain() -> None:
    rounds = [["1 2 +", "3 4 =", "5 6 ="], ["1 3 +", "2 5 =", "4 6 ="]]
    rounds += [
        ["1 4 +", "2 6 .", "3 5 ."],
        ["1 5 +", "2 3 .", "4 6 ."],
        ["1 6 +", "2 4 .", "3 5 ."],
    ]
    event = make_event(rounds, rounds=6, tie_breaks=("buchholz",))
    found = prospects(event)
    assert found.method == "simulated"
    assert found.rows[0].entrant == 1
    assert found.rows[0].state == "certain"
    assert {row.state for row in found.rows[1:]} == {"out"}


def test_the_better_rating_wins_more_trials() -> None:
    told = [[f"{one} {other} ." for one, other in combinations(range(1, 12), 2)]]
    event = with_entrant(make_event(told, format="round_robin"), 7, rating=2100)
    best = max(prospects(event).rows, key=lambda row: row.good)
    assert best.entrant == 7


def test_who_is_in_a_knock_out_can_win_it() -> None:
    event = make_event([["1 4 +", "2 3 ."]], format="knockout")
    states = {row.entrant: row.state for row in prospects(event).rows}
    assert states == {1: "possible", 2: "possible", 3: "possible", 4: "out"}
    event = make_event([["1 4 +", "2 3 +"], ["1 2 -"]], format="knockout")
    assert prospects(event).rows[0].state == "certain"


def test_nothing_is_told_before_anything_was_paired() -> None:
    assert prospects(make_event([], entrants=4, format="round_robin")).method == "none"


def test_a_ladder_has_nobody_who_wins() -> None:
    event = replace(make_event([["1 2 ."]], format="ladder"), ladder=(1, 2))
    assert prospects(event).method == "none"


@pytest.mark.parametrize(
    ("charter", "stage", "places"),
    [
        ({"format": "round_robin"}, "", 1),
        ({"format": "round_robin", "group_size": 4, "finalists": 3}, "A", 3),
        ({"format": "round_robin", "group_size": 4, "finalists": 3}, "final", 1),
        ({"format": "league", "movers": 2}, "S1/1", 1),
        ({"format": "league", "movers": 2}, "S1/2", 2),
    ],
)
def test_what_a_table_is_played_for(charter: dict[str, Any], stage: str, places: int) -> None:
    assert goal(make_event([["1 2 +"]], stage=stage, **charter), stage) == places


def test_teams_are_tried_out_and_what_points_say_is_certain() -> None:
    terms: dict[str, Any] = {"format": "teams", "boards": 2, "meeting": "single", "pace": "rounds"}
    seen: list[Event] = []
    event = opened(8, team_size=2, **terms)
    simulate(event, 4, watch=lambda before, _: seen.append(before), draw=0.3)
    before = [each for each in seen if each.round]
    for each in (*before, simulate(event, 4, draw=0.3).event):
        found = prospects(each)
        assert found.method == "simulated"
        assert sum(row.good for row in found.rows) == found.ways
        for row in found.rows:
            assert row.state != "certain" or row.good == found.ways
            assert row.state != "out" or row.good == 0
