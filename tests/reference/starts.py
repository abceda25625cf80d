"""Random starts for random play: set-ups, scattered positions, arenas, variants.

Everything comes from the random number generator handed in, so a seed tells it all.
"""

from random import Random
from typing import Any

from tests.reference.board import (
    ARENA,
    ARENAS,
    BLACK,
    COORDINATES,
    CORE,
    GOLD,
    HAVEN,
    HOUSES,
    arena_faults,
    distance,
    hexes_between,
    name_of,
    opponent,
    reading_order,
)
from tests.reference.state import ELEMENTS, LEVELS

Start = dict[str, Any]


def random_setup(rng: Random) -> str:
    """R2.2: two of each element in any order."""
    elements = list(ELEMENTS * 2)
    rng.shuffle(elements)
    return "".join(elements)


def _with_half_turns(names: list[str]) -> list[str]:
    turned = [name_of(-COORDINATES[name][0], -COORDINATES[name][1]) for name in names]
    return sorted({*names, *(name for name in turned if name)}, key=reading_order)


def random_arena(rng: Random) -> tuple[list[str], list[str]]:
    """R1.6: Wells and cuts of an arena without faults, with two to sixteen hexes cut out."""
    ground = sorted(ARENA - {CORE})
    while True:
        wells = _with_half_turns(rng.sample(ground, 4))
        left = [name for name in ground if name not in wells]
        cuts = _with_half_turns(rng.sample(left, rng.randint(1, 8)))
        if not arena_faults(wells, cuts):
            return wells, cuts


def random_variant(rng: Random, *, level: str | None = None) -> Start:
    """Level, arena and dice; one start in five gets an arena with cut hexes."""
    start: Start = {
        "level": level or rng.choice(LEVELS),
        "arena": rng.choice(sorted(ARENAS)),
        "dicey": rng.random() < 0.3,
    }
    if rng.random() < 0.2:
        wells, cuts = random_arena(rng)
        start |= {"arena": "own", "wells": wells, "cuts": cuts}
    return start


def random_handicap(rng: Random, *, always: bool) -> Start:
    """R9.2: nothing, `+N` or a board, for one House."""
    house, kind = rng.choice(HOUSES), rng.random()
    if kind < 0.4:
        return {"handicap": dict.fromkeys(HOUSES, 0) | {house: rng.randint(1, 4)}}
    no_extra: Start = {"handicap": dict.fromkeys(HOUSES, 0)} if always else {}
    if kind < 0.6:
        return no_extra | {"handicap_board": {house: rng.choice(["I", "II"])}}
    return no_extra


def setups_start(rng: Random, variant: Start) -> Start:
    """A game from set-ups, sometimes after bids (R9.4)."""
    return {
        "gold_setup": random_setup(rng),
        "black_setup": random_setup(rng),
        "starter": rng.choice(HOUSES),
        "starter_energy": 7 if rng.random() < 0.7 else rng.randint(0, 6),
        **random_handicap(rng, always=True),
        **variant,
    }


def position_start(rng: Random, variant: Start, line: str) -> Start:
    """A game from a position line."""
    return {"position": line, **random_handicap(rng, always=False), **variant}


def _scattered_places(rng: Random, house: str, free: list[str]) -> list[str]:
    centre = rng.choice(free)
    free.sort(key=lambda name: (distance(name, centre), name))
    return [
        slot if rng.random() < 0.2 else free.pop(rng.randrange(min(len(free), 24)))
        for slot in HAVEN[house]
    ]


def _align_fires(
    rng: Random, places: list[str], *, setup: str, free: list[str], anchor: str
) -> None:
    """Put both Fires on lines through a hex, so that there are Dragons and a Phoenix (M5)."""
    for slot, element in enumerate(setup):
        lines = [name for name in free if hexes_between(name, anchor)]
        near = [name for name in lines if distance(name, anchor) <= 4]
        if element == "F" and near and places[slot] != anchor:
            free.append(places[slot])
            places[slot] = rng.choice(near)
            free.remove(places[slot])


def _warriors(setup: str, places: list[str]) -> str:
    named = zip(setup, range(1, 9), places, strict=True)
    return " ".join(f"{element}{slot}@{place}" for element, slot, place in named)


def _random_guide(rng: Random, house: str, *, away: int) -> str:
    """R6.4: a hex on the way from the Haven; N4 also allows one from the other side, seldom."""
    ring = [name for name in sorted(COORDINATES) if distance(name, CORE) == away]
    if rng.random() < 0.1:
        return rng.choice([name for name in ring if name not in HAVEN[opponent(house)]])
    return rng.choice(
        [name for name in ring if min(distance(name, slot) for slot in HAVEN[house]) == 7 - away]
    )


def scattered_line(rng: Random, variant: Start) -> str:
    """N4: a position that need not arise in play, with the Houses close to each other."""
    cuts = set(variant.get("cuts", ()))
    ground = sorted(ARENA - {CORE} - cuts)
    centre = rng.choice(ground)
    free = sorted(ground, key=lambda name: (distance(name, centre), name))[:60]
    active = rng.choice(HOUSES)
    honour = {house: rng.choice([0, 0, 1, 2, 3, 4, 5, 6, 6, 7, 7]) for house in HOUSES}
    guide = {
        house: _random_guide(rng, house, away=8 - honour[house]) if honour[house] else "-"
        for house in HOUSES
    }
    setups = {house: random_setup(rng) for house in HOUSES}
    places = {house: _scattered_places(rng, house, free) for house in HOUSES}
    for house in HOUSES:
        anchor = rng.choice(places[rng.choice(HOUSES)])
        if rng.random() < 0.6 and anchor in ARENA:
            spare = [name for name in free if name in ARENA]
            _align_fires(rng, places[house], setup=setups[house], free=spare, anchor=anchor)
            free = [name for name in spare if name not in places[GOLD] + places[BLACK]]
    for lost in rng.sample(range(8), rng.choice([0, 0, 1, 2, 3])):
        places[active][lost] = "x"
    warriors = {house: _warriors(setups[house], places[house]) for house in HOUSES}
    energy = {active: rng.choice([14, 14, 18, 22, 25, 28]), opponent(active): rng.randint(0, 14)}
    head = f"{variant['arena']} {variant['level']} {active[0]} {rng.randint(2, 30)}"
    pairs = [f"{values[GOLD]} {values[BLACK]}" for values in (energy, honour, guide)]
    return " | ".join([head, *pairs, warriors[GOLD], warriors[BLACK]])
