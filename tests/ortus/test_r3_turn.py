"""R3: collecting, manoeuvring, the end of a turn."""

from __future__ import annotations

import pytest

from pbem.games.ortus.hexes import BLACK, GOLD
from tests.ortus.drawing import draw
from tests.ortus.verbs import asked, first_turn, legal, play, refusal, where, winner

WELLS = """
10      A .   .   .   e6* .   .   *   .   .   *   .   .   .  M
 9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
 8  A .   a4* .   .   .   .   .   ##  .   .   .   .   .   a5* .  O
 7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
 6      C .   .   .   w1* .   .   f2* .   .   e3* .   .   .  O
"""


@pytest.mark.parametrize(
    ("left_out", "energy"),
    [
        (["w1", "f2", "e3", "a4", "a5", "e6"], 14),
        (["w1", "f2", "e3", "a4", "a5"], 18),
        (["w1", "f2", "e3", "a4"], 22),
        (["w1", "f2", "e3"], 25),
        (["w1", "f2"], 28),
    ],
)
def test_r3_1_energy_grows_with_the_wells_held(left_out: list[str], energy: int) -> None:
    board = WELLS
    for name in left_out:
        board = board.replace(f"{name}*", "*  ")
    position = play(draw(board, energy=(14, 3)), "end")
    assert position.active == BLACK
    assert position.energy[BLACK] == energy


def test_r3_1_five_wells_win_at_the_start_of_ones_own_turn() -> None:
    position = draw(WELLS.replace("w1*", "*  "))
    assert winner(position) is None
    assert winner(play(position, "end")) == ("black", "wells")


def test_r3_1_more_than_five_wells_win_too() -> None:
    assert winner(play(draw(WELLS), "end")) == ("black", "wells")


def test_r3_1_five_wells_do_not_win_before_ones_own_turn_begins() -> None:
    # Black comes to five in Black's own turn; Gold takes one back before Black's next.
    position = draw(
        """
        10      A .   .   .   e6* .   .   *   .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   a4* .   .   .   .   .   ##  .   .   .   .   .   a5* .  O
         7    B .   .   .   .   .   .   .   f2  .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   e3* .   .   .  O
         5        D .   .   .   W1  A4  .   .   .   .   .   .   .  O
        """,
        to_move="black",
        energy=(0, 1),
    )
    held = play(position, "F2>I6")
    assert winner(held) is None
    hit = play(play(held, "end"), "A4 wave I6@H6")
    assert winner(play(hit, "end")) is None


def test_r3_1_energy_of_the_last_round_is_lost() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   F2* .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
        """,
        energy=(11, 2),
    )
    after = play(position, "end; end")
    assert after.active == GOLD
    assert after.energy == (18, 14)


def test_r3_2_every_warrior_on_the_board_may_move_once() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   F2  .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   E3  .   .   .   .  O
        """
    )
    moved = play(position, "F2>G5; E3>K4; A4>K2")
    assert refusal(moved, "F2>G6") == "already_moved"
    assert legal(moved, "F2>") == legal(moved, "E3>") == legal(moved, "A4>") == set()
    assert "A5>L2" in legal(moved)


def test_r3_2_a_warrior_may_attack_once_before_or_after_its_move() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   e3* .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   W1  .   .   .   a4  .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
    )
    first = play(position, "W1 rng I6")
    assert refusal(first, "W1 rng K4") == "already_attacked"
    assert where(play(first, "W1>G5"), "W1") == "G5"
    assert refusal(play(position, "W1>G5; W1 rng K4"), "W1 rng I6") == "already_attacked"


def test_r3_2_only_a_warrior_that_started_the_turn_on_the_arena_may_attack() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   W1  .   .   e3  .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    assert "W1 rng J4" in legal(position)
    come_out = play(position, "F2>I2")
    assert refusal(come_out, "F2 rng J4") == "not_from_arena"
    assert "F2 rng J4" in legal(play(come_out, "end; end"))


def test_r3_2_the_fallen_do_nothing() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   e3  .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        fallen="F2",
    )
    assert refusal(position, "F2>I2") == "warrior_fallen"
    assert refusal(position, "F2 rng J4") == "warrior_fallen"


def test_r3_2_actions_stop_when_the_energy_is_spent() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   e3  .   .   .   .   .  O
         4          E .   .   F2  .   .   .   .   W1  .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(2, 14),
    )
    assert refusal(position, "F2 rng J5") == "too_dear"
    spent = play(position, "F2>G6")
    assert spent.energy[GOLD] == 0
    assert legal(spent) == {"end"}


def test_r3_2_actions_of_different_warriors_mix_freely() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   e3  .   .   .   .   .  O
         4          E .   .   W1  .   .   a4  .   F2  .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
    )
    after = play(position, "W1>G5; F2 rng J5; E6>M2; W1 rng J4; F2>L5; end")
    assert after.honour == (2, 0)
    assert [where(after, name) for name in ("W1", "F2", "E6")] == ["G5", "L5", "M2"]


def test_r3_3_a_turn_may_end_at_once() -> None:
    position = play(first_turn(), "end")
    assert position.active == BLACK
    assert position.round == 1


def test_r3_3_a_turn_cannot_end_while_a_defence_is_open() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   e3* .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   W1  .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
    )
    open_defence = play(position, "W1 rng I6")
    assert asked(open_defence) == [("I6", 4)]
    assert refusal(open_defence, "end") == "defence_open"
    assert play(open_defence, "I6+; end").active == BLACK


def test_r3_3_a_round_is_one_turn_of_each_and_begins_with_the_starter() -> None:
    black_starts = first_turn(starter="black")
    rounds = []
    position = black_starts
    for _ in range(4):
        rounds.append((position.active, position.round))
        position = play(position, "end")
    assert rounds == [(BLACK, 1), (GOLD, 1), (BLACK, 2), (GOLD, 2)]
