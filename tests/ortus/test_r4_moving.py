"""R4: walking."""

from __future__ import annotations

from tests.ortus.drawing import draw
from tests.ortus.verbs import cost, legal, play, refusal, where


def test_r4_1_taken_hexes_and_the_core_are_not_free() -> None:
    position = draw(
        """
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   E3  F2  e3  .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
        """
    )
    assert refusal(position, "F2>G7") == "hex_taken"
    assert refusal(position, "F2>I7") == "hex_taken"
    assert refusal(position, "F2>H8") == "hex_core"


def test_r4_1_the_opposing_haven_is_closed() -> None:
    position = draw(
        """
        15                A =   f7  e6  a5  a4  e3  f2  w1 H
        14              A F2  .   .   .   .   .   .   .   .  I
        13            A .   .   .   .   .   .   w8  .   .   .  J
        """
    )
    assert refusal(position, "F2>A15") == "hex_opposing_haven"
    black = draw(
        """
        15                A =   f7  e6  =   a4  e3  f2  w1 H
        14              A F2  a5  .   .   .   .   .   .   .  I
        13            A .   .   .   .   .   .   w8  .   .   .  J
        """,
        to_move="black",
    )
    assert cost(black, "A5>A15") == 1


def test_r4_1_ones_own_haven_is_free_ground() -> None:
    # A5 walks along its Haven behind the wall and out again, and back into it.
    position = draw(
        """
         3            F .   .   .   .   .   .   .   .   .   A4 O
         2              G .   F2  .   e3  a4  w1  .   .   .  O
         1                H W1  E3  =   =   A5  E6  F7  W8 O
        """
    )
    assert cost(position, "A5>K1") == 1
    assert cost(position, "A5>J1") == 2
    assert cost(position, "A5>I2") == 3
    assert where(play(position, "F2>J1; end; end"), "F2") == "J1"
    assert cost(position, "F2>J1") == 2


def test_r4_2_a_walk_costs_one_energy_a_step_by_the_shortest_way() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   a5  .   *   .   .   *   .   .   .  O
         5        D .   .   .   F2  e3  .   .   .   .   .   .   .  O
         4          E .   .   .   a4  .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """
    )
    assert cost(position, "F2>F5") == 1
    assert cost(position, "F2>I5") == 5  # two steps, were nobody in the way
    assert play(position, "F2>I5").energy == (9, 14)


def test_r4_2_a_walk_needs_the_energy_for_all_its_steps() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   F2  .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        energy=(3, 14),
    )
    assert cost(position, "F2>J5") == 3
    assert refusal(position, "F2>K5") == "too_dear"
    assert all(cost(position, walk) <= 3 for walk in legal(position, "F2>"))


def test_r4_2_a_walk_has_at_least_one_step() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   F2  .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """
    )
    assert refusal(position, "F2>G5") == "no_step"


def test_r4_2_a_warrior_shut_in_cannot_walk() -> None:
    position = draw(
        """
         9    A e3  .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A F2  W1* .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B f2  .   .   .   .   .   .   .   .   .   .   .   .   .  O
        """
    )
    assert refusal(position, "F2>C8") == "no_walk"
    assert legal(position, "F2>") == set()


def test_r4_3_guides_take_up_no_hex_and_block_nothing() -> None:
    # Black's Guide is on H5, Gold's on J4.
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   F2  .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        guide=("J4", "H5"),
    )
    assert cost(position, "F2>H5") == 1
    assert cost(position, "F2>H6") == 2
    assert cost(position, "F2>J4") == 2
