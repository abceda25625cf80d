"""The nearest legal orders to one that was refused (N1.7).

For an order that could be read: legal actions that differ from it as little as a player would
change it. For text that could not: the legal orders that look most like it.
"""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches
from typing import Final

from notation.orders import Attack, GuideStep, Kite, Order, Return, Walk
from pbem.games.ortus.actions import ATTACKS, DRAGONS, GUIDE, NOBODY, ON_GUIDE, Action
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.hexes import distance, get_hex
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.position import Position

MAX_SUGGESTIONS: Final = 4
_FAR: Final = 100
_OTHER_SLOT: Final = 6
_OTHER_VERB: Final = 5
_OTHER_SORT: Final = 12
_MAX_GAP: Final = 20
_MAX_TEXT: Final = 40


def nearest_orders(position: Position, order: Order) -> list[str]:
    """Legal orders near one that is not legal here, nearest first, then cheapest."""
    wanted = _wanted(position, order)
    if wanted is None:
        return []
    slots, verb, to, landing = wanted
    ranked = []
    for action in legal_actions(position):
        gap = _gap(action, slots=slots, verb=verb, to=to, landing=landing)
        if gap <= _MAX_GAP:
            ranked.append((gap, check(position, action), action_text(position, action)))
    ranked.sort()
    return [text for _, _, text in ranked[:MAX_SUGGESTIONS]]


def _wanted(
    position: Position, order: Order
) -> tuple[tuple[int, ...], str, int | None, int | None] | None:
    """Which slots, verb, hex and landing an order had in mind; None for other kinds of order."""
    match order:
        case Walk(who, to):
            return _slots(position, who), "walk", get_hex(to), None
        case Kite(who, to):
            return _slots(position, who), "kite", get_hex(to), None
        case Attack(verb, who, target, landing):
            slots = position.rules.fires[position.active] if who is None else None
            return (
                slots or _slots(position, who or ""),
                verb,
                get_hex(target),
                None if landing is None else get_hex(landing),
            )
        case GuideStep(to):
            return (), GUIDE, get_hex(to), None
        case Return(who, to):
            return _slots(position, who), "ret", None if to == "guide" else get_hex(to), None
    return None


def _slots(position: Position, who: str) -> tuple[int, ...]:
    """The warriors that may be meant: the slot's first, then those of the letter (N1.2)."""
    slot = int(who[-1]) - 1
    elements = position.rules.elements[position.active]
    others = tuple(other for other in range(8) if who[0] == elements[other] != elements[slot])
    return (slot, *others)


def _gap(
    action: Action, *, slots: tuple[int, ...], verb: str, to: int | None, landing: int | None
) -> int:
    """How far an action is from what was wanted: the smaller the nearer."""
    gap = 0
    if slots:
        if action.who == NOBODY:
            return _FAR
        if action.who in slots:
            gap += 2 * slots.index(action.who)
        elif action.verb == DRAGONS and action.partner in slots:
            gap += 1
        elif verb in ATTACKS and action.verb in ATTACKS and action.to == to:
            gap += _OTHER_SLOT
        else:
            return _FAR
    if action.verb != verb:
        same_sort = (action.verb in ATTACKS) == (verb in ATTACKS) and GUIDE not in (
            action.verb,
            verb,
        )
        gap += _OTHER_VERB if same_sort else _OTHER_SORT
    if to is not None and action.to not in (NOBODY, ON_GUIDE):
        gap += 2 * distance(action.to, to)
    if landing is not None and action.landing != NOBODY:
        gap += distance(action.landing, landing)
    return gap


def lookalikes(position: Position, text: str, *, warrior: str | None = None) -> list[str]:
    """Legal orders that look like a text that could not be read.

    With a warrior whose verb is missing, its attacks (N1.3).
    """
    actions = legal_actions(position)
    if warrior is not None:
        slots = _slots(position, warrior)[:1]
        attacks = [action for action in actions if action.verb in ATTACKS and action.who in slots]
        if attacks:
            return sorted(action_text(position, action) for action in attacks)[:MAX_SUGGESTIONS]
    texts = [action_text(position, action) for action in actions]
    plain = text.strip()[:_MAX_TEXT].upper()
    by_upper = {known.upper(): known for known in texts}
    close = get_close_matches(plain, by_upper, n=MAX_SUGGESTIONS, cutoff=0.6)
    close.sort(key=lambda known: (-SequenceMatcher(None, plain, known).ratio(), known))
    return [by_upper[known] for known in close]
