"""Actions: what the rules know how to do, in numbers instead of words.

An action belongs to the House on turn. Walks are by far the most common, so they are made once
and handed out in bundles: a set of destinations is split into bytes, and each byte has its tuple
of ready actions.
"""

from __future__ import annotations

from typing import Final, NamedTuple

WALK: Final = "walk"
KITE: Final = "kite"
STRIKE: Final = "str"
RANGE: Final = "rng"
CHARGE: Final = "chg"
WAVE: Final = "wave"
SIX: Final = "six"
DRAGONS: Final = "drg"
GUIDE: Final = "guide"
RETURN: Final = "ret"
END: Final = "end"

ATTACKS: Final = frozenset({STRIKE, RANGE, CHARGE, WAVE, SIX, DRAGONS})
CHARGES: Final = frozenset({CHARGE, WAVE, SIX})

NOBODY: Final = -1
ON_GUIDE: Final = -2
"""The destination of a Fallen that returns to its Guide (R7.1)."""


class Action(NamedTuple):
    """One action: ``who`` and ``partner`` are slot indices, ``to`` and ``landing`` are hexes."""

    verb: str
    who: int = NOBODY
    to: int = NOBODY
    landing: int = NOBODY
    partner: int = NOBODY


END_TURN: Final = Action(END)


class _Bundles(dict[int, tuple[Action, ...]]):
    """The walks of one warrior to the eight hexes of one byte, by the byte's value, never 0."""

    def __init__(self, slot: int, first_hex: int) -> None:
        super().__init__()
        self._slot = slot
        self._first_hex = first_hex

    def __missing__(self, byte: int) -> tuple[Action, ...]:
        # The same actions are in many bundles, so each is made once, for the bundle it is alone in.
        bits = [1 << offset for offset in range(8) if byte >> offset & 1]
        if len(bits) > 1:
            bundle = tuple(self[bit][0] for bit in bits)
        else:
            bundle = (Action(WALK, self._slot, self._first_hex + byte.bit_length() - 1),)
        self[byte] = bundle
        return bundle


_BOARD_BYTES: Final = 30
_WALKS: Final = tuple(
    tuple(_Bundles(slot, 8 * index) for index in range(_BOARD_BYTES)) for slot in range(8)
)


def walks(slot: int, destinations: int) -> list[Action]:
    """A walk of this warrior to each hex of a set."""
    actions: list[Action] = []
    for byte, bundles in zip(
        destinations.to_bytes(_BOARD_BYTES, "little"), _WALKS[slot], strict=True
    ):
        if byte:
            actions += bundles[byte]
    return actions
