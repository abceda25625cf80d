"""Records (N5): the model of an annotated game.

Owns the types only. Reading is in ``record_reading.py``, writing in ``record_writing.py``; whether
the orders are legal is for ``pbem.games.ortus``, which walks these types.

An archive has millions of orders, so the two types made for each of them, ``Played`` and
``RecordTurn``, are not frozen (a frozen one takes three times as long to make) and keep their
place as two plain numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from notation.orders import Order, Place

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
# PGN's numbers 1 to 6 are written as these (N5.4).
NAG_SYMBOLS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
MAX_NAG: Final = 255
MAX_NESTING: Final = 32
# At one order; the reader adds them one by one, so that a bound is needed.
MAX_VARIATIONS: Final = 1000
MAX_COMMENTS: Final = 1000

_COMMAND: Final = re.compile(r"\[%([A-Za-z][A-Za-z0-9_]*)(?: ([^\[\]]*))?\]")
# What a comment or a tag cannot hold: control characters, line ends, halves of characters.
_UNWRITABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")

Roll: TypeAlias = tuple[int, ...]
"""``(5,)`` for the yellow die, ``(6, 3)`` for a blue one, empty where none was written (N5.3)."""

Verdicts: TypeAlias = tuple[tuple[str | None, bool], ...]
"""Each victim's hex (None for a lone one) with *saved*; empty while the defence is open (N5.3)."""


@dataclass(frozen=True, slots=True)
class Command:
    """``[%clk 29d4h]`` inside a comment."""

    name: str
    argument: str = ""

    def __str__(self) -> str:
        return f"[%{self.name} {self.argument}]" if self.argument else f"[%{self.name}]"


@dataclass(frozen=True, slots=True)
class Comment:
    """What stands between braces, commands and all. ``make_comment`` makes any text fit."""

    text: str

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands in it, known or not, in order."""
        return tuple(Command(name, value or "") for name, value in _COMMAND.findall(self.text))

    @property
    def prose(self) -> str:
        """What is left for a reader when the commands are taken out."""
        return " ".join(_COMMAND.sub(" ", self.text).split())


@dataclass(slots=True)
class Played:
    """One order as it was played: with its roll, the verdicts on its victims, and annotation.

    ``nags`` are PGN's numbers in ascending order. A variation replaces this order and the rest of
    the turn; if the order is ``end``, the whole turn (N5.4).
    """

    order: Order
    roll: Roll = ()
    verdicts: Verdicts = ()
    nags: tuple[int, ...] = ()
    comments: tuple[Comment, ...] = ()
    variations: tuple[Variation, ...] = ()
    line: int = field(default=1, compare=False)
    column: int = field(default=1, compare=False)

    @property
    def place(self) -> Place:
        """Where the order stood in the file."""
        return Place(self.line, self.column)


@dataclass(slots=True)
class RecordTurn:
    """One turn: its label, the comments behind the label, and its orders.

    The first turn of a variation is written without its label; here it has it.
    """

    round: int
    side: str
    orders: list[Played]
    comments: tuple[Comment, ...] = ()
    line: int = field(default=1, compare=False)
    column: int = field(default=1, compare=False)

    @property
    def place(self) -> Place:
        """Where the turn began in the file."""
        return Place(self.line, self.column)


Variation: TypeAlias = tuple[RecordTurn, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One game. ``tags`` are unescaped; ``comments`` are those before the first turn."""

    tags: dict[str, str]
    turns: tuple[RecordTurn, ...]
    result: str
    comments: tuple[Comment, ...] = ()


def make_comment(text: str) -> Comment:
    """A comment that can be written: ``}`` becomes ``)`` (N5), line ends become spaces."""
    return Comment(_UNWRITABLE.sub(" ", text).replace("}", ")").strip())


def is_writable(text: str) -> bool:
    """Whether a comment or a tag can hold the text as it is, apart from braces and quotes."""
    return _UNWRITABLE.search(text) is None


def make_writable(text: str) -> str:
    """The text with a space for everything that neither a comment nor a tag can hold."""
    return _UNWRITABLE.sub(" ", text)
