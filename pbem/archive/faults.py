"""What is wrong with a game of a file, said with its line and column; and what is only spelling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from notation.errors import NotationError
from notation.record_reading import ReadGame
from pbem.games.base import Fault
from pbem.games.ortus.messages import explain

SPELLING: Final = frozenset(
    {
        "bad_comment",
        "bad_label",
        "bad_layout",
        "bad_separator",
        "byte_order_mark",
        "carriage_return",
        "cut_off",
        "missing_order",
        "not_canonical",
        "tag_order",
    }
)
"""What canonical writing mends without a loss."""


class PlacedFault(NamedTuple):
    """A sentence about a place in a file."""

    line: int
    column: int
    sentence: str


def faults_of(game: ReadGame, faults: Sequence[Fault]) -> Iterator[PlacedFault]:
    """What is wrong with the text of a game, and what its replay has found."""
    for error in game.errors:
        yield text_fault(error)
    for fault in faults:
        yield played_fault(game, fault)


def played_fault(game: ReadGame, fault: Fault) -> PlacedFault:
    """What a replay has found; a fault of the whole game stands at its first line."""
    line = fault.line or 0
    place = (line, fault.column or 1) if line > 1 else (game.line, 1)
    return PlacedFault(*place, f"{explain(fault)} [{fault.clause} {fault.code}]")


def text_fault(error: NotationError) -> PlacedFault:
    """An error of reading."""
    found = f"found {error.found!r}, " if error.found else ""
    sentence = f"{found}expected {error.expected} [{error.code}]"
    return PlacedFault(error.line, error.column, sentence)
