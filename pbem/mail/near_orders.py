"""Lines that were meant for the game and cannot be read as orders, though no clause says so.

L4.5 names the shapes of an attempt at an order. Beside them there are lines that must not reach the
opponent as message text, because a slip of the pen would give away a secret: a set-up with a
letter missing, standing rules with a sign left out. They are refused like any other attempt.
"""

from __future__ import annotations

import re
from typing import Final

_LEAD: Final = r"\W*(?:(?:my|mijn|the|de|here|hier|is|are|zijn)\W+){0,3}"
_SECRET_WORD: Final = re.compile(rf"{_LEAD}(?:setup|set-up|opstelling|standing)\b", re.IGNORECASE)
_ELEMENTS: Final = re.compile(r"(?<![^\W_])[weaf](?:[\s,.;/-]*[weaf]){5,}(?![^\W_])", re.IGNORECASE)
_RULE: Final = re.compile(
    r"\b(?:block|save|red|blok|fall|val|ask|vraag)\b.*(?:<\s*=|≤|\b(?:keep|houd)\s*\d|\b[weaf]\*)",
    re.IGNORECASE,
)
_UNFINISHED: Final = re.compile(r"\W*(?:draw|remise|(?:bid|bod)(?:\s+\w+)?)[\s.!]*", re.IGNORECASE)
_MAX: Final = 1000


def is_near_orders(line: str) -> bool:
    """Whether a line that is neither orders nor an attempt at them was meant to be orders."""
    text = line[:_MAX]
    return bool(
        _SECRET_WORD.match(text)
        or _ELEMENTS.search(text)
        or _RULE.search(text)
        or _UNFINISHED.fullmatch(text)
    )
