"""A game as a chapter to be printed: facts, chart, running text, diagrams and footnotes.

Owns what stands in a booklet and in which order; how it looks is for the page (``pbem.web``) and
for the PDF (``pbem.diagrams.booklet_pdf``), which draw the same blocks. Orders are bounded by the
document, comments and diagrams here; what did not fit is counted and said.

Diagrams stand at the beginning, at the end, and where a comment has ``[%diagram]``; if none of the
game itself has, at the end of turns in which a warrior fell; of many such turns some go without. A
standing rule that answered and a branch of a plan that was not played become footnotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from pbem.archive.facts_told import HOUSE_TAGS, find_fact, names_of, show_result, tell_facts
from pbem.archive.frames import Document, Frame, Line, Note, Turn
from pbem.archive.showing import tell_end, tell_frame, tell_rule, with_marks
from pbem.archive.signs import sign_order
from pbem.archive.trends import draw_trends, find_trends
from pbem.games.chart import Chart
from pbem.games.ortus.drawing import Trace, draw_position, trace_action
from pbem.games.ortus.speech import speak_position
from pbem.games.ortus.telling import DRAW_OFFERED
from pbem.games.ortus.words import house_name
from pbem.games.scene import Scene
from pbem.tongue import ENGLISH, N_, Tongue

MOST_DIAGRAMS: Final = 60
FEW: Final = 6
APART: Final = 4
"""Where warriors fell in more than a few turns, so many turns lie between two diagrams that nobody
has asked for: else there would be more boards than text."""
MOST_LETTERS: Final = 150_000
"""Of comments in one chapter: about forty printed pages."""

AT_START: Final = N_("The beginning")
BEFORE: Final = N_("Before {turn}")
IN_TURN: Final = N_("In {turn}, after {order}")
AFTER: Final = N_("After {turn}")
IN_VARIATION: Final = N_("Variation: {caption}")
AT_END: Final = N_("The end")
LAST_REACHED: Final = N_("The last board that could be reached")
INSTEAD: Final = N_("Instead of {order}:")
INSTEAD_OF_TURN: Final = N_("Instead of the turn {turn}:")
IN_ADVANCE: Final = N_("Sent in advance, from a plan.")
PLANNED: Final = N_("Planned and not played: {orders}")

Kind: TypeAlias = Literal["order", "text", "by", "mark", "lead"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text of one kind; a ``mark`` is the number of a footnote."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A turn with its ``label``; without one a comment (``depth`` 0) or a variation."""

    runs: tuple[Run, ...]
    label: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Diagram:
    """A board; ``place`` is that of its frame."""

    scene: Scene
    caption: str
    place: str


Block: TypeAlias = Paragraph | Diagram


@dataclass(frozen=True, slots=True)
class Chapter:
    """One game of a booklet. ``notes`` are its footnotes, the first has number 1."""

    names: tuple[str, str]
    result: str
    ending: str
    facts: tuple[tuple[str, str], ...]
    chart: Chart | None
    blocks: tuple[Block, ...]
    notes: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    occasion: str = ""
    """The event and the date, as far as they are known."""

    @property
    def title(self) -> str:
        """Both players."""
        return " – ".join(self.names)


def make_chapter(document: Document, *, tongue: Tongue = ENGLISH, bottom: int = 0) -> Chapter:
    """The chapter of a game, seen from one House's side."""
    names = names_of(document.tags, tongue=tongue)
    writer = _Writer(document, tongue, bottom)
    writer.write()
    trends = find_trends(document)
    return Chapter(
        names=names,
        result=show_result(document.result),
        ending=tell_end(document, tongue=tongue),
        facts=tuple(tell_facts(document, tongue=tongue)),
        chart=draw_trends(trends, tongue=tongue) if trends.labels else None,
        blocks=tuple(writer.blocks),
        notes=tuple(writer.notes),
        left_out=tuple(writer.left_out()),
        occasion=", ".join(
            filter(None, (find_fact(document.tags, tag) for tag in ("Event", "Date")))
        ),
    )


