from __future__ import annotations

import pytest

from pbem.games.ortus.actions import ATTACKS, END, GUIDE, KITE, RETURN, WALK, Action
from pbem.games.ortus.hexes import get_hex
from pbem.games.ortus.speech import speak_action, speak_position
from pbem.games.ortus.turn import decide, perform
from pbem.tongue import Tongue
from tests.diagrams.scenes import MIDDLE_GAME, OPENING, position

MIDDLE_GAME_SPOKEN = """\
Round 5. Gold is to move.
Gold has 22 Energy and 3 honour.
Gold holds 2 Wells.
Gold's Guide is on J3.
Wind 1 on F6, a Well. Wind 8 on O1 in the Haven.
Earth 6 on L5, covered.
Water 4 on K4 and Water 5 on G8.
Fire 2 on I6, a Well, shielded. Fire 7 on I10, shielded.
Fallen: Earth 3.
Black has 9 Energy and 2 honour.
Black holds 2 Wells.
Black's Guide is on D14.
Wind 1 on H15 in the Haven and Wind 8 on C12.
Earth 3 on J10, a Well, covered. Earth 6 on C15 in the Haven.
Water 4 on G9 and Water 5 on F9.
Fire 2 on D10, a Well. Fire 7 on B15 in the Haven."""


def test_a_position_is_told_by_house_element_and_hex() -> None:
    assert speak_position(position()) == MIDDLE_GAME_SPOKEN


def test_what_changed_comes_last() -> None:
    told = speak_position(position(), changes=("One thing.", "Another."))
    assert told == MIDDLE_GAME_SPOKEN + "\nWhat changed:\nOne thing.\nAnother."


def test_the_opening_has_no_guides_and_no_wells() -> None:
    told = speak_position(position(OPENING)).splitlines()
    assert "Gold holds no Well." in told
    assert "Black's Guide is not on the board yet." in told


def said(action: Action, line: str = MIDDLE_GAME) -> tuple[str, ...]:
    before = position(line)
    return speak_action(before, action, perform(before, action))


def test_a_walk() -> None:
    assert said(Action("walk", 3, get_hex("K5"))) == ("Gold's Water 4 walked from K4 to K5.",)


def test_an_attack_that_is_saved_and_one_that_is_not() -> None:
    before = position()
    action = Action("rng", 0, get_hex("F9"))
    asked = perform(before, action)
    attack = "Gold's Wind 1 on F6 shot at Black's Water 5 on F9."
    assert speak_action(before, action, asked) == (attack,)
    assert speak_action(before, action, decide(asked, [True])) == (
        attack,
        "Black's Water 5 on F9 was saved.",
    )
    assert speak_action(before, action, decide(asked, [False])) == (
        attack,
        "Black's Water 5 on F9 fell.",
    )


def test_an_open_defence_says_who_is_asked() -> None:
    asked = perform(position(), Action("rng", 0, get_hex("F9")))
    assert speak_position(asked).startswith("Round 5. Black is to defend.")


def test_the_end_of_a_turn_tells_what_the_server_did() -> None:
    """R7.2."""
    assert said(Action("end")) == ("Gold's Earth 3 came back on J1.", "Gold ended the turn.")


def test_a_return_and_a_finished_game() -> None:
    assert said(Action("ret", 2, get_hex("K1"))) == ("Gold's Earth 3 came back on K1.",)
    over = position().copy()
    over.winner, over.reason = 1, "resignation"
    assert speak_position(over).startswith("Round 5. The game is over: Black wins.")
    over.winner = None
    assert speak_position(over).startswith("Round 5. The game is over: a draw.")


@pytest.mark.parametrize("verb", sorted(ATTACKS | {WALK, KITE, GUIDE, RETURN, END}))
def test_every_action_has_words(verb: str) -> None:
    action = Action(verb, 1, get_hex("D10"), get_hex("D9"), 6)
    before = position()
    for sentence in speak_action(before, action, before):
        assert sentence.endswith(".")
        assert "{" not in sentence
        assert "  " not in sentence


def test_another_language_replaces_every_word() -> None:
    signs = Tongue("xx", lambda text: "@", lambda one, many, count: "@")
    assert set(speak_position(position(), tongue=signs)) <= set("@.\n ")
