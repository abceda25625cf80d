"""Patterns that players look for: each has a name, a sentence, and a test on sets of hexes.

A pattern is a House's: ``gold earth-revealed-on-well``. It is looked for at the beginning of every
turn, whoever is to move, and a game keeps the first time it stood. All of one House are found in
one look, since this is done for every turn of every game that comes in: a few microseconds each.
A pattern never stands where the rules of its element are off (M).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.games.ortus.figures import EARTH_LEVEL, HOUSE_NAMES, MASTER_LEVEL
from pbem.games.ortus.geometry import is_covered, is_shielded, share_hexline
from pbem.games.ortus.hexes import (
    BETWEEN,
    BLACK,
    BOARD,
    CORE,
    GOLD,
    HEXES,
    NEIGHBOURS,
    bit_set,
    members,
)
from pbem.games.ortus.position import Position, Rules
from pbem.tongue import N_

_CROWD: Final = 3
_ALL: Final = 8
_LOW_ENERGY: Final = 3
"""What the weakest attack without a shield has as Power (R5.3)."""
_LAST_HONOUR: Final = 7


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern's short name and the sentence that players read."""

    name: str
    sentence: str


PATTERNS: Final = tuple(
    Pattern(name, sentence)
    for name, sentence in (
        (
            "fires-aim-together",
            N_("Both Fires have a Hexline to the same opposing warrior, from two hexes or more."),
        ),
        ("earth-revealed-on-well", N_("An Earth stands on a Well and is revealed.")),
        ("earth-covered-on-well", N_("An Earth stands on a Well and is covered.")),
        ("three-wells", N_("Three Wells or more are held.")),
        ("four-wells", N_("Four Wells or more are held.")),
        ("seven-honour", N_("There are seven honour: one more fall wins.")),
        ("guide-on-well", N_("The Guide stands on a Well.")),
        ("phoenix", N_("Both Fires share a Hexline: the Phoenix shields them.")),
        ("shielded-on-well", N_("A warrior on a Well is shielded by the Phoenix.")),
        ("row-of-three", N_("Three warriors stand in a row that a wave could sweep.")),
        (
            "three-around-a-hex",
            N_("Three warriors stand around one empty hex, for the Six Streams to hit."),
        ),
        ("both-winds-deep", N_("Both Winds are in the opponent's half.")),
        ("three-fallen", N_("Three warriors or more have fallen.")),
        ("haven-empty", N_("All eight warriors stand on the Arena.")),
        (
            "nothing-to-defend-with",
            N_("Fewer than 3 Energy are left to defend with."),
        ),
    )
)
"""All patterns, in the order in which they are shown."""

NAMES: Final = tuple(pattern.name for pattern in PATTERNS)
_BITS: Final = {name: 1 << number for number, name in enumerate(NAMES)}
_AIM, _REVEALED, _COVERED, _THREE_WELLS, _FOUR_WELLS = (_BITS[name] for name in NAMES[:5])
_SEVEN, _GUIDE, _PHOENIX, _SHIELDED, _ROW = (_BITS[name] for name in NAMES[5:10])
_AROUND, _WINDS, _FALLEN, _EMPTY, _DRY = (_BITS[name] for name in NAMES[10:])

_DEEP: Final = tuple(
    frozenset(hex_ for hex_ in HEXES if sign * ((hex_ >> 4) - (CORE >> 4)) > 0) for sign in (1, -1)
)
"""By House: the half of the board beyond the Core's row."""

_FAR_IN_LINE: Final = {
    hex_: bit_set([other for other in HEXES if hex_ << 8 | other in BETWEEN]) & ~NEIGHBOURS[hex_]
    for hex_ in HEXES
}
"""By hex: all that lie on its three lines, but not beside it."""


def _ray(hex_: int, step: int) -> int:
    ray = 0
    hex_ += step
    while hex_ >= 0 and BOARD >> hex_ & 1:
        ray |= 1 << hex_
        hex_ += step
    return ray


_AXES: Final = {
    hex_: tuple((_ray(hex_, step), _ray(hex_, -step), step) for step in (1, 15, 16))
    for hex_ in HEXES
}
"""By hex: its three lines, each as what lies ahead, what lies behind, and the step ahead."""


def house_pattern(house: int, name: str) -> str:
    """A pattern of one House, as a game keeps it: ``gold four-wells``."""
    return f"{HOUSE_NAMES[house]} {name}"


def _named(bits: int) -> Iterator[str]:
    return (name for name, bit in _BITS.items() if bits & bit)


class PatternWatch:
    """Notes the first time that each pattern stands in a game."""

    def __init__(self, rules: Rules) -> None:
        self._seen: list[tuple[str, int]] = []
        self._gold, self._black = _Eye(rules, GOLD), _Eye(rules, BLACK)
        self._known_gold = self._known_black = 0

    def see(self, position: Position, ply: int) -> None:
        """A position at the beginning of a turn."""
        new = self._gold.look(position, self._known_gold) & ~self._known_gold
        if new:
            self._known_gold |= new
            self._seen += [(house_pattern(GOLD, name), ply) for name in _named(new)]
        new = self._black.look(position, self._known_black) & ~self._known_black
        if new:
            self._known_black |= new
            self._seen += [(house_pattern(BLACK, name), ply) for name in _named(new)]

    def seen(self) -> tuple[tuple[str, int], ...]:
        """The patterns that have stood, with the ply at which each did first."""
        return tuple(self._seen)


