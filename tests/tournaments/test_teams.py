"""Team matches: boards, starts, reserves, and what matches come to."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments import progress, teams
from pbem.tournaments.event import Encounter, Event, Result
from tests.tournaments.simulating import opened, simulate, with_result, with_standing


def begun(count: int, team_size: int, **terms: Any) -> Event:
    charter = {"meeting": "single", "pace": "rounds", **terms}
    event = opened(count, team_size=team_size, format="teams", **charter)
    return teams.begun(replace(event, phase="running"))


def paired(event: Event) -> Event:
    made = teams.pair(event, seed=b"seed")
    number = progress.round_after(event, made)
    return replace(event, encounters=(*event.encounters, *made), round=number)


def team_of(event: Event, number: int | None) -> str:
    return "" if number is None else event.entrant(number).team


def test_boards_are_as_entered_and_then_in_the_order_of_entering() -> None:
    event = opened(6, team_size=3, format="teams")
    boards = (0, 2, 1, 0, 0, 7)
    event = replace(
        event,
        entrants=tuple(
            replace(each, board=board) for each, board in zip(event.entrants, boards, strict=True)
        ),
    )
    event = teams.begun(with_standing(event, (4,), "withdrawn"))
    assert event.teams == ("Team 1", "Team 2")
    assert [each.board for each in event.entrants] == [3, 2, 1, 0, 2, 1]


def test_each_plays_who_has_the_same_board_and_starts_alternate() -> None:
    event = paired(begun(8, 4))
    assert [each.entrants for each in event.encounters] == [(5, 1), (2, 6), (7, 3), (4, 8)]
    assert [each.board for each in event.encounters] == [1, 2, 3, 4]
    assert [each.games[0].gold for each in event.encounters] == [5, 2, 7, 4]
    assert [why.code for why in event.encounters[0].why] == ["team_board", "team_start"]


def test_the_second_match_of_two_teams_swaps_the_starts() -> None:
    event = paired(begun(8, 4, cycles=2))
    first = event.encounters
    event = paired(event)
    second = event.encounters[4:]
    assert [each.entrants[::-1] for each in second] == [each.entrants for each in first]


def test_all_matches_are_paired_at_once_if_all_games_begin_together() -> None:
    event = paired(begun(12, 4, pace="together"))
    assert event.round == 3
    assert len(event.encounters) == 12
    assert len(teams.matches(event)) == 3


def test_the_first_reserve_takes_the_board_of_who_left_and_keeps_it() -> None:
    event = begun(15, 5, boards=3)
    assert teams.line_up(event, "Team 1") == (1, 2, 3)
    event = with_standing(event, (2,), "withdrawn")
    assert teams.line_up(event, "Team 1") == (1, 4, 3)
    event = paired(paired(event))
    assert any(each.board == 2 and 4 in each.entrants for each in event.encounters)
    event = with_standing(event, (1,), "disqualified")
    assert teams.line_up(event, "Team 1") == (5, 4, 3)
    event = with_standing(event, (3,), "withdrawn")
    assert teams.line_up(event, "Team 1") == (5, 4, None)


def test_a_board_without_a_player_is_won_by_the_other_team() -> None:
    event = paired(with_standing(begun(8, 4), (5, 6, 7), "withdrawn"))
    byes = [each for each in event.encounters if each.is_bye]
    assert [each.home for each in byes] == [1, 2, 3]
    assert {why.code for each in byes for why in each.why} == {"team_board_empty"}
    (match,) = teams.matches(event)
    assert match.teams == ("Team 2", "Team 1")
    assert match.board_points == (0, 6)
    assert not match.is_over


def test_a_team_without_anybody_left_still_has_a_match() -> None:
    event = begun(9, 3, boards=3)
    event = paired(with_standing(event, (4, 5, 6), "withdrawn"))
    lost = [match for match in teams.matches(event) if "Team 2" in match.teams]
    assert len(lost) <= 1
    for match in lost:
        mine = match.teams.index("Team 2")
        assert match.board_points[mine] == 0
        assert match.points[mine] == 0


@pytest.mark.parametrize(
    ("golds", "board_points", "points"),
    [
        ((2, 0, 2, 0), (8, 0), (2, 0)),
        ((0, 2, 0, 2), (0, 8), (0, 2)),
        ((2, 2, 2, 2), (4, 4), (1, 1)),
        ((1, 1, 1, 0), (5, 3), (2, 0)),
    ],
)
def test_a_match_is_won_with_more_points_on_its_boards(
    golds: tuple[int, ...], board_points: tuple[int, int], points: tuple[int, int]
) -> None:
    event = paired(begun(8, 4))
    for number, gold in enumerate(golds, 1):
        event = with_result(event, number, 0, Result(gold, 2 - gold))
    (match,) = teams.matches(event)
    assert (match.board_points, match.points, match.is_over) == (board_points, points, True)


@settings(max_examples=40, deadline=None)
@given(
    count=st.integers(2, 12),
    boards=st.integers(1, 8),
    cycles=st.integers(1, 2),
    pace=st.sampled_from(["together", "rounds"]),
    seed=st.integers(0, 2**32),
)
def test_starts_are_balanced_within_one_on_every_board_and_in_every_match(
    count: int, boards: int, cycles: int, pace: Any, seed: int
) -> None:
    event = opened(
        count * boards,
        team_size=boards,
        format="teams",
        boards=boards,
        cycles=cycles,
        pace=pace,
        meeting="single",
    )
    world = simulate(event, seed)
    starts: Counter[int] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    in_match: Counter[tuple[int, str]] = Counter()
    for each in world.event.encounters:
        game = each.games[0]
        starts[game.gold] += 1
        starts[game.black] -= 1
        one, other = (world.event.entrant(number) for number in (game.gold, game.black))
        assert one.board == other.board == each.board
        in_match[each.round, one.team] += 1
        in_match[each.round, other.team] -= 1
        if each.board == 1:
            met[min(one.team, other.team), max(one.team, other.team)] += 1
    assert all(abs(tilt) <= 1 for tilt in starts.values())
    assert all(abs(tilt) <= 1 for tilt in in_match.values())
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {cycles}


@settings(max_examples=30, deadline=None)
@given(count=st.integers(2, 12), reserves=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_nobody_plays_on_two_boards_or_against_their_own_team(
    count: int, reserves: int, seed: int
) -> None:
    boards: dict[int, int] = {}

    def watch(before: Event, encounters: tuple[Encounter, ...]) -> None:
        playing: Counter[tuple[int, int]] = Counter()
        for each in encounters:
            assert team_of(before, each.home) != team_of(before, each.away)
            for number in each.entrants:
                playing[each.round, number] += 1
                assert boards.setdefault(number, each.board) == each.board
        assert set(playing.values()) == {1}

    size = 3 + reserves
    event = opened(count * size, team_size=size, format="teams", boards=3, pace="rounds")
    world = simulate(event, seed, watch=watch, leaving=0.003)
    for match in teams.matches(world.event):
        assert match.is_over
        assert sum(match.board_points) <= 3 * 4
