"""A short cut for orders that stand in canonical writing, as they do in every record.

Owns nothing but speed: one pattern for the frequent orders. Whatever it does not know, or finds
wrong in any way, is left to ``reading.py``, which reads all there is and makes the errors.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from notation.hexes import HEX_NAMES
from notation.orders import (
    Attack,
    Decision,
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
    Walk,
)
from notation.words import LANDING_ATTACKS

_FIXED: Final[dict[str, Order]] = {
    "end": End(),
    "pass": Pass(),
    "resign": Resign(),
    "draw?": DrawOffer(),
    "draw+": DrawAnswer(True),
    "draw-": DrawAnswer(False),
    "claim draw": DrawClaim(),
    "block": Decision(None, True),
    "fall": Decision(None, False),
    "block all": Decision("all", True),
    "fall all": Decision("all", False),
}


@cache
def _pattern() -> re.Pattern[str]:
    spot = "[A-O][1-9][0-9]?"
    return re.compile(
        rf"([WEAF]?[1-8])(?:(>|:kite>|\ ret\ )({spot}|guide)"
        rf"|\ (str|rng|chg|wave|six)\ ({spot})(?:@({spot}))?)"
        rf"|guide>({spot})|({spot})([+-])|(?:([WEAF]?[1-8])\+([WEAF]?[1-8])\ )?drg\ ({spot})"
    )


def find_canonical(text: str) -> Order | None:  # noqa: PLR0911 - fast and flat
    """The order that ``text`` is in canonical writing, or None if it has to be read with care."""
    fixed = _FIXED.get(text)
    if fixed is not None:
        return fixed
    match = _pattern().fullmatch(text)
    if match is None:
        return None
    who, way, to, verb, target, landing, guide, victim, sign, *dragons = match.groups()
    if verb is not None:
        if target not in HEX_NAMES:
            return None
        if landing is None:
            return Attack(verb, who, target)
        is_landing = verb in LANDING_ATTACKS and landing in HEX_NAMES
        return Attack(verb, who, target, landing) if is_landing else None
    if way is not None:
        return _find_way(who, way, to)
    if guide is not None:
        return GuideStep(guide) if guide in HEX_NAMES else None
    if victim is not None:
        return Decision(victim, sign == "+") if victim in HEX_NAMES else None
    return _find_dragons(*dragons)


def _find_dragons(first: str | None, second: str | None, target: str) -> Order | None:
    # Only the lower slot first is canonical (M5.3).
    if target not in HEX_NAMES or (first and second and first[-1] > second[-1]):
        return None
    return Attack("drg", first, target, partner=second)


def _find_way(who: str, way: str, to: str) -> Order | None:
    if to in HEX_NAMES:
        return Walk(who, to) if way == ">" else Kite(who, to) if way != " ret " else Return(who, to)
    return Return(who, to) if way == " ret " and to == "guide" else None
