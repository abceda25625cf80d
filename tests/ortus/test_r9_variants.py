"""R9: dice, handicaps, clock, bids, lots that can be checked, arenas and levels."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from pbem.games.base import OptionsError
from pbem.games.ortus.dice import commitment, face, lot, random_byte
from pbem.games.ortus.hexes import BLACK, GOLD
from pbem.games.ortus.options import parse_options
from tests.ortus.drawing import draw, position_text
from tests.ortus.seats import (
    GAME_ID,
    board,
    decree,
    new_game,
    refused,
    requests,
    result,
    seed_for,
    send,
    with_setups,
)
from tests.ortus.verbs import asked, first_turn, legal, play

ALL_KINDS = """
 7    B .   .   .   .   .   .   .   w1  .   .   E3  .   .   .  O
 6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
 5        D .   .   .   .   F2  .   .   .   .   A4  .   .  O
 4          E .   W1  .   .   a5  .   .   .   .   .   .  O
 3            F .   w8  .   .   .   .   .   .   .   .  O
 2              G .   .   .   .   F7  .   .   .   .  O
"""


@pytest.mark.parametrize(
    ("order", "level", "powers"),
    [
        ("A4 chg I4@J4", "apprentice", (4, 5, 6)),
        ("E3 chg I7@J7", "apprentice", (4, 5, 6)),
        ("E3 chg I7@J7", "earth", (5, 6, 7)),
        ("A4 wave I4@J4", "water", (4, 5, 6)),
        ("A4 six I4@J4", "water", (2, 3, 4)),
        ("F2 str I4", "apprentice", (2, 3, 4)),
        ("W1 rng I4", "apprentice", (3, 4, 5)),
        ("W1 rng I4", "master", (3, 4, 5)),
    ],
)
def test_r9_1_a_die_gives_the_power(order: str, level: str, powers: tuple[int, ...]) -> None:
    position = draw(ALL_KINDS, level=level, dicey=True)
    for index in range(6):
        after = play(position, order, face=index)
        question = asked(after)
        assert question is not None
        assert question[0][1] == powers[index // 2]


def test_r9_1_the_dragons_roll_the_yellow_die() -> None:
    position = draw(
        """
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   F2  *   .   a4  *   .   .   *   .   .   .  O
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   F7  .   .   .   .  O
        """,
        dicey=True,
    )
    assert [asked(play(position, "drg H6", face=index)) for index in (0, 2, 4)] == [
        [("H6", 3)],
        [("H6", 4)],
        [("H6", 5)],
    ]


LINE = """
 8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
 7    B .   .   .   f2  .   .   w8  .   .   f7  .   .   .   .  O
 6      C .   .   .   *   .   w1  *   .   .   *   .   .   .  O
 5        D .   .   .   .   a5  .   .   .   .   .   .   .  O
 4          E .   .   .   .   .   .   .   .   .   .   .  O
 3            F .   .   .   .   .   .   .   .   .   .  O
 2              G .   A4  .   .   .   .   .   .   .  O
