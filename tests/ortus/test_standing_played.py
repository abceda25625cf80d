"""Standing rules (N3) behind the seam: which rule answers, and who hears of it."""

from __future__ import annotations

from typing import Any

import pytest

from notation import reading, standing
from pbem.games.base import Event
from tests.ortus.games import GAME, SIX, TWO_ARCHERS, WAVE, Table, study


def shoot(rules: str, *, energy: int = 14, general: str | None = None) -> Table:
    """W1 shoots at A4 on I4 with Power 4; Black has these rules."""
    game = study(**TWO_ARCHERS, energy=(14, energy))
    if general is not None:
        game.decree(f"general 1: {general}")
    if rules:
        game.send("black", f"standing: {rules}")
    game.send("gold", "W1 rng I4")
    return game


def verdicts(game: Table) -> str:
    """What became of the victims: ``I4+``, or ``ask``."""
    if game.state.position is not None and game.state.position.question is not None:
        return "ask"
    found = [event.facts["verdicts"] for event in game.events if event.name == "defended"]
    return " ".join(
        f"{hex_}{'+' if saved else '-'}"
        for pairs in found
        for hex_, saved in pairs  # type: ignore[attr-defined]
    )


@pytest.mark.parametrize(
    ("rules", "answer"),
    [
        ("block all", "I4+"),
        ("fall all", "I4-"),
        ("ask all", "ask"),
        ("block A4", "I4+"),
        ("block A5", "ask"),
        ("block A*", "I4+"),
        ("block W*", "ask"),
        ("fall A*; block all", "I4-"),
        ("block all; fall A4", "I4+"),
        ("ask A4; block all", "ask"),
        ("block all <=4", "I4+"),
        ("block all <=3", "ask"),
        ("block all <=3; fall all", "I4-"),
        ("fall all <=3; block A4 <=9", "I4+"),
        ("ask all <=3; fall A*", "I4-"),
    ],
)
def test_n3_1_the_first_rule_that_fits_decides(rules: str, answer: str) -> None:
    assert verdicts(shoot(rules)) == answer


@pytest.mark.parametrize(
    ("rules", "energy", "answer"),
    [
        ("block all keep 10", 14, "I4+"),
        ("block all keep 11", 14, "ask"),
        ("block all keep 11; fall all", 14, "I4-"),
        ("block all keep 0", 4, "I4+"),
        ("fall all keep 14", 14, "I4-"),
        ("fall all keep 15", 14, "ask"),
        ("block all <=4 keep 10", 14, "I4+"),
        ("block all <=3 keep 10", 14, "ask"),
    ],
)
def test_n3_1_keep_is_what_would_remain(rules: str, energy: int, answer: str) -> None:
    assert verdicts(shoot(rules, energy=energy)) == answer


@pytest.mark.parametrize(
    ("rules", "energy", "answer"),
    [
        # Powers 3, 3, 3 for G6 (W1), F7 (F2), G5 (A4).
        ("block all", 14, "G6+ F7+ G5+"),
        ("block all keep 8; fall all", 14, "G6+ F7+ G5-"),
        ("block all keep 11; fall all", 14, "G6+ F7- G5-"),
        ("fall W*; block all keep 11; fall all", 14, "G6- F7+ G5-"),
        ("block F2; fall all", 14, "G6- F7+ G5-"),
        ("block all", 8, "ask"),
        ("block all keep 0; fall all", 8, "G6+ F7+ G5-"),
        ("ask A*; block all", 14, "ask"),
        ("block W1; block F2", 14, "ask"),
    ],
)
def test_n3_1_and_n3_2_several_victims(rules: str, energy: int, answer: str) -> None:
    game = study(**SIX, energy=(14, energy))
    game.send("black", f"standing: {rules}")
    game.send("gold", "A4 six G6@F6")
    assert verdicts(game) == answer
    if answer == "ask":
        assert game.state.position is not None
        assert game.state.position.energy[1] == energy, "nothing is paid before all is answered"
        assert game.asked() == [("black", "defence")]


def test_n3_1_each_attack_of_a_wave_is_answered_for_itself() -> None:
    game = study(**WAVE)
    game.send("black", "standing: fall all <=5; ask all")
    done = game.send("gold", "A4 wave G6@F6; end")
    assert verdicts(game) == "G6- I6- K6-"
    assert [event.name for event in done.events].count("defended") == 3
    game = study(**WAVE)
    game.send("black", "standing: fall W*; ask F*; block all")
    game.send("gold", "A4 wave G6@F6")
    assert game.asked() == [("black", "defence")]
    done = game.send("black", "I6-")
    assert [event.name for event in done.events] == ["defended", "rules_answered", "defended"]
    assert verdicts(game) == "G6- I6- K6+"


def test_n3_1_rules_for_one_game_come_before_rules_for_all() -> None:
    assert verdicts(shoot("fall all", general="block all")) == "I4-"
    assert verdicts(shoot("fall W*", general="block all")) == "I4+"
    assert verdicts(shoot("", general="block all")) == "I4+"
    assert verdicts(shoot("ask all", general="block all")) == "ask"