class _Eye:
    """Looks at one House of a game; the sets that stay the same are at hand."""

    __slots__ = ("_deep", "_earths", "_fires", "_ground", "_house", "_level", "_wells", "_winds")

    def __init__(self, rules: Rules, house: int) -> None:
        self._house = house
        self._level = rules.level
        self._ground, self._wells = rules.arena.ground, rules.arena.wells
        self._fires, self._earths = rules.fires[house], rules.earths[house]
        first = rules.elements[house].index("W")
        self._winds = (first, rules.elements[house].index("W", first + 1))
        self._deep = _DEEP[house]

    def look(self, position: Position, known: int) -> int:
        """The bits of the patterns that stand; the dearest are not looked for where ``known``."""
        house = self._house
        own = position.occupied[house]
        hexes = position.hexes[house]
        found = 0
        if house != position.active:
            if position.energy[house] < _LOW_ENERGY:
                found = _DRY
        elif own.bit_count() <= _ALL - _CROWD:
            found = _FALLEN
        if position.honour[house] == _LAST_HONOUR:
            found |= _SEVEN
        guide = position.guide[house]
        if guide >= 0 and self._wells >> guide & 1:
            found |= _GUIDE
        out = own & self._ground
        if not out:
            return found
        first, second = self._winds
        if hexes[first] in self._deep and hexes[second] in self._deep:
            found |= _WINDS
        held = own & self._wells
        if held:
            found |= self._on_wells(position, held)
        first, second = self._fires
        a, b = hexes[first], hexes[second]
        if a >= 0 and b >= 0 and self._ground >> a & self._ground >> b & 1:
            found |= self._between_fires(position, a, b)
        return found | self._in_numbers(position, out, known)

    def _on_wells(self, position: Position, held: int) -> int:
        """R3.1; M3.1: an Earth is revealed by an opposing Earth; M5.1."""
        count = held.bit_count()
        found = 0
        if count > 2:
            found = _THREE_WELLS if count == _CROWD else _THREE_WELLS | _FOUR_WELLS
        if self._level < EARTH_LEVEL:
            return found
        house = self._house
        hexes = position.hexes[house]
        for slot in self._earths:
            if hexes[slot] >= 0 and held >> hexes[slot] & 1:
                found |= _COVERED if is_covered(position, house, slot) else _REVEALED
        if self._level == MASTER_LEVEL:
            for hex_ in members(held):
                if is_shielded(position, house, hexes.index(hex_)):
                    return found | _SHIELDED
        return found

    def _between_fires(self, position: Position, a: int, b: int) -> int:
        """M5.1: the Phoenix; M5.3: the aim of the Dragons, whatever the level."""
        found = 0
        if self._level == MASTER_LEVEL and share_hexline(position, a, b):
            found = _PHOENIX
        other = 1 - self._house
        aims = position.occupied[other] & self._ground & _FAR_IN_LINE[a] & _FAR_IN_LINE[b]
        for aim in members(aims):
            if (
                share_hexline(position, a, aim)
                and share_hexline(position, b, aim)
                and not is_covered(position, other, position.hexes[other].index(aim))
            ):
                return found | _AIM
        return found

    def _in_numbers(self, position: Position, out: int, known: int) -> int:
        """What three on the Arena, or all, can be."""
        count = out.bit_count()
        if count < _CROWD:
            return 0
        found = _EMPTY if count == _ALL else 0
        if not known & _ROW and self._row_of_three(position, out):
            found |= _ROW
        if not known & _AROUND and self._three_around_a_hex(position):
            found |= _AROUND
        return found

    def _row_of_three(self, position: Position, out: int) -> bool:
        """M4.1: nobody else between them, and an empty hex to land on at one end."""
        for middle in position.hexes[self._house]:
            if middle < 0 or not out >> middle & 1:
                continue
            for ahead, behind, step in _AXES[middle]:
                if out & ahead and out & behind and self._is_row(position, ahead, behind, step):
                    return True
        return False

    def _is_row(self, position: Position, ahead: int, behind: int, step: int) -> bool:
        own = position.occupied[self._house]
        taken = position.occupied[GOLD] | position.occupied[BLACK]
        stops = taken | BOARD & ~self._ground
        after = (stops & ahead) & -(stops & ahead)
        before = 1 << ((stops & behind).bit_length() - 1)
        if not (own & self._ground & after and own & self._ground & before):
            return False
        return bool(self._ground & ~taken & (after << step | before >> step))

    def _three_around_a_hex(self, position: Position) -> bool:
        """M4.2: the empty hex is where a Water would land."""
        ground = self._ground
        once = twice = thrice = 0
        for hex_ in position.hexes[self._house]:
            if hex_ >= 0 and ground >> hex_ & 1:
                near = NEIGHBOURS[hex_]
                thrice |= twice & near
                twice |= once & near
                once |= near
        if not thrice:
            return False
        taken = position.occupied[GOLD] | position.occupied[BLACK]
        return bool(thrice & ground & ~taken)
