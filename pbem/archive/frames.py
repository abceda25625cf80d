"""A record as a document to go through: a frame for each order, of the game and its variations.

Owns the model. ``framing`` makes a document from a record (remarks joined in already), ``showing``
turns frames into boards and sentences of some language, so a document itself has no language.

The tree: a frame's ``before`` is the frame it follows; what follows a frame are its ``children``,
first the order of its own line, then the variations that replace that order. How they are written
down, for a list of orders, is in ``Document.line``: turns, their frames, and behind each frame the
variations that stand there in the record (N5.4).

Frames have the places of ``places``, in addresses too: ``3b.2`` is the second order of the turn 3b.
The place of the board before the first order is ``start``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pbem.archive.marks import NO_MARKS, Marks
from pbem.games.base import Fault
from pbem.games.ortus.actions import Action
from pbem.games.ortus.hexes import BLACK, GOLD, OFF_BOARD
from pbem.games.ortus.position import Position

START: Final = "start"


@dataclass(frozen=True, slots=True)
class Note:
    """A comment as it is read: its prose without commands, and who wrote it if it says so."""

    text: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be counted of a position, Gold's first; ``warriors`` are those not Fallen."""

    energy: tuple[int, int]
    honour: tuple[int, int]
    wells: tuple[int, int]
    warriors: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done on which board."""

    board: Position
    action: Action


@dataclass(frozen=True, slots=True)
class Frame:
    """One order and the board behind it.

    ``text`` is the order with roll and verdicts as the record has it, ``signs`` are the numbers of
    N5.4, and ``signed`` says who gave which, where that is known. ``clock`` is what was left, as
    written, ``defence_clock`` what the defender had left; ``rules`` are standing rules that
    answered; ``is_planned``: it was sent in advance;
    ``has_diagram`` tells that a booklet is to show the board here (``[%diagram]``). With a
    ``fault`` the order could not be played: the board is the last there was, also for the orders
    behind it, which have ``is_played`` False and no fault of their own.
    """

    number: int
    place: str
    before: int | None
    label: str
    house: int | None
    text: str
    position: Position
    deed: Deed | None = None
    signs: tuple[int, ...] = ()
    signed: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = ()
    marks: Marks = NO_MARKS
    clock: str = ""
    defence_clock: str = ""
    is_planned: bool = False
    rules: tuple[str, ...] = ()
    offers_draw: bool = False
    has_diagram: bool = False
    fault: Fault | None = None
    is_played: bool = True
    is_main: bool = True
    lines: tuple[Line, ...] = ()

    @property
    def figures(self) -> Figures:
        """What can be counted behind this order."""
        position = self.position
        return Figures(
            energy=position.energy,
            honour=position.honour,
            wells=(position.wells_held(GOLD), position.wells_held(BLACK)),
            warriors=(
                sum(hex_ != OFF_BOARD for hex_ in position.hexes[GOLD]),
                sum(hex_ != OFF_BOARD for hex_ in position.hexes[BLACK]),
            ),
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """The orders of a turn as far as its line has them; ``notes`` stand behind the label, where
    ``[%diagram]`` means the board before the turn."""

    label: str
    house: int
    frames: tuple[Frame, ...]
    notes: tuple[Note, ...] = ()
    has_diagram: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """The game itself, or a variation. ``is_plan``: what a player had planned (N2.4).

    ``by`` is who wrote a variation, if it says so before its first order.
    """

    turns: tuple[Turn, ...]
    is_plan: bool = False
    by: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole game to go through.

    ``frames`` are in the order they are written, the board before the first order at 0; there are
    none if the record has no board. ``fault`` says what is wrong with such a record. ``left_out``
    counts orders of variations and, in monstrous records, of the game itself that were too many;
    ``notes_left_out`` comments.
    """

    tags: Mapping[str, str]
    result: str
    frames: tuple[Frame, ...]
    line: Line
    notes: tuple[Note, ...] = ()
    fault: Fault | None = None
    left_out: int = 0
    notes_left_out: int = 0
    children: tuple[tuple[int, ...], ...] = ()
    _numbers: Mapping[str, int] = field(default_factory=dict, repr=False, compare=False)

    @property
    def main(self) -> tuple[Frame, ...]:
        """The frames of the game itself."""
        return tuple(frame for frame in self.frames if frame.is_main)

    @property
    def annotators(self) -> tuple[str, ...]:
        """Everybody who is named as the writer of something, each once."""
        names: dict[str, None] = {}
        for note in self.notes:
            names[note.by] = None
        _gather(self.line, names)
        names.pop("", None)
        return tuple(names)

    def find(self, place: str) -> Frame | None:
        """The frame of a place; a turn alone (``3b``) is its first order."""
        for name in (place, f"{place}.1"):
            if name in self._numbers:
                return self.frames[self._numbers[name]]
        return None

    def find_following(self, frame: Frame) -> Frame | None:
        """The next frame of the same line."""
        children = self.children[frame.number]
        return self.frames[children[0]] if children else None

    def alternatives(self, frame: Frame) -> tuple[Frame, ...]:
        """This frame and all that could stand in its place, its own line's first."""
        if frame.before is None:
            return (frame,)
        return tuple(self.frames[number] for number in self.children[frame.before])


def _gather(line: Line, names: dict[str, None]) -> None:
    names[line.by] = None
    for turn in line.turns:
        for note in turn.notes:
            names[note.by] = None
        for frame in turn.frames:
            for note in frame.notes:
                names[note.by] = None
            for name, _ in frame.signed:
                names[name] = None
            for varied in frame.lines:
                _gather(varied, names)
