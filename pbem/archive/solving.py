"""Looking for all solutions of a puzzle, as far as a number of positions goes.

Two solutions differ when their first attacks do; who moves before it is not told apart. The goal is
forced if it is reached whatever the defender answers and however the solver then has to go on.
Warriors may move first, so most puzzles have far too many turns to be gone through; then this says
so rather than guess. A goal without attacks, Wells, is not looked into.
"""

from __future__ import annotations

from typing import Final

from pbem.archive.puzzles import Goal
from pbem.games.ortus.actions import ATTACKS, KITE, WALK, Action
from pbem.games.ortus.defence import possible_answers
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.position import Position
from pbem.games.ortus.turn import decide, perform

LIMIT: Final = 20_000
"""Positions that are looked at, a few seconds."""


class _TooMany(Exception):
    """There are more positions than may be looked at."""


def find_first_attacks(
    position: Position, goal: Goal, *, limit: int = LIMIT
) -> tuple[str, ...] | None:
    """Every attack that, as the first of the turn, forces the goal; None if that is not known."""
    if goal.kind == "wells":
        return None
    solver = _Solver(position, goal, limit)
    try:
        solver.look(position)
    except _TooMany:
        return None
    return tuple(sorted(solver.found))


class _Solver:
    def __init__(self, begun: Position, goal: Goal, limit: int) -> None:
        self.found: set[str] = set()
        self._begun = begun
        self._goal = goal
        self._left = limit
        self._seen: set[tuple[object, ...]] = set()
        self._known: dict[tuple[object, ...], bool] = {}

    def look(self, position: Position) -> None:
        """Try every attack here, and behind every move."""
        todo = [position]
        while todo:
            here = todo.pop()
            attacks, moves = self._actions(here)
            for action in attacks:
                text = action_text(here, action)
                if text not in self.found and self._is_forced(perform(here, action)):
                    self.found.add(text)
            for action in moves:
                after = perform(here, action)
                key = _key(after)
                if key not in self._seen:
                    self._seen.add(key)
                    todo.append(after)

    def _actions(self, position: Position) -> tuple[list[Action], list[Action]]:
        """Attacks and moves; Guide steps, returns and ending the turn change nothing here."""
        self._left -= 1
        if self._left < 0:
            raise _TooMany
        actions = legal_actions(position)
        return (
            [action for action in actions if action.verb in ATTACKS],
            [action for action in actions if action.verb in (WALK, KITE)],
        )

    def _is_forced(self, position: Position) -> bool:
        """Whether the goal is reached from here, however the defence goes."""
        if self._goal.is_reached(self._begun, position):
            return True
        if position.winner is not None:
            return False
        if position.question is not None:
            return all(
                self._is_forced(decide(position, saves)) for saves in possible_answers(position)
            )
        key = _key(position)
        known = self._known.get(key)
        if known is None:
            attacks, moves = self._actions(position)
            known = self._known[key] = any(
                self._is_forced(perform(position, action)) for action in (*attacks, *moves)
            )
        return known


def _key(position: Position) -> tuple[object, ...]:
    """What tells moments of one turn apart."""
    return (
        position.hexes,
        position.energy,
        position.honour,
        position.moved,
        position.attacked,
        position.winds_out,
    )
