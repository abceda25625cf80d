"""Which actions the rules allow, in canonical notation: one function for each clause.

Nothing here changes a state; that is left to `engine`.
"""

from collections.abc import Iterator

from tests.reference.board import (
    ARENA,
    COORDINATES,
    CORE,
    DIRECTIONS,
    HAVEN,
    NEIGHBOURS,
    distance,
    hexes_between,
    opponent,
    step,
)
from tests.reference.state import State, has

Occupied = dict[str, tuple[str, str]]  # hex -> House and name


def occupied_hexes(state: State) -> Occupied:
    """Every warrior on the board by its hex."""
    return {
        place: (house, name)
        for house, warriors in state.warriors.items()
        for name, place in warriors.items()
        if place is not None
    }


def on_arena(place: str | None) -> bool:
    """R1.3: on the board and in no Haven."""
    return place in ARENA


def free_hexes(state: State, house: str) -> set[str]:
    """R4.1, and R1.6 for cut hexes."""
    return (
        set(COORDINATES)
        - set(occupied_hexes(state))
        - {CORE}
        - state.arena.cuts
        - set(HAVEN[opponent(house)])
    )


def walks(state: State, house: str, origin: str) -> dict[str, int]:
    """R4.2: every hex that can be walked to, with the steps of the shortest walk."""
    free = free_hexes(state, house)
    steps: dict[str, int] = {}
    edge, length = [origin], 0
    while edge:
        length += 1
        reached = []
        for here in edge:
            for near in NEIGHBOURS[here]:
                if near in free and near not in steps:
                    steps[near] = length
                    reached.append(near)
        edge = reached
    return steps


def energy_of(state: State, house: str) -> int:
    """The Energy a House has; a House that has won by Wells has none to count."""
    return state.energy[house] or 0


def share_hexline(state: State, one: str | None, other: str | None) -> bool:
    """M1, and R1.6 for cut hexes."""
    if one is None or other is None or not on_arena(one) or not on_arena(other):
        return False
    between = hexes_between(one, other)
    if between is None:
        return False
    occupied = occupied_hexes(state)
    return not any(here in occupied or here == CORE or here in state.arena.cuts for here in between)


def element_hexes(state: State, house: str, element: str) -> list[str | None]:
    """Where the two warriors of an element are."""
    return [place for name, place in state.warriors[house].items() if name[0] == element]


def is_covered(state: State, house: str, name: str) -> bool:
    """M3.1: whether a warrior of that House cannot be a target."""
    if not has(state, "earth") or name[0] != "E":
        return False
    place = state.warriors[house][name]
    watchers = element_hexes(state, opponent(house), "E")
    return not any(share_hexline(state, place, watcher) for watcher in watchers)


def is_shielded(state: State, house: str, place: str) -> bool:
    """M5.1: whether the defending House's warrior on that hex is under the Phoenix."""
    if not has(state, "master"):
        return False
    first, second = element_hexes(state, house, "F")
    if not on_arena(first) or not on_arena(second):
        return False
    if place in (first, second):
        return share_hexline(state, first, second)
    return share_hexline(state, place, first) and share_hexline(state, place, second)


def targets(state: State) -> list[str]:
    """R5.2 and M3.1: the hexes of the warriors that may be targets."""
    defender = opponent(state.active)
    return [
        place
        for name, place in state.warriors[defender].items()
        if place is not None and on_arena(place) and not is_covered(state, defender, name)
    ]


def can_attack(state: State, name: str) -> bool:
    """R3.2 and R5.1."""
    return (
        on_arena(state.turn_start[name])
        and on_arena(state.warriors[state.active][name])
        and name not in state.attacked
    )


def walk_actions(state: State, name: str, origin: str) -> Iterator[str]:
    """R4."""
    for place, cost in walks(state, state.active, origin).items():
        if cost <= energy_of(state, state.active):
            yield f"{name}>{place}"


def kite_actions(state: State, name: str, origin: str) -> Iterator[str]:
    """M2.1."""
    if leaves_too_many(state, origin):
        return
    empty = ARENA - {CORE} - state.arena.cuts - set(occupied_hexes(state))
    for direction in DIRECTIONS:
        here, ahead = origin, step(origin, direction)
        while ahead in empty:
            here, ahead = ahead, step(ahead, direction)
        if here != origin:
            yield f"{name}:kite>{here}"


def leaves_too_many(state: State, origin: str) -> bool:
    """M2.2: the starter's second Wind out of the Haven in the first turn of the game."""
    first_turn = state.from_setups and state.turns_ended == 0
    return first_turn and origin in HAVEN[state.active] and state.winds_out >= 1


def move_actions(state: State, name: str) -> Iterator[str]:
    """R3.2: a move, once a turn; Wind flies instead of walking (M2.1)."""
    origin = state.warriors[state.active][name]
    if origin is None or name in state.moved:
        return
    if name[0] == "W" and has(state, "wind"):
        yield from kite_actions(state, name, origin)
    else:
        yield from walk_actions(state, name, origin)


