"""R7: the Fallen come back."""

from __future__ import annotations

from tests.ortus.drawing import draw
from tests.ortus.verbs import guides, legal, play, refusal, where

TWO_FALLEN = """
 3            F .   .   .   .   w1  .   .   A4  .   .  O
 2              G .   .   .   .   .   .   .   .   .  O
 1                H W1  =   =   F7  A5  E6  =   W8 O
"""
"""F2 and E3 are Fallen; I1, J1 and N1 are empty."""


def test_r7_1_every_fallen_goes_to_any_free_hex_of_its_haven() -> None:
    position = draw(TWO_FALLEN, fallen="F2 E3")
    assert legal(position, "F2") == {"F2 ret I1", "F2 ret J1", "F2 ret N1"}
    assert legal(position, "E3") == {"E3 ret I1", "E3 ret J1", "E3 ret N1"}
    assert refusal(position, "F2 ret K1") == "return_taken"
    assert refusal(position, "F2 ret I2") == "return_not_haven"
    assert refusal(position, "F2 ret G15") == "return_not_haven"
    assert refusal(position, "F7 ret N1") == "not_fallen"
    assert where(play(position, "F2 ret N1"), "F2") == "N1"


def test_r7_1_one_fallen_a_turn_may_go_to_the_guide() -> None:
    position = draw(TWO_FALLEN, fallen="F2 E3", guide=("J5", None))
    assert refusal(draw(TWO_FALLEN, fallen="F2 E3"), "F2 ret guide") == "no_guide"
    on_guide = play(position, "F2 ret guide")
    assert where(on_guide, "F2") == "J5"
    assert refusal(on_guide, "E3 ret guide") == "guide_used"


def test_r7_1_only_one_goes_to_a_guide_in_the_haven_too() -> None:
    position = draw(TWO_FALLEN, fallen="F2 E3", guide=("I1", None))
    assert where(play(position, "E3 ret guide"), "E3") == "I1"


def test_r7_1_nobody_goes_to_a_guide_whose_hex_is_taken() -> None:
    own = draw(TWO_FALLEN, fallen="F2 E3", guide=("M3", None))
    assert refusal(own, "F2 ret guide") == "guide_taken"
    opposing = draw(TWO_FALLEN, fallen="F2 E3", guide=("J3", None))
    assert refusal(opposing, "F2 ret guide") == "guide_taken"


def test_r7_1_after_the_first_return_there_are_no_more_manoeuvres() -> None:
    position = draw(TWO_FALLEN, fallen="F2 E3")
    assert "A4>M4" in legal(position)
    returning = play(position, "F2 ret I1")
    assert refusal(returning, "A4>M4") == "returning_begun"
    assert legal(returning) == {"end", "E3 ret J1", "E3 ret N1"}


def test_r7_1_owed_guide_steps_come_before_a_return_to_the_guide() -> None:
    position = draw(
        """
         4          E .   .   .   .   .   w1  .   W8  .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   .   F2  .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
        guide=("J5", None),
        fallen="E3",
    )
    fell = play(position, "W8 rng J4")
    assert refusal(fell, "E3 ret guide") == "guide_owed"
    assert "E3 ret J1" in legal(fell)
    assert where(play(fell, "guide>I6; E3 ret guide"), "E3") == "I6"
    # The step may still be taken after a return to the Haven has begun.
    assert guides(play(fell, "E3 ret J1; guide>J6")) == ("J6", None)


def test_r7_1_at_the_end_owed_steps_come_first_and_the_server_never_uses_the_guide() -> None:
    position = draw(
        """
         4          E .   .   .   .   .   w1  .   W8  .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   .   F2  .   .   .   .   .   .  O
        """,
        level="apprentice",
        energy=(14, 0),
        guide=("J5", None),
        fallen="E3",
    )
    ended = play(position, "W8 rng J4; end")
    assert guides(ended) == ("J6", None)
    assert where(ended, "E3") == "J1"


def test_r7_1_returning_is_not_optional() -> None:
    ended = play(draw(TWO_FALLEN, fallen="F2 E3"), "end")
    assert None not in (where(ended, "F2"), where(ended, "E3"))


def test_r7_2_the_server_uses_the_own_slot_if_it_is_empty() -> None:
    # H1 is empty too, and lower.
    position = draw(
        """
         2              G W1  .   .   .   .   .   .   .   .  O
         1                H =   =   =   A4  A5  E6  F7  W8 O
        """,
        fallen="F2 E3",
    )
    ended = play(position, "end")
    assert (where(ended, "F2"), where(ended, "E3")) == ("I1", "J1")


def test_r7_2_the_server_uses_the_lowest_empty_slot_otherwise_in_slot_order() -> None:
    # F2's slot is taken by W1, so it goes to H1; E3's own slot is empty; A4 gets K1's stand-in.
    position = draw(
        """
         3            F .   .   .   .   w1  .   .   .   .   .  O
         2              G .   .   .   .   .   .   .   .   .  O
         1                H =   W1  =   F7  =   E6  A5  W8 O
        """,
        fallen="F2 E3 A4",
    )
    ended = play(position, "end")
    assert [where(ended, name) for name in ("F2", "E3", "A4")] == ["H1", "J1", "L1"]


def test_r7_2_fallen_that_were_placed_by_hand_stay_there() -> None:
    ended = play(draw(TWO_FALLEN, fallen="F2 E3"), "E3 ret I1; end")
    assert (where(ended, "E3"), where(ended, "F2")) == ("I1", "J1")


def test_r7_3_a_fallen_on_the_guide_may_attack_in_its_next_turn() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   a4  .   .   .   .   .  O
         2              G .   .   .   .   .   .   .   .   .  O
         1                H =   W1  E3  F7  A5  E6  A4  W8 O
        """,
        level="apprentice",
        guide=("H5", None),
        fallen="F2",
    )
    returned = play(position, "F2 ret guide; end")
    assert where(returned, "F2") == "H5"
    assert "F2 rng J3" in legal(play(returned, "end"))
    home = play(position, "F2 ret H1; end; end")
    assert refusal(home, "F2 rng J3") == "not_from_arena"
