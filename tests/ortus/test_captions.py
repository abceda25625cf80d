"""The examples under the pictures of the rulebooks. The pictures are lost: each board here is one
on which the example comes true. In most of them Black attacks."""

from __future__ import annotations

from pbem.games.ortus.hexes import BLACK, GOLD
from tests.ortus.drawing import draw
from tests.ortus.seats import board, new_game, seed_for, send, with_setups
from tests.ortus.verbs import (
    asked,
    cost,
    covered,
    first_turn,
    hexline,
    legal,
    play,
    refusal,
    shielded,
    where,
    winner,
)


def test_caption_set_up_with_black_as_starter() -> None:
    position = first_turn(level="apprentice", starter="black")
    assert position.active == BLACK
    assert position.energy == (14, 7)


def test_caption_black_starts_with_two_wells_and_22_energy_and_four_attackers() -> None:
    position = draw(
        """
        10      A .   .   .   w1* .   .   f2* .   .   *   .   .   .  M
         9    A .   .   .   .   e3  .   .   .   a4  .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   F2  .   .   .   .   .   .   .   .  O
         6      C .   .   .   W1* .   .   *   E3  .   *   .   .   .  O
        """,
        level="apprentice",
    )
    black = play(position, "end")
    assert black.energy[BLACK] == 22
    verbs = (" str ", " rng ", " chg ")
    attackers = {text[:2] for text in legal(black) if any(verb in text for verb in verbs)}
    assert attackers == {"W1", "F2", "E3", "A4"}


def test_caption_wind_walks_five_steps_out_of_the_haven_onto_a_well() -> None:
    position = first_turn(level="apprentice", starter="black")
    assert cost(position, "W1>G10") == 6
    assert cost(position, "F2>G10") == 5
    wind_on_slot_2 = first_turn(black="FWEAAEFW", level="apprentice", starter="black")
    assert cost(wind_on_slot_2, "W2>G10") == 5
    walked = play(wind_on_slot_2, "W2>G10")
    assert walked.energy[BLACK] == 2
    assert walked.wells_held(BLACK) == 1
    # It could not attack this turn, and can in the next one.
    target_near = play(walked, "end; F2>I8; end")
    assert "W2 rng I8" in legal(target_near)
    assert refusal(walked, "W2 rng H1") == "not_from_arena"


def test_caption_earth_charges_fire_for_3_energy_and_can_do_no_more() -> None:
    position = draw(
        """
         9    A .   .   .   .   .   e3  .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   F2  .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
        """,
        level="apprentice",
        to_move="black",
    )
    assert cost(position, "E3 chg I7@I8") == 3
    charged = play(position, "E3 chg I7@I8")
    assert asked(charged) == [("I7", 5)]
    assert where(play(charged, "I7-"), "F2") is None
    saved = play(charged, "I7+")
    assert saved.energy == (9, 11)
    assert legal(saved, "E3") == set()


def test_caption_wind_attacks_earth_for_3_energy() -> None:
    position = draw(
        """
        10      A .   .   .   *   .   w1  *   .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   E3  .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
        """,
        level="apprentice",
        to_move="black",
        energy=(5, 14),
    )
    shot = play(position, "W1 rng F7")
    assert shot.energy[BLACK] == 11
    assert asked(shot) == [("F7", 4)]
    assert play(shot, "F7+").energy[GOLD] == 1
    assert where(play(shot, "F7-"), "E3") is None


def test_caption_fire_strikes_water_for_nothing() -> None:
    position = draw(
        """
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   A4  f2  ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
        """,
        level="apprentice",
        to_move="black",
        energy=(3, 0),
    )
    struck = play(position, "F2 str F8")
    assert struck.energy[BLACK] == 0
    assert asked(struck) == [("F8", 3)]
    assert play(struck, "F8+").energy[GOLD] == 0


