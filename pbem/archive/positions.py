"""The keys of a position: two games have reached the same position when their keys are equal.

Equal is what players call equal, at the beginning of a turn: the same arena (its Wells and cuts,
whatever its name), level, dice and handicap, the same House to move, the same elements on the same
hexes and Fallen, the same Guides (and with them honour), the same Energy of both. Which of two
warriors of an element stands where, and the number of the round, do not matter. Who is revealed or
shielded and which Wells are held follow from the rest.

A key is 64 bits: the exclusive or of one fixed number for each thing that is there, as in Zobrist's
tables for chess. The numbers come from hashes of words, so they are the same in every process.
However the board is turned, the game is the same: whoever looks for a position turned looks for the
keys of at most four positions.
"""

from __future__ import annotations

from functools import cache, lru_cache, reduce
from hashlib import blake2b
from operator import getitem, xor
from typing import Final

from pbem.archive.turning import turn_position, turnings_of
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.figures import HOUSE_NAMES
from pbem.games.ortus.hexes import BLACK, BOARD, GOLD, HEXES, hex_name, members
from pbem.games.ortus.position import Position, Rules

_KEY_BITS: Final = 64
_BEYOND: Final = 1 << _KEY_BITS - 1


class Keyer:
    """Gives the keys of all positions of one game."""

    def __init__(self, rules: Rules) -> None:
        self._tables = [
            _table(house, element) for house in (GOLD, BLACK) for element in rules.elements[house]
        ]
        self._gold_guide, self._black_guide = _table(GOLD, "guide"), _table(BLACK, "guide")
        figures = (rules.bonus, rules.collecting)
        self._to_move = _rules_numbers(rules.arena, rules.level, rules.dicey, figures)

    def key(self, position: Position) -> int:
        """The key of a position at the beginning of a turn: a signed number of 64 bits."""
        gold, black = position.hexes
        gold_guide, black_guide = position.guide
        return reduce(
            xor,
            map(getitem, self._tables, gold + black),
            self._to_move[position.active]
            ^ _energy_number(position.energy)
            ^ self._gold_guide[gold_guide]
            ^ self._black_guide[black_guide],
        )


def position_key(position: Position) -> int:
    """The key of one position at the beginning of a turn."""
    return Keyer(position.rules).key(position)


def turned_keys(position: Position) -> dict[int, tuple[int, ...]]:
    """The keys of a position however the board is turned, each with the turnings that lead to it.

    A position that looks the same when it is turned has fewer keys than its arena has turnings.
    """
    found: dict[int, tuple[int, ...]] = {}
    for turning in turnings_of(position.rules.arena):
        key = position_key(turn_position(position, turning))
        found[key] = (*found.get(key, ()), turning)
    return found


def _number(words: str) -> int:
    number = int.from_bytes(blake2b(words.encode(), digest_size=_KEY_BITS // 8).digest(), "little")
    return number - 2 * _BEYOND if number >= _BEYOND else number


@cache
def _table(house: int, thing: str) -> list[int]:
    """By hex; what is off the board has number -1, the last of the list, and adds nothing."""
    table = [0] * (BOARD.bit_length() + 1)
    for hex_ in HEXES:
        table[hex_] = _number(f"{HOUSE_NAMES[house]} {thing} {hex_name(hex_)}")
    return table


@lru_cache(maxsize=4096)
def _energy_number(energy: tuple[int, int]) -> int:
    return _number(f"energy {energy[GOLD]} {energy[BLACK]}")


@lru_cache(maxsize=1024)
def _rules_numbers(
    arena: Arena,
    level: int,
    dicey: bool,
    figures: tuple[tuple[int, int], tuple[tuple[int, ...], tuple[int, ...]]],
) -> tuple[int, ...]:
    """What was agreed, while Gold and while Black is to move."""
    wells, cuts = (" ".join(map(hex_name, members(hexes))) for hexes in (arena.wells, arena.cuts))
    bonus, collecting = figures
    agreed = (
        f"wells {wells} cuts {cuts} level {level} dicey {dicey:d}"
        f" bonus {bonus} collecting {collecting}"
    )
    return tuple(_number(f"{agreed} {house} to move") for house in HOUSE_NAMES)
