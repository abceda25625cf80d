"""R1.6: arena files, their faults, and hexes cut out of the Arena."""

from __future__ import annotations

import pytest

from pbem.games.ortus.arena import (
    BUILT_IN,
    MAX_FILE_BYTES,
    ArenaError,
    get_arena,
    make_arena,
    parse_arena,
)
from pbem.games.ortus.hexes import get_hex
from tests.ortus.drawing import draw
from tests.ortus.seats import new_game
from tests.ortus.verbs import asked, cost, hexline, legal, play, refusal, where

WELLS = ("F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10")
OWN = make_arena("own", wells=WELLS, cuts=("H5", "H11", "K4", "E12"))


def faults(wells: tuple[str, ...] = WELLS, cuts: tuple[str, ...] = ()) -> tuple[str, ...]:
    with pytest.raises(ArenaError) as caught:
        make_arena("own", wells=wells, cuts=cuts)
    return caught.value.faults


def test_r1_6_a_file_names_an_arena_its_wells_and_its_cuts() -> None:
    arena = parse_arena(
        """
        name = "garden"
        wells = ["F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10"]
        cuts = ["H5", "H11"]
        """
    )
    assert arena.name == "garden"
    assert arena.wells == get_arena("origin").wells
    assert arena.cuts == 1 << get_hex("H5") | 1 << get_hex("H11")
    assert arena.ground == get_arena("origin").ground & ~arena.cuts


def test_r1_6_the_arenas_of_the_game_have_no_faults() -> None:
    assert [get_arena(name).name for name in BUILT_IN] == ["origin", "crown"]
    with pytest.raises(KeyError):
        get_arena("../origin")


def test_r1_6_there_must_be_exactly_eight_wells() -> None:
    assert len(faults(wells=WELLS[1:-1])) == 1
    assert "6 different Wells" in faults(wells=WELLS[1:-1])[0]
    assert "10 different Wells" in faults(wells=(*WELLS, "H5", "H11"))[0]


@pytest.mark.parametrize("hex_", ["A1", "P3", "H16", "", "h6", "H8", "H1", "A15"])
def test_r1_6_a_well_or_a_cut_must_be_on_the_arena(hex_: str) -> None:
    as_well = faults(wells=(*WELLS, hex_))
    assert len(as_well) == 1
    assert hex_ in as_well[0]
    as_cut = faults(cuts=(hex_,))
    assert len(as_cut) == 1
    assert hex_ in as_cut[0]


def test_r1_6_a_hex_named_twice_is_a_fault() -> None:
    assert faults(wells=(*WELLS, "F6")) == ("the Well F6 is named twice",)
    assert faults(cuts=("H5", "H11", "H5")) == ("the cut H5 is named twice",)


def test_r1_6_a_well_must_not_be_cut() -> None:
    assert faults(cuts=("F6", "J10")) == ("the Well F6 is cut", "the Well J10 is cut")


def test_r1_6_wells_and_cuts_are_symmetric_under_the_half_turn() -> None:
    lopsided = faults(wells=("F5", *WELLS[1:]))
    assert [fault.split(" has no")[0] for fault in lopsided] == ["the Well F5", "the Well J10"]
    assert len(faults(cuts=("H5",))) == 1
    assert "H11" in faults(cuts=("H5",))[0]


def test_r1_6_every_haven_hex_needs_a_free_arena_neighbour() -> None:
    shut = faults(cuts=("G2", "H2", "I14", "H14"))
    assert [fault for fault in shut if "Haven hex" in fault] == [
        "the Haven hex H1 has no free Arena neighbour",
        "the Haven hex H15 has no free Arena neighbour",
    ]


def test_r1_6_every_arena_hex_must_be_reached_from_both_havens() -> None:
    # G2 keeps its way to H1, in Gold's Haven, but Black cannot come to it.
    lost = faults(cuts=("G3", "F3", "H2", "I13", "J13", "H14"))
    assert lost == ("Gold's Haven has no walk to I14", "Black's Haven has no walk to G2")


