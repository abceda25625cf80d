"""Events of every format, played to their ends by the clock: their tables are what they must be."""

from __future__ import annotations

from datetime import timedelta
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments import knockout
from pbem.tournaments.event import Event
from pbem.tournaments.explaining import explanations
from pbem.tournaments.sheets import stages
from pbem.tournaments.standings import standings, table_of
from pbem.tournaments.team_table import team_table
from pbem.tournaments.teams import matches
from tests.tournaments.simulating import OPENED, opened, simulate
from tests.tournaments.slow_table import SlowTable
from tests.tournaments.test_tables_slowly import check, compare

TABLES: list[dict[str, Any]] = [
    {"format": "swiss", "meeting": "single", "round_days": 30},
    {"format": "swiss", "meeting": "pair", "bye_worth": "draw"},
    {"format": "round_robin", "meeting": "single", "group_size": 4},
    {"format": "round_robin", "meeting": "bid", "cycles": 2},
    {"format": "league", "size": 4, "rounds": 2, "meeting": "single"},
]


def check_all(event: Event) -> None:
    for stage in stages(event):
        table, slow = table_of(event, stage), SlowTable(event, stage)
        compare(table, slow)
        for told in explanations(table):
            check(told, table, slow)


@pytest.mark.parametrize("terms", TABLES)
@settings(max_examples=6, deadline=None)
@given(count=st.integers(5, 16), seed=st.integers(0, 2**32))
def test_tables_of_whole_events(terms: dict[str, Any], count: int, seed: int) -> None:
    late = 0.02 if terms["format"] == "swiss" else 0.0
    world = simulate(opened(count, **terms), seed, leaving=0.002, late=late, draw=0.3)
    check_all(world.event)
    assert not table_of(world.event, stages(world.event)[-1]).is_provisional


def test_tables_of_a_whole_event_of_128() -> None:
    event = opened(128, format="swiss", meeting="single")
    check_all(simulate(event, 1, leaving=0.0005, draw=0.2).event)


@settings(max_examples=10, deadline=None)
@given(count=st.integers(2, 33), seed=st.integers(0, 2**32), third=st.booleans())
def test_a_knock_out_is_in_the_order_of_its_bracket(count: int, seed: int, third: bool) -> None:
    event = opened(count, format="knockout", third_place=third)
    event = simulate(event, seed, leaving=0.001, draw=0.3).event
    shared = [
        sorted(row.entrant for row in rows)
        for _, rows in groupby(standings(event), key=lambda row: row.place)
    ]
    assert shared == [sorted(group) for group in knockout.places(event)]
    assert len(explanations(table_of(event))) == count - 1


def test_a_ladder_is_in_the_order_of_its_rungs() -> None:
    until = OPENED + timedelta(days=200)
    event = simulate(opened(12, format="ladder"), 3, until=until, late=0.02, leaving=0.001).event
    on_it = [row.entrant for row in standings(event) if row.entrant in event.ladder]
    assert on_it == list(event.ladder)


@settings(max_examples=8, deadline=None)
@given(count=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_teams_are_ordered_by_matches_and_then_by_boards(count: int, seed: int) -> None:
    terms: dict[str, Any] = {"format": "teams", "boards": 3, "meeting": "single", "pace": "rounds"}
    event = simulate(opened(3 * count, team_size=3, **terms), seed, draw=0.3).event
    found = team_table(event)
    won = dict.fromkeys(event.teams, 0)
    boards = dict.fromkeys(event.teams, 0)
    for match in matches(event):
        for side in (0, 1):
            won[match.teams[side]] += match.points[side]
            boards[match.teams[side]] += match.board_points[side]
    rows = found.table.rows
    assert {found.name(row.entrant): row.points for row in rows} == won
    keys = [(won[found.name(row.entrant)], boards[found.name(row.entrant)]) for row in rows]
    assert keys == sorted(keys, reverse=True)
    for told in explanations(found.table):
        if told.code == "board_points":
            above, below = int(told.facts["above"]), int(told.facts["below"])
            assert won[found.name(above)] == won[found.name(below)]
            assert boards[found.name(above)] > boards[found.name(below)]
            assert told.facts["more"] == boards[found.name(above)]
    check_all(event)
