"""R5: the attacks of the Apprentice game."""

from __future__ import annotations

from pbem.games.ortus.hexes import GOLD
from tests.ortus.drawing import draw
from tests.ortus.verbs import asked, cost, legal, play, refusal, where


def test_r5_1_a_warrior_that_began_in_the_haven_cannot_attack() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   a4  .   .   .   .   .   .  O
         3            F .   W1  .   .   .   .   .   .   .   .  O
         2              G .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert "W1 rng I4" in legal(position)
    assert refusal(play(position, "W8>O2"), "W8 rng I4") == "not_from_arena"
    assert refusal(position, "W8 rng I4") == "not_from_arena"


def test_r5_1_a_warrior_that_walked_home_cannot_attack() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   a4  .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   .   F2  .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert "F2 rng J4" in legal(position)
    assert refusal(play(position, "F2>I1"), "F2 rng J4") == "attacker_in_haven"


def test_r5_1_a_warrior_attacks_once_a_turn() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   e3  .   .   .   .   .   .  O
         4          E .   .   .   .   F2  a4  .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
    )
    once = play(position, "F2 str J4")
    assert refusal(once, "F2 str I5") == "already_attacked"
    assert "F2 str I5" in legal(play(once, "end; end"))


def test_r5_2_only_opposing_warriors_on_the_arena_are_targets() -> None:
    position = draw(
        """
        15                A w8  f7  e6  a5  a4  e3  =   w1 H
        14              A .   .   f2  .   .   .   .   .   .  I
        13            A .   .   .   .   .   W1  .   .   .   .  J
        12          A .   .   .   A4  .   .   .   .   .   .   .  K
        """,
        level="apprentice",
    )
    assert legal(position, "W1 rng") == {"W1 rng C14"}
    assert refusal(position, "W1 rng F15") == "target_in_haven"
    assert refusal(position, "W1 rng D12") == "target_own"
    assert refusal(position, "W1 rng D13") == "target_empty"


def test_r5_3_every_element_strikes_a_neighbour_for_3_without_energy() -> None:
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   F2  .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   A4  f2* .   .   *   .   .   *   .   .   .  O
         5        D .   .   E3  W1  .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(0, 3),
    )
    for warrior in ("W1", "E3", "A4", "F2"):
        assert cost(position, f"{warrior} str F6") == 0
        struck = play(position, f"{warrior} str F6")
        assert asked(struck) == [("F6", 3)]
        assert play(struck, "F6+").energy == (0, 0)


def test_r5_3_the_target_must_be_a_neighbour_now_and_at_the_start_of_the_turn() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   a4  .   .   .   .   .   .   .   .   .  O
         4          E .   E3  .   a5  .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert refusal(position, "E3 str H4") == "strike_not_next"
    assert refusal(play(position, "E3>G4"), "E3 str H4") == "strike_not_next_at_start"
    assert "E3 str F5" in legal(play(position, "E3>G4"))
    assert refusal(play(position, "E3>F3"), "E3 str F5") == "strike_not_next"


def test_r5_4_range_costs_the_path_with_the_targets_hex_counted() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   F2  .   .   .  O
         4          E .   W1  .   .   a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 14),
    )
    assert cost(position, "W1 rng I4") == 3  # two empty hexes between
    assert cost(position, "F2 rng I4") == 4  # off the lines: any path counts
    shot = play(position, "W1 rng I4")
    assert shot.energy == (11, 14)
    assert asked(shot) == [("I4", 4)]


def test_r5_4_only_wind_and_fire_range() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   E3  .   .   a4  .   .   A4  .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert refusal(position, "E3 rng I4") == "verb_not_for_element"
    assert refusal(position, "A4 rng I4") == "verb_not_for_element"


