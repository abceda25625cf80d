"""Patterns on drawn boards, and against a slow reading of the same words on random ones."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.position_line import parse_position
from pbem.archive.patterns import NAMES
from pbem.archive.turning import swaps_houses, turn_position, turnings_of
from pbem.games.ortus.arena import get_arena
from pbem.games.ortus.hexes import BLACK, GOLD, HEXES, NEIGHBOURS, OFF_BOARD, STEPS
from pbem.games.ortus.position import Position, from_line
from tests.archive.patterns_seen import find_patterns
from tests.ortus.games import line
from tests.ortus.positions import random_position

# The warriors of a House are W1 F2 E3 A4 A5 E6 F7 W8.
BOARDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # pattern: Gold has it, Gold has it not
    "fires-aim-together": (
        {"gold": "F2@F6 F7@I3", "black": "W1@I6"},
        {"gold": "F2@F6 F7@I3 W1@I4", "black": "W1@I6"},
    ),
    "earth-revealed-on-well": (
        {"level": "earth", "gold": "E3@I6", "black": "E3@I9"},
        {"level": "earth", "gold": "E3@I6", "black": "E3@I9 W1@I8"},
    ),
    "earth-covered-on-well": (
        {"level": "earth", "gold": "E3@I6", "black": "E3@I9 W1@I8"},
        {"level": "wind", "gold": "E3@I6", "black": "E3@I9 W1@I8"},
    ),
    "three-wells": ({"gold": "E3@F6 W1@I6 F2@L6"}, {"gold": "E3@F6 W1@I6"}),
    "four-wells": ({"gold": "E3@F6 W1@I6 F2@L6 A4@B8"}, {"gold": "E3@F6 W1@I6 F2@L6"}),
    "seven-honour": ({"guide": ("H7", None)}, {"guide": ("H6", None)}),
    "guide-on-well": ({"guide": ("I6", None)}, {"guide": ("H6", "I6")}),
    "phoenix": (
        {"level": "master", "gold": "F2@F6 F7@F9"},
        {"level": "water", "gold": "F2@F6 F7@F9"},
    ),
    "shielded-on-well": (
        {"level": "master", "gold": "F2@F4 F7@D6 A4@F6"},
        {"level": "master", "gold": "F2@F4 F7@D7 A4@F6"},
    ),
    "row-of-three": (
        {"gold": "W1@F6 A4@G6 E3@K6"},
        {"gold": "W1@F6 A4@G6 E3@K6", "black": "W1@J6"},
    ),
    "three-around-a-hex": (
        {"gold": "W1@F6 A4@H6 E3@F7"},
        {"gold": "W1@F6 A4@H6 E3@F7", "black": "W1@G6"},
    ),
    "both-winds-deep": ({"gold": "W1@F9 W8@F12"}, {"gold": "W1@F8 W8@F12"}),
    "three-fallen": ({"gold": "W1@x W8@x E3@x"}, {"gold": "W1@x W8@x"}),
    "haven-empty": (
        {"gold": "W1@F6 F2@C7 E3@K2 A4@K4 A5@M3 E6@G10 F7@L8 W8@M5"},
        {"gold": "W1@F6 F2@C7 E3@K2 A4@K4 A5@M3 E6@G10 F7@L8 W8@O1"},
    ),
    "nothing-to-defend-with": (
        {"to_move": "black", "energy": (2, 14)},
        {"to_move": "gold", "energy": (2, 14)},
    ),
}


def at(place: dict[str, Any]) -> Position:
    parsed = parse_position(line(**place))
    return from_line(parsed, get_arena(parsed.arena))


@pytest.mark.parametrize("name", NAMES)
def test_a_pattern_on_a_board(name: str) -> None:
    there, missing = BOARDS[name]
    assert name in find_patterns(at(there), GOLD)
    assert name not in find_patterns(at(missing), GOLD)
    assert name not in find_patterns(at(there), BLACK)


@pytest.mark.parametrize(
    ("black", "why"),
    [("W1@F8", "beside a Fire"), ("E3@I6", "a covered Earth"), ("W1@O1", "in no line")],
)
def test_what_fires_cannot_aim_at(black: str, why: str) -> None:
    place = {"level": "earth", "gold": "F2@F6 F7@I3", "black": black.replace("W1@O1", "W1@O2")}
    if why == "beside a Fire":
        place["gold"] = "F2@F7 F7@F12"
    assert "fires-aim-together" not in find_patterns(at(place), GOLD), why


@given(st.integers(0, 10**9), st.integers(0, 4))
def test_patterns_turn_with_the_board(seed: int, level: int) -> None:
    position = random_position(Random(seed), level=level)
    for turning in turnings_of(position.rules.arena):
        turned = turn_position(position, turning)
        for house in (GOLD, BLACK):
            there = 1 - house if swaps_houses(turning) else house
            assert find_patterns(turned, there) == find_patterns(position, house)


@given(st.integers(0, 10**9))
def test_rows_and_rings_by_walking_over_the_board(seed: int) -> None:
    position = random_position(Random(seed), level=4)
    for house in (GOLD, BLACK):
        found = find_patterns(position, house)
        assert ("row-of-three" in found) is slow_row(position, house)
        assert ("three-around-a-hex" in found) is slow_ring(position, house)


def _empty(position: Position, hex_: int) -> bool:
    taken = position.occupied[GOLD] | position.occupied[BLACK]
    return hex_ >= 0 and bool(position.rules.arena.ground & ~taken & (1 << hex_))


def slow_row(position: Position, house: int) -> bool:
    """From every empty hex in every direction: the first three met, all of this House."""
    ground = position.rules.arena.ground
    own = {hex_ for hex_ in position.hexes[house] if hex_ != OFF_BOARD and ground >> hex_ & 1}
    for landing in HEXES:
        for step in STEPS:
            hex_ = landing + step
            if not _empty(position, landing) or hex_ not in own:
                continue
            met = 0
            while hex_ in own or _empty(position, hex_):
                met += hex_ in own
                hex_ += step
            if met >= 3:
                return True
    return False


def slow_ring(position: Position, house: int) -> bool:
    ground = position.rules.arena.ground
    own = position.occupied[house] & ground
    return any(
        _empty(position, hex_) and (NEIGHBOURS[hex_] & own).bit_count() >= 3 for hex_ in HEXES
    )
