"""R8: how a game ends on the board. Offers, resigning and the clock belong to the seam."""

from __future__ import annotations

from tests.ortus.drawing import draw
from tests.ortus.verbs import first_turn, legal, play, refusal, winner


def test_r8_1_five_wells_at_the_start_of_ones_own_turn_win() -> None:
    position = draw(
        """
         8  A .   A4* .   .   .   .   .   ##  .   .   .   .   .   A5* .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   W1* .   .   F2* .   .   E3* .   .   .  O
        """,
        to_move="black",
    )
    assert winner(position) is None
    won = play(position, "end")
    assert winner(won) == ("gold", "wells")
    assert legal(won) == set()
    assert refusal(won, "end") == "game_over"


def test_r8_1_four_wells_do_not_win() -> None:
    position = draw(
        """
         8  A .   A4* .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   A5  .  O
         6      C .   .   .   W1* .   .   F2* .   .   E3* .   .   .  O
        """,
        to_move="black",
    )
    after = play(position, "end")
    assert winner(after) is None
    assert after.energy[0] == 28


def test_r8_1_wells_win_only_for_the_house_whose_turn_begins() -> None:
    position = draw(
        """
         8  A .   A4* .   .   .   .   .   ##  .   .   .   .   .   A5* .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   W1* .   .   F2* .   .   E3* .   .   .  O
        """
    )
    assert winner(play(position, "end")) is None
    assert winner(play(position, "end; end")) == ("gold", "wells")


def test_r8_2_the_eighth_honour_wins() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  .   .   a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        guide=("H7", None),
    )
    shot = play(position, "W1 rng I4")
    assert winner(play(shot, "I4+")) is None
    won = play(shot, "I4-")
    assert winner(won) == ("gold", "guide")
    assert won.honour == (8, 0)


def test_r8_2_the_seventh_honour_does_not_win() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  .   .   a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        guide=("H6", None),
    )
    seventh = play(position, "W1 rng I4; I4-; end")
    assert winner(seventh) is None
    assert seventh.honour == (7, 0)


def test_r8_3_complete_rounds_without_a_fall_are_counted_from_the_start() -> None:
    position = first_turn(starter="black")
    counted = []
    for _ in range(6):
        counted.append(position.quiet_rounds())
        position = play(position, "end")
    assert counted == [0, 0, 1, 1, 2, 2]


def test_r8_3_a_fall_begins_the_count_anew_from_its_round() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  .   .   a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
        round=30,
    )
    quiet = play(position, "end; end; end; end")
    assert quiet.round == 32
    assert quiet.quiet_rounds() == 2
    fallen = play(position, "end; end; W1 rng I4; I4-; end")
    assert fallen.quiet_rounds() == 0
    # Round 31, in which the warrior fell, is not one of the rounds since.
    assert play(fallen, "end").quiet_rounds() == 0
    assert play(fallen, "end; end; end").quiet_rounds() == 1


def test_r8_3_a_position_that_black_begins_counts_from_the_next_round() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        to_move="black",
        round=8,
    )
    assert position.quiet_rounds() == 0
    assert play(position, "end").quiet_rounds() == 0
    assert play(position, "end; end; end").quiet_rounds() == 1
