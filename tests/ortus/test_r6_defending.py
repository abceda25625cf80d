"""R6: saving and falling, honour and the Guide."""

from __future__ import annotations

import pytest

from pbem.games.ortus.hexes import BLACK
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.turn import decide
from tests.ortus.drawing import draw
from tests.ortus.verbs import asked, guides, legal, play, refusal, where, winner

SHOT = """
 5        D .   .   .   .   .   .   .   .   .   .   .   .  O
 4          E .   W1  .   .   a4  .   .   .   .   .   .  O
 3            F .   .   .   .   .   .   .   .   .   .  O
"""

STREAMS = """
 7    B .   .   .   .   .   w8  .   .   .   .   .   .   .   .  O
 6      C .   .   .   *   .   a5  *   .   .   *   .   .   .  O
 5        D .   .   .   .   .   w1  .   .   .   .   .   .  O
 4          E .   .   .   .   .   .   .   .   .   .   .  O
 3            F .   .   A4  .   .   .   .   .   .   .  O
"""
"""When A4 lands on H5, H6 and I5 are hit, G7 is not."""

ROW_OF_THREE = """
 8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
 7    B .   .   .   .   .   .   f2  .   .   .   .   .   .   .  O
 6      C .   .   .   *   .   w1  *   .   .   *   .   .   .  O
 5        D .   .   .   .   a5  .   .   .   .   .   .   .  O
 4          E .   .   .   .   .   .   .   .   .   .   .  O
 3            F .   .   .   .   .   .   .   .   .   .  O
 2              G .   A4  .   .   .   .   .   .   .  O
"""
"""A wave from H4 hits all three, one after the other."""


def test_r6_1_the_defender_pays_the_power_or_lets_the_warrior_fall() -> None:
    declared = play(draw(SHOT, level="apprentice", energy=(14, 9)), "W1 rng I4")
    saved = play(declared, "I4+")
    assert (saved.energy[BLACK], where(saved, "a4"), saved.honour) == (5, "I4", (0, 0))
    fell = play(declared, "I4-")
    assert (fell.energy[BLACK], where(fell, "a4"), fell.honour) == (9, None, (1, 0))


def test_r6_1_nothing_else_happens_before_the_defence_is_settled() -> None:
    declared = play(draw(SHOT, level="apprentice", guide=("K1", None)), "W1 rng I4")
    assert legal(declared) == set()
    for order in ("W1>F5", "F2>I2", "end", "guide>K2", "W1 rng I4"):
        assert refusal(declared, order) == "defence_open"


def test_r6_1_there_is_nothing_to_decide_without_an_attack() -> None:
    with pytest.raises(Illegal) as caught:
        decide(draw(SHOT), [True])
    assert caught.value.code == "no_defence_open"


def test_r6_1_victims_are_ordered_target_first_then_by_letter_and_number() -> None:
    position = draw(
        """
         7    B .   .   .   .   w8  .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   f2* .   a5  *   .   .   *   .   .   .  O
         5        D .   .   .   w1  .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   A4  .   .   .   .   .   .   .  O
        """
    )
    declared = play(position, "A4 six H6@G6")
    assert asked(declared) == [("H6", 3), ("F6", 3), ("F7", 3), ("G5", 3)]


def test_r6_1_saves_of_one_attack_are_paid_together() -> None:
    rich = play(draw(STREAMS, energy=(14, 7)), "A4 six H6@H5")
    assert play(rich, "H6+; I5+").energy[BLACK] == 1
    poor = play(draw(STREAMS, energy=(14, 5)), "A4 six H6@H5")
    with pytest.raises(Illegal) as caught:
        decide(poor, [True, True])
    assert caught.value.code == "saves_too_dear"
    assert caught.value.facts == {"cost": 6, "energy": 5}
    one_saved = play(poor, "H6-; I5+")
    assert one_saved.energy[BLACK] == 2
    assert (where(one_saved, "a5"), where(one_saved, "w1")) == (None, "I5")


def test_r6_1_at_the_eighth_honour_the_game_stops_and_later_victims_stay() -> None:
    # Gold has six honours: of H6, F7 and G7, in this order, two are enough.
    position = draw(
        """
         7    B .   .   .   .   f2  w1  .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   a5  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   A4  .   .   .   .   .   .   .  O
        """,
        energy=(14, 0),
        guide=("H6", None),
    )
    won = play(position, "A4 six H6@G6")
    assert winner(won) == ("gold", "guide")
    assert won.honour == (8, 0)
    assert [where(won, name) for name in ("a5", "f2", "w1")] == [None, None, "G7"]
    assert won.owed == 0
    assert guides(won) == ("H8", None)