"""
"""A wave from H4; H7 is shielded by both Fires."""


@pytest.mark.parametrize(("index", "powers"), [(1, (4, 3, 2)), (3, (5, 3, 1)), (5, (6, 3, 0))])
def test_r9_1_a_wave_loses_the_second_figure_with_each_victim(
    index: int, powers: tuple[int, int, int]
) -> None:
    position = draw(LINE, level="water", dicey=True)
    first = play(position, "A4 wave H5@H4", face=index)
    assert asked(first) == [("H5", powers[0])]
    second = play(first, "H5-")
    assert asked(second) == [("H6", powers[1])]
    third = play(second, "H6-")
    assert asked(third) == ([("H7", powers[2])] if powers[2] else None)


def test_r9_1_six_uses_the_second_figure_for_every_other_victim() -> None:
    position = draw(
        """
         6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
         5        D .   .   .   .   a5  .   .   .   .   .   .   .  O
         4          E .   .   w8  .   w1  .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   A4  .   .   .   .   .   .   .  O
        """,
        dicey=True,
    )
    rolls = [asked(play(position, "A4 six H5@H4", face=index)) for index in (0, 3, 5)]
    assert rolls == [
        [("H5", 2), ("G4", 4), ("I4", 4)],
        [("H5", 3), ("G4", 3), ("I4", 3)],
        [("H5", 4), ("G4", 2), ("I4", 2)],
    ]


def test_r9_1_the_phoenix_lowers_the_rolled_power_and_not_the_figure_a_wave_goes_on_from() -> None:
    # H5 is shielded along row 5; the roll is 6/3, so that H6 is hit for 6 - 3.
    position = draw(
        """
         8  A .   *   .   .   .   .   .   ##  .   .   .   .   .   *   .  O
         7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
         6      C .   .   .   *   .   w1  *   .   .   *   .   .   .  O
         5        D .   f2  .   .   a5  .   .   f7  .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   .   .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
         2              G .   A4  .   .   .   .   .   .   .  O
        """,
        dicey=True,
    )
    first = play(position, "A4 wave H5@H4", face=4)
    assert asked(first) == [("H5", 2)]
    assert asked(play(first, "H5-")) == [("H6", 3)]


def test_r9_1_energy_is_paid_before_the_roll() -> None:
    position = draw(ALL_KINDS, level="apprentice", dicey=True, energy=(3, 0))
    assert play(position, "W1 rng I4", face=0).energy[GOLD] == 0


def test_r9_2_extra_energy_is_for_defending_only() -> None:
    position = first_turn(bonus=(3, 0))
    assert position.energy == (7, 14)
    defending = play(position, "E3>J2; end")
    assert defending.energy == (6 + 3, 14)
    assert play(defending, "end").energy == (14, 14)


@pytest.mark.parametrize(
    ("board_name", "figures"),
    [("I", (16, 20, 24, 27, 30)), ("II", (18, 22, 26, 29, 32))],
)
def test_r9_2_a_handicap_board_replaces_the_collecting_figures(
    board_name: str, figures: tuple[int, ...]
) -> None:
    options = parse_options({"handicap": f"black {board_name}"})
    wells = """
     8  A .   a4* .   .   .   .   .   ##  .   .   .   .   .   W1* .  O
     7    B .   .   .   .   .   .   .   .   .   .   .   .   .   .  O
     6      C .   .   .   w1* .   .   f2* .   .   e3* .   .   .  O
    """
    for count, energy in enumerate(figures):
        drawing = wells
        for name in ("w1", "f2", "e3", "a4")[count:]:
            drawing = drawing.replace(f"{name}*", "*  ")
        after = play(draw(drawing, collecting=options.collecting), "end")
        assert after.energy[BLACK] == energy
        assert play(after, "end").energy[GOLD] == 18


@pytest.mark.parametrize("starter", ["gold", "black"])
def test_r9_2_first_turns_from_set_ups_stay_7_and_14_with_a_board(starter: str) -> None:
    collecting = parse_options({"handicap": "gold II"}).collecting
    position = first_turn(starter=starter, collecting=collecting)
    own = position.active
    assert position.energy[own] == 7
    second = play(position, "end")
    assert second.energy[1 - own] == 14
    third = play(second, "end; end" if starter == "black" else "end")
    assert third.energy[GOLD] == 18


@pytest.mark.parametrize("handicap", ["gold +5", "gold +0", "gold III", "gold +1 II", "+2", 3])
def test_r9_2_other_handicaps_are_refused(handicap: object) -> None:
    with pytest.raises(OptionsError) as caught:
        parse_options({"handicap": handicap})
    assert set(caught.value.faults) == {"handicap"}


SHOT = """
 5        D .   .   .   .   .   .   .   .   .   .   .   .  O
 4          E .   W1  .   .   a4  .   .   .   .   .   .  O
 3            F .   .   .   .   .   .   .   .   .   .  O
