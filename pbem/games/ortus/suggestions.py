"""The nearest legal orders to one that was refused (N1.7).

For an order that could be read: legal actions that differ from it as little as a player would
change it. For text that could not: the legal orders that look most like it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from notation.orders import Attack, GuideStep, Kite, Order, Plan, Return, Step, Walk
from notation.reading import parse_order
from pbem.games.ortus.actions import ATTACKS, DRAGONS, GUIDE, NOBODY, ON_GUIDE, Action
from pbem.games.ortus.defence import possible_answers
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.hexes import distance, get_hex, hex_name
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.position import Position

MAX_SUGGESTIONS: Final = 4
MAX_TRIED: Final = 12
"""How many near orders are tried in the place of a refused one, to find those that help."""

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
    return [text for _, _, text in ranked[:MAX_TRIED]]


def nearest_answers(position: Position, told: Mapping[str, bool]) -> list[str]:
    """Answers to the open defence that can be paid, those nearest to what was told first."""
    if position.question is None:
        return []
    hexes = [hex_name(victim.hex) for victim in position.question.victims]

    def gap(saves: tuple[bool, ...]) -> int:
        return sum(told.get(hex_, saved) != saved for hex_, saved in zip(hexes, saves, strict=True))

    return [
        " ".join(f"{hex_}{'+' if saved else '-'}" for hex_, saved in zip(hexes, saves, strict=True))
        for saves in sorted(possible_answers(position), key=gap)[:MAX_SUGGESTIONS]
    ]


def mend_plan(plan: Plan, wanted: Step, order: str) -> Plan:
    """The plan with another order in the place of one of its steps."""
    return tuple(
        replace(
            step,
            order=parse_order(order) if step is wanted else step.order,
            branches=tuple(
                replace(branch, steps=mend_plan(branch.steps, wanted, order))
                for branch in step.branches
            ),
        )
        for step in plan
    )


def brackets_fit(plan: Plan) -> bool:
    """Whether each bracket of a plan stands behind an attack (N2.1)."""
    return all(
        not step.branches
        or (
            isinstance(step.order, Attack)
            and all(brackets_fit(branch.steps) for branch in step.branches)
        )
        for step in plan
    )


_BEFORE_ORDER: Final = re.compile(r".*(?:;|[\[|][^\[|;:]*:)", re.DOTALL)
_BEHIND_ORDER: Final = re.compile(r"[;|\[\]]|$")


def order_span(line: str, column: int) -> tuple[int, int]:
    """From where to where the order around a column of a line reaches, brackets left out."""
    before = _BEFORE_ORDER.match(line, 0, max(column - 1, 0))
    start = 0 if before is None else before.end()
    behind = _BEHIND_ORDER.search(line, max(column - 1, start))
    return start, len(line) if behind is None else behind.start()


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
    elif action.verb != verb:
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
            return sorted(action_text(position, action) for action in attacks)[:MAX_TRIED]
    from difflib import SequenceMatcher, get_close_matches  # noqa: PLC0415 - rarely needed

    texts = [action_text(position, action) for action in actions]
    plain = text.strip()[:_MAX_TEXT].upper()
    by_upper = {known.upper(): known for known in texts}
    close = get_close_matches(plain, by_upper, n=MAX_SUGGESTIONS, cutoff=0.6)
    close.sort(key=lambda known: (-SequenceMatcher(None, plain, known).ratio(), known))
    return [by_upper[known] for known in close]
