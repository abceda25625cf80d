"""M5: Fire, the Phoenix and the Dragons."""

from __future__ import annotations

import pytest

from pbem.games.ortus.hexes import GOLD
from tests.ortus.drawing import draw
from tests.ortus.verbs import asked, cost, legal, play, refusal, shielded, where

TRIANGLE = """
 9    A .   .   .   .   .   .   .   .   .   W1  .   .   .   .  N
 8  A .   *   .   .   A4  .   .   ##  .   .   .   .   .   *   .  O
 7    B .   .   .   .   .   .   a4  .   .   .   .   .   .   .  O
 6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
 5        D .   .   .   .   .   .   .   .   .   .   .   .  O
 4          E .   .   .   f2  .   .   f7  .   .   .   .  O
"""
"""f2, f7 and a4 see each other along three lines."""


def test_m5_1_a_warrior_on_a_hexline_with_both_fires_is_shielded() -> None:
    position = draw(TRIANGLE)
    assert shielded(position, "a4")
    assert asked(play(position, "W1 rng H7")) == [("H7", 2)]
    assert asked(play(position, "A4 wave H7@G8")) == [("H7", 2)]


def test_m5_1_both_fires_are_shielded_while_they_see_each_other() -> None:
    position = draw(TRIANGLE)
    assert shielded(position, "f2")
    assert shielded(position, "f7")
    assert asked(play(position, "W1 rng K4")) == [("K4", 2)]
    parted = draw(
        """
         9    A .   .   .   .   .   .   .   .   .   W1  .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   a4  .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   f2  .   e3  f7  .   .   .   .  O
        """
    )
    assert not shielded(parted, "f2")
    assert asked(play(parted, "W1 rng K4")) == [("K4", 4)]
    assert shielded(parted, "a4")


def test_m5_1_one_fire_is_not_enough() -> None:
    position = draw(
        """
         9    A .   .   .   .   .   .   .   .   .   W1  .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   a4  .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   f2  .   .   .   f7  .   .   .  O
        """
    )
    assert not shielded(position, "a4")
    assert asked(play(position, "W1 rng H7")) == [("H7", 4)]


def test_m5_1_both_fires_must_be_on_the_arena() -> None:
    position = draw(
        """
        15                A w8  f7  e6  a5  =   e3  =   w1 H
        14              A .   f2  .   .   .   .   .   .   .  I
        13            A .   .   .   .   .   .   .   .   .   .  J
        12          A .   a4  .   .   .   .   .   .   .   .   .  K
        11        A .   .   .   .   W1  .   .   .   .   .   .   .  L
        """
    )
    assert not shielded(position, "f2")
    assert asked(play(position, "W1 rng B12")) == [("B12", 4)]


def test_m5_1_the_phoenix_shields_against_every_attack_of_its_level_only() -> None:
    assert asked(play(draw(TRIANGLE, level="water"), "W1 rng H7")) == [("H7", 4)]


def test_m5_1_a_power_below_2_stays() -> None:
    # E7 and K7 shield H7, the third victim of the wave.
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   f2  .   .   a4  .   .   f7  .   .   .   .  O
         6      C .   .   .   *   .   w1  *   .   .   *   .   .   .  O
         5        D .   .   .   .   a5  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   A4  .   .   .   .   .   .   .  O
        """,
        energy=(14, 1),
    )
    assert shielded(position, "a4")
    assert asked(play(position, "A4 wave H5@H4")) == [("H7", 1)]


def test_m5_1_only_the_defending_house_has_a_phoenix() -> None:
    # Gold's Fires do not shield Black's warrior between them.
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   F2  *   .   a4  *   .   F7  *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   W1  .   .   .   .   .   .   .  O
        """
    )
    assert not shielded(position, "a4")
    assert asked(play(position, "W1 rng H6")) == [("H6", 4)]


def test_m5_2_the_shield_is_read_before_the_charging_warrior_moves() -> None:
    # A4 lands on H6, between f2 and a4: the shield still counts, and then is gone.
    position = draw(TRIANGLE, energy=(14, 14))
    charged = play(position, "A4 wave H7@H6")
    assert asked(charged) == [("H7", 2)]
    saved = play(charged, "H7+")
    assert asked(play(saved, "W1 rng H7")) == [("H7", 4)]


def test_m5_2_a_shield_that_only_the_charge_would_open_does_not_count() -> None:
    # A4 stands between E6 and H6; when it has left, the line is open, too late.
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   f2  A4* .   a4  *   .   f7  *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """
    )
    assert asked(play(position, "A4 wave H6@H5")) == [("H6", 5)]


def test_m5_2_for_six_all_shields_are_read_before_the_charge() -> None:
    # I5 is shielded through H5, where A4 lands.
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   a5  *   .   .   *   .   .   .  O
         5        D .   f2  .   .   .   a4  .   .   f7  .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   A4  .   .   .   .   .   .   .  O
        """
    )
    assert asked(play(position, "A4 six H6@H5")) == [("H6", 3), ("I5", 2)]


