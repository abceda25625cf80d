"""Puzzles: a position, a goal, and a turn that reaches it whatever the defender answers.

A puzzle is a record with a ``Position`` tag, a ``Goal`` tag and one turn, its solution. The goal is
the solver's, the House to move, and has to be reached within that turn:

- ``win``: the eighth honour;
- ``honour 3``: three opposing warriors fall, or the game is won;
- ``wells 4``: four Wells are held when the turn ends, or the game is won.

The solution answers every defence: a variation that begins with the same attack and another verdict
says how the turn goes on then; where there is none, it goes on with the same orders. So a solution
is a plan (N2), and so is what a solver tries: it is played through every outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from notation.orders import Branch, End, Guard, Plan, Step
from notation.record import Played, Record, Verdicts
from pbem.games.base import Fault
from pbem.games.ortus.plans import Outcome, PlanTooLarge, check_plan
from pbem.games.ortus.position import Position
from pbem.games.ortus.record_start import first_position
from pbem.games.ortus.replaying import replay
from pbem.tongue import N_, Tongue

Line = tuple[Played, ...]

GOAL_TAG: Final = "Goal"
_GOAL: Final = re.compile(r"win|(honour|wells) ([1-8])")

GOALS: Final = {
    "win": N_("{house} is to win in this turn."),
    "honour": N_("{house} is to gain {count} honour in this turn."),
    "wells": N_("{house} is to hold {count} Wells when this turn ends."),
}
PROBLEMS: Final = {
    "no_position": N_("The record has no Position tag."),
    "no_goal": N_("The Goal tag must be `win`, `honour` or `wells` with a number from 1 to 8."),
    "dicey": N_("A puzzle has no dice."),
    "not_one_turn": N_("The solution is one turn, of the House to move."),
    "already_reached": N_("The goal is reached before the first order."),
    "not_reached": N_("The solution does not reach the goal when it goes like this: {outcome}"),
    "too_large": N_("The solution can go in too many ways."),
    "others_words": N_(
        "A comment says whose it is ([%by]). All words of a study are its author's."
    ),
}


@dataclass(frozen=True, slots=True)
class Goal:
    """What the House to move is to reach within its turn."""

    kind: Literal["win", "honour", "wells"]
    count: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.count}" if self.count else self.kind

    def is_reached(self, begun: Position, now: Position) -> bool:
        """Whether it is, behind some orders of the turn."""
        house = begun.active
        if now.winner is not None:
            return now.winner == house
        if now.question is not None or self.kind == "win":
            return False
        if self.kind == "honour":
            return now.honour[house] - begun.honour[house] >= self.count
        return now.wells_held(house) >= self.count

    def say(self, house: str, tongue: Tongue) -> str:
        """The goal as a sentence about a House."""
        return tongue.say(GOALS[self.kind], house=house, count=self.count)


def parse_goal(text: str) -> Goal:
    """``win``, ``honour 3``, ``wells 4``. Raises ValueError."""
    found = _GOAL.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]!r} is not a goal")
    return Goal(found[1], int(found[2])) if found[1] else Goal("win")  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a puzzle: a key of ``PROBLEMS``, and its facts."""

    code: str
    outcome: str = ""

    def say(self, tongue: Tongue) -> str:
        """It in a language."""
        facts = {"outcome": self.outcome} if self.outcome else {}
        return tongue.say(PROBLEMS[self.code], **facts)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle that holds: it can be solved as its record says."""

    position: Position
    goal: Goal
    solution: Plan


@dataclass(frozen=True, slots=True)
class Tried:
    """What a plan comes to: the outcomes that reach the goal, and those that do not."""

    reached: tuple[Outcome, ...]
    missed: tuple[Outcome, ...]

    @property
    def is_solved(self) -> bool:
        """Whether the goal is reached whatever the defender answers."""
        return not self.missed


class NotAPuzzle(Exception):
    """A record is no puzzle; ``wrong`` is everything that is not right with it."""

    def __init__(self, wrong: Sequence[Fault | Problem]) -> None:
        self.wrong = tuple(wrong)
        super().__init__(", ".join(each.code for each in self.wrong))


def check_puzzle(record: Record) -> Puzzle:
    """The puzzle of a record, solved as it says. Raises NotAPuzzle."""
    if "Position" not in record.tags:
        raise NotAPuzzle([Problem("no_position")])
    try:
        goal = parse_goal(record.tags.get(GOAL_TAG, ""))
    except ValueError:
        raise NotAPuzzle([Problem("no_goal")]) from None
    faults = replay(record).faults
    if faults:
        raise NotAPuzzle(faults)
    position = first_position(record)
    for is_wrong, code in (
        (position.rules.dicey, "dicey"),
        (len(record.turns) != 1, "not_one_turn"),
        (goal.is_reached(position, position), "already_reached"),
    ):
        if is_wrong:
            raise NotAPuzzle([Problem(code)])
    solution = _plan_of(list(_lines(record.turns[0].orders)))
    try:
        tried = try_plan(position, goal, solution)
    except PlanTooLarge:
        raise NotAPuzzle([Problem("too_large")]) from None
    if tried.missed:
        raise NotAPuzzle([Problem("not_reached", outcome_text(each)) for each in tried.missed[:5]])
    return Puzzle(position, goal, solution)


def try_plan(position: Position, goal: Goal, plan: Plan) -> Tried:
    """Play a plan through every answer of the defender. Raises PlanTooLarge."""
    outcomes = check_plan(position, plan).outcomes
    reached = [goal.is_reached(position, outcome.position) for outcome in outcomes]
    return Tried(
        tuple(each for each, is_one in zip(outcomes, reached, strict=True) if is_one),
        tuple(each for each, is_one in zip(outcomes, reached, strict=True) if not is_one),
    )


def outcome_text(outcome: Outcome) -> str:
    """The attacks of an outcome with their verdicts, as records write them."""
    attacks = []
    for attack in outcome.attacks:
        verdicts = ",".join(f"{hex_}{'+' if saved else '-'}" for hex_, saved in attack.verdicts)
        attacks.append(f"{attack.order}={verdicts}")
    return "; ".join(attacks) or "–"


def _lines(orders: Sequence[Played], before: Line = ()) -> Iterator[Line]:
    """The turn and every variation on it, each from the beginning of the turn (N5.4)."""
    whole = (*before, *orders)
    yield whole
    for number, played in enumerate(orders, start=len(before)):
        begins = 0 if type(played.order) is End else number
        for variation in played.variations:
            yield from _lines(variation[0].orders, whole[:begins])


def _plan_of(lines: Sequence[Line], depth: int = 0) -> Plan:
    """The first of some lines that are alike so far as a plan, with what others say of other
    verdicts on its attacks. Lines with other orders are not part of it."""
    if depth >= len(lines[0]):
        return ()
    order = lines[0][depth].order
    alike: dict[Verdicts, list[Line]] = {}
    for line in lines:
        if depth < len(line) and line[depth].order == order:
            alike.setdefault(line[depth].verdicts, []).append(line)
    main, *others = alike.items()
    branches = tuple(
        Branch(Guard(verdicts), _up_to_end(_plan_of(found, depth + 1)))
        for verdicts, found in others
        if verdicts
    )
    return (Step(order, branches), *_plan_of(main[1], depth + 1))


def _up_to_end(plan: Plan) -> Plan:
    """A branch that ends the turn: what stands behind the attack in the main line is not its."""
    for number, step in enumerate(plan):
        if type(step.order) is End:
            return plan[: number + 1]
    return (*plan, Step(End()))