def test_caption_guide_is_placed_by_the_first_honour_and_wins_with_the_eighth() -> None:
    position = draw(
        """
        10      A .   .   .   *   .   .   w1* .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   E3  .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
        """,
        level="apprentice",
        to_move="black",
        energy=(0, 14),
    )
    first = play(position, "W1 rng F7")
    assert legal(first, "guide") == {f"guide>{letter}15" for letter in "ABCDEFGH"}
    last = draw(
        """
        10      A .   .   .   *   .   .   w1* .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   E3  .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
        """,
        level="apprentice",
        to_move="black",
        energy=(0, 14),
        guide=(None, "H9"),
    )
    assert winner(play(last, "W1 rng F7")) == ("black", "guide")


def test_caption_hexlines_of_blacks_fire() -> None:
    position = draw(
        """
        10      A .   .   .   *   .   .   *   W1  .   *   .   .   .  M
         9    A .   .   .   .   w1  .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   f2  *   .   A4  *   .   e3  .  O
         5        D .   .   .   .   .   .   a4  .   .   .   .   .  O
        """
    )
    assert hexline(position, "H6", "E9")  # Black's Wind
    assert hexline(position, "H6", "K6")  # Gold's Water
    assert not hexline(position, "H6", "N6")  # Black's Earth, behind Gold's Water
    assert not hexline(position, "H6", "J5")  # Black's Water, on no line
    assert not hexline(position, "H6", "H10")  # Gold's Wind, behind the Core


def test_caption_the_hexes_a_kite_can_reach() -> None:
    position = draw(
        """
        12          A .   .   .   .   .   .   .   .   .   .   .  K
        11        A .   .   .   a4  .   .   .   w1  .   .   .   .  L
        10      A .   .   .   *   .   .   *   .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   E3  .   .   .  O
        """,
        level="wind",
        to_move="black",
    )
    ends = {"H9", "H14", "L11", "E11", "K8", "E14"}
    assert legal(position, "W1:kite") == {f"W1:kite>{end}" for end in ends}


def test_caption_the_bear_spends_8_energy_and_then_reveals_golds_earth() -> None:
    position = draw(
        """
         9    A .   .   .   e3  .   .   .   .   .   w1  .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   E3  *   .   .   .  O
         5        D .   .   .   .   A4  .   .   .   .   .   .   .  O
        """,
        level="earth",
        to_move="black",
    )
    assert covered(position, "E3")
    assert refusal(position, "E3 chg K6@J6") == "target_covered"
    assert refusal(position, "W1 rng K6") == "target_covered"
    charged = play(position, "E3 chg H5@H6")
    assert charged.energy[BLACK] == 14 - 8
    assert asked(charged) == [("H5", 6)]
    saved = play(charged, "H5+")
    assert saved.energy[GOLD] == 14 - 6
    assert hexline(saved, "H6", "K6")
    assert cost(saved, "W1 rng K6") == 3


def test_caption_a_charge_may_block_the_hexline_that_revealed_its_target() -> None:
    position = draw(
        """
        10      A .   .   .   *   .   .   *   .   a4  *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   e3  .   .   .   E3  .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
        """,
        level="water",
        to_move="black",
    )
    assert not covered(position, "E3")
    charged = play(position, "A4 wave I7@H7")
    assert asked(charged) == [("I7", 5)]
    assert covered(play(charged, "I7+"), "E3")


def test_caption_the_wave_5_3_1_breaks_the_phoenix_on_earth() -> None:
    position = draw(
        """
         9    A .   .   .   .   .   .   .   .   .   F7  .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   E3  .   *   .   .   .  O
         5        D .   .   .   .   .   .   F2  .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   a4  .   .  O
        """,
        to_move="black",
    )
    assert shielded(position, "E3")
    first = play(position, "A4 wave J5@J4")
    assert asked(first) == [("J5", 5)]
    second = play(first, "J5-")
    assert not shielded(second, "E3")
    assert asked(second) == [("J6", 3)]
    third = play(second, "J6-")
    assert asked(third) == [("J9", 1)]


def test_caption_six_streams_after_4_steps_let_gold_decide_for_three() -> None:
    position = draw(
        """
        10      A .   .   .   a4* .   .   *   .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   E3  .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   F2  A4* .   .   *   .   .   .  O
        """,
        to_move="black",
        energy=(6, 14),
    )
    assert covered(position, "E3")
    streams = play(position, "A4 six H6@H7")
    assert streams.energy[BLACK] == 14 - 4
    assert asked(streams) == [("H6", 3), ("G7", 3), ("I6", 3)]
    decided = play(streams, "H6+; G7-; I6+")
    assert [where(decided, name) for name in ("F2", "E3", "A4")] == ["H6", None, "I6"]
    assert decided.energy[GOLD] == 0


