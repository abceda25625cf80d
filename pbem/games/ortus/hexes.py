"""The board as bits (R1): a hex is a number, a set of hexes is one int with a bit for each.

A hex is ``(number - 1) * 16 + letter``: sixteen columns for fifteen letters, so that a step never
wraps into the next row unseen. Owns names, directions, distances, lines and the two Havens; an
arena's Wells and cuts are in ``arena``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from notation.hexes import HEX_NAMES, LETTERS

GOLD: Final = 0
BLACK: Final = 1

OFF_BOARD: Final = -1

DIRECTIONS: Final = ((0, 1), (-1, 1), (1, 0), (-1, 0), (1, -1), (0, -1))
"""The six directions as (dq, dr), in the order in which a Guide chooses for Gold (R6.4)."""

STEPS: Final = tuple(dq + 16 * dr for dq, dr in DIRECTIONS)
"""The same six directions as differences of hex numbers."""


def get_hex(name: str) -> int:
    """The number of a hex by its name. Raises KeyError for a name that is not on the board."""
    return _NUMBERS[name]


def hex_name(number: int) -> str:
    """The name of a hex, as ``G4``."""
    return _NAMES[number]


def find_hex_name(number: int) -> str | None:
    """The name of a hex, None for ``OFF_BOARD``."""
    return None if number == OFF_BOARD else _NAMES[number]


def _number(name: str) -> int:
    return (int(name[1:]) - 1) * 16 + LETTERS.index(name[0])


_NUMBERS: Final = {name: _number(name) for name in HEX_NAMES}
_NAMES: Final = {number: name for name, number in _NUMBERS.items()}

HEXES: Final = tuple(sorted(_NAMES))

LETTER_ORDER: Final = {number: (number & 15, number >> 4) for number in HEXES}
"""A key that sorts hexes by letter, then by number (R6.1)."""

BOARD: Final = sum(1 << number for number in HEXES)
CORE: Final = _NUMBERS["H8"]

HAVEN_SLOTS: Final = (
    tuple(_NUMBERS[f"{letter}1"] for letter in "HIJKLMNO"),
    tuple(_NUMBERS[f"{letter}15"] for letter in "HGFEDCBA"),
)
"""The eight slots of each Haven, slot 1 first (R1.3)."""

HAVENS: Final = tuple(sum(1 << number for number in slots) for slots in HAVEN_SLOTS)


def bit_set(hexes: Iterator[int] | list[int] | tuple[int, ...]) -> int:
    """The set that holds these hexes."""
    bits = 0
    for number in hexes:
        bits |= 1 << number
    return bits


def members(bits: int) -> Iterator[int]:
    """The hexes of a set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def distance(a: int, b: int) -> int:
    """The number of steps between two hexes on an empty board (R1.1)."""
    dr = (a >> 4) - (b >> 4)
    dq = (a & 15) - (b & 15)
    return max(abs(dq), abs(dr), abs(dq + dr))


def half_turn(number: int) -> int:
    """The hex on the other side of the Core: (q, r) becomes (−q, −r)."""
    return 2 * CORE - number


def widen(bits: int) -> int:
    """The set with all neighbours of its members, on the board or not."""
    up = bits | bits << 1
    down = bits | bits >> 1
    return up | down | down << 16 | up >> 16


NEIGHBOURS: Final = {number: widen(1 << number) & BOARD & ~(1 << number) for number in HEXES}
"""The set of neighbours of each hex."""


def _lines() -> dict[int, int]:
    between: dict[int, int] = {}
    for start in HEXES:
        for step in STEPS:
            passed = 0
            number = start + step
            while number >= 0 and BOARD >> number & 1:
                between[start << 8 | number] = passed
                passed |= 1 << number
                number += step
    return between


BETWEEN: Final = _lines()
"""For hexes ``a << 8 | b`` on one straight line (R1.4): the set of hexes strictly between them."""


@cache
def rings(centre: int) -> tuple[int, ...]:
    """The sets of hexes at distance 0, 1, 2, … from a hex, as far as the board goes."""
    found = [1 << centre]
    reached = 1 << centre
    while reached != BOARD:
        grown = widen(reached) & BOARD
        found.append(grown ^ reached)
        reached = grown
    return tuple(found)


@lru_cache(maxsize=4096)
def shortest_ways(a: int, b: int) -> tuple[int, int]:
    """The distance of two hexes, and the set of hexes on any shortest way between them."""
    steps = distance(a, b)
    ways = 0
    for taken in range(1, steps):
        ways |= rings(a)[taken] & rings(b)[steps - taken]
    return steps, ways