@dataclass(slots=True)
class _Writer:
    """Writes the blocks of one chapter, one after the other."""

    document: Document
    tongue: Tongue
    bottom: int
    blocks: list[Block] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)
    letters: int = 0
    notes_left_out: int = 0
    diagrams: int = 0
    diagrams_left_out: int = 0
    turns_since: int = 0
    """Turns since the last diagram."""
    apart: int = 1

    def write(self) -> None:
        """The whole game."""
        say, document = self.tongue.say, self.document
        self._paragraph(self._read(document.notes))
        if document.fault is not None or not document.frames:
            return
        before = document.frames[0]
        self._diagram((before,), say(AT_START))
        turns = document.line.turns
        is_marked = any(_is_marked(turn) for turn in turns)
        self.apart = APART if _count_falls(before, turns) > FEW else 1
        for turn in turns:
            if turn.has_diagram:
                self._diagram((before,), say(BEFORE, turn=turn.label))
            self.turns_since += 1
            runs = [*self._read(turn.notes), *self._orders(turn)]
            self._paragraph(runs, label=f"{turn.label}.")
            self._diagrams(turn, before, is_last=turn is turns[-1], is_marked=is_marked)
            self._variations(turn, depth=1)
            before = turn.frames[-1] if turn.frames else before

    def left_out(self) -> Iterator[str]:
        """What did not fit, in sentences."""
        count, document = self.tongue.count, self.document
        notes = document.notes_left_out + self.notes_left_out
        if notes:
            yield count(
                "One comment is left out here; the record has it.",
                "{count} comments are left out here; the record has them all.",
                notes,
            )
        if document.left_out:
            yield count(
                "One order is left out here; the record has it.",
                "{count} orders are left out here; the record has them all.",
                document.left_out,
            )
        if self.diagrams_left_out:
            yield count(
                "One diagram is left out: there was no room for more.",
                "{count} diagrams are left out: there was no room for more.",
                self.diagrams_left_out,
            )

    # -- diagrams -------------------------------------------------------------------------------

    def _diagrams(self, turn: Turn, before: Frame, *, is_last: bool, is_marked: bool) -> None:
        """The diagrams of a turn of the game itself."""
        say, frames = self.tongue.say, turn.frames
        for index, frame in enumerate(frames, start=1):
            is_over = index == len(frames)
            has_fallen = frame.position.honour != before.position.honour
            if is_last and is_over:
                caption = say(AT_END if frame.is_played else LAST_REACHED)
                self._diagram(frames, caption, is_end=True)
            elif frame.has_diagram:
                self._diagram(frames[:index], self._caption(turn, index))
            elif is_over and has_fallen and not is_marked and self.turns_since >= self.apart:
                self._diagram(frames, self._caption(turn, index))

    def _caption(self, turn: Turn, index: int) -> str:
        if index == len(turn.frames):
            return self.tongue.say(AFTER, turn=turn.label)
        return self.tongue.say(IN_TURN, turn=turn.label, order=turn.frames[index - 1].text)

    def _diagram(self, frames: Sequence[Frame], caption: str, *, is_end: bool = False) -> None:
        """The board behind the last of some frames, with all that they did."""
        if self.diagrams >= MOST_DIAGRAMS and not is_end:
            self.diagrams_left_out += 1
            return
        self.diagrams += 1
        self.turns_since = 0
        last, trace = frames[-1], Trace()
        for frame in frames:
            if frame.deed is not None:
                trace += trace_action(frame.deed.board, frame.deed.action, frame.position)
        scene = draw_position(
            last.position,
            bottom=self.bottom,
            trace=trace,
            caption="",
            description=speak_position(last.position, tongue=self.tongue),
            tongue=self.tongue,
        )
        self.blocks.append(Diagram(with_marks(scene, last.marks), caption, last.place))

    # -- text -----------------------------------------------------------------------------------

    def _orders(self, turn: Turn) -> Iterator[Run]:
        for index, frame in enumerate(turn.frames, start=1):
            said = [*self._marks(frame), *self._faults(frame), *self._read_behind(frame)]
            is_followed = index < len(turn.frames) and not any(run.kind == "text" for run in said)
            text = sign_order(frame.text, frame.signs)
            yield Run("order", text + ";" if is_followed else text)
            yield from said

    def _variations(self, turn: Turn, *, depth: int) -> None:
        for frame in turn.frames:
            for line in frame.lines:
                if not line.is_plan:
                    self._variation(turn, frame, line, depth=depth)

    def _variation(self, turn: Turn, frame: Frame, line: Line, *, depth: int) -> None:
        say = self.tongue.say
        runs = [Run("lead", tell_instead(turn, frame, tongue=self.tongue))]
        for number, varied in enumerate(line.turns):
            if number:
                runs.append(Run("lead", f"{varied.label}."))
            runs += self._read(varied.notes)
            runs += self._orders(varied)
        if line.by:
            runs.append(Run("by", line.by))
        self._paragraph(runs, depth=depth)
        for varied in line.turns:
            for index, shown in enumerate(varied.frames, start=1):
                if shown.has_diagram:
                    caption = self._caption(varied, index)
                    self._diagram(varied.frames[:index], say(IN_VARIATION, caption=caption))
            self._variations(varied, depth=depth + 1)

    def _read(self, notes: Iterable[Note]) -> Iterator[Run]:
        for note in notes:
            self.letters += len(note.text)
            if self.letters > MOST_LETTERS:
                self.notes_left_out += 1
                continue
            yield Run("text", note.text)
            if note.by:
                yield Run("by", note.by)

    def _read_behind(self, frame: Frame) -> Iterator[Run]:
        """The comments behind an order; our own records name who offered a draw in one (N5.3)."""
        notes, house = list(frame.notes), frame.house
        if frame.offers_draw:
            for note in frame.notes:
                if note.text in HOUSE_TAGS:
                    house = HOUSE_TAGS.index(note.text)
                    notes.remove(note)
            if house is not None:
                name = house_name(self.tongue, house)
                yield Run("text", self.tongue.say(DRAW_OFFERED, house=name))
        yield from self._read(notes)

    def _faults(self, frame: Frame) -> Iterator[Run]:
        if frame.fault is not None:
            yield from (Run("text", said) for said in tell_frame(frame, tongue=self.tongue))

    def _marks(self, frame: Frame) -> Iterator[Run]:
        """Footnotes: what went by itself (N2, N3.4), and plans that were not played (N2.4)."""
        say = self.tongue.say
        if frame.is_planned:
            yield self._note(say(IN_ADVANCE))
        for rule in frame.rules:
            yield self._note(tell_rule(rule, tongue=self.tongue))
        for line in frame.lines:
            if line.is_plan:
                orders = "; ".join(step.text for turn in line.turns for step in turn.frames)
                yield self._note(say(PLANNED, orders=orders))

    def _note(self, text: str) -> Run:
        """The mark of a footnote; one that was there before is not written again."""
        return Run("mark", str(self.notes.setdefault(text, len(self.notes) + 1)))

    def _paragraph(self, runs: Iterable[Run], *, label: str = "", depth: int = 0) -> None:
        gathered = tuple(runs)
        if gathered or label:
            self.blocks.append(Paragraph(gathered, label, depth))


def tell_instead(turn: Turn, frame: Frame, *, tongue: Tongue) -> str:
    """What a variation behind an order replaces: that order, or behind ``end`` the turn (N5.4)."""
    if frame.text == "end":
        return tongue.say(INSTEAD_OF_TURN, turn=turn.label)
    return tongue.say(INSTEAD, order=frame.text)


def _count_falls(before: Frame, turns: Iterable[Turn]) -> int:
    """In how many turns a warrior fell."""
    honours = [before.position.honour]
    honours += (turn.frames[-1].position.honour for turn in turns if turn.frames)
    return sum(one != other for one, other in pairwise(honours))


def _is_marked(turn: Turn) -> bool:
    return turn.has_diagram or any(frame.has_diagram for frame in turn.frames)