def test_r5_4_range_goes_around_warriors_and_the_core() -> None:
    position = draw(
        """
        11        A .   .   .   .   .   .   .   .   .   .   .   .  L
        10      A .   .   .   *   .   .   *   a4  .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   e3  ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   A4  .   .   .   .   .   .  O
         6      C .   .   .   *   .   W1  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert cost(position, "W1 rng H10") == 6  # four steps, were the way clear


def test_r5_4_without_a_path_there_is_no_range() -> None:
    position = draw(
        """
        10      A .   .   .   *   .   .   *   .   .   *   .   .   .  M
         9    A e3  .   .   .   W1  .   .   .   .   .   .   .   .   .  N
         8  A a4  f2* .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B e6  .   .   .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert refusal(position, "W1 rng A8") == "no_path"
    assert "W1 rng A9" in legal(position)


def test_r5_4_the_path_keeps_out_of_the_opposing_haven() -> None:
    # A15 is empty, yet no way for Gold: a4 is out of reach, and in reach once A13 is open.
    position = draw(
        """
        15                A =   =   e6  a5  =   =   w8  w1 H
        14              A a4  f2  .   .   .   .   .   .   .  I
        13            A f7  e3  .   .   .   .   .   .   .   .  J
        12          A .   .   .   .   W1  .   .   .   .   .   .  K
        """,
        level="apprentice",
    )
    assert refusal(position, "W1 rng A14") == "no_path"
    opened = draw(
        """
        15                A =   f7  e6  a5  =   =   w8  w1 H
        14              A a4  f2  .   .   .   .   .   .   .  I
        13            A .   e3  .   .   .   .   .   .   .   .  J
        12          A .   .   .   .   W1  .   .   .   .   .   .  K
        """,
        level="apprentice",
    )
    assert cost(opened, "W1 rng A14") == 5


def test_r5_4_range_is_not_for_a_neighbour() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   F2  a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert refusal(position, "F2 rng I4") == "target_is_neighbour"
    stepped_back = play(position, "F2>G4")
    assert cost(stepped_back, "F2 rng I4") == 2


def test_r5_5_a_charge_walks_next_to_its_target_and_has_power_5() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   a5  .   .   .   .   .   .  O
         4          E .   E3  .   .   .   .   .   A4  .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 5),
    )
    assert cost(position, "E3 chg I5@H5") == 2 + 1
    charged = play(position, "E3 chg I5@H5")
    assert where(charged, "E3") == "H5"
    assert asked(charged) == [("I5", 5)]
    assert charged.energy == (11, 5)
    assert where(play(position, "A4 chg I5@J5"), "A4") == "J5"


def test_r5_5_a_charge_uses_up_move_and_attack() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   a5  .   .   .   .   .   .  O
         4          E .   E3  .   .   .   .   .   .   .   .   .  O
         3            F .   a4  .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
    )
    charged = play(position, "E3 chg I5@H5")
    assert refusal(charged, "E3>G5") == "already_moved"
    assert legal(charged, "E3 ") == set()
    assert refusal(play(position, "E3>F5"), "E3 chg I5@H5") == "charge_after_move"
    struck = play(position, "E3 str G3")
    assert refusal(struck, "E3 chg I5@H5") == "already_attacked"


def test_r5_5_only_water_and_earth_charge_and_never_a_neighbour() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   E3  a5  .   W1  .   .   .   .  O
         4          E .   F2  .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert refusal(position, "F2 chg I5@I4") == "verb_not_for_element"
    assert refusal(position, "W1 chg I5@J5") == "verb_not_for_element"
    assert refusal(position, "E3 chg I5@I4") == "target_is_neighbour"


def test_r5_5_the_landing_is_a_free_arena_hex_next_to_the_target() -> None:
    position = draw(
        """
         4          E .   .   .   .   .   .   .   A5  .   .   .  O
         3            F .   .   .   .   .   .   A4  .   .   .  O
         2              G .   .   E3  a5  e3  .   .   .   .  O
         1                H W1  F2  =   =   =   E6  F7  W8 O
        """,
        level="apprentice",
    )
    # Of the six hexes around J2 two are taken and two are in the Haven.
    assert legal(position, "A4 chg J2") == {"A4 chg J2@J3", "A4 chg J2@I3"}
    assert refusal(position, "A4 chg J2@K1") == "landing_not_arena"
    assert refusal(position, "A4 chg J2@I2") == "hex_taken"
    assert refusal(position, "A4 chg J2@K3") == "landing_not_next"


def test_r5_5_the_player_chooses_the_landing() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   a5  .   .   .   .   .   .  O
         4          E .   A4  .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
    )
    costs = {text[-2:]: cost(position, text) for text in legal(position, "A4 chg I5")}
    assert costs == {"H5": 3, "I4": 3, "H6": 4, "J4": 4, "J5": 5, "I6": 5}


def test_r5_6_energy_is_paid_when_the_attack_is_declared() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  .   .   a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 4),
    )
    declared = play(position, "W1 rng I4")
    assert declared.energy[GOLD] == 11
    assert play(declared, "I4+").energy == (11, 0)
    assert play(declared, "I4-").energy == (11, 4)
