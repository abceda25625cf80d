"""The reader of drawn boards must be trusted by every other test, so it is tested itself."""

from __future__ import annotations

import re

import pytest

from notation.errors import NotationError
from tests.ortus.drawing import draw, picture, position_text
from tests.ortus.verbs import where

BOARD = """
 9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
 8  A .   A1* .   .   .   .   .   ##  .   .   W3  .   .   *   .  O
 7    B .   .   .   .   .   e4  .   .   .   .   .   .   .   .  O
"""


def test_a_drawing_puts_warriors_where_it_shows_them() -> None:
    position = draw(BOARD)
    assert where(position, "W3") == "K8"
    assert where(position, "e4") == "G7"
    assert where(position, "A1") == "B8"


def test_warriors_that_are_not_drawn_wait_in_their_haven() -> None:
    position = draw(BOARD, fallen="F2")
    assert where(position, "F2") is None
    assert position_text(position) == (
        "origin master g 5 | 14 14 | 0 0 | - - "
        "| A1@B8 F2@x W3@K8 A4@K1 E5@L1 E6@M1 F7@N1 W8@O1 "
        "| W1@H15 F2@G15 E3@F15 E4@G7 A5@D15 A6@C15 F7@B15 W8@A15"
    )


def test_honour_follows_from_the_guide() -> None:
    assert draw(BOARD, guide=("K1", "H9")).honour == (1, 7)


def test_a_picture_is_read_back_as_the_same_position() -> None:
    position = draw(BOARD)
    assert draw(picture(position)) == position


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("W3", " W3", "out of place"),
        ("e4  ", "e4 ", "out of place"),
        ("##", "W5", "H8 is drawn as W5"),
        ("A1*", "A1 ", "B8 is a Well"),
        ("W3 ", "W3*", "K8 is not a Well"),
        ("*   .  O", ".   .  O", "N8 is drawn as ."),
        ("W3", "A1", "stands on"),
        ("W3", "E1", "two warriors of slot 1"),
        (" 9 ", "10 ", "row 10 runs from A10 to M10"),
        (" 7 ", " 9 ", "row 9 below row 8"),
        (" 7 ", "17 ", "no row 17"),
        ("e4", "e9", "drawn as e9"),
    ],
)
def test_a_faulty_drawing_fails(before: str, after: str, complaint: str) -> None:
    assert before in BOARD
    with pytest.raises(ValueError, match=re.escape(complaint)):
        draw(BOARD.replace(before, after, 1))


def test_a_third_warrior_of_an_element_fails() -> None:
    with pytest.raises(ValueError, match="a third warrior of element W"):
        draw(BOARD, fallen="W2 W5")


def test_a_drawn_haven_must_be_complete() -> None:
    with pytest.raises(ValueError, match="neither drawn nor Fallen"):
        draw(
            """
             1                H W1  F2  E3  A4  A5  E6  F7  =  O
            """
        )


def test_warriors_cannot_stand_in_the_opposing_haven() -> None:
    with pytest.raises(NotationError):
        draw(
            """
            15                A w8  f7  e6  a5  a4  e3  f2  W1 H
            14              A .   .   .   .   .   .   .   .   w1 I
            """
        )
