"""From a record to its document: every line is played, and what cannot be is shown as such.

A fault ends its own line and nothing else. A record may hold thousands of variations: the game
itself comes first, then variations in the order they are written, until there are ``MOST_FRAMES``;
comments until there are ``MOST_LETTERS``. What was left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from notation.orders import End
from notation.record import Comment, Played, Record, RecordTurn, Variation
from notation.record_writing import format_played
from pbem.archive.frames import START, Deed, Document, Frame, Line, Note, Turn
from pbem.archive.marks import read_marks
from pbem.archive.places import Branching, Place, label_of
from pbem.archive.remarks import DIAGRAM, SIGN, find_author
from pbem.games.base import Fault
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.figures import SIDE_LETTERS
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.position import Position
from pbem.games.ortus.record_start import RecordFault, first_position
from pbem.games.ortus.replaying import (
    PLAN_COMMAND,
    RESULT_OF,
    RecordPlayer,
    is_plan,
)

MOST_FRAMES: Final = 2000
MOST_LETTERS: Final = 400_000


def make_document(
    record: Record, *, arenas: Mapping[str, Arena] | None = None, most_frames: int = MOST_FRAMES
) -> Document:
    """The document of a record that was read, however; it need not be legal."""
    return _Framing(record, most_frames).make(arenas)


class _Framing:
    """Walks through one record."""

    def __init__(self, record: Record, most_frames: int) -> None:
        self._record = record
        self._players = (RecordPlayer(record), RecordPlayer(record, is_varying=True))
        orders = sum(len(turn.orders) for turn in record.turns)
        self._room_main = most_frames
        self._room_varied = max(most_frames - orders, 0)
        self._letters = MOST_LETTERS
        self._frames: list[Frame | None] = []
        self._left_out = 0
        self._notes_left_out = 0

    def make(self, arenas: Mapping[str, Arena] | None) -> Document:
        record = self._record
        notes = self.read_notes(record.comments)
        try:
            position = first_position(record, arenas=arenas)
        except RecordFault as wrong:
            fault = wrong.fault if record.turns else None  # over before there was a board
            nothing = Line(())
            return Document(record.tags, record.result, (), nothing, notes=notes, fault=fault)
        start = Frame(0, START, None, "", None, "", position.copy())
        self._frames.append(start)
        line = self._line(position, record.turns, before=0, path=(), is_main=True)
        frames = [frame for frame in self._frames if frame is not None]
        assert len(frames) == len(self._frames), "every number that was given has its frame"
        line = self._close(frames, line)
        children: list[list[int]] = [[] for _ in frames]
        for frame in frames:
            if frame.before is not None:
                children[frame.before].append(frame.number)
        return Document(
            tags=record.tags,
            result=record.result,
            frames=tuple(frames),
            line=line,
            notes=notes,
            left_out=self._left_out,
            notes_left_out=self._notes_left_out,
            children=tuple(map(tuple, children)),
            _numbers={frame.place: frame.number for frame in frames},
        )

    def _close(self, frames: list[Frame], line: Line) -> Line:
        """Put the end of the game on its last board, which need not show it (R8.3)."""
        record = self._record
        last = next(frame for frame in reversed(frames) if frame.is_main)
        if record.result == "*" or last.position.reason is not None or not last.is_played:
            return line
        winners = {result: winner for winner, result in RESULT_OF.items()}
        position = last.position.copy()
        position.winner = winners[record.result]
        position.reason = record.tags.get("Termination", "")
        closed = replace(last, position=position)
        frames[last.number] = closed
        if not line.turns or not line.turns[-1].frames:
            return line
        turn = line.turns[-1]
        turns = (*line.turns[:-1], replace(turn, frames=(*turn.frames[:-1], closed)))
        return replace(line, turns=turns)

    # -- lines ----------------------------------------------------------------------------------

    def _line(
        self,
        position: Position,
        turns: Sequence[RecordTurn],
        *,
        before: int,
        path: tuple[Branching, ...],
        is_main: bool,
    ) -> Line:
        """Play a line from a position, which is changed; ``path`` leads into it."""
        walk = _Walk(self._players[not is_main], position, before)
        shown: list[Turn] = []
        for index, turn in enumerate(turns):
            if not self._has_room(is_main):
                self._leave_out(turns[index:])
                break
            walk.begin(turn)
            framed = _Framed(self, turn, walk, path=path, is_main=is_main)
            shown.append(framed.play())
            if index + 1 < len(turns):
                walk.end(turn)
        return Line(tuple(shown))

    def vary(self, position: Position, variation: Variation, *, before: int, place: Place) -> Line:
        """A variation at a place, from a position, which stays as it is."""
        path = place.into(variation)
        line = self._line(position.copy(), variation, before=before, path=path, is_main=False)
        return replace(line, is_plan=is_plan(variation), by=_author(variation))

    def _has_room(self, is_main: bool) -> bool:
        return (self._room_main if is_main else self._room_varied) > 0

    def take_number(self, *, is_main: bool) -> int | None:
        """The number of the next frame; None if there are enough."""
        if not self._has_room(is_main):
            return None
        if is_main:
            self._room_main -= 1
        else:
            self._room_varied -= 1
        self._frames.append(None)
        return len(self._frames) - 1

    def put(self, frame: Frame) -> Frame:
        """Keep a frame at its number."""
        self._frames[frame.number] = frame
        return frame

    def _leave_out(self, turns: Iterable[RecordTurn]) -> None:
        for turn in turns:
            self.leave_out_orders(turn.orders)

    def leave_out_orders(self, orders: Iterable[Played]) -> None:
        """Count orders that are not shown, with their variations."""
        for played in orders:
            self._left_out += 1
            for variation in played.variations:
                self._leave_out(variation)

    # -- comments -------------------------------------------------------------------------------

    def read_notes(self, comments: Iterable[Comment]) -> tuple[Note, ...]:
        """The comments of a place that say something."""
        notes = []
        for comment in comments:
            text = comment.prose
            if not text:
                continue
            if len(text) > self._letters:
                self._notes_left_out += 1
                continue
            self._letters -= len(text)
            notes.append(Note(text, find_author(comment) or ""))
        return tuple(notes)


class _Walk:
    """Where a line has come to. ``fault`` is what the next frame has to show."""

    def __init__(self, player: RecordPlayer, position: Position, before: int) -> None:
        self._player = player
        self.position = position
        self.before = before
        self.fault: Fault | None = None
        self.is_stopped = False

    def begin(self, turn: RecordTurn) -> None:
        """Look at the label of a turn."""
        if not self.is_stopped:
            try:
                self._player.begin_turn(self.position, turn)
            except RecordFault as wrong:
                self._stop(wrong)

    def end(self, turn: RecordTurn) -> None:
        """Look whether a turn is over."""
        if not self.is_stopped:
            try:
                self._player.end_turn(self.position, turn, SIDE_LETTERS.index(turn.side))
            except RecordFault as wrong:
                self._stop(wrong)

    def play(self, played: Played) -> Deed | None:
        """Play an order if the line still can be; what it did."""
        if self.is_stopped:
            return None
        standing = self.position.copy()
        try:
            deed = _deed(standing, played)
            self._player.play_order(self.position, played)
        except RecordFault as wrong:
            self.position = standing
            self._stop(wrong)
            return None
        return deed

    def _stop(self, wrong: RecordFault) -> None:
        self.fault, self.is_stopped = wrong.fault, True

    def take_fault(self) -> Fault | None:
        """The fault that was not shown yet."""
        fault, self.fault = self.fault, None
        return fault


class _Framed:
    """One turn of a line while its frames are made."""

    def __init__(
        self,
        framing: _Framing,
        turn: RecordTurn,
        walk: _Walk,
        *,
        path: tuple[Branching, ...],
        is_main: bool,
    ) -> None:
        self._framing = framing
        self._turn = turn
        self._walk = walk
        self._label = label_of(turn)
        self._house = SIDE_LETTERS.index(turn.side)
        self._path = path
        self._is_main = is_main

    def play(self) -> Turn:
        """The turn, as far as there is room for its orders."""
        walk, orders = self._walk, self._turn.orders
        notes = self._framing.read_notes(self._turn.comments)
        began, first = walk.position.copy(), walk.before
        frames: list[Frame] = []
        for index, played in enumerate(orders):
            number = self._framing.take_number(is_main=self._is_main)
            if number is None:
                self._framing.leave_out_orders(orders[index:])
                break
            standing, came_from = walk.position.copy(), walk.before
            deed = walk.play(played)
            place = Place(self._label, index + 1, self._path)
            # A variation behind the end of a turn replaces the whole of it (N5.4).
            is_end = type(played.order) is End
            board, root = (began, first) if is_end else (standing, came_from)
            frame = Frame(
                number=number,
                place=str(place),
                before=came_from,
                label=self._label,
                house=self._house,
                text=format_played(Played(played.order, played.roll, played.verdicts)),
                position=walk.position.copy(),
                deed=deed,
                signs=played.nags,
                signed=tuple(_signed(played.comments)),
                notes=self._framing.read_notes(played.comments),
                marks=read_marks(played.comments),
                clock=next(iter(_arguments(played.comments, "clk")), ""),
                defence_clock=next(iter(_arguments(played.comments, "dclk")), ""),
                is_planned=self._is_main and bool(_arguments(played.comments, PLAN_COMMAND)),
                rules=tuple(_arguments(played.comments, "standing")),
                offers_draw="offer" in _arguments(played.comments, "draw"),
                has_diagram=bool(_arguments(played.comments, DIAGRAM)),
                fault=walk.take_fault(),
                is_played=not walk.is_stopped,
                is_main=self._is_main,
                lines=self._variations(played, board, root, place),
            )
            frames.append(self._framing.put(frame))
            walk.before = number
        has_diagram = bool(_arguments(self._turn.comments, DIAGRAM))
        return Turn(self._label, self._house, tuple(frames), notes, has_diagram)

    def _variations(
        self, played: Played, board: Position, root: int, place: Place
    ) -> tuple[Line, ...]:
        lines = (
            self._framing.vary(board, variation, before=root, place=place)
            for variation in played.variations
        )
        return tuple(line for line in lines if line.turns)


def _deed(board: Position, played: Played) -> Deed | None:
    """What an order does, if it says so; whether it may is found by playing it."""
    try:
        return Deed(board, to_action(board, played.order))
    except Illegal:
        return None


def _arguments(comments: Iterable[Comment], name: str) -> list[str]:
    return [
        command.argument
        for comment in comments
        for command in comment.commands
        if command.name == name
    ]


def _signed(comments: Iterable[Comment]) -> Iterator[tuple[str, str]]:
    """Who gave which signs, where joined remarks tell."""
    for comment in comments:
        name = find_author(comment)
        for signs in _arguments((comment,), SIGN):
            if name:
                yield name, signs


def _author(variation: Variation) -> str:
    """Who wrote a variation: in a comment before its first order that says nothing else."""
    return next(
        (find_author(comment) or "" for comment in variation[0].comments if not comment.prose), ""
    )
