"""The names of hexes (R1.1): a letter A–O and a number 1–15, of which 169 are on the board."""

from __future__ import annotations

from typing import Final

LETTERS: Final = "ABCDEFGHIJKLMNO"

CORE: Final = "H8"


def _is_on_board(letter: int, number: int) -> bool:
    q, r = letter - 7, number - 8
    return max(abs(q), abs(r), abs(q + r)) <= 7


HEX_NAMES: Final[frozenset[str]] = frozenset(
    f"{letter}{number}"
    for column, letter in enumerate(LETTERS)
    for number in range(1, 16)
    if _is_on_board(column, number)
)
