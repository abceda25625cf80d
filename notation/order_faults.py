"""Says why something is no order: the faults that need a closer look, and their words (N1.7).

Owns what a player reads when an order begins or goes on wrongly. Plain faults, such as a missing
hex, are raised where they are met, in ``order_reading.py`` and ``cursor.py``.
"""

from __future__ import annotations

from typing import Final

from notation.cursor import Cursor
from notation.decision_reading import A_SIGN
from notation.errors import NotationError
from notation.hexes import HEX_NAMES

AN_ORDER = "an order such as `F2>G4`, `F2 rng G4` or `end`"
A_WARRIOR = "a warrior such as W3 (W, E, A or F and a slot 1 to 8)"
AN_ACTION = "`>` and a hex, or an attack such as `rng G4`"
A_DRAW = "`draw?` to offer, `draw+` to accept, `draw-` to decline, or `claim draw`"
VERB_EXAMPLES: Final = {
    "kite": "W3:kite>E7",
    "str": "F2 str G4",
    "rng": "F2 rng G4",
    "chg": "E1 chg G4@F5",
    "wave": "A5 wave G4@F5",
    "six": "A5 six G4@F5",
    "drg": "F2+F7 drg G4",
    "ret": "E4 ret J1",
}

_OVER: Final = frozenset({"break", "end", ";", "]", "|", "!", ".", ")"})
_A_HEX_BEFORE = "a hex before the sign, as in `G4+`; a bare sign counts only as the first line"
_NO_BEGINNINGS: Final = {
    "+": ("bare_sign", _A_HEX_BEFORE),
    "-": ("bare_sign", _A_HEX_BEFORE),
    "[": ("bracket_without_attack", "an attack directly before `[`"),
    "]": ("bracket_unopened", "a `[` behind an attack before this `]`"),
    "|": ("bracket_unopened", "a `[` behind an attack before this `|`"),
    ">": ("warrior_missing", "a warrior such as W3 before the arrow"),
    "@": ("warrior_missing", "an attack before the landing hex, as in `E1 chg G4@F5`"),
    ":": ("warrior_missing", "a warrior such as W3 before `:`"),
}


def check_not_alone(cursor: Cursor) -> None:
    """A number or a hex with nothing behind it, at least on its line, gets an error of its own."""
    token = cursor.token
    if cursor.ahead(1).kind not in _OVER:
        return
    after = cursor.ahead(2).kind if cursor.ahead(1).kind == "break" else ""
    if token.kind == "number" and after not in (">", "quote", "word", "+"):
        expected = "an order; a number alone only answers the numbered list of a refusal"
        raise cursor.error("lone_number", expected)
    if token.kind == "name" and token.value in HEX_NAMES and token.value[0] not in "WEAF":
        cursor.at += 1
        raise cursor.missing("sign_missing", A_SIGN)


def why_no_order(cursor: Cursor) -> NotationError:
    """Why nothing that begins like this is an order."""
    token = cursor.token
    if token.kind in _NO_BEGINNINGS:
        code, expected = _NO_BEGINNINGS[token.kind]
        return cursor.error(code, expected)
    if token.kind == "other" and len(token.text) == 1 and cursor.ahead(1).kind == "number":
        is_warrior = token.text in "WEAFweaf"
        name = "a warrior such as W3" if is_warrior else "a hex such as G4"
        code = "bad_warrior" if is_warrior else "bad_hex"
        return cursor.error(code, f"{name}, without a space inside")
    code = "unknown_word" if token.kind == "other" and token.text.isalnum() else "unexpected"
    return cursor.error(code, AN_ORDER)


def why_no_action(cursor: Cursor, warrior: str) -> NotationError:
    """Why what follows a warrior tells it to do nothing; the warrior's attacks can be listed."""
    token = cursor.token
    if cursor.tokens[cursor.at - 1].kind == "break" or token.kind in _OVER:
        return cursor.missing("verb_missing", AN_ACTION, warrior=warrior)
    if cursor.is_word("x") or token.kind == "name":
        # An attack that the element can at least have (R5.4, R5.5).
        verb = "chg" if warrior[0] in "EA" else "rng"
        expected = f"a verb between {warrior} and the hex, as in `{warrior} {verb} G4`"
        return cursor.error("verb_missing", expected, warrior=warrior)
    if cursor.is_word("end", "resign"):
        expected = f"an action of {warrior}; `{token.value}` is an order of its own"
        return cursor.error("not_alone", expected, warrior=warrior)
    code = "unknown_word" if token.kind == "other" and token.text.isalnum() else "verb_missing"
    return cursor.error(code, AN_ACTION, warrior=warrior)
