"""What an attack does: Powers, dice, victims, defences, falling, honour, waves (R5, R6, M, R9.1).

The functions change the state they are given; `engine` gives them a copy.
"""

from tests.reference.board import (
    ARENA,
    CORE,
    NEIGHBOURS,
    direction_to,
    opponent,
    reading_order,
    step,
)
from tests.reference.legality import (
    energy_of,
    is_shielded,
    occupied_hexes,
    range_cost,
    step_cost,
    walks,
)
from tests.reference.state import Attack, State, Wave, has
from tests.reference.turn import pay_walk, spend

# R9.1: two indices a face.
DARK_DIE = ((4, 1), (5, 2), (6, 3))
LIGHT_DIE = ((2, 4), (3, 3), (4, 2))
YELLOW_DIE = (3, 4, 5)

ATTACK_VERBS = ("str", "rng", "chg", "wave", "six", "drg")


def base_powers(state: State, verb: str, element: str, face: int | None) -> tuple[int, ...]:
    """The Powers of an attack, before any Phoenix.

    A wave has three, one for each victim in turn; `six` has two, for the target and for the
    others; everything else has one. R9.1 with a face, else R5.3 to R5.5, M3.2, M4, M5.3.
    """
    bear = 1 if element == "E" and has(state, "earth") else 0
    if face is None:
        clean = {"str": (3,), "rng": (4,), "chg": (5 + bear,), "drg": (4,)}
        return {**clean, "wave": (5, 3, 1), "six": (3, 3)}[verb]
    first, second = (LIGHT_DIE if verb in ("str", "six") else DARK_DIE)[face // 2]
    return {
        "str": (first,),
        "rng": (YELLOW_DIE[face // 2],),
        "drg": (YELLOW_DIE[face // 2],),
        "chg": (first + bear,),
        "wave": tuple(max(0, first - second * further) for further in range(3)),
        "six": (first, second),
    }[verb]


def lowered(state: State, victim: str, power: int) -> int:
    """M5.1: the Power against a shielded warrior."""
    return min(power, 2) if is_shielded(state, opponent(state.active), victim) else power


def six_others(state: State, target: str, landing: str) -> list[str]:
    """M4.2: the further victims, in the order of R6.1."""
    occupied = occupied_hexes(state)
    others = [
        near
        for near in NEIGHBOURS[landing]
        if near != target
        and near in ARENA
        and near in occupied
        and occupied[near][0] != state.active
    ]
    return sorted(others, key=reading_order)


def attack(state: State, names: list[str], verb: str, place: str, face: int | None) -> None:
    """R5, M2.3 to M5.3: declare an attack and pay for it (R5.6)."""
    target, _, landing = place.partition("@")
    powers = base_powers(state, verb, names[0][0], face)
    unlowered = [(target, powers[0])]
    if verb == "six":
        unlowered += [(other, powers[1]) for other in six_others(state, target, landing)]
    # M5.2: before the charging warrior moves.
    victims = [(victim, lowered(state, victim, power)) for victim, power in unlowered]
    wave = None
    if verb == "rng":
        origin = state.warriors[state.active][names[0]]
        assert origin is not None
        spend(state, state.active, range_cost(walks(state, state.active, origin), target) or 0)
    if landing:
        pay_walk(state, names[0], landing, a_step=step_cost(state, names[0][0]))
        state.moved.add(names[0])
    if verb == "wave":
        wave = Wave(target, direction_to(landing, target), powers[1:])
    state.attacked.update(names)
    open_defence(state, victims, wave)


def open_defence(state: State, victims: list[tuple[str, int]], wave: Wave | None) -> None:
    """R6.2: ask the defender, or settle at once what needs no answer."""
    energy = energy_of(state, opponent(state.active))
    if all(power == 0 for _, power in victims):
        return  # saved for nothing, and a save stops a wave
    state.pending = Attack(tuple(victims), wave)
    if all(power > energy for _, power in victims):
        settle(state, saved=set())


def settle(state: State, saved: set[str]) -> None:
    """R6.1: the saves are paid, then the others fall in order."""
    pending, state.pending = state.pending, None
    assert pending is not None
    for victim, power in pending.victims:
        if victim in saved:
            spend(state, opponent(state.active), power)
    for victim, _ in pending.victims:
        if victim not in saved and state.winner is None:
            fall(state, victim)
    target_fell = pending.victims[0][0] not in saved
    if pending.wave is not None and target_fell and state.winner is None:
        run_on(state, pending.wave)


def fall(state: State, place: str) -> None:
    """R6.3."""
    defender, name = occupied_hexes(state)[place]
    state.warriors[defender][name] = None
    state.last_fall = state.round
    gain_honour(state)


def gain_honour(state: State) -> None:
    """R6.3, R6.4, and R8.2: the eighth wins."""
    house = state.active
    state.honour[house] += 1
    if state.honour[house] == 8:
        state.guide[house] = CORE
        state.owed = 0
        state.winner, state.reason = house, "guide"
    else:
        state.owed += 1


def run_on(state: State, wave: Wave) -> None:
    """M4.1: on to the first warrior, which is attacked if it is an opposing one."""
    if not wave.powers:
        return
    occupied = occupied_hexes(state)
    ground = ARENA - {CORE} - state.arena.cuts
    here = step(wave.at, wave.direction)
    while here in ground and here not in occupied:
        here = step(here, wave.direction)
    if here is None or here not in ground or occupied[here][0] == state.active:
        return
    power = lowered(state, here, wave.powers[0])  # M5.2: read anew
    open_defence(state, [(here, power)], Wave(here, wave.direction, wave.powers[1:]))
