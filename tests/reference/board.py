"""The board of the reference engine: hex names, distances, straight lines, Havens, arenas (R1).

A hex is its name ("F6") everywhere. Who stands where is the business of `state`.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

GOLD = "gold"
BLACK = "black"
HOUSES = (GOLD, BLACK)
LETTERS = "ABCDEFGHIJKLMNO"
CORE = "H8"  # R1.2

Direction = tuple[int, int]
DIRECTIONS: tuple[Direction, ...] = ((0, 1), (-1, 1), (1, 0), (-1, 0), (1, -1), (0, -1))


def opponent(house: str) -> str:
    """The other House."""
    return BLACK if house == GOLD else GOLD


def name_of(q: int, r: int) -> str | None:
    """R1.1: the name of the hex with these coordinates, or None off the board."""
    if max(abs(q), abs(r), abs(q + r)) > 7:
        return None
    return f"{LETTERS[q + 7]}{r + 8}"


# R1.1: all 169 names with their coordinates.
COORDINATES: dict[str, tuple[int, int]] = {
    name: (q, r) for q in range(-7, 8) for r in range(-7, 8) if (name := name_of(q, r))
}

# R1.3: slots 1 to 8 of each Haven.
HAVEN: dict[str, tuple[str, ...]] = {
    GOLD: tuple(f"{letter}1" for letter in "HIJKLMNO"),
    BLACK: tuple(f"{letter}15" for letter in "HGFEDCBA"),
}
# R1.3: the Arena is all the rest, the Core included (152 hexes).
ARENA: frozenset[str] = frozenset(COORDINATES) - frozenset(HAVEN[GOLD]) - frozenset(HAVEN[BLACK])


def reading_order(hex_name: str) -> tuple[str, int]:
    """R6.1: by letter, then by number (so B9 comes before B10)."""
    return hex_name[0], int(hex_name[1:])


def step(hex_name: str, direction: Direction) -> str | None:
    """The next hex in a direction, or None at the edge."""
    q, r = COORDINATES[hex_name]
    return name_of(q + direction[0], r + direction[1])


def _neighbours(hex_name: str) -> tuple[str, ...]:
    return tuple(near for direction in DIRECTIONS if (near := step(hex_name, direction)))


NEIGHBOURS: dict[str, tuple[str, ...]] = {name: _neighbours(name) for name in COORDINATES}


@cache
def distance(one: str, other: str) -> int:
    """R1.1."""
    dq = COORDINATES[other][0] - COORDINATES[one][0]
    dr = COORDINATES[other][1] - COORDINATES[one][1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def direction_to(one: str, neighbour: str) -> Direction:
    """The direction that leads from a hex to its neighbour."""
    (q1, r1), (q2, r2) = COORDINATES[one], COORDINATES[neighbour]
    return q2 - q1, r2 - r1


def _line_families(hex_name: str) -> tuple[int, int, int]:
    number, letter = int(hex_name[1:]), LETTERS.index(hex_name[0]) + 1
    return number, letter, letter + number


@cache
def hexes_between(one: str, other: str) -> tuple[str, ...] | None:
    """R1.4: the hexes between two hexes of one straight line; None if they share no line."""
    shared = zip(_line_families(one), _line_families(other), strict=True)
    if one == other or not any(mine == yours for mine, yours in shared):
        return None
    length = distance(one, other)
    (q1, r1), (q2, r2) = COORDINATES[one], COORDINATES[other]
    direction = ((q2 - q1) // length, (r2 - r1) // length)
    between = []
    here = step(one, direction)
    while here is not None and here != other:
        between.append(here)
        here = step(here, direction)
    return tuple(between)


@dataclass(frozen=True, slots=True)
class Arena:
    """R1.5, R1.6: a named set of Wells, and of hexes cut out."""

    name: str
    wells: frozenset[str]
    cuts: frozenset[str] = frozenset()


def _arena(name: str, wells: str) -> Arena:
    return Arena(name, frozenset(wells.split()))


# R1.5
ARENAS: dict[str, Arena] = {
    "origin": _arena("origin", "F6 I6 L6 B8 N8 D10 G10 J10"),
    "crown": _arena("crown", "J4 F6 L6 B8 N8 D10 J10 F12"),
}


def _half_turn(names: Iterable[str]) -> set[str | None]:
    return {name_of(-COORDINATES[name][0], -COORDINATES[name][1]) for name in names}


def _walked_from(haven: str, cuts: Collection[str]) -> set[str]:
    shut = {CORE, *cuts, *HAVEN[opponent(haven)]}
    reached = set(HAVEN[haven])
    edge = list(reached)
    while edge:
        for near in NEIGHBOURS[edge.pop()]:
            if near not in shut and near not in reached:
                reached.add(near)
                edge.append(near)
    return reached


def arena_faults(wells: list[str], cuts: list[str]) -> list[str]:
    """R1.6: what is wrong with an arena, in words; an empty list if nothing is."""
    faults = []
    if len(wells) != 8:
        faults.append(f"{len(wells)} Wells instead of eight")
    ground = ARENA - {CORE}
    faults += [f"{name} is not on the Arena" for name in [*wells, *cuts] if name not in ground]
    for names in (wells, cuts):
        faults += [f"{name} is named twice" for name in sorted(set(names)) if names.count(name) > 1]
    faults += [f"Well {name} is cut" for name in sorted(set(wells) & set(cuts))]
    if faults:
        return faults
    for what, names in (("Wells", wells), ("cuts", cuts)):
        if _half_turn(names) != set(names):
            faults.append(f"{what} are not symmetric under the half turn")
    for house in HOUSES:
        for slot in HAVEN[house]:
            if not any(near in ground and near not in cuts for near in NEIGHBOURS[slot]):
                faults.append(f"{slot} has no free Arena neighbour")
        lost = ground - set(cuts) - _walked_from(house, cuts)
        faults += [f"{name} cannot be reached by {house}" for name in sorted(lost)]
    return faults
