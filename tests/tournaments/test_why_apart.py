"""Why two do not meet, where brackets, challenges and boards decide."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.tournaments import ladder, progress, teams
from pbem.tournaments.event import Answer, Event, Result
from pbem.tournaments.why_not import why_not
from tests.tournaments.simulating import STARTS, opened, with_result


def running(count: int, **terms: Any) -> Event:
    return replace(opened(count, **{"meeting": "single", **terms}), phase="running")


def reasons(event: Event, one: int, other: int) -> list[tuple[str, dict[str, int | str]]]:
    """Why two do not meet in what is paired next."""
    made = progress.pair(event, seed=b"seed")
    return [(why.code, why.facts) for why in why_not(event, made, one, other)]


@pytest.mark.parametrize(("other", "number"), [(5, 2), (4, 2), (2, 3), (6, 3)])
def test_in_a_bracket_two_meet_where_their_lines_do(other: int, number: int) -> None:
    both = {"entrant": 1, "other": other}
    found = reasons(running(8, format="knockout"), 1, other)
    assert found == [("knockout_apart", {**both, "round": number})]


def test_who_is_out_of_a_knockout_meets_nobody() -> None:
    event = running(4, format="knockout")
    event = replace(event, encounters=progress.pair(event, seed=b"seed"))
    for each in event.encounters:
        gold = 2 if each.games[0].gold < each.games[0].black else 0
        event = with_result(event, each.number, 0, Result(gold, 2 - gold))
    assert reasons(event, 1, 3) == [("knockout_out", {"entrant": 3, "round": 1})]
    assert [code for code, _ in reasons(event, 1, 4)] == ["meet_in_round"]
    assert reasons(event, 1, 2)[0][0] == "they_meet"


@pytest.mark.parametrize("answer", ["open", "declined", "excused", "lapsed", "withdrawn"])
def test_on_a_ladder_the_last_challenge_tells(answer: Answer) -> None:
    event = ladder.begun(running(5, format="ladder"), STARTS)
    assert reasons(event, 2, 3) == [("no_challenge", {"entrant": 2, "other": 3})]
    event = ladder.answered(ladder.challenged(event, 3, 2, STARTS), 1, answer, STARTS)
    assert reasons(event, 2, 3) == [(f"challenge_{answer}", {"challenger": 3, "challenged": 2})]


def test_in_a_team_match_teams_and_boards_tell() -> None:
    event = teams.begun(running(9, team_size=3, format="teams", boards=3, pace="rounds"))
    assert [code for code, _ in reasons(event, 1, 2)] == ["team_same"]
    assert reasons(event, 1, 5) == [
        ("team_other_board", {"entrant": 1, "other": 5, "board": 1, "other_board": 2})
    ]
    # In each round one of the pairs of teams meets; the two other pairs say when they will.
    codes = [reasons(event, one, other)[0] for one, other in ((1, 4), (4, 7), (1, 7))]
    assert sorted(code for code, _ in codes) == ["team_round", "team_round", "they_meet"]
    assert {facts["round"] for code, facts in codes if code == "team_round"} == {2, 3}