def test_n3_1_rules_answer_attacks_declared_afterwards() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4")
    game.send("black", "standing: block all")
    assert game.asked() == [("black", "defence")]
    game.send("black", "I4+")
    done = game.send("gold", "F2 rng I4; end")
    assert game.asked() == [("black", "turn")]
    assert "defence_asked" not in [event.name for event in done.events]


def test_n3_1_rules_and_an_answer_may_come_together() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4; F2 rng I4; end")
    done = game.send("black", "standing: fall all\nI4+")
    assert done.text == "I4+; standing: fall all"
    assert verdicts(game) == "I4+ I4-"
    assert game.asked() == [("black", "turn")]


def test_n3_2_off_clears_the_rules_for_this_game_only() -> None:
    game = study(**TWO_ARCHERS)
    game.decree("general 1: fall all")
    game.send("black", "standing: block all")
    game.send("black", "standing: off")
    game.send("gold", "W1 rng I4")
    assert verdicts(game) == "I4-"


def test_n3_a_rule_names_ones_own_warriors() -> None:
    game = study(**TWO_ARCHERS)
    wrong = game.refused("black", "standing: block W2")
    assert wrong.faults[0].code == "wrong_letter"
    assert wrong.faults[0].facts == {"written": "W2", "warrior": "F2"}
    assert game.refused("black", "standing: ask all\nstanding: off").faults[0].code == (
        "standing_twice"
    )


def public(events: list[Event], seat: int) -> list[Event]:
    return [event for event in events if event.only_for in (None, seat)]


@pytest.mark.parametrize("place", [TWO_ARCHERS, SIX, WAVE])
@pytest.mark.parametrize("rules", ["block all keep 1; fall all", "fall all", "block all"])
def test_n3_4_the_attacker_sees_only_the_answer(place: dict[str, Any], rules: str) -> None:
    attack = {"I4": "W1 rng I4", "G6": "A4 six G6@F6", "I6": "A4 wave G6@F6"}
    text = attack["I4" if place is TWO_ARCHERS else "G6" if place is SIX else "I6"]
    by_rule = study(**place)
    by_rule.send("black", f"standing: {rules}")
    by_rule.send("gold", text)
    told = [event for event in by_rule.events if event.name == "rules_answered"]
    assert told
    assert all(event.only_for == 1 for event in told)
    assert all(set(rules.split("; ")) >= set(event.facts["rules"]) for event in told)  # type: ignore[call-overload]
    seen = public(by_rule.events, 0)
    for word in ("keep", "block", "fall", "standing", "rule"):
        assert word not in repr(seen)
    # The same answers by hand look the same, but for the question.
    by_hand = study(**place)
    by_hand.send("gold", text)
    for event in by_rule.events:
        if event.name == "defended":
            pairs = event.facts["verdicts"]
            by_hand.send("black", " ".join(f"{h}{'+' if s else '-'}" for h, s in pairs))  # type: ignore[attr-defined]
    seen_by_hand = [event for event in public(by_hand.events, 0) if event.name != "defence_asked"]
    assert seen == seen_by_hand


def test_n3_3_rules_are_secret_in_view_and_scene() -> None:
    game = study(**TWO_ARCHERS)
    game.decree("general 1: block W*")
    done = game.send("black", "standing: block A4 <=3; ask all")
    assert [event.only_for for event in done.events] == [1]
    view = GAME.view(game.state, 0)
    assert view.standing == ()
    assert view.general == ()
    assert "StandingRule" not in repr(view)
    assert len(GAME.view(game.state, 1).standing) == 2
    assert GAME.scene(game.state, 0) == GAME.scene(study(**TWO_ARCHERS).state, 0)


def test_n3_4_the_rule_is_in_the_record_after_the_game() -> None:
    game = shoot("block A* <=4 keep 2; ask all")
    game.send("gold", "end")
    game.send("black", "resign")
    assert "{[%standing block A* <=4 keep 2]}" in game.record()


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("block 3", "bare_slot"),
        ("rescue all", "bad_answer"),
        ("block", "missing_whom"),
        ("block all <=4 <=5", "limit_twice"),
        ("", "empty_standing"),
    ],
)
def test_rules_that_cannot_be_read_cite_their_own_clause(rules: str, code: str) -> None:
    (fault,) = study(**TWO_ARCHERS).refused("black", f"standing: {rules}").faults
    assert (fault.code, fault.clause) == (f"syntax_{code}", "N3.1")


def test_orders_beside_rules_cite_theirs() -> None:
    refused = study(**TWO_ARCHERS).refused("gold", "banana\nstanding: block 3")
    assert [fault.clause for fault in refused.faults] == ["N1", "N3.1"]


def test_a_code_says_whether_orders_or_rules_cannot_be_read() -> None:
    assert standing.ERROR_CODES.isdisjoint(reading.ERROR_CODES)
