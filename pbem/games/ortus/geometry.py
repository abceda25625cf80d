"""Walks, slides and Hexlines on a given board (R4.2, R5.4, M1, M2.1), and what follows from them:
which Earth is covered (M3.1) and who is shielded (M5.1).
"""

from __future__ import annotations

from pbem.games.ortus.figures import EARTH_LEVEL, MASTER_LEVEL
from pbem.games.ortus.hexes import (
    BETWEEN,
    BLACK,
    GOLD,
    NEIGHBOURS,
    OFF_BOARD,
    STEPS,
    shortest_ways,
    widen,
)
from pbem.games.ortus.position import Position


def reachable(free: int, start: int, steps: int) -> int:
    """The set of free hexes that a walk of at most this many steps reaches (R4.2)."""
    origin = 1 << start
    reached = origin
    for _ in range(steps):
        grown = widen(reached) & free | origin
        if grown == reached:
            break
        reached = grown
    return reached & ~origin


def find_walk(free: int, start: int, goal: int) -> int | None:
    """The length of the shortest walk over free hexes; the goal itself need not be free (R5.4)."""
    straight, ways = shortest_ways(start, goal)
    if ways & free == ways:
        return straight
    # Walk from the goal's side: its neighbours are few, and blocked goals end at once.
    aim = 1 << start
    reached = 1 << goal
    steps = 0
    open_hexes = free | aim
    while not reached & aim:
        grown = widen(reached) & open_hexes | reached
        if grown == reached:
            return None
        reached = grown
        steps += 1
    return steps


def slide(position: Position, start: int, step: int) -> int:
    """Where a Kite from here comes to rest in one direction (M2.1); the start if it cannot."""
    occupied = position.occupied
    empty = position.rules.arena.ground & ~(occupied[GOLD] | occupied[BLACK])
    hex_ = start + step
    while hex_ >= 0 and empty >> hex_ & 1:
        hex_ += step
    return hex_ - step


def can_slide(position: Position, start: int, end: int) -> bool:
    """Whether a Kite from one hex ends on the other (M2.1)."""
    if start << 8 | end not in BETWEEN:
        return False
    step = (end - start) // shortest_ways(start, end)[0]
    return slide(position, start, step) == end


def slides(position: Position, start: int) -> list[int]:
    """All hexes a Kite from here can end on (M2.1)."""
    ends = [slide(position, start, step) for step in STEPS]
    return [end for end in ends if end != start]


def share_hexline(position: Position, a: int, b: int) -> bool:
    """Whether warriors on these two hexes share a Hexline (M1)."""
    arena = position.rules.arena
    ground = arena.ground
    if OFF_BOARD in (a, b) or not (ground >> a & 1 and ground >> b & 1):
        return False
    between = BETWEEN.get(a << 8 | b)
    if between is None:
        return False
    occupied = position.occupied
    return not between & (occupied[GOLD] | occupied[BLACK] | ~ground)


def is_covered(position: Position, house: int, slot: int) -> bool:
    """Whether this warrior is an Earth that no opposing Earth reveals (M3.1)."""
    rules = position.rules
    if rules.level < EARTH_LEVEL or slot not in rules.earths[house]:
        return False
    hex_ = position.hexes[house][slot]
    if hex_ == OFF_BOARD or not rules.arena.ground >> hex_ & 1:
        return False
    other = 1 - house
    hexes = position.hexes[other]
    return not any(share_hexline(position, hexes[slot], hex_) for slot in rules.earths[other])


def is_shielded(position: Position, house: int, slot: int) -> bool:
    """Whether the Phoenix of its House shields this warrior when it is attacked (M5.1)."""
    rules = position.rules
    if rules.level < MASTER_LEVEL:
        return False
    hexes = position.hexes[house]
    first, second = rules.fires[house]
    if hexes[first] == OFF_BOARD or hexes[second] == OFF_BOARD:
        return False
    if slot in (first, second):
        return share_hexline(position, hexes[first], hexes[second])
    hex_ = hexes[slot]
    return share_hexline(position, hexes[first], hex_) and share_hexline(
        position, hexes[second], hex_
    )


def are_neighbours(a: int, b: int) -> bool:
    """Whether two hexes touch."""
    return bool(NEIGHBOURS[a] >> b & 1)
