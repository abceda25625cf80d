"""Reads one order from tokens (N1): the grammar of each kind of order, and its errors.

Owns what may stand between two separators. Separators, brackets and plans are ``reading.py``;
decisions are ``decision_reading.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from notation.cursor import Cursor
from notation.decision_reading import is_decision_ahead, read_decisions
from notation.order_faults import (
    A_DRAW,
    A_WARRIOR,
    AN_ORDER,
    VERB_EXAMPLES,
    check_not_alone,
    why_no_action,
    why_no_order,
)
from notation.orders import (
    Attack,
    Bid,
    DrawAnswer,
    DrawClaim,
    DrawOffer,
    End,
    GuideStep,
    Kite,
    Order,
    Pass,
    Resign,
    Return,
    Setup,
    Standing,
    Walk,
)
from notation.words import LANDING_ATTACKS, WARRIOR_VERBS

WHOLE_ORDERS: Final[dict[str, Order]] = {"end": End(), "resign": Resign(), "pass": Pass()}


def read_order(cursor: Cursor) -> tuple[Order, ...]:
    """Read what stands up to the next separator: one order, or several decisions.

    Raises:
        NotationError: it is no order.
    """
    token = cursor.token
    if is_decision_ahead(cursor) and not _are_dragons_ahead(cursor):
        return read_decisions(cursor)
    if token.kind == "word":
        return (_read_word_order(cursor),)
    return (_read_warrior_order(cursor),)


def finish_order(cursor: Cursor) -> None:
    """Step over ``!``, ``?`` and a full stop behind an order (N1.8); then it must be over.

    Raises:
        NotationError: something else stands behind the order.
    """
    while cursor.kind in ("!", "."):
        cursor.at += 1
    token = cursor.token
    if token.kind in ("break", ";", "]", "|", "[", "end"):
        return
    if token.kind == "word" and token.value in WARRIOR_VERBS:
        raise cursor.error("two_verbs", "one verb in an order, with `;` before the next order")
    if cursor.is_word("end", "resign"):
        expected = f"`;` or a new line before `{token.value}`, which is an order of its own"
        raise cursor.error("not_alone", expected)
    if token.kind in ("name", "number", "element", "word"):
        raise cursor.error("separator_missing", "`;` or a new line before the next order")
    raise cursor.error("unexpected", "`;`, a new line or the end of the orders")


def _read_word_order(cursor: Cursor) -> Order:
    """An order that begins with a word, not with a warrior."""
    word = cursor.token.value
    if word in WHOLE_ORDERS:
        cursor.at += 1
        return WHOLE_ORDERS[word]
    if word in _WORD_ORDERS:
        cursor.at += 1
        return _WORD_ORDERS[word](cursor)
    if word in WARRIOR_VERBS:
        example = VERB_EXAMPLES[word]
        raise cursor.error("warrior_missing", f"a warrior before `{word}`, as in `{example}`")
    if word == "x":
        raise cursor.error("warrior_missing", "a warrior and a verb, as in `F2 rng G4`")
    raise cursor.error("unknown_word", AN_ORDER)


def _read_guide(cursor: Cursor) -> GuideStep:
    cursor.take_arrow()
    return GuideStep(cursor.take_hex("`>` and a hex for the Guide, as in `guide>K3`"))


def _read_claim(cursor: Cursor) -> DrawClaim:
    cursor.skip_breaks()
    if not cursor.is_word("draw"):
        raise cursor.missing("draw_missing", "`draw` behind `claim`: `claim draw`")
    cursor.at += 1
    return DrawClaim()


def _read_standing(cursor: Cursor) -> Standing:
    # Imported here because it is needed rarely, and so that reading orders loads less.
    from notation.standing import parse_standing  # noqa: PLC0415

    token = cursor.token
    rules = parse_standing(token.value, line=token.line, column=token.column)
    cursor.at += 1
    return Standing(rules)


def _read_setup(cursor: Cursor) -> Setup:
    if cursor.kind == ":":
        cursor.at += 1
    start = cursor.at
    letters = ""
    while True:
        token = cursor.token
        if token.kind == "element":
            letters += token.value
        elif token.kind == "other" and token.text.isalpha():
            if not set(token.text.upper()) <= set("WEAF"):
                raise cursor.error("setup_letter", "the letters W, E, A and F, two of each")
            letters += token.text.upper()
        elif token.kind != "," and not (token.kind == "break" and len(letters) < 8):
            break
        cursor.at += 1
    if len(letters) == 8 and all(letters.count(element) == 2 for element in "WEAF"):
        return Setup(letters)
    expected = "eight elements for slots 1 to 8, two each of W, E, A and F"
    if len(letters) != 8:
        expected += f"; there are {len(letters)}"
    else:
        counts = ", ".join(f"{letters.count(element)} {element}" for element in "WEAF")
        expected += f"; there are {counts}"
    if letters:
        raise cursor.error("setup_count", expected, at=start)
    raise cursor.missing("setup_count", "eight elements, as in `setup WFEAAEFW`")


def _read_bid(cursor: Cursor) -> Bid:
    if cursor.kind == ":":
        cursor.at += 1
    cursor.skip_breaks()
    token = cursor.token
    if token.kind != "number" or len(token.value) > 2:
        raise cursor.missing("number_missing", "a number of Energy, as in `bid 5`")
    cursor.at += 1
    return Bid(int(token.value))


def _read_draw(cursor: Cursor) -> Order:
    start = cursor.at - 1
    cursor.skip_breaks()
    token = cursor.token
    if token.kind in ("+", "-"):
        cursor.at += 1
        return DrawAnswer(token.kind == "+")
    if token.kind == "!" and token.value == "?":
        cursor.at += 1
        return DrawOffer()
    cursor.at = start
    raise cursor.error("draw_alone", A_DRAW)


def _read_warrior_order(cursor: Cursor) -> Order:
    """``F2>G4``, ``W3:kite>E7``, ``E4 ret J1`` and the attacks."""
    start = cursor.at
    if cursor.kind not in ("name", "number", "element"):
        raise why_no_order(cursor)
    check_not_alone(cursor)
    are_dragons = _are_dragons_ahead(cursor)
    warrior = _read_warrior(cursor)
    partner: str | None = None
    if are_dragons:
        cursor.skip_breaks()
        cursor.at += 1
        cursor.skip_breaks()
        partner = _read_warrior(cursor)
    if cursor.take_arrow():
        return Walk(warrior, cursor.take_hex())
    if cursor.kind == ":":
        cursor.at += 1
        cursor.skip_breaks()
    if cursor.kind != "word" or cursor.token.value not in WARRIOR_VERBS:
        raise why_no_action(cursor, warrior)
    verb = _read_verb(cursor)
    if verb == "kite":
        cursor.take_arrow()
        return Kite(warrior, cursor.take_hex("`>` and a hex, such as `W3:kite>E7`"))
    if verb == "ret":
        return _read_return(cursor, warrior)
    if verb == "drg":
        return _read_dragons(cursor, warrior, partner, start=start)
    target = _read_target(cursor)
    if cursor.kind != "@":
        return Attack(verb, warrior, target)
    if verb not in LANDING_ATTACKS:
        raise cursor.error("landing_unused", f"no landing hex: `{verb}` does not move the attacker")
    cursor.at += 1
    return Attack(verb, warrior, target, cursor.take_hex("a landing hex behind `@`, as in `@F5`"))


def _read_return(cursor: Cursor, warrior: str) -> Return:
    cursor.take_arrow()
    cursor.skip_breaks()
    if cursor.is_word("guide"):
        cursor.at += 1
        return Return(warrior, "guide")
    return Return(warrior, cursor.take_hex("a hex such as J1, or `guide`"))


def _read_dragons(cursor: Cursor, warrior: str, partner: str | None, *, start: int) -> Attack:
    if partner is None:
        expected = "both Fire warriors, as in `F2+F7 drg G4`, or none: `drg G4`"
        raise cursor.error("dragons_pair", expected, at=start, warrior=warrior)
    first, second = sorted((warrior, partner), key=lambda name: name[-1])  # lower slot first
    return Attack("drg", first, _read_target(cursor), partner=second)


def _read_nameless_dragons(cursor: Cursor) -> Attack:
    cursor.at -= 1
    return Attack(_read_verb(cursor), None, _read_target(cursor))


def _read_target(cursor: Cursor) -> str:
    cursor.skip_breaks()
    if cursor.is_word("x"):
        cursor.at += 1
    return cursor.take_hex("the hex of the target, such as G4")


def _read_verb(cursor: Cursor) -> str:
    """One verb, or several words for one: ``six streams``, ``slag van zes stromen`` (N1.3)."""
    verb = cursor.token.value
    cursor.at += 1
    while True:
        cursor.skip_breaks()
        ahead = 0
        while cursor.ahead(ahead).kind == "word" and cursor.ahead(ahead).value == "of":
            ahead += 1
        token = cursor.ahead(ahead)
        if token.kind != "word" or token.value not in WARRIOR_VERBS:
            return verb
        if {verb, token.value} == {"str", "six"}:
            verb = "six"
        elif verb != token.value:
            expected = f"one verb in an order, but `{verb}` stands before it"
            raise cursor.error("two_verbs", expected, at=cursor.at + ahead)
        cursor.at += ahead + 1


def _read_warrior(cursor: Cursor) -> str:
    token = cursor.token
    letter = ""
    if token.kind == "element":
        letter = token.value
        cursor.at += 1
        cursor.skip_breaks()
        token = cursor.token
        if token.kind != "number":
            raise cursor.missing("bad_warrior", "the slot of the warrior, as in `Wind 3`")
    if token.kind == "name" and (token.value[0] not in "WEAF" or not _is_slot(token.value[1:])):
        raise cursor.error("bad_warrior", A_WARRIOR)
    if token.kind == "number" and not _is_slot(token.value):
        raise cursor.error("bad_warrior", A_WARRIOR)
    if token.kind not in ("name", "number"):
        raise cursor.missing("bad_warrior", A_WARRIOR)
    cursor.at += 1
    return letter + token.value


def _is_slot(digits: str) -> bool:
    return len(digits) == 1 and digits in "12345678"


def _are_dragons_ahead(cursor: Cursor) -> bool:
    """Whether ``X+Y`` is followed by a word for dragons; else it is decisions (N1.3)."""
    at = cursor.at
    ahead = [token for token in cursor.tokens[at : at + 12] if token.kind != "break"]
    kinds = [token.kind for token in ahead]
    for first in (["name"], ["number"], ["element", "number"]):
        for second in (["name"], ["number"], ["element", "number"]):
            shape = [*first, "+", *second, "word"]
            if kinds[: len(shape)] == shape:
                return ahead[len(shape) - 1].value == "drg"
    return False


_WORD_ORDERS: Final[dict[str, Callable[[Cursor], Order]]] = {
    "setup": _read_setup,
    "bid": _read_bid,
    "guide": _read_guide,
    "draw": _read_draw,
    "claim": _read_claim,
    "standing": _read_standing,
    "drg": _read_nameless_dragons,
}
