"""All legal actions of a position, fast. ``legality`` says the same of one action, with reasons."""

from __future__ import annotations

from pbem.games.ortus.abilities import attack_verbs, can_attack, flies, is_bear, may_leave_haven
from pbem.games.ortus.actions import (
    CHARGES,
    DRAGONS,
    END_TURN,
    GUIDE,
    KITE,
    ON_GUIDE,
    RANGE,
    RETURN,
    STRIKE,
    Action,
    walks,
)
from pbem.games.ortus.figures import BEAR_STEP, MASTER_LEVEL
from pbem.games.ortus.geometry import is_covered, reachable, share_hexline, slides
from pbem.games.ortus.hexes import (
    BOARD,
    CORE,
    HAVEN_SLOTS,
    HAVENS,
    NEIGHBOURS,
    OFF_BOARD,
    distance,
    members,
    rings,
    widen,
)
from pbem.games.ortus.position import SLOTS, Position


def legal_actions(position: Position, *, ends: int = BOARD) -> list[Action]:
    """Everything the active House may do now; empty while a defence is open or the game is over.

    Of walks and Kites only those that end on a hex of ``ends``.
    """
    if position.winner is not None or position.question is not None:
        return []
    actions = [END_TURN]
    if position.owed:
        actions += [Action(GUIDE, to=hex_) for hex_ in guide_steps(position)]
    actions += _returns(position)
    if not position.returning:
        _add_manoeuvres(position, actions, ends)
    return actions


def guide_steps(position: Position) -> list[int]:
    """The hexes an owed Guide step may go to (R6.4)."""
    house = position.active
    guide = position.guide[house]
    if guide == OFF_BOARD:
        return list(HAVEN_SLOTS[house])
    return list(members(NEIGHBOURS[guide] & rings(CORE)[distance(guide, CORE) - 1]))


def may_return_to_guide(position: Position) -> bool:
    """Whether a Fallen may go to the hex of the Guide now (R7.1, R1.6)."""
    guide = position.guide[position.active]
    taken = position.occupied[0] | position.occupied[1]
    return (
        guide != OFF_BOARD
        and not position.owed
        and not position.guide_return_used
        and bool(position.rules.arena.free_ground[position.active] & ~taken & (1 << guide))
    )


def _returns(position: Position) -> list[Action]:
    house = position.active
    fallen = position.fallen(house)
    if not fallen:
        return []
    places = list(members(HAVENS[house] & ~position.occupied[house]))
    if may_return_to_guide(position):
        places.append(ON_GUIDE)
    return [Action(RETURN, slot, place) for slot in fallen for place in places]


def targets(position: Position) -> int:
    """The set of hexes whose warriors the active House may name as a target (R5.2, M3.1)."""
    house = position.passive
    found = position.occupied[house] & position.rules.arena.ground
    for slot in position.rules.earths[house]:
        if is_covered(position, house, slot):
            found &= ~(1 << position.hexes[house][slot])
    return found


def _add_manoeuvres(position: Position, actions: list[Action], ends: int) -> None:
    rules = position.rules
    level = rules.level
    house = position.active
    energy = position.energy[house]
    elements = rules.elements[house]
    hexes = position.hexes[house]
    free = position.free(house)
    aims = targets(position)
    for slot in SLOTS:
        hex_ = hexes[slot]
        if hex_ == OFF_BOARD:
            continue
        element = elements[slot]
        walk_reach = 0
        if not position.moved >> slot & 1:
            if flies(element, level):
                if rules.arena.ground >> hex_ & 1 or may_leave_haven(position):
                    actions += [
                        Action(KITE, slot, end) for end in slides(position, hex_) if ends >> end & 1
                    ]
            elif energy:
                walk_reach = reachable(free, hex_, energy)
                actions += walks(slot, walk_reach & ends)
        if aims and can_attack(position, slot):
            _add_attacks(position, actions, aims, slot=slot, free=free, walk_reach=walk_reach)
    if aims and level >= MASTER_LEVEL:
        _add_dragons(position, actions, aims)


def _add_attacks(
    position: Position, actions: list[Action], aims: int, *, slot: int, free: int, walk_reach: int
) -> None:
    """The attacks that one warrior makes alone; it has a ``walk_reach`` if it can still walk."""
    rules = position.rules
    house = position.active
    hex_, element = position.hexes[house][slot], rules.elements[house][slot]
    energy = position.energy[house]
    for verb in attack_verbs(element, rules.level):
        if verb == STRIKE:
            near = aims & NEIGHBOURS[hex_] & NEIGHBOURS[position.start_hexes[slot]]
            actions += [Action(STRIKE, slot, target) for target in members(near)]
        elif verb == RANGE:
            if energy > 1:
                shot = widen(reachable(free, hex_, energy - 1)) & aims & ~NEIGHBOURS[hex_]
                actions += [Action(RANGE, slot, target) for target in members(shot)]
        elif verb in CHARGES and walk_reach:
            bear = is_bear(verb, element, rules.level)
            reach = reachable(free, hex_, energy // BEAR_STEP) if bear else walk_reach
            reach &= rules.arena.ground
            for target in members(aims & widen(reach) & ~NEIGHBOURS[hex_]):
                actions += [
                    Action(verb, slot, target, landing)
                    for landing in members(reach & NEIGHBOURS[target])
                ]


def _add_dragons(position: Position, actions: list[Action], aims: int) -> None:
    house = position.active
    first, second = position.rules.fires[house]
    if not (can_attack(position, first) and can_attack(position, second)):
        return
    a, b = position.hexes[house][first], position.hexes[house][second]
    for target in members(aims & ~NEIGHBOURS[a] & ~NEIGHBOURS[b]):
        if share_hexline(position, a, target) and share_hexline(position, b, target):
            actions.append(Action(DRAGONS, first, target, partner=second))
