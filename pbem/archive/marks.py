"""Arrows and marked hexes in comments: ``[%arrow E7 G4]`` and ``[%mark E7 F8]``.

They are ours, beside the commands of N5.4, and are read with patience: in either case, with ``>``,
``-`` or commas between, several in one command. What names no hex of the board is passed over, for
a comment is never a reason to refuse a record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from notation.hexes import HEX_NAMES
from notation.record import Comment

ARROW: Final = "arrow"
MARK: Final = "mark"
MOST_MARKS: Final = 64
"""Of each kind at one order: more could not be told apart."""

_NAME: Final = re.compile(r"[A-Za-z][0-9]{1,2}")


@dataclass(frozen=True, slots=True)
class Marks:
    """What an annotator points at: arrows from hex to hex, and hexes."""

    arrows: tuple[tuple[str, str], ...] = ()
    hexes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.arrows or self.hexes)


NO_MARKS: Final = Marks()


def read_marks(comments: Iterable[Comment]) -> Marks:
    """All that the comments of one place point at, each once, in the order written."""
    arrows: dict[tuple[str, str], None] = {}
    hexes: dict[str, None] = {}
    for comment in comments:
        for command in comment.commands:
            names = [name for name in _read_names(command.argument) if name in HEX_NAMES]
            kind = command.name.lower()
            if kind == ARROW:
                pairs = zip(names[::2], names[1::2], strict=False)
                arrows.update((pair, None) for pair in pairs if pair[0] != pair[1])
            elif kind == MARK:
                hexes.update((name, None) for name in names)
    return Marks(tuple(arrows)[:MOST_MARKS], tuple(hexes)[:MOST_MARKS])


def _read_names(argument: str) -> list[str]:
    return [name.upper() for name in _NAME.findall(argument)]
