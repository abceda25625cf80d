"""The orders of a record: which may stand in one, and what may stand behind an attack (N5.3).

There is one reader of orders, ``reading.py``. This module remembers what it said about canonical
texts, because an archive holds the same few thousand orders over and over.
"""

from __future__ import annotations

import re
from typing import Final

from notation.errors import NotationError
from notation.hexes import HEX_NAMES, LETTERS
from notation.orders import MAX_VICTIMS, Attack, End, GuideStep, Kite, Order, Return, Walk
from notation.reading import parse_order
from notation.record import Roll, Verdicts
from notation.words import LANDING_ATTACKS
from notation.writing import format_order

MAX_ORDER: Final = 64
_MAX_REMEMBERED: Final = 1 << 15
_remembered: dict[str, Order] = {}

_WARRIOR: Final = re.compile(r"[WEAF][1-8]")
_VERDICT: Final = re.compile(r"([A-O][0-9]{1,2})([+-])")
_ONE_FIGURE_VERBS: Final = frozenset({"rng", "drg"})
_LONE: Final[dict[str, Verdicts]] = {"+": ((None, True),), "-": ((None, False),)}

find_remembered_order = _remembered.get
"""The order for a canonical text that was read before, else None."""


def get_canonical_order(text: str) -> Order:
    """The order of a canonical text.

    Raises:
        NotationError: it cannot be read, is not canonical, or does not belong into a record; the
            column counts within ``text``.
    """
    order = _remembered.get(text)
    if order is not None:
        return order
    order = read_recordable_order(text)
    canonical = format_order(order)
    if canonical != text:
        raise NotationError("not_canonical", line=1, column=1, found=text, expected=canonical)
    if len(_remembered) >= _MAX_REMEMBERED:
        _remembered.clear()
    _remembered[text] = order
    return order


def read_recordable_order(text: str) -> Order:
    """The order of a text in any spelling, if a record may hold it.

    Raises:
        NotationError: as ``get_canonical_order``.
    """
    if len(text) > MAX_ORDER:
        expected = f"an order of at most {MAX_ORDER} characters"
        raise NotationError("order_too_long", line=1, column=1, found=text, expected=expected)
    order = parse_order(text)
    fault = _find_unrecordable(order)
    if fault is not None:
        raise NotationError("not_in_record", line=1, column=1, found=text, expected=fault)
    return order


def _find_unrecordable(order: Order) -> str | None:
    """What a record needs that the order lacks; in a record nothing is left to the reader."""
    match order:
        case End() | GuideStep():
            return None
        case Walk() | Kite() | Return():
            names = [order.who]
        case Attack():
            names = [order.who or "", *([order.partner or ""] if order.verb == "drg" else [])]
            if order.verb in LANDING_ATTACKS and order.landing is None:
                return "the landing hex too, as in E1 chg G4@F5"
            if order.verb == "drg" and not _are_dragons(order):
                return "both Fires, the lower slot first, as in F2+F7 drg G4"
        case _:
            return "an order of a turn; bids, set-ups and closing words are in tags"
    if not all(_WARRIOR.fullmatch(name) for name in names):
        return "the warrior's element too, as in W3"
    return None


def _are_dragons(order: Attack) -> bool:
    who, partner = order.who or "", order.partner or ""
    return bool(_WARRIOR.fullmatch(who) and _WARRIOR.fullmatch(partner)) and who[1] < partner[1]


def parse_roll(text: str) -> Roll:
    """``5`` or ``6/3``, the inside of a roll's brackets."""
    return (int(text),) if len(text) == 1 else (int(text[0]), int(text[-1]))


def find_verdicts(text: str) -> Verdicts | None:
    """What stands behind ``=``, None if it cannot be read."""
    lone = _LONE.get(text)
    if lone is not None:
        return lone
    verdicts: list[tuple[str | None, bool]] = []
    for part in text.split(","):
        match = _VERDICT.fullmatch(part)
        if match is None or match[1] not in HEX_NAMES or len(verdicts) == MAX_VICTIMS:
            return None
        verdicts.append((match[1], match[2] == "+"))
    return tuple(verdicts)


def find_roll_fault(attack: Attack, roll: Roll) -> str | None:
    """What was expected instead of a roll that does not fit the attack's die (N5.3)."""
    figures = 1 if attack.verb in _ONE_FIGURE_VERBS else 2
    if len(roll) == figures:
        return None
    return "a roll of one figure, as (5)" if figures == 1 else "a roll of two figures, as (6/3)"


def find_verdict_fault(attack: Attack, verdicts: Verdicts) -> str | None:
    """What was expected instead of verdicts that cannot belong to the attack (N5.3)."""
    if verdicts[0][0] is None:
        return None
    victims = [victim or "" for victim, _ in verdicts]
    # A lone victim has a name only in a wave that is not over yet.
    if attack.verb not in {"wave", "six"} or (attack.verb == "six" and len(verdicts) == 1):
        fault = "=+ or =-, for there is one victim"
    elif victims[0] != attack.target:
        fault = f"the target {attack.target} first"
    elif len(set(victims)) != len(victims):
        fault = "every victim once"
    elif attack.verb == "six" and victims[1:] != sorted(victims[1:], key=_hex_order):
        fault = "the target, then the others by letter and number"
    else:
        return None
    return fault


def is_open(verdicts: Verdicts) -> bool:
    """Whether a defence is still to come: no verdict, or one named victim of a longer wave."""
    return not verdicts or (len(verdicts) == 1 and verdicts[0][0] is not None)


def _hex_order(hex_name: str) -> tuple[int, int]:
    return LETTERS.index(hex_name[0]), int(hex_name[1:])
