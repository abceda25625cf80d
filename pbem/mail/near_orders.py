"""Lines that were meant for the game and cannot be read as orders, though no clause says so.

L4.5 names the shapes of an attempt at an order. Beside them there are lines that must not reach the
opponent as message text, because a slip of the pen would give away a secret: a set-up with a
letter missing, standing rules with a sign left out, an order with its verb misspelt or in words,
the branches of a plan. They are refused like any other attempt.
"""

from __future__ import annotations

import re
from typing import Final

from notation.words import ELEMENTS

_LEAD: Final = (
    r"\W*(?:(?:my|mijn|the|de|here|hier|is|are|zijn|moves?|orders?|turn|beurt|zet|zetten)\W+){0,3}"
)
_SECRET_WORD: Final = re.compile(rf"{_LEAD}(?:setup|set-up|opstelling|standing)\b", re.IGNORECASE)
_ELEMENTS: Final = re.compile(r"(?<![^\W_])[weaf](?:[\s,.;/-]*[weaf]){5,}(?![^\W_])", re.IGNORECASE)
_RULE: Final = re.compile(
    r"\b(?:block|save|red|blok|fall|val|ask|vraag)\b.*(?:<\s*=|≤|\b(?:keep|houd)\s*\d|\b[weaf]\*)",
    re.IGNORECASE,
)
_UNFINISHED: Final = re.compile(r"\W*(?:draw|remise|(?:bid|bod)(?:\s+\w+)?)[\s.!]*", re.IGNORECASE)

# Orders whose verb is no word of ours: `W1 rgn G11`, `W1 shoots at G11; end`, `Move W1 to G11`.
_WARRIOR: Final = rf"(?<![^\W_])(?:[weaf]|{'|'.join(ELEMENTS)})\s?[1-8]\b"
_PLACE: Final = rf"(?:{_WARRIOR}|(?<![^\W_])[a-o]\d{{1,2}}\b)"
_WORD: Final = r"[^\W\d_]{1,15}"
_MISSPELT: Final = re.compile(
    rf"{_LEAD}(?:\d{{1,2}}[.)]\s*+)?{_PLACE}\s*+:?+\s*+{_WORD}(?:\s++{_WORD}){{0,2}}?\s++{_PLACE}"
    r"\s*+(?:[.!]*+$|[;@>\[|])",
    re.IGNORECASE,
)
_TELLING: Final = re.compile(
    rf"{_LEAD}(?:(?:i|we|ik|let|laat)\s+)?(?:move|go|walk|step|run|fly|shoot|fire|attack|charge|hit|strike"
    r"|swim|send|bring|put|place|verplaats|zet|ga|loop|stap|vlieg|schiet|stuur|breng)\b",
    re.IGNORECASE,
)
_WARRIORS: Final = re.compile(_WARRIOR, re.IGNORECASE)
_PLACES: Final = re.compile(_PLACE, re.IGNORECASE)
_MAX_TOLD: Final = 80
_BRANCH: Final = re.compile(
    r"[\[|]\s*+(?:\*|(?:[a-o]\d{1,2}\s*+)?[-+–−](?:\s*+,\s*+[a-o]\d{1,2}\s*+[-+–−])*+)\s*+:",
    re.IGNORECASE,
)
_MAX: Final = 1000


def is_near_orders(line: str) -> bool:
    """Whether a line that is neither orders nor an attempt at them was meant to be orders."""
    text = line[:_MAX]
    return bool(
        _SECRET_WORD.match(text)
        or _ELEMENTS.search(text)
        or _RULE.search(text)
        or _UNFINISHED.fullmatch(text)
        or _MISSPELT.match(text)
        or _BRANCH.search(text)
        or _is_told(text)
    )


def _is_told(text: str) -> bool:
    """An order in words: somebody is to do something, and it is said who and where."""
    if len(text) > _MAX_TOLD or not _TELLING.match(text):
        return False
    return _WARRIORS.search(text) is not None and len(_PLACES.findall(text)) > 1
