"""Where a remark stands in a record: a turn, an order of it, and the way into variations.

A variation is named by what is played in it, not by its number: so a place stays true when others
add variations beside it. Owns places, their writing, and finding them in a record.

::

    3b.2                      behind the second order of turn 3b
    3b.0                      behind the label of turn 3b, before its orders
    3b.2:91c0a6f5e2d4b873/4g.1   behind the first order of 4g, in a variation at 3b.2
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from notation.record import MAX_NESTING, Played, RecordTurn, Variation
from notation.record_writing import format_verdicts
from notation.writing import format_order

MAX_PATH: Final = 8
"""How many variations deep a remark may stand; records may nest up to MAX_NESTING."""
assert MAX_PATH <= MAX_NESTING
MAX_PLACE: Final = 256
"""No place is longer when it is written."""

_NAME_LENGTH: Final = 16
_TURN: Final = r"([1-9][0-9]{0,5}[gb])\.(0|[1-9][0-9]{0,3})"
_FORK: Final = re.compile(_TURN + r":([0-9a-f]{16})")
_LAST: Final = re.compile(_TURN)


@dataclass(frozen=True, slots=True)
class Branching:
    """Where a line is left for a variation: behind which order, and which variation it is."""

    turn: str
    order: int
    name: str

    def __str__(self) -> str:
        return f"{self.turn}.{self.order}:{self.name}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a remark stands. ``order`` counts from 1 within the turn; 0 is behind its label."""

    turn: str
    order: int
    path: tuple[Branching, ...] = ()

    def __str__(self) -> str:
        return "/".join((*map(str, self.path), f"{self.turn}.{self.order}"))

    def into(self, variation: Variation) -> tuple[Branching, ...]:
        """The path into a variation that stands at this place."""
        return (*self.path, Branching(self.turn, self.order, name_variation(variation)))


def parse_place(text: str) -> Place:
    """The place that ``str(place)`` has written. Raises ValueError."""
    *forks, last = text.split("/", MAX_PATH + 1)
    found = _LAST.fullmatch(last)
    branchings = [_FORK.fullmatch(fork) for fork in forks]
    if found is None or len(forks) > MAX_PATH or None in branchings:
        raise ValueError(f"not a place: {text[:40]!r}")
    path = tuple(Branching(each[1], int(each[2]), each[3]) for each in branchings if each)
    return Place(found[1], int(found[2]), path)


def label_of(turn: RecordTurn) -> str:
    """``3b``: the label of a turn without its full stop."""
    return f"{turn.round}{turn.side}"


def name_variation(variation: Variation) -> str:
    """The name of a variation: a hash of what is played in it, without any annotation."""
    text = " ".join(f"{label_of(turn)}. {'; '.join(map(_bare, turn.orders))}" for turn in variation)
    return hashlib.sha256(text.encode()).hexdigest()[:_NAME_LENGTH]


def _bare(played: Played) -> str:
    roll = f"({'/'.join(map(str, played.roll))})" if played.roll else ""
    return format_order(played.order) + roll + format_verdicts(played.verdicts)


def find_turn(line: Sequence[RecordTurn], label: str) -> RecordTurn | None:
    """The turn of a line that has this label."""
    return next((turn for turn in line if label_of(turn) == label), None)


def find_line(line: Sequence[RecordTurn], path: Sequence[Branching]) -> Sequence[RecordTurn] | None:
    """The variation that a path leads to; the line itself for an empty one."""
    for fork in path:
        played = find_order(line, fork.turn, fork.order)
        variations = () if played is None else played.variations
        found = next((each for each in variations if name_variation(each) == fork.name), None)
        if found is None:
            return None
        line = found
    return line


def find_order(line: Sequence[RecordTurn], label: str, order: int) -> Played | None:
    """An order of a line by its turn and its number from 1."""
    turn = find_turn(line, label)
    return turn.orders[order - 1] if turn and 1 <= order <= len(turn.orders) else None
