"""Turns, defences, offers and endings behind the seam (R3, R6, R8, N1.5 to N1.7)."""

from __future__ import annotations

import pytest

from pbem.games.base import Event, Refused, Result
from tests.ortus.drawing import HOUSES
from tests.ortus.games import GAME, SIX, TWO_ARCHERS, WAVE, Table, study


def names(events: tuple[Event, ...]) -> list[str]:
    return [event.name for event in events]


def codes(refused: Refused) -> list[str]:
    return [fault.code for fault in refused.faults]


@pytest.fixture
def game() -> Table:
    return study(**TWO_ARCHERS)


def test_n1_6_a_turn_may_come_in_parts(game: Table) -> None:
    assert names(game.send("gold", "E3>J2").events) == ["acted"]
    assert game.asked() == [("gold", "turn")]
    game.send("gold", "a4>K2; 5>L2")
    done = game.send("gold", "end")
    assert names(done.events) == ["acted", "turn_ended", "turn_began"]
    assert game.asked() == [("black", "turn")]
    assert [entry.text for entry in game.log] == ["E3>J2", "A4>K2; A5>L2", "end"]


def test_r6_1_an_attack_waits_for_its_defence(game: Table) -> None:
    done = game.send("gold", "W1 rng I4")
    assert names(done.events) == ["acted", "defence_asked"]
    assert done.events[0].facts["cost"] == 3
    assert done.events[1].seat == 1
    assert done.events[1].facts["victims"] == (("A4", "I4", 4),)
    assert done.events[1].facts["energy"] == 14
    assert game.asked() == [("black", "defence")]
    assert codes(game.refused("gold", "E3>J2")) == ["defence_open"]
    assert codes(game.refused("gold", "I4+")) == ["no_defence_open"]
    assert codes(game.refused("black", "A5>D14")) == ["defend_first"]
    saved = game.send("black", "block")
    assert names(saved.events) == ["defended"]
    assert saved.text == "I4+"
    assert game.asked() == [("gold", "turn")]
    assert game.state.position is not None
    assert game.state.position.energy == (11, 10)


@pytest.mark.parametrize("text", ["I4-", "fall", "fall all", "-", "val", "fall I4", "I4-!"])
def test_n1_5_a_lone_victim_may_be_answered_in_many_ways(game: Table, text: str) -> None:
    game.send("gold", "W1 rng I4")
    assert game.send("black", text).text == "I4-"
    assert game.state.position is not None
    assert game.state.position.honour == (1, 0)


def test_r6_2_an_attack_nobody_can_pay_asks_nobody() -> None:
    game = study(**TWO_ARCHERS, energy=(14, 3))
    done = game.send("gold", "W1 rng I4; end")
    assert names(done.events)[:3] == ["acted", "defended", "acted"]
    assert done.events[1].facts["verdicts"] == (("I4", False),)
    assert game.asked() == [("black", "turn")]


def test_r6_2_all_victims_of_an_attack_are_answered_in_one() -> None:
    game = study(**SIX, energy=(14, 6))
    game.send("gold", "A4 six G6@F6")
    assert codes(game.refused("black", "G6+")) == ["decision_missing"]
    assert game.refused("black", "G6+").faults[0].facts["hexes"] == "F7, G5"
    assert codes(game.refused("black", "block")) == ["which_victim"]
    assert codes(game.refused("black", "block all")) == ["saves_too_dear"]
    short = study(**SIX, energy=(14, 8))
    short.send("gold", "A4 six G6@F6")
    assert short.refused("black", "block all").faults[0].facts == {"cost": 9, "energy": 8}
    assert codes(game.refused("black", "G6+ F7- G5- G6-")) == ["decided_twice"]
    assert codes(game.refused("black", "G6+ F7- G5- A8-")) == ["not_a_victim"]
    done = game.send("black", "fall F7; block G5, G6+")
    assert done.text == "G6+ F7- G5+"
    assert done.events[0].facts["verdicts"] == (("G6", True), ("F7", False), ("G5", True))
    assert game.state.position is not None
    assert game.state.position.energy[1] == 0


def test_m4_1_a_wave_is_answered_victim_by_victim() -> None:
    game = study(**WAVE)
    game.send("gold", "4 wave g6 @f6")
    assert game.log[-1].text == "A4 wave G6@F6"
    asked = game.send("black", "G6-")
    assert names(asked.events) == ["defended", "defence_asked"]
    assert asked.events[1].facts["victims"] == (("F2", "I6", 3),)
    game.send("black", "I6-")
    done = game.send("black", "K6+")
    assert done.events[0].facts["verdicts"] == (("K6", True),)
    assert game.asked() == [("gold", "turn")]


def test_n1_7_one_bad_order_and_none_is_played(game: Table) -> None:
    refused = game.refused("gold", "E3>J2; A4>K2; A5>H8; E6>M2")
    assert codes(refused) == ["hex_core"]
    assert (refused.faults[0].line, refused.faults[0].column) == (1, 15)
    assert refused.faults[0].clause == "R1.2"
    assert codes(game.refused("gold", "E3>J2\nA4 banana K2")) == ["syntax_unknown_word"]
    assert codes(game.refused("gold", "E3>J2; standing: block W2")) == ["wrong_letter"]
    assert codes(game.refused("gold", "E3>J2; draw+")) == ["mixed_orders"]


