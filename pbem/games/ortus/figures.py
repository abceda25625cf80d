"""The numbers of the rules, in one place: Energy, Powers, dice (R3.1, R5, R9, M).

Everything here that a rulebook shows only as a picture, or that the editions give differently, is
marked *rebuilt* or *ruling* in ``docs/rules.md``.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from notation import position_line

LEVELS: Final = position_line.LEVELS
WIND_LEVEL, EARTH_LEVEL, WATER_LEVEL, MASTER_LEVEL = 1, 2, 3, 4

HOUSE_NAMES: Final = ("gold", "black")
SIDE_LETTERS: Final = "gb"
ELEMENTS: Final = "WEAF"
_SETUP: Final = sorted(2 * ELEMENTS)

STARTER_ENERGY: Final = 7
SECOND_ENERGY: Final = 14
WELLS_TO_WIN: Final = 5
HONOUR_TO_WIN: Final = 8
SHIELDED_POWER: Final = 2
CLAIM_AFTER_ROUNDS: Final = 25

COLLECTING: Final = (14, 18, 22, 25, 28)
"""Energy by the number of Wells held (R3.1)."""

HANDICAP_BOARDS: Final = {"I": (16, 20, 24, 27, 30), "II": (18, 22, 26, 29, 32)}
"""What replaces the collecting figures of the weaker player (R9.2, rebuilt)."""

CLEAN_POWERS: Final = {
    "str": (3,),
    "rng": (4,),
    "chg": (5,),
    "wave": (5, 3, 1),
    "six": (3, 3),
    "drg": (4,),
}
"""Power without dice: of the target, then of each further victim."""

BEAR_BONUS: Final = 1
"""The Raging Bear is a charge with one more Power (M3.2, R9.1)."""

BEAR_STEP: Final = 2
"""Energy for each step of a Raging Bear's charge (M3.2)."""

DARK_BLUE: Final = ((4, 1), (5, 2), (6, 3))
LIGHT_BLUE: Final = ((2, 4), (3, 3), (4, 2))
YELLOW: Final = ((3,), (4,), (5,))
DICE: Final = {
    "str": LIGHT_BLUE,
    "rng": YELLOW,
    "chg": DARK_BLUE,
    "wave": DARK_BLUE,
    "six": LIGHT_BLUE,
    "drg": YELLOW,
}
"""The die of each attack, as its three different faces; each stands twice on the die (R9.1)."""

FACE_INDICES: Final = range(6)


def rolled_face(verb: str, face: int) -> tuple[int, ...]:
    """The figures on face index 0–5 of the die for this attack."""
    return DICE[verb][face // 2]


@cache
def powers(verb: str, *, is_bear: bool = False, face: int | None = None) -> tuple[int, ...]:
    """The Power of an attack before any shield: target first, then each further victim.

    A wave has three figures, ``six`` two (the second serves every other victim), the rest one.
    Without a ``face`` the clean figures are given.
    """
    if face is None:
        base = CLEAN_POWERS[verb]
    else:
        figures = rolled_face(verb, face)
        if verb == "wave":
            first, less = figures
            base = (first, max(first - less, 0), max(first - 2 * less, 0))
        elif verb == "six":
            base = figures
        else:
            base = figures[:1]
    return (base[0] + BEAR_BONUS,) if is_bear else base


def is_setup(letters: str) -> bool:
    """Whether capital letters are a set-up: eight, two of each element (R2.2)."""
    return sorted(letters) == _SETUP