def test_m5_2_a_wave_reads_the_shield_anew_for_its_second_victim() -> None:
    # A4 leaves J5 and so opens the line from K4 to H7: shielded when the second attack begins.
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   f7  .   .   a4  .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   a5  .   A4  .   .   .   .   .  O
         4          E .   .   .   .   .   .   f2  .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        energy=(14, 4),
    )
    assert not shielded(position, "a4")
    assert asked(play(position, "A4 wave H5@H4")) == [("H7", 2)]


def test_m5_2_a_fire_that_fell_shields_nobody_behind_it() -> None:
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   f7  *   .   a4  *   .   .   *   .   .   .  O
         5        D .   .   .   .   f2  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   A4  .   .   .   .   .   .   .  O
        """,
        energy=(14, 4),
    )
    assert shielded(position, "a4")
    assert not shielded(position, "f2")
    assert asked(play(position, "A4 wave H5@H4")) == [("H6", 3)]


CORE_BETWEEN = """
 9    A .   .   .   .   .   .   .   F7  .   .   .   .   .   .  N
 8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
 7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
 6      C .   .   F2  *   .   a4  *   .   .   *   .   .   .  O
 5        D .   .   .   .   .   .   .   .   .   .   .   .  O
"""

PAIR = """
 7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
 6      C .   .   F2  *   .   a4  *   .   .   *   .   .   .  O
 5        D .   .   a5  .   .   .   .   .   .   .   .   .  O
 4          E .   .   .   .   .   .   .   .   .   .   .  O
 3            F .   .   .   .   .   F7  .   .   .   .  O
"""
"""Both see H6, along row 6 and along the total 14. F5 is next to F2."""


def test_m5_3_the_dragons_hit_with_power_4_for_no_energy() -> None:
    position = draw(PAIR, energy=(0, 14))
    assert cost(position, "F2+F7 drg H6") == 0
    assert cost(position, "drg H6") == 0
    assert asked(play(position, "F2+F7 drg H6")) == [("H6", 4)]


def test_m5_3_the_dragons_use_up_both_attacks_and_neither_move() -> None:
    position = draw(PAIR, energy=(14, 14))
    saved = play(position, "F2+F7 drg H6; H6+")
    assert refusal(saved, "F2+F7 drg H6") == "already_attacked"
    moved = play(saved, "F2>E7; F7>K4")
    assert (where(moved, "F2"), where(moved, "F7")) == ("E7", "K4")
    assert asked(play(position, "F2>E9; drg H6")) == [("H6", 4)]


def test_m5_3_the_dragons_need_both_hexlines() -> None:
    assert refusal(draw(CORE_BETWEEN), "F2+F7 drg H6") == "dragons_no_hexline"
    blocked = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   F2  a5* .   a4  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   F7  .   .   .   .  O
        """
    )
    assert refusal(blocked, "F2+F7 drg H6") == "dragons_no_hexline"
    assert legal(blocked, "F2+F7") == set()


def test_m5_3_the_dragons_need_a_distance_of_two() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   F2  a4  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   F7  .   .   .   .  O
        """
    )
    assert refusal(position, "F2+F7 drg H6") == "dragons_too_close"
    assert asked(play(position, "F2>F6; drg H6")) == [("H6", 4)]


def test_m5_3_both_fires_must_be_able_to_attack() -> None:
    # F7 comes out of the Haven onto the line this turn: it may not attack yet.
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   F2  *   .   a4  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   .   .   .   .   .   .   .   .  O
        """
    )
    out = play(position, "F7>K3")
    assert refusal(out, "F2+F7 drg H6") == "dragons_spent"
    assert "F2+F7 drg H6" in legal(play(out, "end; end"))
    home = play(draw(PAIR), "F7>N1")
    assert refusal(home, "F2+F7 drg H6") == "dragons_spent"


def test_m5_3_a_fallen_fire_means_no_dragons() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   F2  *   .   a4  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """,
        fallen="F7",
    )
    assert refusal(position, "F2+F7 drg H6") == "dragons_spent"


@pytest.mark.parametrize("order", ["F2 rng H6", "F2 str F5"])
def test_m5_3_the_dragons_replace_range_and_strike(order: str) -> None:
    assert refusal(draw(PAIR), order) == "verb_not_for_element"
    assert order in legal(draw(PAIR, level="water"))
    assert refusal(draw(PAIR, level="water"), "F2+F7 drg H6") == "verb_not_for_element"


def test_m5_3_a_covered_earth_is_no_target_of_the_dragons() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   F2  *   .   e3  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   F7  .   .   .   .  O
        """
    )
    assert refusal(position, "F2+F7 drg H6") == "target_covered"
    assert position.energy[GOLD] == 14
