"""Signs behind orders as readers of chess know them: ``!?``, ``+=`` (N5.4).

Records keep PGN's numbers, and ``notation`` writes those; this is what pages and booklets show.
"""

from __future__ import annotations

from typing import Final

from notation.record import NAG_SYMBOLS

JUDGEMENTS: Final = {
    **dict.fromkeys((10, 11, 12), "="),
    **{13: "∞", 14: "+=", 15: "=+", 16: "+/−", 17: "−/+", 18: "+−", 19: "−+"},
}
"""The signs of chess for numbers of PGN; White's are Gold's. The font of booklets has them all."""


def show_signs(signs: tuple[int, ...]) -> str:
    """Signs of an order as readers know them: ``!? +=``."""
    return " ".join(NAG_SYMBOLS.get(sign) or JUDGEMENTS.get(sign) or f"${sign}" for sign in signs)


def sign_order(text: str, signs: tuple[int, ...]) -> str:
    """An order with its signs: ``A4>D13! +=``, ``A4>D13 =``."""
    is_close = bool(signs) and signs[0] in NAG_SYMBOLS
    return text + show_signs(signs) if is_close else f"{text} {show_signs(signs)}".rstrip()
