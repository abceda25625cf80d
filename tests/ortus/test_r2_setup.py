"""R2: warriors, their names, and the Energy of the first turns."""

from __future__ import annotations

import pytest

from notation.errors import NotationError
from notation.position_line import parse_position
from pbem.games.ortus.hexes import BLACK, GOLD
from tests.ortus.drawing import draw
from tests.ortus.seats import board, new_game, refused, requests, seed_for, send, with_setups
from tests.ortus.verbs import cost, first_turn, play, refusal, where


def test_r2_1_a_house_has_two_of_each_element() -> None:
    line = (
        "origin master g 5 | 14 14 | 0 0 | - - "
        "| W1@H1 W2@I1 {third} A4@K1 A5@L1 E6@M1 F7@N1 F8@O1 "
        "| W1@H15 F2@G15 E3@F15 A4@E15 A5@D15 E6@C15 F7@B15 W8@A15"
    )
    assert parse_position(line.format(third="E3@J1")).gold[2] == ("E3", "J1")
    with pytest.raises(NotationError) as caught:
        parse_position(line.format(third="W3@J1"))
    assert caught.value.code == "element_count"


def test_r2_2_each_house_stands_in_the_order_it_chose() -> None:
    position = first_turn("WEAFWEAF", "FFAAEEWW")
    assert [where(position, name) for name in ("W1", "E2", "F8")] == ["H1", "I1", "O1"]
    assert [where(position, name) for name in ("f1", "f2", "w8")] == ["H15", "G15", "A15"]


def test_r2_2_set_ups_are_secret_until_both_are_in() -> None:
    game = send(new_game(), "gold", "setup WEAFWEAF")
    assert game.view(0).setups == ("WEAFWEAF", None)
    assert game.view(1).setups == (None, None)
    assert refused(game, "gold", "setup FFAAEEWW") == "setup_already_in"
    both = send(game, "black", "setup FFAAEEWW")
    assert both.view(0).setups == both.view(1).setups == ("WEAFWEAF", "FFAAEEWW")


@pytest.mark.parametrize("elements", ["WWWAAEFF", "WFEAAEF", "WFEAAEFX"])
def test_r2_2_a_set_up_has_all_eight_warriors(elements: str) -> None:
    assert refused(new_game(), "gold", f"setup {elements}").startswith("syntax_")


def test_r2_3_a_warrior_keeps_the_name_of_the_slot_it_started_on() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   A4  .   .   E3  .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """
    )
    later = play(position, "E3>K3; A4>M4; end; end")
    assert where(later, "E3") == "K3"
    assert where(play(later, "E3>J4"), "E3") == "J4"


def test_r2_3_the_number_is_enough_and_the_letter_is_a_check() -> None:
    position = draw(
        """
         5        D .   .   .   .   .   .   .   .   .   .   .   .  O
         4          E .   .   .   .   .   .   .   .   E3  .   .  O
         3            F .   .   .   .   .   .   .   .   .   .  O
        """
    )
    assert cost(position, "3>K4") == cost(position, "E3>K4") == 2
    assert refusal(position, "W3>K4") == "wrong_letter"


def test_r2_4_the_lot_is_shown_when_both_set_ups_are_in() -> None:
    game = send(new_game(seed=seed_for("black")), "gold", "setup WFEAAEFW")
    assert game.view(0).auction is None
    begun = send(game, "black", "setup WFEAAEFW")
    assert board(begun).active == BLACK
    assert requests(begun) == [("black", "turn")]


def test_r2_4_bids_come_after_the_set_ups_and_before_the_first_turn() -> None:
    game = new_game(bid=True, seed=seed_for("black"))
    assert refused(game, "gold", "bid 5") == "no_bidding_now"
    shown = with_setups(game)
    assert requests(shown) == [("gold", "bid")]
    assert refused(shown, "black", "E3>F14") == "not_your_turn"
    assert requests(send(shown, "gold", "pass")) == [("black", "turn")]


def test_r2_4_a_tournament_may_say_who_starts() -> None:
    game = with_setups(new_game(starter="gold", seed=seed_for("black")))
    assert board(game).active == GOLD


@pytest.mark.parametrize("starter", ["gold", "black"])
def test_r2_5_the_starter_has_7_energy_and_the_other_14(starter: str) -> None:
    position = first_turn(starter=starter)
    own = position.active
    assert (position.energy[own], position.energy[1 - own]) == (7, 14)
    second = play(position, "E3>J2; end" if starter == "gold" else "E3>F14; end")
    assert (second.energy[own], second.energy[1 - own]) == (6, 14)
    third = play(second, "end")
    assert third.energy[own] == 14
    assert third.round == 2


def test_r2_5_the_starter_collects_nothing_in_the_first_turn() -> None:
    position = first_turn(starter_energy=5)
    assert position.energy == (5, 14)
    assert refusal(position, "E3>J7") == "too_dear"
