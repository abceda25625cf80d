"""M4: Water, the Flow of Crashing Waves and the Strike of Six Streams."""

from __future__ import annotations

import pytest

from tests.ortus.drawing import draw
from tests.ortus.verbs import asked, cost, covered, legal, play, refusal, where

LINE = """
 8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
 7    B .   .   .   .   .   .   w8  .   .   .   .   .   .   .  O
 6      C .   .   .   *   .   w1  *   .   .   *   .   .   .  O
 5        D .   .   .   .   a5  .   .   .   .   .   .   .  O
 4          E .   .   .   .   .   .   .   .   .   .   .  O
 3            F .   .   .   .   .   .   .   .   .   .  O
 2              G .   A4  .   .   .   .   .   .   .  O
"""


def test_m4_1_a_wave_is_a_charge_that_runs_on_with_powers_5_3_and_1() -> None:
    position = draw(LINE, level="water", energy=(14, 14))
    assert cost(position, "A4 wave H5@H4") == 2
    first = play(position, "A4 wave H5@H4")
    assert where(first, "A4") == "H4"
    assert asked(first) == [("H5", 5)]
    second = play(first, "H5-")
    assert asked(second) == [("H6", 3)]
    third = play(second, "H6-")
    assert asked(third) == [("H7", 1)]
    over = play(third, "H7-")
    assert asked(over) is None
    assert over.honour == (3, 0)
    assert over.energy == (12, 14)


def test_m4_1_a_save_stops_the_wave() -> None:
    first = play(draw(LINE, level="water"), "A4 wave H5@H4")
    assert asked(play(first, "H5+")) is None
    second_saved = play(first, "H5-; H6+")
    assert asked(second_saved) is None
    assert second_saved.energy == (12, 11)
    assert where(second_saved, "w8") == "H7"


def test_m4_1_a_wave_is_over_after_the_third_victim() -> None:
    position = draw(
        """
         5        D .   .   .   A4  .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   a5  w1  .   w8  .   f2  .   .  O
        """,
        energy=(14, 0),
    )
    after = play(position, "A4 wave H3@G3")
    assert [where(after, name) for name in ("a5", "w1", "w8", "f2")] == [None, None, None, "M3"]


def test_m4_1_a_wave_crosses_empty_hexes_in_the_direction_of_the_charge() -> None:
    position = draw(
        """
         8  A .   *   .   .   .   f2  .   ##  w8  .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   a5  .   .   w1  .   .   .  O
         4          E .   A4  .   .   .   .   .   .   .   .   .  O
        """,
        energy=(14, 0),
    )
    east = play(position, "A4 wave I5@H5")
    assert [where(east, name) for name in ("a5", "w1", "w8", "f2")] == [None, None, "I8", "F8"]
    north = play(position, "A4 wave I5@I4")
    assert [where(north, name) for name in ("a5", "w1", "w8", "f2")] == [None, "L5", None, "F8"]
    north_west = play(position, "A4 wave I5@J4")
    assert [where(north_west, name) for name in ("a5", "w1", "w8", "f2")] == [
        None,
        "L5",
        "I8",
        None,
    ]


@pytest.mark.parametrize(
    ("order", "board"),
    [
        pytest.param(
            "A4 wave H5@H4",
            """
             7    B .   .   .   .   .   .   w1  .   .   .   .   .   .   .  O
             6      C .   .   .   *   .   F2  *   .   .   *   .   .   .  O
             5        D .   .   .   .   a5  .   .   .   .   .   .   .  O
             4          E .   .   .   .   .   .   .   .   .   .   .  O
             3            F .   .   .   .   .   .   .   .   .   .  O
             2              G .   A4  .   .   .   .   .   .   .  O
            """,
            id="by an own warrior",
        ),
        pytest.param(
            "A4 wave H6@H5",
            """
             9    A .   .   .   .   .   .   .   w1  .   .   .   .   .   .  N
             8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
             7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
             6      C .   .   .   *   .   a5  *   .   .   *   .   .   .  O
             5        D .   .   .   .   .   .   .   .   .   .   .   .  O
             4          E .   .   .   .   .   .   .   .   .   .   .  O
             3            F .   .   A4  .   .   .   .   .   .   .  O
            """,
            id="by the Core",
        ),
        pytest.param(
            "A4 wave N6@M6",
            """
             7    B .   .   .   .   .   .   .   .   .   .   .   .   .   w1 O
             6      C .   .   .   *   .   .   *   A4  .   *   .   a5  .  O
             5        D .   .   .   .   .   .   .   .   .   .   .   .  O
            """,
            id="by the edge",
        ),
    ],
)
def test_m4_1_a_wave_is_stopped(order: str, board: str) -> None:
    after = play(draw(board, energy=(14, 0)), order)
    assert where(after, "a5") is None
    assert where(after, "w1") is not None
    assert after.honour == (1, 0)


