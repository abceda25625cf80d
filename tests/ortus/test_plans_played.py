"""Plans (N2) behind the seam: guards, receipts, limits, stops, and what looking ahead may know."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation.reading import parse_orders
from notation.standing import parse_standing
from pbem.games.base import Accepted, Event, Forecast, Preview, Refused
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.sampling import random_action
from pbem.games.ortus.state import TURN, State, Waiting
from tests.ortus.drawing import HOUSES
from tests.ortus.games import GAME, SIX, TWO_ARCHERS, VARIANTS, WAVE, Table, random_table, study


def orders(events: tuple[Event, ...]) -> list[str]:
    """The orders that were done."""
    return [str(event.facts["order"]) for event in events if event.name == "acted"]


def stops(events: tuple[Event, ...]) -> list[str]:
    return [str(event.facts["reason"]) for event in events if event.name == "plan_stopped"]


def preview(game: Table, text: str, house: str = "gold") -> Preview:
    shown = GAME.preview(game.state, HOUSES.index(house), text)
    assert isinstance(shown, Preview), shown
    return shown


def steps(forecasts: tuple[Forecast, ...]) -> list[str]:
    return [" ".join(forecast.steps) for forecast in forecasts]


# -- N2.1: guards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bracket", "answer", "done"),
    [
        ("[-: E3>J2 | +: E6>M2]", "I4-", ["E3>J2"]),
        ("[-: E3>J2 | +: E6>M2]", "I4+", ["E6>M2"]),
        ("[-: E3>J2]", "I4+", []),
        ("[*: E3>J2]", "I4+", ["E3>J2"]),
        ("[*: E3>J2 | +: E6>M2]", "I4+", ["E3>J2"]),
        ("[I4-: E3>J2 | *: E6>M2]", "I4-", ["E3>J2"]),
        ("[I4-: E3>J2 | *: E6>M2]", "I4+", ["E6>M2"]),
        ("[N8-: E3>J2 | N8+: E3>J3 | -: E6>M2]", "I4-", ["E6>M2"]),
    ],
)
def test_n2_1_the_first_branch_that_matches_is_taken(
    bracket: str, answer: str, done: list[str]
) -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", f"W1 rng I4 {bracket}; A5>L2")
    # Behind the bracket the plan goes on, whichever branch was taken.
    assert orders(game.send("black", answer).events) == [*done, "A5>L2"]
    assert game.asked() == [("gold", "turn")]
    assert game.state.waiting is None


def test_n2_1_an_end_in_a_branch_ends_the_turn() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4 [-: end]; A5>L2")
    assert orders(game.send("black", "fall").events) == ["end"]
    assert game.asked() == [("black", "turn")]


def test_n2_1_branches_nest() -> None:
    plan = "W1 rng I4 [+: F2 rng I4 [+: E3>J2 | -: E6>M2]]; end"
    for answers, done in [
        (["block", "block"], ["E3>J2", "end"]),
        (["block", "fall"], ["E6>M2", "end"]),
        (["fall"], ["end"]),
    ]:
        game = study(**TWO_ARCHERS)
        game.send("gold", plan)
        done_orders: list[str] = []
        for answer in answers:
            done_orders += orders(game.send("black", answer).events)
        assert [order for order in done_orders if "rng" not in order] == done


@pytest.mark.parametrize(
    ("guard", "answer", "matches"),
    [
        ("-", "G6- F7+ G5+", True),
        ("-", "G6+ F7- G5-", False),
        ("+", "G6+ F7- G5-", True),
        ("G6-,F7-", "G6- F7- G5+", True),
        ("G6-,F7-", "G6- F7+ G5-", False),
        ("G5+", "G6- F7- G5+", True),
        ("G5+,-", "G6- F7- G5+", True),
        ("G5+,A8+", "G6- F7- G5+", False),
        ("A8-", "G6- F7- G5-", False),
    ],
)
def test_n2_1_guards_of_several_victims(guard: str, answer: str, matches: bool) -> None:
    game = study(**SIX)
    game.send("gold", f"A4 six G6@F6 [{guard}: E3>J2]")
    assert orders(game.send("black", answer).events) == (["E3>J2"] if matches else [])


@pytest.mark.parametrize(
    ("guard", "answers", "matches"),
    [
        ("-", ["G6-", "I6+"], True),
        ("-", ["G6+"], False),
        ("I6-", ["G6-", "I6-", "K6+"], True),
        ("I6+", ["G6+"], False),
        ("K6-", ["G6-", "I6-", "K6-"], True),
        ("K6-", ["G6-", "I6+"], False),
        ("G6-,I6-,K6+", ["G6-", "I6-", "K6+"], True),
    ],
)
def test_n2_1_a_wave_is_over_before_its_guards_are_read(
    guard: str, answers: list[str], matches: bool
) -> None:
    game = study(**WAVE)
    game.send("gold", f"A4 wave G6@F6 [{guard}: E3>J2]")
    for answer in answers[:-1]:
        assert orders(game.send("black", answer).events) == []
        assert game.asked() == [("black", "defence")]
    assert orders(game.send("black", answers[-1]).events) == (["E3>J2"] if matches else [])
    assert game.asked() == [("gold", "turn")]


def test_n2_1_a_guard_may_match_without_anybody_being_asked() -> None:
    game = study(**TWO_ARCHERS, energy=(14, 0))
    done = game.send("gold", "W1 rng I4 [+: E6>M2 | -: E3>J2]; end")
    assert orders(done.events) == ["W1 rng I4", "E3>J2", "end"]


# -- N2.2: errors and receipts ------------------------------------------------------------------


def test_n2_2_illegal_in_all_outcomes_is_an_error() -> None:
    game = study(**TWO_ARCHERS)
    refused = game.refused("gold", "W1 rng I4; E3>H8; end")
    assert [fault.code for fault in refused.faults] == ["hex_core"]
    # In a branch: all outcomes that lead there.
    refused = game.refused("gold", "W1 rng I4 [-: F2 rng I4 | +: E3>H8]; end")
    assert [fault.code for fault in refused.faults] == ["target_empty", "hex_core"]


def test_n2_2_illegal_in_some_outcomes_is_in_the_receipt() -> None:
    game = study(**TWO_ARCHERS)
    done = game.send("gold", "W1 rng I4; F2 rng I4; end")
    assert steps(done.forecasts) == ["W1 rng I4=-"]
    fault = done.forecasts[0].fault
    assert fault is not None
    assert fault.code == "target_empty"
    assert (fault.line, fault.column) == (1, 12)
    assert GAME.explain(fault)
    told = game.send("black", "fall")
    assert stops(told.events) == ["illegal"]
    assert game.asked() == [("gold", "turn")], "`end` is not reached past a failed order"


def test_n2_2_what_is_legal_everywhere_has_a_clean_receipt() -> None:
    assert study(**TWO_ARCHERS).send("gold", "W1 rng I4 [+: F2 rng I4]; end").forecasts == ()


def test_n2_2_a_preview_shows_every_outcome() -> None:
    game = study(**TWO_ARCHERS)
    shown = preview(game, "1 rng I4 [+: 2 rng i4]; end")
    assert shown.text == "W1 rng I4 [+: F2 rng I4]; end"
    assert steps(shown.forecasts) == [
        "W1 rng I4=+ F2 rng I4=+",
        "W1 rng I4=+ F2 rng I4=-",
        "W1 rng I4=-",
    ]
    assert {forecast.scene.bottom_seat for forecast in shown.forecasts} == {0}


def test_n2_5_only_outcomes_that_the_visible_energy_allows() -> None:
    shown = preview(study(**TWO_ARCHERS, energy=(14, 7)), "W1 rng I4 [+: F2 rng I4]; end")
    assert steps(shown.forecasts) == ["W1 rng I4=+ F2 rng I4=-", "W1 rng I4=-"]
    six = preview(study(**SIX, energy=(14, 3)), "A4 six G6@F6")
    assert steps(six.forecasts) == [
        "A4 six G6@F6=G6+,F7-,G5-",
        "A4 six G6@F6=G6-,F7+,G5-",
        "A4 six G6@F6=G6-,F7-,G5+",
        "A4 six G6@F6=G6-,F7-,G5-",
    ]


def test_n2_5_in_a_dicey_game_every_face_counts() -> None:
    game = study(**TWO_ARCHERS, energy=(14, 4), options={"dice": "dicey"})
    shown = preview(game, "W1 rng I4; end")
    # A roll of 5 cannot be paid; a fall comes to the same whatever was rolled.
    assert sorted(steps(shown.forecasts)) == ["W1 rng I4(3)=+", "W1 rng I4(4)=+", "W1 rng I4=-"]


def test_n2_2_a_plan_with_more_than_256_outcomes_is_refused() -> None:
    # With dice a save leaves one of three Energies: four outcomes for each attack.
    game = study(
        gold="W1@F4 F2@I4 F7@L4 W8@C8 E3@L9",
        black="A4@F6 A5@I6 E3@L6 E6@C10 W1@L11",
        energy=(14, 99),
        options={"dice": "dicey"},
    )
    four = "W1 rng F6; F2 rng I6; F7 rng L6; W8 rng C10"
    assert len(preview(game, four).forecasts) == 256
    refused = game.refused("gold", f"{four}; E3 chg L11@L10; end")
    assert [fault.code for fault in refused.faults] == ["plan_too_large"]
    assert refused.faults[0].facts["leaves"] == 256


def test_n2_2_a_landing_is_filled_in_only_if_all_outcomes_agree() -> None:
    # G5 stands in the way of all landings but F6; once it has fallen there are more.
    game = study(
        gold="A4@E6 F2@E4",
        black="W1@G6 A4@G5 F2@H5 F7@H6 A5@G7 W8@F7",
        level="apprentice",
    )
    assert preview(game, "A4 chg G6").text == "A4 chg G6@F6"
    done = game.send("gold", "F2 rng G5; A4 chg G6; end")
    assert done.text == "F2 rng G5; A4 chg G6; end"
    assert steps(done.forecasts) == ["F2 rng G5=-"]
    told = game.send("black", "fall")
    assert stops(told.events) == ["illegal"], "the receipt said so"


# -- N2.3: stops --------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["draw?; I4+", "I4+; draw?"])
def test_n2_3_a_draw_offer_stops_the_plan(answer: str) -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4; E3>J2; end")
    done = game.send("black", answer)
    assert stops(done.events) == ["draw_offered"]
    told = next(event for event in done.events if event.name == "plan_stopped")
    assert told.only_for == 0
    assert orders(done.events) == []
    assert game.asked() == [("gold", "turn")]
    assert game.state.offers == (False, True)


def test_n2_3_an_offer_alone_stops_it_too_and_the_defence_stays_open() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4 [-: end]")
    assert stops(game.send("black", "draw?").events) == ["draw_offered"]
    assert game.asked() == [("black", "defence")]
    assert orders(game.send("black", "fall").events) == []


def test_n2_3_ones_own_offer_stops_nothing() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4; E3>J2")
    assert stops(game.send("gold", "draw?").events) == []
    assert orders(game.send("black", "I4+").events) == ["E3>J2"]


def test_n2_3_no_word_is_lost_about_a_plan_that_was_not_there() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4")
    assert stops(game.send("black", "I4+; draw?").events) == []


def test_n2_3_a_message_stops_it_by_decree() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4; E3>J2; end")
    done = game.decree("halt: message")
    assert stops(done.events) == ["message"]
    assert orders(game.send("black", "I4+").events) == []
    assert game.asked() == [("gold", "turn")]


def test_n2_3_the_attacker_alone_is_told_where_and_why() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4; F2 rng I4; E3>J2; end")
    done = game.send("black", "fall")
    told = [event for event in done.events if event.name == "plan_stopped"]
    assert [event.only_for for event in told] == [0]
    assert told[0].facts["order"] == "F2 rng I4"
    assert "fault" in told[0].facts
    assert game.state.position is not None
    assert game.state.position.honour == (1, 0), "what was done stands"


# -- N2.4: secrets -------------------------------------------------------------------------------


def test_n2_4_the_opponent_sees_only_what_has_happened() -> None:
    game = study(**TWO_ARCHERS)
    done = game.send("gold", "W1 rng I4 [-: E3>J2 | +: E6>M2]; A5>L2; end")
    public = [event for event in done.events if event.only_for != 0]
    assert "J2" not in repr(public)
    assert "L2" not in repr(public)
    assert GAME.view(game.state, 1).waiting is None
    assert GAME.view(game.state, 0).waiting is not None
    after = game.send("black", "fall")
    public = [event for event in after.events if event.only_for != 0]
    assert "M2" not in repr(public)


# -- N2.5: looking ahead reads no secret ----------------------------------------------------------

RULES = ("off", "block all", "fall all", "block all <=3 keep 4; fall F*", "ask all")
PLANS = (None, "end", "E3>J2; end")


def with_other_secrets(state: State, seat: int, rng: Random) -> State:
    """The same game with another seed, and other secrets of the other seat."""
    other = 1 - seat
    standing, general = list(state.standing), list(state.general)
    standing[other] = parse_standing(rng.choice(RULES))
    general[other] = parse_standing(rng.choice(RULES))
    waiting = state.waiting
    if state.position is not None and state.position.active == other and state.position.question:
        plan = rng.choice(PLANS)
        waiting = None if plan is None else Waiting(parse_orders(plan))
    setups = list(state.setups)
    start = state.start
    if None in setups:
        if setups[other] is not None:
            setups[other] = rng.choice(["WWEEAAFF", "FFAAEEWW"])
        start = replace(start, seed=rng.randbytes(32))
    elif state.position is not None:
        # Once play has begun the seed only rolls dice.
        start = replace(start, seed=rng.randbytes(32))
    return replace(
        state,
        start=start,
        standing=(standing[0], standing[1]),
        general=(general[0], general[1]),
        waiting=waiting,
        setups=(setups[0], setups[1]),
    )


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_n2_5_preview_is_the_same_whatever_the_secrets(number: int) -> None:
    rng = Random(number)
    game = random_table(number, VARIANTS[number], entries=rng.randrange(3, 120))
    texts = [
        "end",
        "standing: block all; ask all",
        "draw?",
        "resign",
        "setup WFEAAEFW",
        "bid 2",
        "block all",
        "fall all",
        "E3>J2; end",
        "banana",
    ]
    if game.state.position is not None and game.state.phase == TURN:
        for _ in range(6):
            action = action_text(game.state.position, random_action(rng, game.state.position))
            texts.append(f"{action}; end" if action != "end" else action)
            texts.append(action)
    for seat in (0, 1):
        others = [with_other_secrets(game.state, seat, rng) for _ in range(3)]
        for text in texts:
            expected = repr(GAME.preview(game.state, seat, text))
            for other in others:
                assert repr(GAME.preview(other, seat, text)) == expected


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seeds=st.tuples(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32)),
    rules=st.tuples(st.sampled_from(RULES), st.sampled_from(RULES)),
    study_number=st.integers(0, 2),
    dicey=st.booleans(),
    text=st.sampled_from(
        [
            "A4 six G6@F6 [G6-: E3>J2]; end",
            "A4 wave G6@F6 [-: end | +: E3>J2]; end",
            "W1 rng I4 [+: F2 rng I4 [-: end]]; end",
            "W1 rng I4; F2 rng I4",
            "end",
        ]
    ),
)
def test_n2_5_a_receipt_is_the_same_too(
    seeds: tuple[bytes, bytes],
    rules: tuple[str, str],
    study_number: int,
    dicey: bool,
    text: str,
) -> None:
    place: dict[str, Any] = (SIX, WAVE, TWO_ARCHERS)[study_number]
    receipts, previews = [], []
    for seed, rule in zip(seeds, rules, strict=True):
        game = study(seed=seed, options={"dice": "dicey" if dicey else "clean"}, **place)
        game.send("black", f"standing: {rule}")
        done = GAME.submit(game.state, 0, text)
        receipts.append(repr(done if isinstance(done, Refused) else (done.text, done.forecasts)))
        previews.append(repr(GAME.preview(game.state, 0, text)))
        if isinstance(done, Accepted):
            for event in done.events:
                assert event.only_for != 1 or event.name == "rules_answered"
    assert receipts[0] == receipts[1]
    assert previews[0] == previews[1]
