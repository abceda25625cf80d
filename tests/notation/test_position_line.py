"""Position lines (N4): all six fields, every check with its place, and the round trip."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation.errors import NotationError
from notation.hexes import HEX_NAMES
from notation.position_line import (
    LEVELS,
    PositionLine,
    distance_to_core,
    format_position,
    parse_position,
)

GOLD = "W1@F6 F2@I6 E3@x A4@K1 A5@L1 E6@M1 F7@N1 W8@O1"
BLACK = "W1@H15 F2@G15 E3@F15 A4@E15 A5@D15 E6@C15 F7@B10 W8@A15"
LINE = f"origin master g 5 | 22 9 | 1 0 | K1 - | {GOLD} | {BLACK}"


def test_every_field_is_read() -> None:
    position = parse_position(LINE)
    assert (position.arena, position.level, position.side, position.round) == (
        "origin",
        "master",
        "g",
        5,
    )
    assert (position.energy, position.honour, position.guide) == ((22, 9), (1, 0), ("K1", None))
    assert position.gold[0] == ("W1", "F6")
    assert position.gold[2] == ("E3", None)
    assert position.black[6] == ("F7", "B10")
    assert format_position(position) == LINE


@pytest.mark.parametrize(
    "text",
    [
        f"  {LINE}  ",
        LINE.replace(" ", "\u00a0  "),
        LINE.replace(" | ", "|"),
        LINE.replace(" | ", "\n | "),
        LINE.replace("master g", "Master G").replace("@F6", "@f6").replace("@x", "@X"),
        LINE.replace("origin master g 5 | 22", "origin master g 05 | 022"),
    ],
)
def test_space_and_case_do_not_matter(text: str) -> None:
    assert format_position(parse_position(text)) == LINE


def test_an_arena_of_ones_own_has_a_name_of_its_own() -> None:
    assert parse_position(LINE.replace("origin", "My_arena-2")).arena == "My_arena-2"


def _with(old: str, new: str) -> str:
    assert LINE.count(old) == 1, "the example must change in one place"
    return LINE.replace(old, new)


@pytest.mark.parametrize(
    ("text", "code", "caret"),
    [
        ("", "field_size", ""),
        (_with("origin", "or!gin"), "bad_arena", "or!gin"),
        (_with("origin", "o" * 33), "bad_arena", "o" * 33),
        (_with("master", "expert"), "bad_level", "expert"),
        (_with(" g ", " gold "), "bad_side", "gold"),
        (_with("g 5", "g 0"), "bad_round", "0"),
        (_with("g 5", "g 10000"), "bad_round", "10000"),
        (_with("g 5", "g +5"), "bad_round", "+5"),
        (_with("22 9", "22 -9"), "bad_energy", "-9"),
        (_with("22 9", "1000 9"), "bad_energy", "1000"),
        (_with("22 9", "22 ²"), "bad_energy", "²"),
        (_with("1 0", "1 8"), "bad_honour", "8"),
        (_with("K1 -", "- -"), "guide_missing", "-"),
        (_with("K1 -", "K1 A15"), "guide_without_honour", "A15"),
        (_with("K1 -", "K2 -"), "guide_distance", "K2"),
        (_with("K1 -", "K16 -"), "bad_hex", "K16"),
        (_with("K1 -", "K15 -"), "off_board", "K15"),
        (_with("W1@F6", "W1"), "bad_warrior", "W1"),
        (_with("W1@F6", "X1@F6"), "bad_warrior", "X1@F6"),
        (_with("W1@F6", "W1@Q6"), "bad_hex", "Q6"),
        (_with("W1@F6", "W1@A1"), "off_board", "A1"),
        (_with("W1@F6", "W1@H8"), "on_core", "H8"),
        (_with("W1@F6", "W1@A15"), "in_opposing_haven", "A15"),
        (_with("F7@B10", "F7@H1"), "in_opposing_haven", "H1"),
        (_with("W1@F6", "W1@I6"), "hex_taken", "I6"),
        (_with("F7@B10", "F7@I6"), "hex_taken", "I6"),
        (_with("W1@F6 F2@I6", "F2@I6 W1@F6"), "slot_order", "F2@I6"),
        (_with("W8@O1", "F8@O1"), "element_count", "F8@O1"),
        (_with("F7@B10", "F7@x"), "fallen_not_to_move", "x"),
        (_with(" W8@O1", ""), "field_size", "|"),
        (_with("W8@O1", "W8@O1 W9@O2"), "field_size", "W9@O2"),
        (_with(" W8@A15", ""), "field_size", ""),
        (LINE + " | 3", "field_count", "|"),
        (LINE[: LINE.rindex(" |")], "field_count", ""),
        (LINE[: LINE.index("22") + 2], "field_size", ""),
    ],
)
def test_every_fault_has_its_code_and_its_place(text: str, code: str, caret: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    error = caught.value
    assert (error.code, error.found, error.line) == (code, caret, 1)
    assert text[error.column - 1 :].startswith(caret.rstrip("…"))


def test_the_caret_is_on_the_second_of_two_warriors_on_a_hex() -> None:
    text = _with("F7@B10", "F7@I6")
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert caught.value.column == text.rindex("I6") + 1


def test_the_place_counts_lines_of_a_wrapped_line() -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(_with("| 22 9 |", "|\n22 9x |"))
    assert (caught.value.line, caught.value.column) == (2, 4)


def test_long_noise_is_refused_at_once() -> None:
    with pytest.raises(NotationError) as caught:
        parse_position("| " * 5_000_000)
    assert caught.value.code == "position_too_long"


def test_all_position_lines_of_the_conformance_vectors_are_read() -> None:
    vectors = Path(__file__).parents[2].parent / "shared" / "conformance" / "ortus.jsonl"
    if not vectors.exists():
        pytest.skip("the conformance vectors are not beside this repository")
    lines = []
    for row in vectors.read_text(encoding="utf-8").splitlines():
        lines += [text for text in _strings(json.loads(row)) if text.count(" | ") == 5]
    assert lines
    for line in lines:
        assert format_position(parse_position(line)) == line


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for part in value for text in _strings(part)] if isinstance(value, list) else []


@st.composite
def position_lines(draw: st.DrawFn) -> PositionLine:
    chance = random.Random(draw(st.integers(0, 2**32)))
    side = draw(st.sampled_from("gb"))
    honour = (draw(st.integers(0, 7)), draw(st.integers(0, 7)))
    guides = [
        chance.choice(sorted(h for h in HEX_NAMES if distance_to_core(h) == 8 - points))
        if points
        else None
        for points in honour
    ]
    arena_hexes = sorted(h for h in HEX_NAMES if h != "H8" and h[1:] not in {"1", "15"})
    places = chance.sample(arena_hexes, 16)
    houses = []
    for house, start in (("g", 0), ("b", 8)):
        elements = list("WWEEAAFF")
        chance.shuffle(elements)
        houses.append(
            tuple(
                (
                    f"{element}{slot}",
                    None if house == side and chance.random() < 0.2 else places[start + slot - 1],
                )
                for slot, element in enumerate(elements, start=1)
            )
        )
    return PositionLine(
        arena=draw(st.sampled_from(["origin", "crown", "my-1_x"])),
        level=draw(st.sampled_from(LEVELS)),
        side=side,
        round=draw(st.integers(1, 9999)),
        energy=(draw(st.integers(0, 99)), draw(st.integers(0, 999))),
        honour=honour,
        guide=(guides[0], guides[1]),
        gold=houses[0],
        black=houses[1],
    )


@settings(derandomize=True, deadline=None)
@given(position_lines())
def test_what_was_written_is_read_again(position: PositionLine) -> None:
    assert parse_position(format_position(position)) == position


@settings(derandomize=True, deadline=None)
@given(st.text() | st.integers(0, len(LINE)).map(lambda cut: LINE[:cut] + "|" + LINE[cut:]))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_position(text)