def test_m4_1_a_wave_stops_before_a_haven() -> None:
    position = draw(
        """
        15                A w8  f7  e6  =   a4  e3  f2  w1 H
        14              A .   .   .   .   .   .   .   .   .  I
        13            A .   .   a5  .   .   .   .   .   .   .  J
        12          A .   .   .   .   .   .   .   .   .   .   .  K
        11        A .   .   .   .   .   .   .   .   .   .   .   .  L
        10      A .   .   A4  *   .   .   *   .   .   *   .   .   .  M
        """,
        energy=(14, 0),
    )
    after = play(position, "A4 wave C13@C12")
    assert after.honour == (1, 0)
    assert where(after, "e6") == "C15"


def test_m4_1_a_covered_earth_is_hit_as_second_victim() -> None:
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   e3  .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   a5  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   A4  .   .   .   .   .   .   .  O
        """,
        energy=(14, 3),
    )
    assert covered(position, "e3")
    assert asked(play(position, "A4 wave H5@H4")) == [("H7", 3)]


def test_m4_1_wave_and_six_replace_charge_and_strike() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   A4  a5  .   .   A5  .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="water",
    )
    assert refusal(position, "A4 str I5") == "verb_not_for_element"
    assert refusal(position, "A5 chg I5@J5") == "verb_not_for_element"
    assert legal(position, "A4 ") == set()
    below = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   A4  a5  .   .   A5  .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="earth",
    )
    assert refusal(below, "A5 wave I5@J5") == "verb_not_for_element"
    assert refusal(below, "A5 six I5@J5") == "verb_not_for_element"
    assert asked(play(below, "A4 str I5")) == [("I5", 3)]


STREAMS = """
 7    B .   .   .   .   .   w1  .   .   .   .   .   .   .   .  O
 6      C .   .   .   *   E3  f2  *   .   .   *   .   .   .  O
 5        D .   .   .   a4  .   e3  .   .   .   .   .   .  O
 4          E .   .   .   .   .   .   .   .   .   .   .  O
 3            F A4  .   .   .   .   .   .   .   .   .  O
"""
"""From H5 the streams reach H6, I5 and G5; G6 is Gold's own, G7 too far."""


def test_m4_2_six_streams_hit_every_opposing_neighbour_of_the_landing_for_3() -> None:
    position = draw(STREAMS, level="water", energy=(14, 14))
    assert covered(position, "e3")
    declared = play(position, "A4 six H6@H5")
    assert asked(declared) == [("H6", 3), ("G5", 3), ("I5", 3)]
    assert declared.energy == (10, 14)


def test_m4_2_the_defender_decides_for_each() -> None:
    declared = play(draw(STREAMS, level="water", energy=(14, 7)), "A4 six H6@H5")
    settled = play(declared, "H6+; G5-; I5+")
    assert [where(settled, name) for name in ("f2", "a4", "e3")] == ["H6", None, "I5"]
    assert settled.energy == (10, 1)
    assert settled.honour == (1, 0)


def test_m4_2_warriors_in_the_haven_are_safe_from_the_streams() -> None:
    position = draw(
        """
        15                A w8  f7  e6  =   a4  e3  f2  w1 H
        14              A .   .   .   .   a5  .   .   .   .  I
        13            A .   .   .   .   .   .   .   .   .   .  J
        12          A .   .   .   .   .   A4  .   .   .   .   .  K
        """
    )
    assert asked(play(position, "A4 six E14@F14")) == [("E14", 3)]
