"""Orders told by places alone, so that they can be counted over games: ``F6:kite>E7``.

A warrior is called by the hex it stands on, a Fallen by its element, the Dragons not at all. So an
order means the same wherever the same elements stand on the same hexes, whichever slots they came
from, and it can be turned with its board.
"""

from __future__ import annotations

import re
from typing import Final

from notation.orders import Attack, Kite, Order, Return, Walk
from notation.writing import format_order
from pbem.archive.turning import TURNED_NAMES
from pbem.games.ortus.hexes import OFF_BOARD, find_hex_name, get_hex
from pbem.games.ortus.position import Position

_HEX: Final = re.compile(r"[A-O]\d{1,2}")
_WHO: Final = re.compile(r"(?P<fallen>[WEAF])(?= ret )|(?P<hex>[A-O]\d{1,2})(?=[ :>])")


def place_order(position: Position, order: Order) -> str:
    """A canonical order of the House on turn, told by places."""
    match order:
        case Walk(who, to):
            return f"{_stand(position, who)}>{to}"
        case Kite(who, to):
            return f"{_stand(position, who)}:kite>{to}"
        case Attack("drg", _, target):
            return f"drg {target}"
        case Attack(verb, str() as who, target, landing):
            there = target if landing is None else f"{target}@{landing}"
            return f"{_stand(position, who)} {verb} {there}"
        case Return(who, to):
            return f"{who[0]} ret {to}"
    return format_order(order)


def _stand(position: Position, who: str) -> str:
    # A record may order about a Fallen; that is told as a fault afterwards.
    return find_hex_name(position.hexes[position.active][int(who[-1]) - 1]) or "x"


def turn_placed_order(placed: str, turning: int) -> str:
    """The same order on the turned board."""
    return _HEX.sub(lambda found: TURNED_NAMES[turning][found[0]], placed)


def name_placed_order(position: Position, placed: str) -> str:
    """An order told by places as the House on turn would write it in this position.

    Raises ValueError when nobody stands there.
    """
    rules, house = position.rules, position.active
    hexes = position.hexes[house]
    if placed.startswith("drg "):
        first, second = (rules.warrior_name(house, slot) for slot in rules.fires[house])
        return f"{first}+{second} {placed}"
    found = _WHO.match(placed)
    if found is None:
        return placed
    if found["fallen"]:
        slots = [
            slot
            for slot, hex_ in enumerate(hexes)
            if hex_ == OFF_BOARD and rules.elements[house][slot] == found["fallen"]
        ]
        if not slots:
            raise ValueError(f"no {found['fallen']} has fallen")
        slot = slots[0]
    else:
        slot = hexes.index(get_hex(found["hex"]))
    return rules.warrior_name(house, slot) + placed[found.end() :]
