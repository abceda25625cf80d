"""Whether one action is legal, what it costs, and if not, why: the first reason, most basic first.

``generation`` lists all legal actions; the two must agree, and a property test holds them to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.ortus.abilities import attack_verbs, flies, is_bear, may_leave_haven
from pbem.games.ortus.actions import (
    CHARGES,
    DRAGONS,
    END,
    GUIDE,
    KITE,
    NOBODY,
    ON_GUIDE,
    RANGE,
    RETURN,
    STRIKE,
    WALK,
    Action,
)
from pbem.games.ortus.figures import BEAR_STEP
from pbem.games.ortus.generation import guide_steps
from pbem.games.ortus.geometry import (
    are_neighbours,
    can_slide,
    find_walk,
    is_covered,
    share_hexline,
    slides,
)
from pbem.games.ortus.hexes import CORE, HAVENS, OFF_BOARD, hex_name, shortest_ways
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.position import Position


def check(position: Position, action: Action) -> int:
    """The Energy this action costs. Raises Illegal when it cannot be done now."""
    if position.winner is not None:
        raise Illegal("game_over")
    if position.question is not None:
        raise Illegal("defence_open")
    verb = action.verb
    if verb == END:
        return 0
    if verb == GUIDE:
        return _check_guide(position, action.to)
    if verb == RETURN:
        return _check_return(position, action)
    if position.returning:
        raise Illegal("returning_begun")
    if position.hexes[position.active][action.who] == OFF_BOARD:
        raise Illegal("warrior_fallen", warrior=_name(position, action.who))
    if verb == WALK:
        return _check_walk(position, action)
    if verb == KITE:
        return _check_kite(position, action)
    return _check_attack(position, action)


def cheapest(position: Position, actions: Sequence[Action]) -> list[Action]:
    """Those that cost least of some actions, all of them known to be legal."""
    house = position.active
    hexes, least = position.hexes[house], position.energy[house]
    found: list[Action] = []
    # No way is shorter than the straight one, so most ways need not be found.
    straight = [_straight_steps(hexes, action) for action in actions]
    for number in sorted(range(len(actions)), key=straight.__getitem__):
        if straight[number] > least:
            break
        cost = _cost_of_legal(position, actions[number])
        if cost < least:
            least, found = cost, []
        if cost == least:
            found.append(actions[number])
    return found


def _cost_of_legal(position: Position, action: Action) -> int:
    """What ``check`` says of an action that is known to be legal, without finding that out anew."""
    goal = _goal(action)
    if goal == NOBODY:
        return 0
    house, slot = position.active, action.who
    steps = find_walk(position.free(house), position.hexes[house][slot], goal)
    assert steps is not None, "there is a way to whatever is legal"
    is_dear = is_bear(action.verb, position.rules.elements[house][slot], position.rules.level)
    return steps * BEAR_STEP if is_dear else steps


def _straight_steps(hexes: Sequence[int], action: Action) -> int:
    goal = _goal(action)
    return 0 if goal == NOBODY else shortest_ways(hexes[action.who], goal)[0]


def _goal(action: Action) -> int:
    """The hex to which the steps are counted that an action costs, if it costs any."""
    if action.verb in CHARGES:
        return action.landing
    return action.to if action.verb in (WALK, RANGE) else NOBODY


def _name(position: Position, slot: int) -> str:
    return position.rules.warrior_name(position.active, slot)


def _check_energy(position: Position, cost: int) -> int:
    energy = position.energy[position.active]
    if cost > energy:
        raise Illegal("too_dear", cost=cost, energy=energy)
    return cost


def _explain_not_free(position: Position, hex_: int) -> Illegal:
    """Why a hex is not free for the active House (R4.1)."""
    name = hex_name(hex_)
    if hex_ == CORE:
        return Illegal("hex_core", hex=name)
    if (position.occupied[0] | position.occupied[1]) >> hex_ & 1:
        return Illegal("hex_taken", hex=name)
    if HAVENS[position.passive] >> hex_ & 1:
        return Illegal("hex_opposing_haven", hex=name)
    return Illegal("hex_cut", hex=name)


def _check_unmoved(position: Position, slot: int) -> None:
    if position.moved >> slot & 1:
        raise Illegal("already_moved", warrior=_name(position, slot))


def _walk_length(position: Position, slot: int, hex_: int) -> int:
    """The steps of the shortest walk to a free hex (R4.2)."""
    house = position.active
    start = position.hexes[house][slot]
    if start == hex_:
        raise Illegal("no_step", warrior=_name(position, slot), hex=hex_name(hex_))
    free = position.free(house)
    if not free >> hex_ & 1:
        raise _explain_not_free(position, hex_)
    steps = find_walk(free, start, hex_)
    if steps is None:
        raise Illegal("no_walk", warrior=_name(position, slot), hex=hex_name(hex_))
    return steps


def _check_walk(position: Position, action: Action) -> int:
    slot = action.who
    if flies(position.rules.elements[position.active][slot], position.rules.level):
        raise Illegal("must_fly", warrior=_name(position, slot))
    _check_unmoved(position, slot)
    return _check_energy(position, _walk_length(position, slot, action.to))


def _check_kite(position: Position, action: Action) -> int:
    slot = action.who
    if not flies(position.rules.elements[position.active][slot], position.rules.level):
        raise Illegal("cannot_fly", warrior=_name(position, slot))
    _check_unmoved(position, slot)
    start = position.hexes[position.active][slot]
    if not position.rules.arena.ground >> start & 1 and not may_leave_haven(position):
        raise Illegal("one_wind_first_turn", warrior=_name(position, slot))
    if not can_slide(position, start, action.to):
        facts = {"warrior": _name(position, slot), "hex": hex_name(action.to)}
        ends = sorted(hex_name(end) for end in slides(position, start))
        if not ends:
            raise Illegal("no_slide", **facts)
        raise Illegal("no_slide_there", ends=", ".join(ends), **facts)
    return 0


def _check_attack(position: Position, action: Action) -> int:
    verb, slot = action.verb, action.who
    element = position.rules.elements[position.active][slot]
    verbs = attack_verbs(element, position.rules.level)
    if verb not in verbs:
        raise Illegal(
            "verb_not_for_element",
            warrior=_name(position, slot),
            verb=verb,
            verbs=", ".join(verbs),
        )
    _check_attacker(position, slot)
    _check_target(position, action.to)
    if verb == STRIKE:
        return _check_strike(position, action)
    if verb == DRAGONS:
        return _check_dragons(position, action)
    if are_neighbours(position.hexes[position.active][slot], action.to):
        raise Illegal(
            "target_is_neighbour",
            warrior=_name(position, slot),
            hex=hex_name(action.to),
        )
    return _check_range(position, action) if verb == RANGE else _check_charge(position, action)


def _check_attacker(position: Position, slot: int) -> None:
    """Raise Illegal unless this warrior still has an attack (R5.1)."""
    ground = position.rules.arena.ground
    start = position.start_hexes[slot]
    if position.attacked >> slot & 1:
        raise Illegal("already_attacked", warrior=_name(position, slot))
    if start == OFF_BOARD or not ground >> start & 1:
        raise Illegal("not_from_arena", warrior=_name(position, slot))
    if not ground >> position.hexes[position.active][slot] & 1:
        raise Illegal("attacker_in_haven", warrior=_name(position, slot))


def _check_target(position: Position, hex_: int) -> None:
    """Raise Illegal unless an opposing warrior on this hex may be named (R5.2, M3.1)."""
    house = position.passive
    if position.occupied[position.active] >> hex_ & 1:
        raise Illegal("target_own", hex=hex_name(hex_))
    if not position.occupied[house] >> hex_ & 1:
        raise Illegal("target_empty", hex=hex_name(hex_))
    if not position.rules.arena.ground >> hex_ & 1:
        raise Illegal("target_in_haven", hex=hex_name(hex_))
    slot = position.hexes[house].index(hex_)
    if is_covered(position, house, slot):
        raise Illegal(
            "target_covered", hex=hex_name(hex_), target=position.rules.warrior_name(house, slot)
        )


def _check_strike(position: Position, action: Action) -> int:
    facts = {"warrior": _name(position, action.who), "hex": hex_name(action.to)}
    if not are_neighbours(position.hexes[position.active][action.who], action.to):
        raise Illegal("strike_not_next", **facts)
    if not are_neighbours(position.start_hexes[action.who], action.to):
        raise Illegal("strike_not_next_at_start", **facts)
    return 0


def _check_range(position: Position, action: Action) -> int:
    house = position.active
    steps = find_walk(position.free(house), position.hexes[house][action.who], action.to)
    if steps is None:
        raise Illegal("no_path", warrior=_name(position, action.who), hex=hex_name(action.to))
    return _check_energy(position, steps)


def _check_charge(position: Position, action: Action) -> int:
    slot, landing = action.who, action.landing
    if position.moved >> slot & 1:
        raise Illegal("charge_after_move", warrior=_name(position, slot))
    if not are_neighbours(landing, action.to):
        raise Illegal("landing_not_next", landing=hex_name(landing), hex=hex_name(action.to))
    if (HAVENS[0] | HAVENS[1]) >> landing & 1:
        raise Illegal("landing_not_arena", landing=hex_name(landing))
    steps = _walk_length(position, slot, landing)
    element = position.rules.elements[position.active][slot]
    if is_bear(action.verb, element, position.rules.level):
        steps *= BEAR_STEP
    return _check_energy(position, steps)


def _check_dragons(position: Position, action: Action) -> int:
    house = position.active
    first, second = position.rules.fires[house]
    if (action.who, action.partner) != (first, second):
        raise Illegal("dragons_pair", first=_name(position, first), second=_name(position, second))
    try:
        if position.hexes[house][second] == OFF_BOARD:
            raise Illegal("warrior_fallen", warrior=_name(position, second))
        _check_attacker(position, second)
    except Illegal as reason:
        raise Illegal(
            "dragons_spent", warrior=_name(position, second), hex=hex_name(action.to)
        ) from reason
    for slot in (first, second):
        hex_ = position.hexes[house][slot]
        facts = {"warrior": _name(position, slot), "hex": hex_name(action.to)}
        if not share_hexline(position, hex_, action.to):
            raise Illegal("dragons_no_hexline", **facts)
        if are_neighbours(hex_, action.to):
            raise Illegal("dragons_too_close", **facts)
    return 0


def _check_guide(position: Position, hex_: int) -> int:
    if not position.owed:
        raise Illegal("no_guide_step_owed")
    if hex_ not in guide_steps(position):
        code = "guide_not_closer"
        if position.guide[position.active] == OFF_BOARD:
            code = "guide_not_in_haven"
        steps = ", ".join(hex_name(step) for step in guide_steps(position))
        raise Illegal(code, hex=hex_name(hex_), steps=steps)
    return 0


def _check_return(position: Position, action: Action) -> int:
    house = position.active
    if position.hexes[house][action.who] != OFF_BOARD:
        raise Illegal("not_fallen", warrior=_name(position, action.who))
    taken = position.occupied[0] | position.occupied[1]
    if action.to != ON_GUIDE:
        if not HAVENS[house] >> action.to & 1:
            raise Illegal("return_not_haven", hex=hex_name(action.to))
        if taken >> action.to & 1:
            raise Illegal("return_taken", hex=hex_name(action.to))
        return 0
    guide = position.guide[house]
    if position.owed:
        raise Illegal("guide_owed", owed=position.owed)
    if guide == OFF_BOARD:
        raise Illegal("no_guide")
    if position.guide_return_used:
        raise Illegal("guide_used")
    if taken >> guide & 1:
        raise Illegal("guide_taken", hex=hex_name(guide))
    if HAVENS[position.passive] >> guide & 1:
        # Only in a made-up position: no Guide walks that far (N4).
        raise Illegal("hex_opposing_haven", hex=hex_name(guide))
    if not position.rules.arena.open >> guide & 1:
        raise Illegal("guide_on_cut", hex=hex_name(guide))
    return 0