def test_caption_phoenix_blocks_for_2_and_then_is_broken() -> None:
    position = draw(
        """
         9    A .   .   .   .   a4  .   .   .   .   w1  .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   A4  .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   F2  .   .   F7  .   .   .   .  O
        """,
        to_move="black",
    )
    assert shielded(position, "A4")
    assert shielded(position, "F2")
    assert shielded(position, "F7")
    charged = play(position, "A4 wave H7@H6")
    assert asked(charged) == [("H7", 2)]
    saved = play(charged, "H7+")
    assert saved.energy[GOLD] == 12
    assert asked(play(saved, "W1 rng H7")) == [("H7", 4)]


def test_caption_dragons_after_a_2_step_move_and_a_phoenix_after_a_step_back() -> None:
    position = draw(
        """
        10      A .   .   .   *   .   f2  *   .   .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D e3  .   .   E3  .   f7  .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
        """,
        to_move="black",
    )
    assert refusal(position, "F2+F7 drg G5") == "dragons_no_hexline"
    moved = play(position, "F2>G8")
    assert moved.energy[BLACK] == 12
    attacked = play(moved, "F2+F7 drg G5")
    assert asked(attacked) == [("G5", 4)]
    assert attacked.energy[BLACK] == 12
    saved = play(attacked, "G5+")
    assert not shielded(saved, "f2")
    back = play(saved, "F7>J5; end")
    assert back.energy[BLACK] == 11
    assert shielded(back, "f2")
    assert shielded(back, "f7")


def test_caption_dark_blue_die_6_3() -> None:
    position = draw(
        """
        14              A .   .   .   .   .   .   .   a4  .  I
        13            A .   .   .   .   .   .   .   .   .   .  J
        12          A .   .   .   .   .   .   .   .   .   .   .  K
        11        A .   .   .   .   .   .   .   F2  .   .   .   .  L
        10      A .   .   .   *   .   .   *   W1  .   *   .   .   .  M
         9    A .   .   .   .   .   .   .   A4  .   .   .   .   .   .  N
        """,
        to_move="black",
        dicey=True,
    )
    first = play(position, "A4 wave H11@H12", face=4)
    assert asked(first) == [("H11", 6)]
    second = play(first, "H11-")
    assert asked(second) == [("H10", 3)]
    third = play(second, "H10-")
    assert asked(third) is None
    assert where(third, "A4") == "H9"


def test_caption_light_blue_die_4_2() -> None:
    position = draw(
        """
        14              A .   .   .   .   .   .   .   a4  .  I
        13            A .   .   .   .   .   .   .   .   .   .  J
        12          A .   .   .   .   .   .   W1  .   .   .   .  K
        11        A .   .   .   .   .   .   .   F2  A4  .   .   .  L
        10      A .   .   .   *   .   .   *   .   .   *   .   .   .  M
        """,
        to_move="black",
        dicey=True,
    )
    rolled = play(position, "A4 six H11@H12", face=5)
    assert asked(rolled) == [("H11", 4), ("G12", 2), ("I11", 2)]


def test_caption_adrian_bids_6_beau_5_and_adrian_folds() -> None:
    # Adrian plays Gold; Beau, Black, was named by the lot.
    game = with_setups(new_game(bid=True, seed=seed_for("black")))
    game = send(game, "gold", "bid 6")
    game = send(game, "black", "bid 5")
    game = send(game, "gold", "pass")
    assert board(game).active == BLACK
    assert board(game).energy == (14, 5)


def test_caption_handicap_boards_ii_then_i() -> None:
    board_two = new_game(handicap="gold II").options.collecting[GOLD]
    board_one = new_game(handicap="gold I").options.collecting[GOLD]
    plain = new_game().options.collecting[GOLD]
    assert all(two > one > none for two, one, none in zip(board_two, board_one, plain, strict=True))
