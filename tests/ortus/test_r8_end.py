"""R8: how a game ends."""

from __future__ import annotations

import pytest

from pbem.games.ortus.state import State
from tests.ortus.drawing import draw, position_text
from tests.ortus.seats import decree, new_game, refused, requests, result, send, with_setups
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


SHOT = """
 5        D .   .   .   .   .   .   .   .   .   .   .   .  O
 4          E .   W1  .   .   a4  .   .   .   .   .   .  O
 3            F .   .   .   .   .   .   .   .   .   .  O
"""


@pytest.fixture
def game() -> State:
    return new_game(position=position_text(draw(SHOT, level="apprentice")))


@pytest.mark.parametrize(("house", "other"), [("gold", "black"), ("black", "gold")])
def test_r8_3_either_side_may_resign_at_any_time(game: State, house: str, other: str) -> None:
    ended = send(game, house, "resign")
    assert result(ended) == (other, "resignation")
    assert requests(ended) == []
    assert refused(ended, "gold", "end") == "game_over"


def test_r8_3_a_draw_is_agreed_by_offer_and_answer(game: State) -> None:
    assert refused(game, "black", "draw+") == "no_offer"
    offered = send(game, "gold", "draw?")
    assert requests(offered) == [("gold", "turn")]
    assert refused(offered, "gold", "draw+") == "no_offer"
    assert result(send(offered, "black", "draw+")) == (None, "agreement")


def test_r8_3_an_offer_ends_when_it_is_declined(game: State) -> None:
    declined = send(send(game, "gold", "draw?"), "black", "draw-")
    assert refused(declined, "black", "draw+") == "no_offer"
    assert send(declined, "gold", "draw?").offers == (True, False)


def test_r8_3_an_offer_lapses_with_the_other_sides_next_order_or_decision(game: State) -> None:
    attacked = send(game, "gold", "W1 rng I4; draw?")
    assert refused(attacked, "gold", "draw?") == "offer_open"
    decided = send(attacked, "black", "I4+")
    assert refused(decided, "black", "draw+") == "no_offer"
    ended = send(game, "gold", "end; draw?")
    moved_on = send(ended, "black", "E3>F14")
    assert refused(moved_on, "black", "draw+") == "no_offer"


def test_r8_3_an_offer_outlasts_ones_own_orders_and_a_refused_text(game: State) -> None:
    offered = send(send(game, "gold", "draw?"), "gold", "F2>I2; end")
    assert refused(offered, "black", "E3>H8") == "hex_core"
    assert result(send(offered, "black", "draw+")) == (None, "agreement")


def quiet(rounds: int, *, draw_claim: bool = True) -> State:
    """A game from set-ups after this many complete rounds without a fall."""
    state = with_setups(new_game(draw_claim=draw_claim))
    for _ in range(rounds):
        state = send(send(state, "gold", "end"), "black", "end")
    return state


def test_r8_3_a_draw_may_be_claimed_after_25_complete_quiet_rounds() -> None:
    early = quiet(24)
    assert refused(early, "gold", "claim draw") == "claim_too_early"
    assert refused(send(early, "gold", "end"), "black", "claim draw") == "claim_too_early"
    in_time = quiet(25)
    assert refused(in_time, "black", "claim draw") == "not_your_turn"
    assert result(send(in_time, "gold", "claim draw")) == (None, "claim")


def test_r8_3_the_claim_can_be_switched_off() -> None:
    assert refused(quiet(25, draw_claim=False), "gold", "claim draw") == "claim_switched_off"


def test_r8_3_no_claim_while_a_defence_is_open() -> None:
    drawn = draw(SHOT, level="apprentice", round=30)
    state = new_game(position=position_text(drawn), draw_claim=1)
    state = send(send(state, "gold", "end"), "black", "end")
    assert result(send(state, "gold", "claim draw")) == (None, "claim")
    attacked = send(state, "gold", "W1 rng I4")
    assert refused(attacked, "gold", "claim draw") == "not_your_turn"
    assert refused(attacked, "black", "claim draw") == "not_your_turn"


def test_r8_3_a_director_may_rule(game: State) -> None:
    assert result(decree(game, "ruling 1")) == ("black", "ruling")
    assert result(decree(game, "ruling draw")) == (None, "ruling")
    assert result(decree(game, "time 1")) == ("gold", "time")
