"""M3: Earth, the Stepping Jaguar and the Raging Bear."""

from __future__ import annotations

import pytest

from tests.ortus.drawing import draw
from tests.ortus.verbs import asked, cost, covered, legal, play, refusal, where

COVERED = """
 7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
 6      C .   .   .   *   .   e3  *   .   .   *   .   .   .  O
 5        D .   W1  .   .   .   .   .   .   .   .   .   .  O
 4          E .   .   .   .   .   .   .   .   .   .   .  O
"""

REVEALED = """
 7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
 6      C .   .   .   *   .   e3  *   .   .   *   .   .   .  O
 5        D .   W1  .   .   .   .   .   .   .   .   .   .  O
 4          E .   .   .   .   .   .   .   .   .   .   .  O
 3            F .   .   E3  .   .   .   .   .   .   .  O
"""


def test_m3_1_a_covered_earth_cannot_be_the_target() -> None:
    position = draw(COVERED, level="earth")
    assert covered(position, "e3")
    assert refusal(position, "W1 rng H6") == "target_covered"


def test_m3_1_an_opposing_earth_on_a_hexline_reveals_it_to_everyone() -> None:
    position = draw(REVEALED, level="earth")
    assert not covered(position, "e3")
    assert not covered(position, "E3")  # both are seen
    assert cost(position, "W1 rng H6") == 4


def test_m3_1_an_interrupted_hexline_reveals_nothing() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   e3  *   .   .   *   .   .   .  O
         5        D .   W1  .   .   f2  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   E3  .   .   .   .   .   .   .  O
        """,
        level="earth",
    )
    assert covered(position, "e3")
    assert refusal(position, "W1 rng H6") == "target_covered"


def test_m3_1_only_opposing_earths_on_the_arena_reveal() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   e6  .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   e3  A4* .   .   *   .   .   .  O
         5        D .   W1  .   .   W8  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="earth",
    )
    assert covered(position, "e3")
    # H4 is on a line with H1, where E1 stands: a Haven has no Hexlines.
    in_haven = draw(
        """
         4          E .   .   .   e3  .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   .   .   .   .   .   .   .   .  O
         1                H E1  F2  W3  A4  A5  E6  F7  W8 O
        """,
        level="earth",
    )
    assert covered(in_haven, "e3")


@pytest.mark.parametrize(("level", "is_covered"), [("wind", False), ("earth", True)])
def test_m3_1_earth_is_covered_from_the_earth_level_on(level: str, is_covered: bool) -> None:
    position = draw(COVERED, level=level)
    assert covered(position, "e3") == is_covered
    assert ("W1 rng H6" in legal(position)) != is_covered


def test_m3_1_cover_is_read_when_the_attack_is_declared() -> None:
    # A4 lands on H5 and so hides e3 again; the attack stands all the same.
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   e3  *   .   .   *   .   .   .  O
         5        D .   W1  .   .   .   .   .   .   .   .   .   .  O
         4          E .   A4  .   .   .   .   .   .   .   .   .  O
         3            F .   .   E3  .   .   .   .   .   .   .  O
        """,
        level="earth",
    )
    charged = play(position, "A4 chg H6@H5")
    assert asked(charged) == [("H6", 5)]
    saved = play(charged, "H6+")
    assert refusal(saved, "W1 rng H6") == "target_covered"


def test_m3_1_a_covered_earth_can_be_a_further_victim() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   e3  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   f2  .   .   .   .   .   .  O
         4          E .   A4  .   .   .   .   .   .   .   .   .  O
        """
    )
    assert covered(position, "e3")
    assert refusal(position, "A4 six H6@H5") == "target_covered"
    assert asked(play(position, "A4 six I5@H5")) == [("I5", 3), ("H6", 3)]


def test_m3_2_the_raging_bear_charges_with_power_6_at_2_energy_a_step() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   a5  .   .   .   .   .   .  O
         4          E .   E3  .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="earth",
    )
    assert cost(position, "E3 chg I5@H5") == 6
    assert asked(play(position, "E3 chg I5@H5")) == [("I5", 6)]
    assert cost(position, "E3>H5") == 3  # a plain move
    poor = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   a5  .   .   .   .   .   .  O
         4          E .   E3  .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="earth",
        energy=(5, 14),
    )
    assert refusal(poor, "E3 chg I5@H5") == "too_dear"


def test_m3_2_the_bear_replaces_charge_and_strike() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   E3  a5  .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="earth",
    )
    assert refusal(position, "E3 str I5") == "verb_not_for_element"
    assert refusal(position, "E3 chg I5@I4") == "target_is_neighbour"
    assert legal(position, "E3 ") == set()
    below = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   a5  .   .   .   .   .   .  O
         4          E .   E3  .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="wind",
    )
    assert cost(below, "E3 chg I5@H5") == 3
    assert asked(play(below, "E3 chg I5@H5")) == [("I5", 5)]


def test_m3_2_the_bear_uses_up_move_and_attack() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   a5  .   .   .   .   .   .  O
         4          E .   E3  .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="earth",
    )
    charged = play(position, "E3 chg I5@H5; I5+")
    assert where(charged, "E3") == "H5"
    assert refusal(charged, "E3>G5") == "already_moved"
