"""Suggestions (N1.7): near what was meant, and accepted when they are sent instead."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.games.base import Accepted, Refused
from tests.ortus.drawing import HOUSES
from tests.ortus.games import (
    GAME,
    SIX,
    TWO_ARCHERS,
    VARIANTS,
    WAVE,
    Table,
    random_table,
    study,
    table,
)


def suggest(game: Table, text: str, house: str = "gold") -> list[str]:
    """The orders suggested; each must be accepted in its place, and stand in the submission."""
    refused = game.refused(house, text)
    check_accepted(game, refused, house)
    return [suggestion.order for suggestion in refused.suggestions]


def check_accepted(game: Table, refused: Refused, house: str) -> None:
    assert len(refused.suggestions) <= 4
    for suggestion in refused.suggestions:
        done = GAME.submit(game.state, HOUSES.index(house), suggestion.submission)
        if len(refused.faults) == 1:
            assert isinstance(done, Accepted), (refused, suggestion, done)
        else:
            assert isinstance(done, Accepted) or len(done.faults) < len(refused.faults) + 1


MASTER: dict[str, Any] = {
    "gold": "W1@F4 F2@I7 E3@E6 A4@K5 F7@L6",
    "black": "A4@I4 E3@N8 W1@H10 A5@G9 F2@F9",
    "level": "master",
}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("W2>J2", "F2>J2"),  # the wrong letter for the slot
        ("E2>J2", "F2>J2"),
        ("A4>L1", "A4>L2"),  # taken
        ("E3>J9; E6>L8", "E6>L7"),  # too dear
        ("W1>H8", "W1>H7"),  # the Core
        ("W1 str I4", "W1 rng I4"),  # the wrong verb
        ("W1 chg I4@H4", "W1 rng I4"),
        ("W1 rng I5", "W1 rng I4"),  # one hex beside the target
        ("W1 rng J4", "W1 rng I4"),
        ("F2 six I4@I5", "F2 rng I4"),
        ("W1:kite>F5", "W1>F5"),  # no kites at this level
        ("E3 rng I4", "F2 rng I4"),  # somebody else can
    ],
)
def test_the_nearest_order_comes_first(order: str, expected: str) -> None:
    game = study(**TWO_ARCHERS)
    found = suggest(game, order)
    assert expected in found[:2], found


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("W1>F6", "W1:kite>"),  # Wind flies
        ("W1:kite>F5", "W1:kite>"),
        ("F2 rng I4", "rng I4"),
        ("E3 str N8", "E3"),
        ("F2+F7 drg I4", ""),
    ],
)
def test_at_master_level(order: str, expected: str) -> None:
    found = suggest(study(**MASTER), order)
    assert any(expected in text for text in found), found


def test_landings_left_open_are_listed() -> None:
    game = study(**WAVE)
    assert suggest(game, "A4 wave G6")[0] == "A4 wave G6@F6"
    assert suggest(game, "A4 wave G6@I8")[0].startswith("A4 wave G6@")
    assert suggest(game, "A4 chg G6@F6")[0] in {"A4 wave G6@F6", "A4 six G6@F6"}


def test_guide_and_returning() -> None:
    game = study(gold="W1@F4 E3@x", black="A4@I4", guide=("J2", None))
    assert suggest(game, "E3 ret K2")[0] in {"E3 ret guide", "E3 ret J1"}
    assert "E3 ret J1" in suggest(game, "E3 ret J5")
    assert suggest(game, "E3>J2")[0].startswith("E3 ret")
    assert suggest(game, "guide>J3") == []
    fell = study(**TWO_ARCHERS, energy=(14, 0), guide=("H1", None))
    fell.send("gold", "W1 rng I4")
    assert suggest(fell, "guide>H4")[0] in {"guide>H2", "guide>G2"}


def test_a_suggestion_stands_in_its_place_among_the_others() -> None:
    game = study(**TWO_ARCHERS)
    refused = game.refused("gold", "E3>J2; a4>H8\n5>L2; standing: ask all")
    assert refused.suggestions[0].submission.startswith("E3>J2; A4>")
    assert refused.suggestions[0].submission.endswith("; 5>L2; standing: ask all")
    check_accepted(game, refused, "gold")


def test_a_suggestion_in_a_branch() -> None:
    game = study(**TWO_ARCHERS)
    refused = game.refused("gold", "W1 rng I4 [+: F2 rng I5 | -: end]; end")
    assert refused.suggestions[0].submission == "W1 rng I4 [+: F2 rng I4 | -: end]; end"
    check_accepted(game, refused, "gold")


def test_a_bracket_stays_behind_an_attack() -> None:
    game = study(**TWO_ARCHERS)
    found = suggest(game, "E3>J2; W1 chg I4@H4 [-: end]")
    assert found[0] == "W1 rng I4"
    assert "W1>H4" not in found
    assert "W1>H4" in suggest(game, "E3>J2; W1 chg I4@H4")


def test_what_would_spoil_the_rest_is_not_suggested() -> None:
    # All near orders for E6 cost more than what A5's walk leaves.
    game = study(**TWO_ARCHERS, energy=(9, 14))
    refused = game.refused("gold", "E6>M9; A5>L7; E3>J3")
    check_accepted(game, refused, "gold")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E3 > J22", "E3>J2"),
        ("W1 rgn I4", "W1 rng I4"),
        ("W1 I4", "W1 rng I4"),
        ("W1 x I4", "W1 rng I4"),
        ("E3>J2; W1 rngg I4; end", "W1 rng I4"),
        ("E3>J2\nW1 rgn I4\nend", "W1 rng I4"),
        ("W1 rng I4 [-: E3>J22 | +: end]; end", "E3>J2"),
        ("W1 rng I4 [-: end | +: F2 rgn I4]; end", "F2 rng I4"),
    ],
)
def test_text_that_cannot_be_read(text: str, expected: str) -> None:
    found = suggest(study(**TWO_ARCHERS), text)
    assert expected in found, found


def test_suggestions_are_not_tried_in_endless_text() -> None:
    game = study(**TWO_ARCHERS)
    assert suggest(game, "W1 I4\n" + ";" * 100)
    assert suggest(game, "W1 I4\n" + ";" * 60_000) == []


def test_no_suggestions_for_nonsense() -> None:
    game = study(**TWO_ARCHERS)
    for text in ("banana", "Dear Beau, thank you for the lovely game!", "x" * 5000, "[[[["):
        assert suggest(game, text) == []


def test_defences() -> None:
    game = study(**SIX, energy=(14, 6))
    game.send("gold", "A4 six G6@F6")
    assert suggest(game, "block all", "black") == [
        "G6+ F7+ G5-",
        "G6+ F7- G5+",
        "G6- F7+ G5+",
        "G6+ F7- G5-",
    ]
    assert suggest(game, "G6- F7+", "black")[:2] == ["G6- F7+ G5+", "G6- F7+ G5-"]
    assert suggest(game, "G5+ G5-", "black")
    assert suggest(game, "block", "black")
    assert suggest(game, "A8+", "black")
    assert suggest(game, "please save them", "black")
    refused = game.refused("black", "G6-; standing: fall all")
    assert refused.suggestions[0].submission == "G6- F7+ G5+; standing: fall all"


def test_bids() -> None:
    game = table(bid=True)
    for house in HOUSES:
        game.send(house, "setup WFEAAEFW")
    assert suggest(game, "bid 9", "black") == ["bid 6", "pass"]
    assert suggest(game, "I bid low", "black") == ["bid 6", "pass"]
    game.send("black", "bid 1")
    assert suggest(game, "bid 1", "gold") == ["bid 0", "pass"]


@pytest.mark.parametrize("number", range(0, len(VARIANTS), 3))
def test_mistakes_in_random_games_get_suggestions_that_work(number: int) -> None:
    rng = Random(number)
    game = random_table(number, VARIANTS[number], entries=rng.randrange(40, 90))
    if not game.asked():
        return
    house, kind = game.asked()[0]
    if kind != "turn":
        return
    verbs = ["str", "rng", "chg", "wave", "six", "drg"]
    hexes = [f"{letter}{row}" for letter in "EFGHIJ" for row in range(4, 12)]
    seen = 0
    for _ in range(25):
        who, to = rng.choice("WEAF") + str(rng.randrange(1, 9)), rng.choice(hexes)
        text = rng.choice([f"{who}>{to}", f"{who} {rng.choice(verbs)} {to}", f"{who}:kite>{to}"])
        done = GAME.submit(game.state, HOUSES.index(house), f"{text}; end")
        if isinstance(done, Refused):
            check_accepted(game, done, house)
            seen += len(done.suggestions)
    assert seen
