"""The one place where notation and rules meet: an order becomes an action, an action an order.

Reading an order needs a position: a bare slot becomes a warrior (N1.2), a landing left out is
filled in when there is only one (N1.4), a return onto the Guide is one to the Guide (N1.8).
"""

from __future__ import annotations

from functools import lru_cache

from notation.orders import Attack, End, GuideStep, Kite, Order, Return, Walk
from notation.writing import format_order
from pbem.games.ortus.actions import (
    CHARGES,
    DRAGONS,
    END,
    END_TURN,
    GUIDE,
    KITE,
    NOBODY,
    ON_GUIDE,
    RETURN,
    WALK,
    Action,
)
from pbem.games.ortus.hexes import BLACK, GOLD, HAVENS, NEIGHBOURS, get_hex, hex_name, members
from pbem.games.ortus.illegal import Ambiguous, Illegal
from pbem.games.ortus.legality import check
from pbem.games.ortus.position import Position


def to_action(position: Position, order: Order) -> Action:
    """The action that an order of the House on turn means here.

    Raises Illegal when it names a warrior wrongly, Ambiguous when it leaves a choice open. Whether
    the action is legal is asked of ``legality.check``.
    """
    match order:
        case Walk(who, to):
            return Action(WALK, get_slot(position, who), get_hex(to))
        case Kite(who, to):
            return Action(KITE, get_slot(position, who), get_hex(to))
        case Attack():
            return _to_attack(position, order)
        case End():
            return END_TURN
        case GuideStep(to):
            return Action(GUIDE, to=get_hex(to))
        case Return(who, to):
            return _to_return(position, get_slot(position, who), to)
    raise Illegal("not_an_action", order=format_order(order))


@lru_cache(maxsize=1 << 15)
def find_ready_action(  # noqa: PLR0911 - one line for each kind of order
    order: Order,
) -> tuple[str, Action] | None:
    """The action of an order that means the same on every board, and the letter it relies on.

    A short cut for replaying: such an order is canonical too. None where the meaning needs a
    position: a bare slot, a landing left out, a return to an Arena hex, the two Dragons.
    """
    match order:
        case Walk(who, to) if len(who) == 2:
            return who[0], Action(WALK, int(who[1]) - 1, get_hex(to))
        case Kite(who, to) if len(who) == 2:
            return who[0], Action(KITE, int(who[1]) - 1, get_hex(to))
        case Attack(verb, str() as who, target, landing, None) if len(who) == 2:
            if verb == DRAGONS or (verb in CHARGES) != (landing is not None):
                return None
            place = NOBODY if landing is None else get_hex(landing)
            return who[0], Action(verb, int(who[1]) - 1, get_hex(target), place)
        case GuideStep(to):
            return "", Action(GUIDE, to=get_hex(to))
        case Return(who, to) if len(who) == 2:
            if to == "guide":
                return who[0], Action(RETURN, int(who[1]) - 1, ON_GUIDE)
            if (HAVENS[GOLD] | HAVENS[BLACK]) >> get_hex(to) & 1:
                return who[0], Action(RETURN, int(who[1]) - 1, get_hex(to))
        case End():
            return "", END_TURN
    return None


def get_slot(position: Position, who: str) -> int:
    """The slot index of a warrior of the House on turn, written ``W3`` or ``3`` (N1.2).

    Raises Illegal when the letter does not fit the slot.
    """
    slot = int(who[-1]) - 1
    if len(who) > 1:
        element = position.rules.elements[position.active][slot]
        if element != who[0]:
            raise Illegal("wrong_letter", written=who, warrior=f"{element}{slot + 1}")
    return slot


def _to_return(position: Position, slot: int, to: str) -> Action:
    if to == "guide":
        return Action(RETURN, slot, ON_GUIDE)
    hex_ = get_hex(to)
    house = position.active
    if hex_ == position.guide[house] and not HAVENS[house] >> hex_ & 1:
        return Action(RETURN, slot, ON_GUIDE)
    return Action(RETURN, slot, hex_)


def _to_attack(position: Position, order: Attack) -> Action:
    target = get_hex(order.target)
    if order.verb == DRAGONS:
        return _to_dragons(position, order, target)
    assert order.who is not None, "only dragons may leave the warrior out"
    slot = get_slot(position, order.who)
    if order.verb not in CHARGES:
        return Action(order.verb, slot, target)
    if order.landing is not None:
        return Action(order.verb, slot, target, get_hex(order.landing))
    return _with_only_landing(position, Action(order.verb, slot, target))


def _to_dragons(position: Position, order: Attack, target: int) -> Action:
    first, second = position.rules.fires[position.active]
    named = [get_slot(position, who) for who in (order.who, order.partner) if who is not None]
    for slot in named:
        if slot not in (first, second):
            warrior = position.rules.warrior_name(position.active, slot)
            raise Illegal("verb_not_for_element", warrior=warrior, verb=DRAGONS, verbs="")
    return Action(DRAGONS, first, target, partner=second)


def _with_only_landing(position: Position, action: Action) -> Action:
    """Fill in the landing hex if just one is possible (N1.4)."""
    costs: dict[Action, int] = {}
    reason: Illegal | None = None
    for landing in members(NEIGHBOURS[action.to]):
        candidate = action._replace(landing=landing)
        try:
            costs[candidate] = check(position, candidate)
        except Illegal as illegal:
            # Not enough Energy says more than a landing that is taken.
            if reason is None or illegal.code == "too_dear":
                reason = illegal
    if len(costs) == 1:
        return next(iter(costs))
    if costs:
        landings = ", ".join(
            f"@{hex_name(candidate.landing)} ({cost})"
            for candidate, cost in sorted(costs.items(), key=lambda item: item[1])
        )
        raise Ambiguous("landing_open", hex=hex_name(action.to), landings=landings)
    assert reason is not None, "every hex has neighbours"
    if reason.code in {"hex_taken", "hex_core", "hex_cut", "hex_opposing_haven", "no_walk"}:
        raise Illegal("no_landing", hex=hex_name(action.to)) from reason
    raise reason


def to_order(position: Position, action: Action) -> Order:
    """The canonical order for an action of the House on turn."""
    return _order(position.rules.elements[position.active], action)


def action_text(position: Position, action: Action) -> str:
    """The canonical text of an action of the House on turn."""
    return _text(position.rules.elements[position.active], action)


@lru_cache(maxsize=1 << 11)
def _text(elements: str, action: Action) -> str:
    return format_order(_order(elements, action))


def _order(elements: str, action: Action) -> Order:
    verb, slot, to, landing, partner = action
    if verb == END:
        return End()
    if verb == GUIDE:
        return GuideStep(hex_name(to))
    who = f"{elements[slot]}{slot + 1}"
    if verb == WALK:
        return Walk(who, hex_name(to))
    if verb == KITE:
        return Kite(who, hex_name(to))
    if verb == RETURN:
        return Return(who, "guide" if to == ON_GUIDE else hex_name(to))
    return Attack(
        verb,
        who,
        hex_name(to),
        landing=None if landing == NOBODY else hex_name(landing),
        partner=None if partner == NOBODY else f"{elements[partner]}{partner + 1}",
    )