def may_strike(state: State, name: str) -> bool:
    """R5.3, and what replaces it: M3.2, M4.1, M5.3."""
    replaced_at = {"E": "earth", "A": "water", "F": "master"}.get(name[0])
    return replaced_at is None or not has(state, replaced_at)


def strike_actions(state: State, name: str, origin: str) -> Iterator[str]:
    """R5.3: next to each other now, and when the turn began (the target has not moved since)."""
    began = state.turn_start[name]
    for target in targets(state):
        if began is not None and distance(origin, target) == 1 and distance(began, target) == 1:
            yield f"{name} str {target}"


def range_cost(steps: dict[str, int], target: str) -> int | None:
    """R5.4: the length of the path to the target, from the walks of the attacker; None if none."""
    lengths = [steps[near] + 1 for near in NEIGHBOURS[target] if near in steps]
    return min(lengths, default=None)


def range_actions(state: State, name: str, origin: str) -> Iterator[str]:
    """R5.4, M2.3; M5.3 takes it from Fire."""
    if name[0] == "F" and has(state, "master"):
        return
    steps = walks(state, state.active, origin)
    for target in targets(state):
        if distance(origin, target) > 1:
            cost = range_cost(steps, target)
            if cost is not None and cost <= energy_of(state, state.active):
                yield f"{name} rng {target}"


def charge_verbs(state: State, element: str) -> tuple[str, ...]:
    """R5.5; M4.1 and M4.2 replace the charge of Water."""
    return ("wave", "six") if element == "A" and has(state, "water") else ("chg",)


def step_cost(state: State, element: str) -> int:
    """R5.5; M3.2: two Energy a step for the Bear."""
    return 2 if element == "E" and has(state, "earth") else 1


def charge_actions(state: State, name: str, origin: str) -> Iterator[str]:
    """R5.5, M3.2, M4."""
    if name in state.moved:
        return
    steps = walks(state, state.active, origin)
    for target in targets(state):
        if distance(origin, target) == 1:
            continue
        for landing in NEIGHBOURS[target]:
            if landing not in steps or not on_arena(landing):
                continue
            if steps[landing] * step_cost(state, name[0]) <= energy_of(state, state.active):
                for verb in charge_verbs(state, name[0]):
                    yield f"{name} {verb} {target}@{landing}"


def attack_actions(state: State, name: str) -> Iterator[str]:
    """R5: all attacks of one warrior; The Dragons need two and stand apart."""
    origin = state.warriors[state.active][name]
    if origin is None or not can_attack(state, name):
        return
    if may_strike(state, name):
        yield from strike_actions(state, name, origin)
    if name[0] in "WF":
        yield from range_actions(state, name, origin)
    else:
        yield from charge_actions(state, name, origin)


def dragons_actions(state: State) -> Iterator[str]:
    """M5.3."""
    if not has(state, "master"):
        return
    fires = [name for name in state.warriors[state.active] if name[0] == "F"]
    if not all(can_attack(state, name) for name in fires):
        return
    places = element_hexes(state, state.active, "F")
    for target in targets(state):
        if all(
            place is not None
            and distance(place, target) >= 2
            and share_hexline(state, place, target)
            for place in places
        ):
            yield f"{'+'.join(fires)} drg {target}"


def guide_steps(state: State) -> list[str]:
    """R6.4: where the next owed step of the Guide may lead."""
    if state.owed == 0:
        return []
    guide = state.guide[state.active]
    if guide is None:
        return list(HAVEN[state.active])
    closer = distance(guide, CORE) - 1
    return [near for near in NEIGHBOURS[guide] if distance(near, CORE) == closer]


def return_actions(state: State) -> Iterator[str]:
    """R7.1, and R1.6: nobody returns onto a cut hex.

    Only a made-up position has a Guide in the opposing Haven, where no warrior may stand (N4).
    """
    occupied = occupied_hexes(state)
    free_slots = [slot for slot in HAVEN[state.active] if slot not in occupied]
    guide = state.guide[state.active]
    to_guide = (
        guide is not None
        and guide not in occupied
        and guide not in state.arena.cuts
        and guide not in HAVEN[opponent(state.active)]
        and not state.guide_used
        and state.owed == 0
    )
    for name, place in state.warriors[state.active].items():
        if place is None:
            for slot in free_slots:
                yield f"{name} ret {slot}"
            if to_guide:
                yield f"{name} ret guide"


def legal_actions(state: State) -> list[str]:
    """Everything the player to move may do now, sorted; nothing while a defence is open."""
    if state.winner is not None or state.pending is not None:
        return []
    actions = ["end"]  # R3.3
    actions += [f"guide>{place}" for place in guide_steps(state)]
    actions += return_actions(state)
    if not state.returning:  # R7.1
        actions += dragons_actions(state)
        for name in state.warriors[state.active]:
            actions += move_actions(state, name)
            actions += attack_actions(state, name)
    return sorted(actions)
