"""Keys of positions: what is the same to players has one key, whatever else differs."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.position_line import format_position, parse_position
from pbem.archive.positions import position_key, turned_keys
from pbem.archive.turning import turn_position, turnings_of
from pbem.games.ortus.arena import get_arena, make_arena
from pbem.games.ortus.position import Position, from_line
from tests.ortus.positions import random_position

LINE = (
    "origin master g 7 | 22 9 | 1 0 | K1 - "
    "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1 "
    "| W1@G11 F2@I11 E3@F12 A4@H11 A5@L8 E6@C15 F7@D12 W8@A15"
)


def at(line: str, **rules: object) -> Position:
    parsed = parse_position(line)
    return from_line(parsed, get_arena(parsed.arena), **rules)  # type: ignore[arg-type]


def exact(line: str, **rules: object) -> int:
    return position_key(at(line, **rules))


@given(st.integers(0, 10**9), st.integers(0, 4))
def test_turned_boards_have_the_same_keys(seed: int, level: int) -> None:
    position = random_position(Random(seed), level=level)
    keys = turned_keys(position)
    assert position_key(position) in keys
    assert sorted(sum(keys.values(), ())) == sorted(turnings_of(position.rules.arena))
    for key, turnings in keys.items():
        assert -(2**63) <= key < 2**63
        for turning in turnings:
            turned = turn_position(position, turning)
            assert position_key(turned) == key
            assert turned_keys(turned).keys() == keys.keys()


@given(st.integers(0, 10**9), st.integers(0, 4))
def test_the_line_tells_the_key(seed: int, level: int) -> None:
    """What N4 does not write down is in no key, but for dice and handicap."""
    position = random_position(Random(seed), level=level)
    rules = position.rules
    line = parse_position(format_position(position.line()))
    again = from_line(
        line, rules.arena, dicey=rules.dicey, bonus=rules.bonus, collecting=rules.collecting
    )
    again.round = 77
    assert position_key(again) == position_key(position)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("g 7", "b 7"),
        ("22 9", "22 8"),
        ("22 9", "9 22"),
        ("master", "water"),
        ("origin", "crown"),
        ("K1 -", "L1 -"),
        ("1 0 | K1 -", "0 1 | - K15"),
        ("1 0 | K1 -", "2 0 | K2 -"),
        ("E3@F9", "E3@F10"),
        ("E3@F9", "E3@x"),
        ("W1@F6 F2@I6", "W1@I6 F2@F6"),
    ],
)
def test_another_position_has_another_key(old: str, new: str) -> None:
    assert old in LINE
    changed = LINE.replace(old, new, 1).replace("K15", "F15")
    assert exact(changed) != exact(LINE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("g 7", "g 31"),
        ("W1@F6", "W8@F6"),
        ("A4@J7 A5@L1", "A4@L1 A5@J7"),
        # Another set-up led there: Earth on slot 2, Fire on slot 3.
        ("F2@I6 E3@F9", "E2@F9 F3@I6"),
    ],
)
def test_what_players_do_not_see_is_in_no_key(old: str, new: str) -> None:
    changed = LINE.replace(old, new, 1)
    if new == "W8@F6":
        changed = changed.replace("W8@F6", "W1@O1", 1).replace("W8@O1", "W8@F6", 1)
    assert changed != LINE
    assert exact(changed) == exact(LINE)


def test_dice_and_handicap_are_other_games() -> None:
    found = {
        exact(LINE),
        exact(LINE, dicey=True),
        exact(LINE, bonus=(2, 0)),
        exact(LINE, bonus=(0, 2)),
        exact(LINE, collecting=((16, 20, 24, 27, 30), (14, 18, 22, 25, 28))),
    }
    assert len(found) == 5


def test_an_arena_is_its_hexes_and_not_its_name() -> None:
    wells = ("F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10")
    line = parse_position(LINE)
    named = from_line(line, make_arena("mine", wells=wells))
    cut = from_line(line, make_arena("mine", wells=wells, cuts=("H6", "H10")))
    assert position_key(named) == position_key(at(LINE))
    assert position_key(cut) != exact(LINE)


def test_two_guides_may_stand_on_one_hex() -> None:
    both = LINE.replace("1 0 | K1 -", "7 7 | H7 H7")
    other = LINE.replace("1 0 | K1 -", "7 7 | H9 H9")
    assert len({exact(both), exact(other), exact(LINE)}) == 3


def test_keys_are_the_same_in_every_process() -> None:
    code = (
        "from tests.archive.test_positions import LINE, at; "
        "from pbem.archive.positions import position_key; print(position_key(at(LINE)))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert printed == {f"{position_key(at(LINE))}\n"}
    # Rows in a store outlive the program: a change here needs the index made anew.
    assert position_key(at(LINE)) == -1162407778829423301


def test_a_board_that_looks_the_same_turned_has_fewer_keys() -> None:
    gold = "W1@H1 F2@I1 E3@J1 A4@K1 A5@L1 E6@M1 F7@N1 W8@O1"
    black = "W1@H15 F2@G15 E3@F15 A4@E15 A5@D15 E6@C15 F7@B15 W8@A15"
    keys = turned_keys(at(f"origin master g 1 | 7 14 | 0 0 | - - | {gold} | {black}"))
    assert sorted(keys.values()) == [(0, 2), (1, 3)]
