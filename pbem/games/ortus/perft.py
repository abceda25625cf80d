"""Counting the tree of possible play to a depth: the classic check of a move generator.

A ply is one action, or one answer to an open defence. In a dicey game an attack counts once for
each of the three different faces of its die.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.ortus.actions import ATTACKS, Action
from pbem.games.ortus.defence import possible_answers
from pbem.games.ortus.figures import FACE_INDICES
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.position import Position
from pbem.games.ortus.turn import decide, perform

DIFFERENT_FACES = FACE_INDICES[::2]


def perft(position: Position, depth: int) -> int:
    """The number of different lines of exactly this many plies."""
    if depth == 0:
        return 1
    if position.question is not None:
        answers = [*possible_answers(position)]
        if depth == 1:
            return len(answers)
        return sum(perft(decide(position, saves), depth - 1) for saves in answers)
    actions = legal_actions(position)
    if depth == 1:
        return sum(len(faces(position, action)) for action in actions)
    return sum(
        perft(after, depth - 1) for action in actions for after in outcomes(position, action)
    )


def divide(position: Position, depth: int) -> Iterator[tuple[Action, int]]:
    """Each legal action with the number of lines that begin with it."""
    for action in legal_actions(position):
        yield action, sum(perft(after, depth - 1) for after in outcomes(position, action))


def faces(position: Position, action: Action) -> tuple[int | None, ...]:
    """The face indices that make a difference to this action; (None,) where no die is rolled."""
    if position.rules.dicey and action.verb in ATTACKS:
        return tuple(DIFFERENT_FACES)
    return (None,)


def outcomes(position: Position, action: Action) -> Iterator[Position]:
    """The position after an action, for each face that its die could show."""
    for face in faces(position, action):
        yield perform(position, action, face=face)
