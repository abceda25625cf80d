"""M2: Wind, the Path of the Kite and the Road of the Storm."""

from __future__ import annotations

import pytest

from pbem.games.ortus.hexes import GOLD
from tests.ortus.drawing import draw
from tests.ortus.verbs import asked, cost, first_turn, legal, play, refusal, where


def test_m2_1_a_kite_slides_as_far_as_it_can_in_six_directions() -> None:
    # To the west a warrior, to the east the edge, and the Core, the Haven and edges elsewhere.
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   e3  *   .   W1  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="wind",
    )
    ends = {"F6", "O6", "H7", "H2", "A13", "L2"}
    assert legal(position, "W1:kite") == {f"W1:kite>{end}" for end in ends}
    assert refusal(position, "W1:kite>J6") == "no_slide_there"


def test_m2_1_a_kite_costs_no_energy_and_is_the_warriors_move() -> None:
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   W1  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="wind",
        energy=(0, 14),
    )
    flown = play(position, "W1:kite>H7")
    assert flown.energy[GOLD] == 0
    assert where(flown, "W1") == "H7"
    assert legal(flown, "W1:kite") == set()
    assert refusal(flown, "W1:kite>A14") == "already_moved"


def test_m2_1_wind_no_longer_walks_and_others_never_fly() -> None:
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   W1  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   F2  .   .   .   .   .  O
        """,
        level="wind",
    )
    assert refusal(position, "W1>H7") == "must_fly"
    assert refusal(position, "F2:kite>J2") == "cannot_fly"
    apprentice = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   W1  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   F2  .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert refusal(apprentice, "W1:kite>H7") == "cannot_fly"
    assert cost(apprentice, "W1>H7") == 1


def test_m2_1_a_kite_stops_before_any_haven() -> None:
    position = draw(
        """
        12          A .   .   .   .   W8  .   .   .   .   .   .  K
        11        A .   .   .   .   .   .   .   .   .   .   .   .  L
        10      A .   .   .   *   .   .   *   .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   W1  .   .   .   .  O
         3            F .   .   .   .   .   A4  .   .   .   .  O
         2              G .   .   .   .   .   .   .   .   .  O
        """,
        level="wind",
    )
    assert "W1:kite>M2" in legal(position)  # M2 is the last hex before N1
    assert "W8:kite>E14" in legal(position)
    assert not {text for text in legal(position) if text.endswith(("M1", "E15"))}


def test_m2_1_a_kite_has_at_least_one_hex() -> None:
    position = draw(
        """
         9    A f2  .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A W1  e3* .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="wind",
    )
    assert legal(position, "W1:kite") == {"W1:kite>G2"}


def test_m2_1_from_the_haven_a_kite_needs_an_empty_arena_hex_first() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   e3  .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   F7  .   .   .   .   .   .   .  O
         1                H W1  F2  E3  A4  A5  E6  =   W8 O
        """,
        level="wind",
    )
    # From H1 the first hex is G2 or H2, and H2 is taken; from O1 they are N2 (up to K5) and O2.
    assert legal(position, "W1:kite") == {"W1:kite>A8"}
    assert legal(position, "W8:kite") == {"W8:kite>O8", "W8:kite>L4"}


def test_m2_2_the_starter_brings_out_one_wind_in_the_first_turn() -> None:
    one_out = play(first_turn(level="wind"), "W1:kite>H7")
    assert refusal(one_out, "W8:kite>O8") == "one_wind_first_turn"
    assert legal(one_out, "W8") == set()


@pytest.mark.parametrize("passes", ["end", "end; end"])
def test_m2_2_the_limit_is_for_the_first_turn_of_the_game_only(passes: str) -> None:
    position = play(first_turn(level="wind"), passes)
    orders = "W1:kite>H9; W8:kite>A8" if passes == "end" else "W1:kite>H7; W8:kite>O8"
    both = play(position, orders)
    assert both.winds_out == 2


def test_m2_2_a_game_from_a_position_has_no_first_turn() -> None:
    position = draw(
        """
        13            A .   .   .   .   .   .   f2  .   .   .  J
        """,
        level="wind",
        round=1,
    )
    assert where(play(position, "W1:kite>H7; W8:kite>O8"), "W8") == "O8"


def test_m2_2_there_is_no_limit_in_the_apprentice_game() -> None:
    both = play(first_turn(level="apprentice"), "W1>H2; W8>O2")
    assert (where(both, "W1"), where(both, "W8")) == ("H2", "O2")


def test_m2_3_the_road_of_the_storm_is_range_at_the_same_cost() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  e3  .   a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="wind",
        energy=(14, 4),
    )
    # Two empty hexes between would make 3; here the path must go around G4.
    assert cost(position, "W1 rng I4") == 4
    assert asked(play(position, "W1 rng I4")) == [("I4", 4)]


def test_m2_3_the_storm_may_come_before_or_after_the_kite() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  .   .   a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="master",
        energy=(14, 0),
    )
    assert where(play(position, "W1 rng I4; W1:kite>F14"), "W1") == "F14"
    assert play(position, "W1:kite>F3; W1 rng I4").honour == (1, 0)


def test_m2_3_wind_may_still_strike() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   W1  a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="master",
    )
    assert asked(play(position, "W1 str I4")) == [("I4", 3)]
