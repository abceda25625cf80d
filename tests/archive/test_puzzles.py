"""Puzzles: goals, solutions that hold whatever the defender answers, and how many there are."""

from __future__ import annotations

from typing import Any

import pytest

from notation.reading import parse_orders
from notation.record_reading import parse_record
from notation.writing import format_plan
from pbem.archive import solving
from pbem.archive.asked import position_from_line
from pbem.archive.puzzles import (
    Goal,
    NotAPuzzle,
    Problem,
    Puzzle,
    check_puzzle,
    parse_goal,
    try_plan,
)
from pbem.archive.solving import find_first_attacks
from pbem.games.ortus.actions import Action
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.position import Position
from pbem.tongue import ENGLISH
from tests.ortus.games import SIX, TWO_ARCHERS, line

LIVELY = (
    "origin master g 7 | 28 9 | 1 0 | K1 - "
    "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L3 E6@M3 F7@I3 W8@O3 "
    "| W1@G11 F2@I11 E3@F12 A4@H11 A5@L8 E6@C13 F7@D12 W8@A13"
)
"""Everybody is out, and Gold has Energy for a turn of many orders."""

# W1 and F2 can each shoot at I4 for 3 Energy; Black can save it once, for 4.
ARCHERS: dict[str, Any] = {**TWO_ARCHERS, "energy": (6, 4)}
SOLUTION = "W1 rng I4=-; end\n    (W1 rng I4=+; F2 rng I4=-; end)"


def record(goal: str, orders: str, **place: Any) -> str:
    text = line(**place)
    arena, level = text.split()[:2]
    side = {"gold": "5g", "black": "5b"}[place.get("to_move", "gold")]
    tags = {
        "Event": "?",
        "Site": "?",
        "Date": "????.??.??",
        "Round": "-",
        "Gold": "?",
        "Black": "?",
        "Result": "*",
        "Termination": "unfinished",
        "Arena": arena,
        "Level": level,
        "Dice": "clean",
        "Position": text,
    }
    if goal:
        tags["Goal"] = goal
    written = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items())
    return f"{written}\n{side}. {orders}\n*\n"


def checked(goal: str, orders: str, **place: Any) -> Puzzle:
    return check_puzzle(parse_record(record(goal, orders, **place)))


def wrong(goal: str, orders: str, **place: Any) -> list[str]:
    return codes(record(goal, orders, **place))


def codes(text: str) -> list[str]:
    with pytest.raises(NotAPuzzle) as refused:
        check_puzzle(parse_record(text))
    return [each.code for each in refused.value.wrong]


def test_a_solution_answers_every_defence() -> None:
    found = checked("honour 1", SOLUTION, **ARCHERS)
    assert found.goal == Goal("honour", 1)
    assert format_plan(found.solution) == "W1 rng I4 [+: F2 rng I4; end]; end"


def test_a_variation_may_stand_at_the_attack_too() -> None:
    orders = "W1 rng I4=-\n    (W1 rng I4=+; F2 rng I4=-; end)\n    end"
    found = checked("honour 1", orders, **ARCHERS)
    assert format_plan(found.solution) == "W1 rng I4 [+: F2 rng I4; end]; end"


def test_what_follows_an_attack_holds_for_every_verdict_without_a_variation() -> None:
    # With 5 Energy Black cannot save twice; the same two shots do whatever is answered first.
    found = checked("honour 1", "W1 rng I4=+; F2 rng I4=-; end", **ARCHERS)
    assert format_plan(found.solution) == "W1 rng I4; F2 rng I4; end"


def test_a_solution_that_can_be_parried_is_none() -> None:
    with pytest.raises(NotAPuzzle) as refused:
        checked("honour 1", "W1 rng I4=-; end", **ARCHERS)
    [problem] = refused.value.wrong
    assert isinstance(problem, Problem)
    assert problem.say(ENGLISH).endswith("when it goes like this: W1 rng I4=I4+")
    rich = {**ARCHERS, "energy": (6, 8)}
    assert wrong("honour 1", SOLUTION.replace("F2 rng I4=-", "F2 rng I4=+"), **rich) == [
        "not_reached"
    ]


