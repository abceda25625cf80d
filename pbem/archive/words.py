"""A whole game in words, for who listens to it: rounds to jump to, turns in sentences, and the
board after each turn for who asks for it.

The same for a page, for a booklet and for the command line, which ``write_words`` serves. Signs of
annotators are said as words; variations are told in sentences too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from pbem.archive.booklet import PLANNED, Chapter, Paragraph, Run, tell_instead
from pbem.archive.facts_told import names_of, tell_facts
from pbem.archive.frames import Document, Frame, Line, Note, Turn
from pbem.archive.showing import tell_end, tell_frame
from pbem.games.ortus.figures import HONOUR_TO_WIN
from pbem.games.ortus.speech import speak_position
from pbem.games.ortus.telling import HONOUR, TURN_BEGAN
from pbem.games.ortus.words import house_name
from pbem.tongue import ENGLISH, N_, Tongue

ROUND_NUMBER: Final = N_("Round {round}")
BEGINNING: Final = N_("The beginning")
END: Final = N_("The end")
COMMENT: Final = N_("Comment: {text}")
COMMENT_BY: Final = N_("{name} comments: {text}")
VARIATION: Final = N_("Variation. {lead}")
VARIATION_BY: Final = N_("Variation by {name}. {lead}")
END_OF_VARIATION: Final = N_("End of the variation.")
IN_WORDS: Final = N_("The game in words")
TURN: Final = N_("{house}, turn {turn}")
BOARD: Final = N_("The board after turn {turn}")
SIGNS: Final = {
    1: N_("A good order."),
    2: N_("A mistake."),
    3: N_("A brilliant order."),
    4: N_("A blunder."),
    5: N_("An interesting order."),
    6: N_("A doubtful order."),
}
OTHER_SIGN: Final = N_("Sign number {number}.")


@dataclass(frozen=True, slots=True)
class TurnTold:
    """One turn: what happened and what is said about it, and the board behind it."""

    label: str
    heading: str
    sentences: tuple[str, ...]
    board_heading: str
    board: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundTold:
    """One round."""

    number: str
    heading: str
    turns: tuple[TurnTold, ...]


@dataclass(frozen=True, slots=True)
class GameTold:
    """A game in words. ``board`` is the one it began with."""

    title: str
    facts: tuple[tuple[str, str], ...]
    beginning: str
    introduction: tuple[str, ...]
    board: tuple[str, ...]
    rounds: tuple[RoundTold, ...]
    end: str
    ending: str


def tell_game(document: Document, *, tongue: Tongue = ENGLISH) -> GameTold:
    """The whole game."""
    teller = _Teller(tongue)
    frames = document.frames
    turns = list(teller.turns(document))
    return GameTold(
        title=" – ".join(names_of(document.tags, tongue=tongue)),
        facts=tuple(tell_facts(document, tongue=tongue)),
        beginning=tongue.say(BEGINNING),
        introduction=tuple(teller.notes(document.notes)),
        board=_board(frames[0], tongue) if frames else (),
        rounds=tuple(
            RoundTold(number, tongue.say(ROUND_NUMBER, round=number), tuple(group))
            for number, group in groupby(turns, key=lambda turn: turn.label.rstrip("gb"))
        ),
        end=tongue.say(END),
        ending=tell_end(document, tongue=tongue),
    )


def with_words(chapter: Chapter, document: Document, *, tongue: Tongue = ENGLISH) -> Chapter:
    """A chapter of a booklet with the whole game in words behind it."""
    told = tell_game(document, tongue=tongue)
    blocks = [Paragraph((Run("order", tongue.say(IN_WORDS)),))]
    for round_ in told.rounds:
        blocks += (
            Paragraph((Run("text", " ".join(turn.sentences)),), label=f"{turn.label}.")
            for turn in round_.turns
        )
    return replace(chapter, blocks=(*chapter.blocks, *blocks))


def write_words(told: GameTold, *, with_boards: bool = False) -> str:
    """A game in words as plain text: headings stand on lines of their own."""
    return "\n".join(_text_lines(told, with_boards)) + "\n"


def _text_lines(told: GameTold, with_boards: bool) -> Iterator[str]:
    yield told.title
    yield ""
    yield from (f"{label}: {value}" for label, value in told.facts)
    yield from ("", told.beginning, "")
    yield from (*told.introduction, *told.board)
    for round_ in told.rounds:
        yield from ("", round_.heading)
        for turn in round_.turns:
            yield from ("", turn.heading)
            yield from turn.sentences
            if with_boards:
                yield f"{turn.board_heading}:"
                yield from turn.board
    yield from ("", told.end, "", told.ending)


class _Teller:
    """Says turns and lines in one tongue."""

    def __init__(self, tongue: Tongue) -> None:
        self._tongue = tongue

    def turns(self, document: Document) -> Iterator[TurnTold]:
        """The turns of the game itself."""
        say = self._tongue.say
        for turn in document.line.turns:
            if turn.frames:
                last = turn.frames[-1]
                house = house_name(self._tongue, turn.house)
                yield TurnTold(
                    label=turn.label,
                    heading=say(TURN, house=house, turn=turn.label),
                    sentences=tuple(self._turn(turn)),
                    board_heading=say(BOARD, turn=turn.label),
                    board=_board(last, self._tongue),
                )

    def _turn(self, turn: Turn) -> Iterator[str]:
        deed = turn.frames[0].deed
        if deed is not None:
            board = deed.board
            yield self._tongue.say(
                TURN_BEGAN,
                house=house_name(self._tongue, turn.house),
                round=board.round,
                energy=board.energy[turn.house],
            )
        yield from self.notes(turn.notes)
        for frame in turn.frames:
            yield from self._frame(frame, turn)

    def _frame(self, frame: Frame, turn: Turn) -> Iterator[str]:
        say = self._tongue.say
        yield from tell_frame(frame, tongue=self._tongue)
        if frame.deed is not None and frame.is_played:
            before, after = frame.deed.board.honour, frame.position.honour
            for house in (0, 1):
                if before[house] != after[house]:
                    name = house_name(self._tongue, house)
                    yield say(HONOUR, house=name, honour=after[house], most=HONOUR_TO_WIN)
        for number in frame.signs:
            yield say(SIGNS[number]) if number in SIGNS else say(OTHER_SIGN, number=number)
        yield from self.notes(frame.notes)
        for line in frame.lines:
            yield from self._plan(line) if line.is_plan else self._variation(line, frame, turn)

    def _plan(self, line: Line) -> Iterator[str]:
        orders = "; ".join(frame.text for turn in line.turns for frame in turn.frames)
        yield self._tongue.say(PLANNED, orders=orders)

    def _variation(self, line: Line, frame: Frame, turn: Turn) -> Iterator[str]:
        say = self._tongue.say
        lead = tell_instead(turn, frame, tongue=self._tongue)
        yield say(VARIATION_BY, name=line.by, lead=lead) if line.by else say(VARIATION, lead=lead)
        for varied in line.turns:
            yield from self.notes(varied.notes)
            for step in varied.frames:
                yield from self._frame(step, varied)
        yield say(END_OF_VARIATION)

    def notes(self, notes: Iterable[Note]) -> Iterator[str]:
        """Comments, each with who says it."""
        for note in notes:
            if note.by:
                yield self._tongue.say(COMMENT_BY, name=note.by, text=note.text)
            else:
                yield self._tongue.say(COMMENT, text=note.text)


def _board(frame: Frame, tongue: Tongue) -> tuple[str, ...]:
    return tuple(speak_position(frame.position, tongue=tongue).splitlines())
