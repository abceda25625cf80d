"""What an element can do at a level (R5, M): which attacks, and whether it walks or flies."""

from __future__ import annotations

from functools import cache

from pbem.games.ortus.actions import CHARGE, DRAGONS, RANGE, SIX, STRIKE, WAVE
from pbem.games.ortus.figures import EARTH_LEVEL, MASTER_LEVEL, WATER_LEVEL, WIND_LEVEL
from pbem.games.ortus.position import Position


@cache
def attack_verbs(element: str, level: int) -> tuple[str, ...]:
    """The attacks of an element at a level; an element whose rules are off plays as Apprentice."""
    match element:
        case "E":
            return (CHARGE, STRIKE) if level < EARTH_LEVEL else (CHARGE,)
        case "A":
            return (CHARGE, STRIKE) if level < WATER_LEVEL else (WAVE, SIX)
        case "F":
            return (RANGE, STRIKE) if level < MASTER_LEVEL else (DRAGONS,)
        case _:
            return (RANGE, STRIKE)


def flies(element: str, level: int) -> bool:
    """Whether the Path of the Kite replaces walking (M2.1)."""
    return element == "W" and level >= WIND_LEVEL


def is_bear(verb: str, element: str, level: int) -> bool:
    """Whether this charge is a Raging Bear (M3.2)."""
    return verb == CHARGE and element == "E" and level >= EARTH_LEVEL


def can_attack(position: Position, slot: int) -> bool:
    """Whether this warrior of the active House still has an attack (R5.1)."""
    ground = position.rules.arena.ground
    hex_, start = position.hexes[position.active][slot], position.start_hexes[slot]
    return (
        hex_ >= 0
        and start >= 0
        and not position.attacked >> slot & 1
        and bool(ground >> hex_ & 1)
        and bool(ground >> start & 1)
    )


def may_leave_haven(position: Position) -> bool:
    """Whether one more Wind warrior may come out of the Haven in this turn (M2.2)."""
    return position.winds_out == 0 or not position.is_first_turn