def test_wells_and_winning() -> None:
    wells = {"gold": "E3@F6 W1@I6 F2@L6 A4@J5", "energy": (5, 14)}
    assert wrong("wells 3", "A4>J4; end", **wells) == ["already_reached"]
    place = {**wells, "gold": "E3@F6 W1@I6 F2@L6 A4@N6", "energy": (2, 14)}
    assert checked("wells 4", "A4>N8; end", **place).goal == Goal("wells", 4)
    assert wrong("wells 4", "A4>N7; end", **place) == ["not_reached"]
    last = {**ARCHERS, "guide": ("H7", None), "energy": (6, 3)}
    won = record("win", "W1 rng I4=-", **last).replace('"*"', '"1-0"').replace("\n*\n", "\n1-0\n")
    found = check_puzzle(parse_record(won.replace('"unfinished"', '"guide"')))
    assert found.goal.say("Gold", ENGLISH) == "Gold is to win in this turn."


@pytest.mark.parametrize(
    ("goal", "code"), [("", "no_goal"), ("mate", "no_goal"), ("honour 9", "no_goal")]
)
def test_goals_that_are_none(goal: str, code: str) -> None:
    assert wrong(goal, SOLUTION, **ARCHERS) == [code]


@pytest.mark.parametrize("text", ["win", "honour 3", "wells 4"])
def test_goals_are_read_and_written(text: str) -> None:
    assert str(parse_goal(text)) == text


def test_records_that_are_no_puzzles() -> None:
    diced = record("win", "W1 rng I4(4)=-; end", **ARCHERS).replace("clean", "dicey")
    assert codes(diced) == ["dicey"]
    assert wrong("honour 1", "W1 rng H8=-; end", **ARCHERS) == ["target_empty"]
    two = record("honour 1", "end\n5b. end", **ARCHERS)
    assert codes(two) == ["not_one_turn"]


def test_an_attempt_is_a_plan_of_its_own() -> None:
    found = checked("honour 1", SOLUTION, **ARCHERS)

    def tried(text: str) -> tuple[int, int]:
        done = try_plan(found.position, found.goal, parse_orders(text))
        return len(done.reached), len(done.missed)

    assert tried("F2 rng I4; W1 rng I4; end")[1] == 0
    assert tried("F2 rng I4 [+: W1 rng I4]; end")[1] == 0
    assert tried("F2 rng I4; end") == (1, 1)
    assert tried("end") == (0, 1)


@pytest.mark.parametrize("goal", ["win", "honour 8", "honour 1"])
def test_looking_for_attacks_ends_however_much_there_is_to_look_at(
    goal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = 0

    def counted(position: Position) -> list[Action]:
        nonlocal looked
        looked += 1
        return legal_actions(position)

    monkeypatch.setattr(solving, "legal_actions", counted)
    find_first_attacks(position_from_line(LIVELY), parse_goal(goal), limit=300)
    assert 0 < looked <= 300


def test_all_first_attacks_are_found_where_that_can_be_known() -> None:
    # Black saves nobody, and after a shot there is no Energy left to walk.
    place = {**TWO_ARCHERS, "energy": (3, 3)}
    found = checked("honour 1", "W1 rng I4=-; end", **place)
    assert find_first_attacks(found.position, found.goal) == ("F2 rng I4", "W1 rng I4")
    assert find_first_attacks(found.position, found.goal, limit=1) is None
    assert find_first_attacks(found.position, Goal("wells", 1)) is None


def test_the_target_of_six_streams_tells_solutions_apart() -> None:
    # One step for A4, and each of the three can be the target of its landing on F6.
    found = checked("honour 2", "A4 six G6@F6=G6+,F7-,G5-; end", **{**SIX, "energy": (1, 5)})
    attacks = find_first_attacks(found.position, found.goal)
    assert attacks == ("A4 six F7@F6", "A4 six G5@F6", "A4 six G6@F6")
