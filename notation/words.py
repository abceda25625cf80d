"""Every word that may stand in orders and standing rules, English and Dutch (N1.3).

Owns the spellings only: one table from what is written to the one canonical word. How words make
an order is ``order_reading.py``; how they make a standing rule is ``standing.py``. Extra spellings
that no clause names stand at the end of the table, each with its reason.
"""

from __future__ import annotations

from typing import Final

_SPELLINGS: Final[dict[str, str]] = {
    "kite": "kite vlieger",
    "str": "str strike slag",
    "rng": "rng range shoot storm afstand",
    "chg": "chg charge bear beer",
    "wave": "wave flow golf",
    "six": "six streams zes stromen",
    "drg": "drg dragons draken",
    "guide": "guide gids",
    "ret": "ret return terug",
    "end": "end done einde klaar",
    "setup": "setup opstelling",
    "bid": "bid bod",
    "pass": "pass pas",
    "resign": "resign opgeven",
    "draw": "draw remise",
    "claim": "claim",
    "block": "block save red blok",
    "fall": "fall val",
    "all": "all alles",
    "ask": "ask vraag",
    "keep": "keep houd",
    "off": "off uit",
    "standing": "standing",
    # The arrow as a word. "à" is what Outlook makes of "-->" in the plain part of a mail.
    ">": "to naar à",
    # Skipped between a verb and a hex, as on a chess score sheet.
    "x": "x ×",
    # Only inside the full name of an attack: "Slag van de Zes Stromen".
    "of": "of the van de",
    # Between decisions, where a comma could stand: "block G4 and fall G5".
    "and": "and en",
}

WORDS: Final[dict[str, str]] = {
    spelling: word for word, spellings in _SPELLINGS.items() for spelling in spellings.split()
}
"""From a spelling in small letters to its canonical word."""

ELEMENTS: Final[dict[str, str]] = {
    "wind": "W",
    "earth": "E",
    "aarde": "E",
    "water": "A",
    "fire": "F",
    "vuur": "F",
}
"""From an element spelled out to its letter (R2.1)."""

ATTACKS: Final[frozenset[str]] = frozenset({"str", "rng", "chg", "wave", "six", "drg"})

LANDING_ATTACKS: Final[frozenset[str]] = frozenset({"chg", "wave", "six"})
"""The attacks that move the attacker, so that ``@F5`` may follow (R5.5, M4)."""

WARRIOR_VERBS: Final[frozenset[str]] = ATTACKS | {"kite", "ret"}
"""The verbs that stand behind a warrior."""

LONGEST_FIRST: Final[tuple[str, ...]] = tuple(
    sorted((*WORDS, *ELEMENTS), key=lambda spelling: (-len(spelling), spelling))
)