def test_r6_2_nobody_is_asked_when_no_victim_could_be_paid_for() -> None:
    one = play(draw(SHOT, level="apprentice", energy=(14, 3)), "W1 rng I4")
    assert asked(one) is None
    assert (where(one, "a4"), one.energy[BLACK]) == (None, 3)
    two = play(draw(STREAMS, energy=(14, 2)), "A4 six H6@H5")
    assert asked(two) is None
    assert [where(two, name) for name in ("a5", "w1", "w8")] == [None, None, "G7"]


def test_r6_2_all_are_asked_about_when_one_alone_could_be_paid_for() -> None:
    position = play(draw(STREAMS, energy=(14, 3)), "A4 six H6@H5")
    assert asked(position) == [("H6", 3), ("I5", 3)]


def test_r6_2_an_unaffordable_victim_of_a_wave_falls_unasked_and_the_wave_runs_on() -> None:
    position = play(draw(ROW_OF_THREE, energy=(14, 2)), "A4 wave H5@H4")
    assert (where(position, "a5"), where(position, "w1")) == (None, None)
    assert asked(position) == [("H7", 1)]


def test_r6_2_a_power_of_0_saves_without_asking_and_for_nothing() -> None:
    # The die shows 6/3: Powers 6, 3 and 0.
    position = play(draw(ROW_OF_THREE, energy=(14, 2), dicey=True), "A4 wave H5@H4", face=5)
    assert asked(position) is None
    assert [where(position, name) for name in ("a5", "w1", "f2")] == [None, None, "H7"]
    assert position.energy[BLACK] == 2


def test_r6_3_a_fall_takes_the_warrior_off_the_board_and_gives_one_honour() -> None:
    fell = play(draw(SHOT, level="apprentice"), "W1 rng I4; I4-")
    assert where(fell, "a4") is None
    assert fell.honour == (1, 0)
    assert where(play(fell, "E3>I4"), "E3") == "I4"  # its hex is free


def test_r6_4_the_first_honour_puts_the_guide_on_any_hex_of_ones_own_haven() -> None:
    fell = play(draw(SHOT, level="apprentice", energy=(14, 0)), "W1 rng I4")
    haven = ("H1", "I1", "J1", "K1", "L1", "M1", "N1", "O1")
    assert legal(fell, "guide") == {f"guide>{hex_}" for hex_ in haven}
    assert refusal(fell, "guide>K2") == "guide_not_in_haven"
    assert guides(play(fell, "guide>M1")) == ("M1", None)


def test_r6_4_later_honours_move_the_guide_one_step_closer_to_the_core() -> None:
    fell = play(draw(SHOT, level="apprentice", energy=(14, 0), guide=("K1", None)), "W1 rng I4")
    assert legal(fell, "guide") == {"guide>K2", "guide>J2"}
    assert refusal(fell, "guide>L1") == "guide_not_closer"
    assert guides(play(fell, "guide>J2")) == ("J2", None)


def test_r6_4_a_guide_step_may_wait_within_the_turn_but_must_be_owed() -> None:
    position = draw(SHOT, level="apprentice", energy=(14, 0))
    assert refusal(position, "guide>K1") == "no_guide_step_owed"
    stepped = play(position, "W1 rng I4; W1>F5; F2>I2; guide>K1")
    assert guides(stepped) == ("K1", None)
    assert refusal(stepped, "guide>K2") == "no_guide_step_owed"


def test_r6_4_a_guide_walks_over_warriors() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  .   .   a4  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   .   .   w1  E3  .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
        guide=("K1", None),
    )
    assert legal(play(position, "W1 rng I4"), "guide") == {"guide>K2", "guide>J2"}


@pytest.mark.parametrize(
    ("before", "after"),
    [(None, "K1"), ("K1", "K2"), ("H1", "H2"), ("O1", "N2"), ("E10", "F10"), ("L8", "K8"),
     ("E11", "F10"), ("H10", "H9")],
)  # fmt: skip
def test_r6_4_steps_not_chosen_are_taken_by_the_server(before: str | None, after: str) -> None:
    position = draw(SHOT, level="apprentice", energy=(14, 0), guide=(before, None))
    assert guides(play(position, "W1 rng I4; end")) == (after, None)


@pytest.mark.parametrize(
    ("before", "after"),
    [(None, "E15"), ("E15", "E14"), ("A15", "B14"), ("D8", "E8"), ("K1", "J2")],
)
def test_r6_4_black_takes_the_directions_negated(before: str | None, after: str) -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   W1  .   .   w1  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        to_move="black",
        energy=(0, 14),
        guide=(None, before),
    )
    assert guides(play(position, "W1 rng F4; end")) == (None, after)


def test_r6_4_the_eighth_honour_wins_in_the_middle_of_a_wave() -> None:
    position = draw(ROW_OF_THREE, energy=(14, 2), guide=("H7", None))
    won = play(position, "A4 wave H5@H4")
    assert winner(won) == ("gold", "guide")
    assert asked(won) is None
    assert [where(won, name) for name in ("a5", "w1", "f2")] == [None, "H6", "H7"]
