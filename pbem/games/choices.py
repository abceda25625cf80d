"""What can be done next, said so that a board can be clicked: the same for every game.

A player builds a submission step by step. The steps so far are a *path*: orders, and behind an
attack of which the end is open the end that is assumed (a guard in brackets, as ``[-]``). The game
answers with the board there and everything that may follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.games.base import Fault
from pbem.games.scene import Scene

Kind = Literal["move", "attack", "place", "step", "end"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One order that may follow.

    ``sources`` are what may be clicked first: the names of cells, or the labels of pieces beside
    the board; an order without any is a button. ``target`` is the cell to click then, ``landing``
    the one after that, where the order has one.
    """

    order: str
    kind: Kind
    cost: int = 0
    sources: tuple[str, ...] = ()
    target: str | None = None
    landing: str | None = None


@dataclass(frozen=True, slots=True)
class Fork:
    """One end of the last order, if it is open: the guard to write, and what it means."""

    guard: str
    label: str


@dataclass(frozen=True, slots=True)
class Choices:
    """Where a path leads and what may follow. ``fault`` says what stopped the path at ``step``;
    then board and choices are those before that step."""

    scene: Scene
    choices: tuple[Choice, ...]
    forks: tuple[Fork, ...] = ()
    fault: Fault | None = None
    step: int | None = None
