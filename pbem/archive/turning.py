"""The ways to turn a board so that the game stays the same (R1).

The Havens allow four: as it is, turned half round, seen in a mirror from left to right, and both.
Whenever the Havens change places, so do the Houses. The half turn fits every arena (R1.6); the
mirror fits an arena whose Wells and cuts are the same in it, as those of the game are.

What the server does for a player who leaves it open (a Guide's step, a Fallen on a slot that is
taken: R6.4, R7.2) is not the same in the mirror; the player could have chosen it on either board.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

from notation.hexes import HEX_NAMES
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.hexes import (
    BLACK,
    CORE,
    GOLD,
    HEXES,
    OFF_BOARD,
    get_hex,
    half_turn,
    hex_name,
    members,
)
from pbem.games.ortus.position import Position

AS_IT_IS, HALF_TURN, MIRROR, MIRRORED_HALF_TURN = range(4)
"""Bit 0: Havens and Houses change places. Bit 1: left and right change places. Each undoes
itself, and two after another are their exclusive or."""


def swaps_houses(turning: int) -> bool:
    """Whether Gold and Black change places."""
    return bool(turning & 1)


def swaps_sides(turning: int) -> bool:
    """Whether left and right change places along each Haven: slot 1 becomes slot 8."""
    return turning in (MIRROR, MIRRORED_HALF_TURN)


def _mirrored(hex_: int) -> int:
    """(q, r) becomes (−q − r, r): each row stays, and runs the other way."""
    row = (hex_ >> 4) - (CORE >> 4)
    column = (hex_ & 15) - (CORE & 15)
    return hex_ - column + (-column - row)


def _turned(hex_: int, turning: int) -> int:
    if turning & 2:
        hex_ = _mirrored(hex_)
    return half_turn(hex_) if turning & 1 else hex_


TURNED_HEXES: Final = tuple(
    {OFF_BOARD: OFF_BOARD} | {hex_: _turned(hex_, turning) for hex_ in HEXES}
    for turning in range(4)
)
"""By turning: where each hex comes to lie; ``OFF_BOARD`` stays."""

TURNED_NAMES: Final = tuple(
    {name: hex_name(turned[get_hex(name)]) for name in HEX_NAMES} for turned in TURNED_HEXES
)
"""The same by name."""


@cache
def turnings_of(arena: Arena) -> tuple[int, ...]:
    """The turnings that leave this arena as it is."""
    mirrored = TURNED_HEXES[MIRROR]
    for hexes in (arena.wells, arena.cuts):
        if {mirrored[hex_] for hex_ in members(hexes)} != set(members(hexes)):
            return (AS_IT_IS, HALF_TURN)
    return (AS_IT_IS, HALF_TURN, MIRROR, MIRRORED_HALF_TURN)


def turn_position(position: Position, turning: int) -> Position:
    """A position at the beginning of a turn on the turned board, as if it had begun there."""
    rules = position.rules
    to = TURNED_HEXES[turning]
    houses = (BLACK, GOLD) if swaps_houses(turning) else (GOLD, BLACK)
    step = -1 if swaps_sides(turning) else 1
    gold, black = (tuple(to[hex_] for hex_ in position.hexes[house])[::step] for house in houses)
    first, second = houses
    turned = Position(
        replace(
            rules,
            elements=(rules.elements[first][::step], rules.elements[second][::step]),
            bonus=(rules.bonus[first], rules.bonus[second]),
            collecting=(rules.collecting[first], rules.collecting[second]),
            starter=houses[rules.starter],
        ),
        active=houses[position.active],
        round=position.round,
        energy=(position.energy[first], position.energy[second]),
        honour=(position.honour[first], position.honour[second]),
        guide=(to[position.guide[first]], to[position.guide[second]]),
        hexes=(gold, black),
        last_fall=position.last_fall,
    )
    turned.attacks = position.attacks
    return turned
