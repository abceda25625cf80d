"""R1: the board, its lines, the Core, the Havens and the Wells. Arena files: test_arena_files."""

from __future__ import annotations

import pytest

from notation.hexes import HEX_NAMES
from pbem.games.ortus.arena import get_arena
from pbem.games.ortus.hexes import BLACK, GOLD, HAVEN_SLOTS, distance, get_hex, hex_name, members
from tests.ortus.drawing import draw, picture, row_hexes
from tests.ortus.verbs import cost, first_turn, hexline, legal, play, refusal


def test_r1_1_the_board_has_169_hexes_in_fifteen_rows() -> None:
    rows = [len(row_hexes(number)) for number in range(1, 16)]
    assert rows == [8, 9, 10, 11, 12, 13, 14, 15, 14, 13, 12, 11, 10, 9, 8]
    assert sum(rows) == len(HEX_NAMES) == 169


def test_r1_1_an_inner_hex_has_six_neighbours() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   F2  .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """,
        energy=(1, 14),
    )
    assert legal(position, "F2>") == {"F2>J6", "F2>I6", "F2>I5", "F2>K5", "F2>J4", "F2>K4"}


def test_r1_1_a_corner_hex_has_three_neighbours() -> None:
    position = draw(
        """
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A F2  *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
        """,
        energy=(1, 14),
    )
    assert legal(position, "F2>") == {"F2>A9", "F2>B8", "F2>B7"}


@pytest.mark.parametrize(
    ("a", "b", "steps"),
    [("H1", "H15", 14), ("A8", "O8", 14), ("O1", "A15", 14), ("F6", "I6", 3), ("F6", "G4", 2),
     ("F6", "G7", 2), ("C11", "M5", 10), ("H8", "H8", 0)],
)  # fmt: skip
def test_r1_1_distance_counts_steps_along_three_axes(a: str, b: str, steps: int) -> None:
    assert distance(get_hex(a), get_hex(b)) == distance(get_hex(b), get_hex(a)) == steps


def test_r1_1_every_haven_hex_is_seven_steps_from_the_core() -> None:
    for slots in HAVEN_SLOTS:
        assert {distance(hex_, get_hex("H8")) for hex_ in slots} == {7}


def test_r1_2_nobody_enters_or_crosses_the_core() -> None:
    position = draw(
        """
        10      A .   .   .   *   .   .   *   .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   e3  .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   F2  .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
        """,
        level="apprentice",
    )
    assert refusal(position, "F2>H8") == "hex_core"
    assert cost(position, "F2 rng H9") == 3  # two steps, were it not for the Core
    assert cost(position, "F2>G9") == 2
    assert not hexline(position, "H7", "H9")


def test_r1_3_slots_run_from_left_to_right_seen_from_ones_own_side() -> None:
    drawn = """
15                A w8  a7  f6  e5  a4  f3  e2  w1 H
14              A .   .   .   .   .   .   .   .   .  I
 2              G .   .   .   .   .   .   .   .   .  O
 1                H W1  E2  A3  F4  W5  E6  A7  F8 O
"""
    position = first_turn("WEAFWEAF", "WEFAEFAW")
    assert picture(position, rows=(15, 14, 2, 1)) == drawn.strip("\n")
    gold = ["H1", "I1", "J1", "K1", "L1", "M1", "N1", "O1"]
    black = ["H15", "G15", "F15", "E15", "D15", "C15", "B15", "A15"]
    assert [hex_name(hex_) for hex_ in HAVEN_SLOTS[GOLD]] == gold
    assert [hex_name(hex_) for hex_ in HAVEN_SLOTS[BLACK]] == black


def test_r1_3_all_but_havens_and_core_is_the_arena() -> None:
    ground = get_arena("origin").ground
    assert ground.bit_count() == 152
    assert not any(hex_name(hex_)[1:] in {"1", "15"} for hex_ in members(ground))
    assert not ground >> get_hex("H8") & 1


def test_r1_4_lines_are_equal_numbers_letters_and_totals() -> None:
    position = draw(
        """
         9    A .   .   f7  .   .   .   e6  .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   w8  .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   w1* .   .   *   .   .   .  O
         5        D a5  .   .   F2  .   .   .   a4  .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G e3  .   .   f2  .   .   .   .   .  O
        """
    )
    on_a_line = {"D5", "K5", "G2", "G9", "C9", "J2"}
    for hex_ in ("D5", "K5", "G2", "G9", "C9", "J2", "I6", "F7"):
        assert hexline(position, "G5", hex_) == (hex_ in on_a_line), hex_


def test_r1_5_origin_has_its_wells_five_steps_from_each_haven() -> None:
    arena = get_arena("origin")
    wells = {hex_name(hex_) for hex_ in members(arena.wells)}
    assert wells == {"F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10"}
    for slots in HAVEN_SLOTS:
        assert min(distance(a, b) for a in slots for b in members(arena.wells)) == 5


def test_r1_5_crown_has_wells_of_its_own() -> None:
    wells = {hex_name(hex_) for hex_ in members(get_arena("crown").wells)}
    assert wells == {"J4", "F6", "L6", "B8", "N8", "D10", "J10", "F12"}


def test_r1_5_only_the_wells_of_the_arena_in_play_give_energy() -> None:
    # J4 and F12 are Wells of the crown, I6 and G10 of origin.
    origin = draw(
        """
        10      A .   .   .   *   .   .   a4* .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   e3* .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   f2  .   .   .   .   .  O
        """
    )
    crown = draw(
        """
        10      A .   .   .   *   .   .   a4  .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   e3  .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   f2* .   .   .   .   .  O
        """,
        arena="crown",
    )
    assert play(origin, "end").energy[BLACK] == 22
    assert play(crown, "end").energy[BLACK] == 18
