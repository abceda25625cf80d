"""M1: Hexlines."""

from __future__ import annotations

from tests.ortus.drawing import draw
from tests.ortus.verbs import hexline


def test_m1_a_hexline_is_a_straight_line_with_no_warrior_and_no_core_between() -> None:
    position = draw(
        """
        10      A .   .   .   *   .   .   *   f2  .   *   .   .   .  M
         9    A .   .   .   .   A4  .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   e3  *   .   F2  *   .   w1  *   .   a4  .  O
         5        D .   .   .   .   .   .   a5  .   .   .   .   .  O
         4          E .   .   .   W1  .   .   .   .   .   .   .  O
        """
    )
    assert hexline(position, "H6", "E6")
    assert hexline(position, "H6", "K6")
    assert not hexline(position, "H6", "N6")  # K6 is between
    assert hexline(position, "H6", "H4")
    assert not hexline(position, "H6", "H10")  # the Core is between
    assert hexline(position, "H6", "E9")
    assert not hexline(position, "H6", "J5")  # on no line


def test_m1_neighbours_share_a_hexline() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   w1  .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   F2  e3* .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
        """
    )
    assert hexline(position, "H6", "I6")
    assert hexline(position, "H6", "G7")


def test_m1_guides_do_not_interrupt_a_hexline() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   F2  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   e3  .   .   .   .   .   .   .  O
        """,
        guide=("H4", "H5"),
    )
    assert hexline(position, "H6", "H3")


def test_m1_a_warrior_in_a_haven_has_no_hexlines() -> None:
    position = draw(
        """
         4          E .   .   .   .   .   .   .   .   E6  .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   .   .   .   .   .   .   .   .  O
         1                H W1  F2  E3  A4  A5  =   F7  W8 O
        """
    )
    assert not hexline(position, "M4", "L1")
    assert not hexline(position, "M4", "O1")
    assert not hexline(position, "H1", "I1")