def test_r1_6_all_faults_are_listed_at_once() -> None:
    with pytest.raises(ArenaError) as caught:
        parse_arena(
            """
            name = "no good"
            wells = ["F6", "F6", "H8", "Z9", "L6"]
            cuts = ["L6", "K1"]
            height = 3
            """
        )
    found = caught.value.faults
    assert len(found) == len(set(found)) == 11
    for part in ("'height'", "'no good'", "F6 is named twice", "H8 is not on", "'Z9'", "K1 is not"):
        assert any(part in fault for fault in found), part
    assert "2 different Wells" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wells = 3",
        "name = 4",
        'name = "x"\nwells = [1, 2, 3, 4, 5, 6, 7, 8]',
        'name = "x"\nwells = "F6 I6"',
        "not toml at all",
        "\x00\x01",
        "name = 'a'\nname = 'b'",
        "a = " + "[" * 5000,
        "#" * (MAX_FILE_BYTES + 1),
        "x = " + "9" * 5000,
        "a." * (MAX_FILE_BYTES // 2 - 2) + "b=1",
    ],
)
def test_r1_6_a_text_that_is_no_arena_is_refused(text: str) -> None:
    with pytest.raises(ArenaError):
        parse_arena(text)


def test_r1_6_a_cut_hex_stops_paths() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   a4  *   .   .   *   .   .   .  O
         5        D .   .   .   .   xx  .   .   .   .   .   .   .  O
         4          E .   .   .   F2  .   .   xx  .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        arena=OWN,
        level="apprentice",
    )
    assert refusal(position, "F2>H5") == "hex_cut"
    assert cost(position, "F2>G6") == 2
    assert cost(position, "F2 rng H6") == 3  # two steps, were H5 not cut out


def test_r1_6_no_charge_lands_on_a_cut_hex() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   a4  *   .   .   *   .   .   .  O
         5        D .   .   .   .   xx  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   xx  .   .   .   .  O
         3            F .   .   A4  .   .   .   .   .   .   .  O
        """,
        arena=OWN,
    )
    assert refusal(position, "A4 wave H6@H5") == "hex_cut"
    assert "A4 wave H6@G6" in legal(position)


def test_r1_6_a_cut_hex_stops_lines() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   e3  *   .   .   *   .   .   .  O
         5        D .   .   .   .   xx  .   .   .   .   .   .   .  O
         4          E .   .   F2  E3  .   .   xx  .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """,
        arena=OWN,
    )
    assert not hexline(position, "H4", "H6")
    assert hexline(position, "G4", "H4")


def test_r1_6_a_cut_hex_stops_kites() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   xx  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   xx  .   .   .   W8 O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   W1  .   .   .   .   .   .   .  O
        """,
        arena=OWN,
    )
    assert "W1:kite>H4" in legal(position)
    assert "W8:kite>L4" in legal(position)


def test_r1_6_a_cut_hex_stops_waves() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   w1  *   .   .   *   .   .   .  O
         5        D .   .   .   .   xx  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   xx  .   .   .   .  O
         3            F .   .   a5  .   .   .   .   .   .   .  O
         2              G .   .   .   .   A4  .   .   .   .  O
        """,
        arena=OWN,
    )
    hit = play(position, "A4 wave H3@H2; H3-")
    assert asked(hit) is None
    assert where(hit, "w1") == "H6"


def test_r1_6_guides_cross_a_cut_hex() -> None:
    position = draw(
        """
         7    B .   .   .   .   a4  .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   W1  .   xx  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   xx  .   .   .   .  O
        """,
        arena=OWN,
        energy=(14, 0),
        guide=("H4", None),
    )
    assert legal(play(position, "W1 rng F7"), "guide") == {"guide>H5"}


def test_r1_6_no_fallen_returns_onto_a_cut_hex() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   W1  .   xx  .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   xx  .   .   .   .  O
        """,
        arena=OWN,
        guide=("H5", None),
        fallen="F2",
    )
    assert refusal(position, "F2 ret guide") == "guide_on_cut"
    assert legal(position, "F2") == {"F2 ret H1", "F2 ret I1"}


def test_r1_6_nobody_can_be_drawn_on_a_cut_hex() -> None:
    line = (
        "own master g 5 | 14 14 | 0 0 | - - "
        "| W1@H5 F2@I1 E3@J1 A4@K1 A5@L1 E6@M1 F7@N1 W8@O1 "
        "| W1@H15 F2@G15 E3@F15 A4@E15 A5@D15 E6@C15 F7@B15 W8@A15"
    )
    text = f'name = "own"\nwells = {list(WELLS)}\ncuts = ["H5", "H11"]'
    with pytest.raises(ValueError, match="H5"):
        new_game(position=line, arena_file=text)
    assert new_game(position=line.replace("H5", "H4"), arena_file=text).options.arena.cuts
