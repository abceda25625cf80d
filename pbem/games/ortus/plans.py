"""Plans (N2): which branch is taken, and what a plan comes to in every outcome.

Pure looking ahead: it never reads standing rules and never draws a random number (N2.5). Running
a plan for real is ``progress``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from notation.orders import Branch, Guard, Order, Plan, Step
from pbem.games.ortus.actions import ATTACKS, Action
from pbem.games.ortus.defence import possible_answers
from pbem.games.ortus.figures import rolled_face
from pbem.games.ortus.hexes import hex_name
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.orders import action_text, to_action, to_order
from pbem.games.ortus.perft import outcomes as faces_rolled
from pbem.games.ortus.position import Position
from pbem.games.ortus.turn import decide

MAX_LEAVES: Final = 256


class PlanTooLarge(Exception):
    """A plan with more outcomes than are played through (N2.2)."""


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """One attack of an outcome: its order, what it rolled, and who was saved, in order hit.

    ``roll`` is None in a clean game, and where several faces come to the same.
    """

    order: str
    roll: tuple[int, ...] | None
    verdicts: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a plan can go: the attacks on the way, where it ends, and what stopped it, if so.

    ``stopped`` is the order that could not be done there, and why.
    """

    attacks: tuple[AttackOutcome, ...]
    position: Position
    stopped: tuple[Step, Illegal] | None = None


@dataclass(slots=True)
class _Tally:
    """How often an order was reached, and where and why it was illegal first."""

    reached: int = 0
    understood: int = 0
    illegal: int = 0
    first: tuple[Position, Illegal] | None = None
    orders: set[Order] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Impossible:
    """An order that is illegal in all outcomes that reach it, with the first such position."""

    step: Step
    position: Position
    reason: Illegal


@dataclass(slots=True)
class PlanCheck:
    """What playing a plan through has shown.

    ``orders`` has the canonical order of each step (by its ``id``) that means the same in all
    outcomes.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    orders: dict[int, Order] = field(default_factory=dict)
    impossible: list[Impossible] = field(default_factory=list)
    unreached: list[Step] = field(default_factory=list)

    def doubtful(self) -> list[Outcome]:
        """The outcomes in which a part of the plan could not be done (N2.2)."""
        return [outcome for outcome in self.outcomes if outcome.stopped is not None]


def check_plan(position: Position, plan: Plan) -> PlanCheck:
    """Play a plan through every outcome (N2.2). Raises PlanTooLarge beyond 256 leaves."""
    result = PlanCheck()
    tallies: dict[int, _Tally] = {}
    # Every entry is a plan still to be played: position, steps, and the attacks behind it.
    todo: list[tuple[Position, Plan, tuple[AttackOutcome, ...]]] = [(position, plan, ())]
    while todo:
        here, steps, behind = todo.pop()
        if not steps or here.winner is not None or here.active != position.active:
            _add_leaf(result, Outcome(behind, here))
            continue
        step = steps[0]
        tally = tallies.setdefault(id(step), _Tally())
        tally.reached += 1
        try:
            action = to_action(here, step.order)
            tally.understood += 1
            tally.orders.add(to_order(here, action))
            afters = list(faces_rolled(here, action))
        except Illegal as reason:
            tally.illegal += 1
            tally.first = tally.first or (here, reason)
            _add_leaf(result, Outcome(behind, here, (step, reason)))
            continue
        if action.verb not in ATTACKS:
            todo.append((afters[0], steps[1:], behind))
            continue
        ways = [
            (after, continue_plan(step.branches, steps[1:], after), (*behind, attack))
            for after, attack in _attack_outcomes(here, action, afters)
        ]
        todo += reversed(ways)
        if len(todo) + len(result.outcomes) > MAX_LEAVES:
            raise PlanTooLarge
    for step in _all_steps(plan):
        found = tallies.get(id(step))
        if found is None:
            result.unreached.append(step)
            continue
        if len(found.orders) == 1 and found.understood == found.reached:
            result.orders[id(step)] = next(iter(found.orders))
        if found.first is not None and found.illegal == found.reached:
            result.impossible.append(Impossible(step, *found.first))
    return result


def _add_leaf(result: PlanCheck, outcome: Outcome) -> None:
    result.outcomes.append(outcome)
    if len(result.outcomes) > MAX_LEAVES:
        raise PlanTooLarge


def _all_steps(plan: Plan) -> Iterator[Step]:
    for step in plan:
        yield step
        for branch in step.branches:
            yield from _all_steps(branch.steps)


def _attack_outcomes(
    before: Position, action: Action, afters: Sequence[Position]
) -> list[tuple[Position, AttackOutcome]]:
    """Each different end of an attack; faces that come to the same count once, without a roll."""
    text = action_text(before, action)
    found: dict[tuple[object, ...], tuple[Position, AttackOutcome]] = {}
    for after in afters:
        roll = None if after.rolled is None else rolled_face(action.verb, after.rolled)
        for end in settled(after):
            key = (end.energy, end.verdicts, end.hexes, end.honour)
            known = found.get(key)
            if known is not None and known[1].roll != roll:
                roll = None
            found[key] = end, AttackOutcome(text, roll, named_verdicts(end))
    return list(found.values())


def settled(position: Position) -> Iterator[Position]:
    """Every end of the attack under way, all its defences decided."""
    if position.question is None:
        yield position
        return
    for saves in possible_answers(position):
        yield from settled(decide(position, saves))


def named_verdicts(position: Position) -> tuple[tuple[str, bool], ...]:
    """The verdicts of the last attack, by hex name."""
    return tuple((hex_name(hex_), saved) for hex_, saved in position.verdicts)


def continue_plan(branches: Sequence[Branch], rest: Plan, position: Position) -> Plan:
    """The orders that follow once an attack is over: the first branch that matches, then the rest
    behind the bracket (N2.1)."""
    verdicts = named_verdicts(position)
    for branch in branches:
        if matches(branch.guard, verdicts):
            return branch.steps + rest
    return rest


def matches(guard: Guard, verdicts: Sequence[tuple[str, bool]]) -> bool:
    """Whether a guard fits how the whole attack went (N2.1)."""
    by_hex = dict(verdicts)
    return all(
        (verdicts[0][1] if hex_ is None else by_hex.get(hex_)) == saved
        for hex_, saved in guard.verdicts
    )