"""


def from_drawing(energy: tuple[int, int]) -> str:
    return position_text(draw(SHOT, level="apprentice", energy=energy))


def test_r9_3_an_answer_is_awaited_in_turn_from_attacker_and_defender() -> None:
    game = new_game(position=from_drawing((14, 14)))
    assert requests(game) == [("gold", "turn")]
    declared = send(game, "gold", "W1 rng I4")
    assert requests(declared) == [("black", "defence")]
    decided = send(declared, "black", "I4+")
    assert requests(decided) == [("gold", "turn")]
    assert requests(send(decided, "gold", "end")) == [("black", "turn")]


def test_r9_3_a_defence_nobody_is_asked_about_and_a_refusal_hand_nothing_over() -> None:
    game = new_game(position=from_drawing((14, 3)))
    assert requests(send(game, "gold", "W1 rng I4")) == [("gold", "turn")]
    assert refused(game, "gold", "W1 rng I5") == "target_empty"
    assert requests(game) == [("gold", "turn")]


def test_r9_3_during_set_up_each_is_awaited_until_that_set_up_is_in() -> None:
    game = new_game()
    assert requests(game) == [("gold", "setup"), ("black", "setup")]
    assert requests(send(game, "gold", "setup WFEAAEFW")) == [("black", "setup")]


def test_r9_3_when_a_clock_is_empty_the_opponent_wins() -> None:
    game = new_game(position=from_drawing((14, 14)))
    assert result(decree(game, "time 0")) == ("black", "time")


def test_r9_4_the_player_who_would_not_start_bids_first() -> None:
    game = with_setups(new_game(bid=True, seed=seed_for("black")))
    assert requests(game) == [("gold", "bid")]
    assert refused(game, "black", "bid 5") == "not_your_bid"
    assert refused(game, "gold", "bid 7") == "bid_not_lower"


def test_r9_4_nobody_bids_and_the_lot_stands() -> None:
    game = send(with_setups(new_game(bid=True, seed=seed_for("black"))), "gold", "pass")
    assert board(game).active == BLACK
    assert board(game).energy == (14, 7)


def test_r9_4_bids_go_down_until_one_passes_and_the_last_bidder_starts() -> None:
    game = with_setups(new_game(bid=True, seed=seed_for("black")))
    game = send(game, "gold", "bid 5")
    assert refused(game, "black", "bid 5") == "bid_not_lower"
    game = send(send(game, "black", "bid 3"), "gold", "bid 1")
    game = send(game, "black", "pass")
    assert board(game).active == GOLD
    assert board(game).energy == (1, 14)
    assert play(board(game), "end").energy == (1, 14)


def test_r9_4_after_a_bid_of_0_bidding_is_over() -> None:
    game = send(with_setups(new_game(bid=True, seed=seed_for("gold"))), "black", "bid 0")
    assert board(game).active == BLACK
    assert board(game).energy == (14, 0)


def reference_byte(seed: bytes, message: str) -> int:
    digest = hmac.new(seed, message.encode(), hashlib.sha256).digest()
    return next(byte for byte in digest if byte < 252)


def test_r9_5_numbers_follow_from_seed_game_and_count() -> None:
    seed = bytes(range(32))
    assert commitment(seed) == hashlib.sha256(seed).hexdigest()
    for number in range(50):
        expected = reference_byte(seed, f"{GAME_ID}/{number}")
        assert random_byte(seed, GAME_ID, number) == expected
        assert face(seed, GAME_ID, number) == expected % 6
    assert lot(seed, GAME_ID) == reference_byte(seed, f"{GAME_ID}/0") % 2


def test_r9_5_a_first_byte_above_251_is_skipped() -> None:
    seed = bytes(32)
    number = next(
        number
        for number in range(10_000)
        if hmac.digest(seed, f"{GAME_ID}/{number}".encode(), "sha256")[0] >= 252
    )
    digest = hmac.digest(seed, f"{GAME_ID}/{number}".encode(), "sha256")
    assert random_byte(seed, GAME_ID, number) == next(byte for byte in digest if byte < 252)


def test_r9_5_the_kth_attack_uses_number_k_also_when_nobody_is_asked() -> None:
    line = position_text(
        draw(
            """
             6      C .   .   .   *   .   .   *   .   .   *   .   .   .  O
             5        D .   .   .   .   .   .   w1  .   W8  .   .   .  O
             4          E .   W1  .   .   a4  .   .   .   .   .   .  O
             3            F .   .   .   .   .   .   .   .   .   .  O
            """,
            level="apprentice",
            energy=(14, 0),
        )
    )
    seed = bytes([7] * 32)
    game = new_game(position=line, dice="dicey", seed=seed)
    first = send(game, "gold", "W1 rng I4")
    assert board(first).rolled == reference_byte(seed, f"{GAME_ID}/1") % 6
    second = send(first, "gold", "W8 rng J5")
    assert board(second).rolled == reference_byte(seed, f"{GAME_ID}/2") % 6


def test_r9_5_the_lot_is_drawn_from_number_0() -> None:
    for starter, house in (("gold", GOLD), ("black", BLACK)):
        game = with_setups(new_game(seed=seed_for(starter)))
        assert board(game).active == house


def test_r9_5_the_seed_is_secret_and_its_hash_is_shown() -> None:
    seed = bytes([9] * 32)
    view = new_game(seed=seed).view(0)
    assert view.commitment == hashlib.sha256(seed).hexdigest()
    assert seed.hex() not in repr(view)
    assert repr(seed) not in repr(view)


@pytest.mark.parametrize(
    ("level", "verbs"),
    [
        ("apprentice", {"W1": {">", "rng"}, "E3": {">", "chg"}, "A4": {">", "chg"}}),
        ("wind", {"W1": {"kite", "rng"}, "E3": {">", "chg"}, "A4": {">", "chg"}}),
        ("earth", {"W1": {"kite", "rng"}, "E3": {">", "chg"}, "A4": {">", "chg"}}),
        ("water", {"W1": {"kite", "rng"}, "E3": {">", "chg"}, "A4": {">", "wave", "six"}}),
        ("master", {"W1": {"kite", "rng"}, "E3": {">", "chg"}, "A4": {">", "wave", "six"}}),
    ],
)
def test_r9_6_a_level_says_what_each_element_can_do(level: str, verbs: dict[str, set[str]]) -> None:
    position = draw(ALL_KINDS, level=level)
    known = (">", "kite", "rng", "chg", "wave", "six", "str")
    for warrior, expected in verbs.items():
        texts = [text.removeprefix(warrior) for text in legal(position, warrior)]
        found = {
            next(verb for verb in known if text.lstrip(": ").startswith(verb)) for text in texts
        }
        assert found - {"str"} == expected


def test_r9_6_variants_combine() -> None:
    game = new_game(level="master", arena="crown", dice="dicey", bid=True, handicap="black +2")
    game = send(with_setups(game), "black", "pass")
    rules = board(game).rules
    assert (rules.arena.name, rules.level, rules.dicey, rules.bonus) == ("crown", 4, True, (0, 2))


def test_r9_6_an_unknown_level_or_arena_is_refused_with_every_fault() -> None:
    with pytest.raises(OptionsError) as caught:
        parse_options({"level": "grand", "arena": "moon", "dice": "loaded"})
    assert set(caught.value.faults) == {"level", "arena", "dice"}