def test_n1_7_what_it_would_have_cost(game: Table) -> None:
    refused = game.refused("gold", "E3>J9; A4>L8")
    assert codes(refused) == ["too_dear"]
    assert refused.faults[0].facts["cost"] == 8
    assert refused.faults[0].facts["energy"] == 6


@pytest.mark.parametrize("text", ["", "\n\n", "> quoted\n> lines", "...", "\x00", "1", "--"])
def test_a_text_without_an_order_is_refused(game: Table, text: str) -> None:
    assert game.refused("gold", text).faults


@pytest.mark.parametrize(
    "text",
    [
        "E3>J2; resign",
        "resign; E3>J2",
        "setup WWEEAAFF; E3>J2",
        "E3>J2; I4+",
        "claim draw; end",
        "bid 3; pass",
        "E3>J2; claim draw",
        "resign; resign",
    ],
)
def test_different_kinds_of_answer_do_not_mix(game: Table, text: str) -> None:
    assert codes(game.refused("gold", text))[0] in {"mixed_orders", "must_stand_alone"}


def test_it_is_not_your_turn(game: Table) -> None:
    assert codes(game.refused("black", "E3>N9; end")) == ["not_your_turn"]
    assert game.refused("black", "E3>N9").suggestions == ()


# -- offers, claims, endings ----------------------------------------------------------------------


def test_r8_3_an_offer_may_come_with_orders_and_stops_nothing(game: Table) -> None:
    done = game.send("gold", "E3>J2; draw?; end")
    assert done.text == "E3>J2; end; draw?"
    assert names(done.events)[-1] == "draw_offered"
    assert done.events[-1].seat == 0
    assert game.asked() == [("black", "turn")]


def test_r8_3_declining_with_orders(game: Table) -> None:
    game.send("gold", "end; draw?")
    done = game.send("black", "draw-; end")
    assert names(done.events)[0] == "draw_declined"
    assert game.state.offers == (False, False)
    assert done.text == "draw-; end"


def test_r8_3_an_order_declines_in_silence(game: Table) -> None:
    game.send("gold", "end; draw?")
    done = game.send("black", "end")
    assert "draw_declined" not in names(done.events)
    assert game.state.offers == (False, False)


def test_r8_3_a_decision_declines_in_silence_too(game: Table) -> None:
    game.send("gold", "W1 rng I4; draw?")
    game.send("black", "block")
    assert game.state.offers == (False, False)


def test_r8_3_ones_own_offer_outlasts_a_counter_offer_and_standing_rules(game: Table) -> None:
    game.send("gold", "draw?")
    game.send("black", "standing: ask all")
    game.send("black", "draw?")
    assert game.state.offers == (True, True)
    game.send("gold", "draw+")
    assert GAME.find_result(game.state) == Result(None, "agreement")


def test_r8_3_one_offer_a_player(game: Table) -> None:
    assert codes(game.refused("gold", "draw?; draw?")) == ["offer_open"]
    game.send("gold", "draw?")
    assert codes(game.refused("gold", "E3>J2; draw?")) == ["offer_open"]


def test_r8_3_nobody_accepts_and_declines_at_once(game: Table) -> None:
    game.send("gold", "draw?")
    assert codes(game.refused("black", "draw+; draw-")) == ["mixed_orders"]
    assert codes(game.refused("black", "draw-; draw+")) == ["mixed_orders"]


def test_r8_3_an_offer_in_a_defence_does_not_answer_it(game: Table) -> None:
    game.send("gold", "W1 rng I4")
    game.send("black", "draw?")
    assert game.asked() == [("black", "defence")]
    game.send("gold", "draw+")
    assert game.asked() == []
    assert GAME.find_result(game.state) == Result(None, "agreement")


@pytest.mark.parametrize("house", HOUSES)
def test_r8_3_resigning_in_a_defence(game: Table, house: str) -> None:
    game.send("gold", "W1 rng I4 [-: end]; F2 rng I4; end")
    done = game.send(house, "resign")
    assert names(done.events) == ["plan_dropped", "game_ended"]
    assert done.events[0].only_for == 0
    assert GAME.find_result(game.state) == Result(1 - HOUSES.index(house), "resignation")
    assert game.state.waiting is None
    for other in HOUSES:
        assert codes(game.refused(other, "end")) == ["game_over"]
        assert codes(game.refused(other, "standing: off")) == ["game_over"]


def test_r8_2_the_eighth_honour_ends_the_game_in_the_middle_of_a_plan() -> None:
    game = study(**TWO_ARCHERS, guide=("H7", None))
    game.send("gold", "W1 rng I4; E3>J2; end")
    done = game.send("black", "fall")
    assert names(done.events) == ["defended", "game_ended"]
    assert done.events[-1].facts == {"winner": 0, "termination": "guide"}
    assert game.asked() == []


def test_r8_1_five_wells_end_the_game_when_the_turn_comes_round() -> None:
    game = study(gold="W1@F6 F2@I6 E3@L6 A4@B8 A5@N8")
    game.send("gold", "end")
    done = game.send("black", "end")
    assert names(done.events)[-1] == "game_ended"
    assert GAME.find_result(game.state) == Result(0, "wells")
