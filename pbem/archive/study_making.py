"""A study from what somebody has written: a whole record, or orders from a position.

Spelling is mended as canonical writing does; anything else that is wrong is told with its place.
All orders have to be legal, those of variations too: a study is there to learn from. Its words are
its author's: no comment may say that somebody else wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from notation.errors import NotationError
from notation.position_line import PositionLine, format_position
from notation.record import Comment, Record, RecordTurn
from notation.record_reading import read_records
from notation.record_tags import format_tag
from pbem.archive.faults import SPELLING
from pbem.archive.puzzles import GOAL_TAG, Goal, NotAPuzzle, Problem, check_puzzle
from pbem.archive.remarks import BY
from pbem.games.base import Fault
from pbem.games.ortus.replaying import RESULT_OF, replay

MAX_TEXT: Final = 20_000
_LABEL: Final = re.compile(r"\d+[gb]\.", re.IGNORECASE)

Wrong = NotationError | Fault | Problem


class StudyError(Exception):
    """What was written is no study; ``wrong`` is everything that is not right with it."""

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        self.wrong = tuple(wrong)
        super().__init__(f"{len(self.wrong)} faults")


def read_orders_study(
    orders: str, line: PositionLine, *, title: str, goal: Goal | None = None
) -> Record:
    """The study of orders from a position; the places of faults are those in the orders. Raises
    StudyError."""
    moves = orders.strip()
    label = ""
    if moves and not (_LABEL.match(moves) or moves.startswith("{")):
        label = f"{line.round}{line.side}. "
    head = _head(line, title)
    try:
        return read_study(f"{head}\n{label}{moves}\n*\n", goal=goal)
    except StudyError as error:
        lines = head.count("\n") + 1
        moved = [_moved(wrong, lines, len(label)) for wrong in error.wrong]
        raise StudyError(moved) from None


def _moved(wrong: Wrong, lines: int, columns: int) -> Wrong:
    """A fault at the place it has without what was put before the orders."""
    if isinstance(wrong, Problem) or wrong.line is None or wrong.line <= lines:
        return wrong
    line, column = wrong.line - lines, wrong.column or 1
    if line == 1:
        column = max(1, column - columns)
    if isinstance(wrong, Fault):
        return replace(wrong, line=line, column=column)
    return NotationError(
        wrong.code, line=line, column=column, found=wrong.found, expected=wrong.expected
    )


def _head(line: PositionLine, title: str) -> str:
    tags = {
        "Event": title,
        "Site": "?",
        "Date": "????.??.??",
        "Round": "-",
        "Gold": "?",
        "Black": "?",
        "Result": "*",
        "Termination": "unfinished",
        "Arena": line.arena,
        "Level": line.level,
        "Dice": "clean",
        "Position": format_position(line),
    }
    return "\n".join(format_tag(name, value) for name, value in tags.items()) + "\n"


def is_whole_record(text: str) -> bool:
    """Whether it begins with tags."""
    return text.lstrip().startswith("[")


def read_study(text: str, *, goal: Goal | None = None) -> Record:
    """The study of a text with tags, as a puzzle if it has a goal. Raises StudyError."""
    games = list(islice(read_records(text, mode="recover"), 2))
    if len(games) != 1:
        raise StudyError(
            [NotationError("one_game", line=1, column=1, found="", expected="one record")]
        )
    [game] = games
    errors = [error for error in game.errors if error.code not in SPELLING]
    if errors:
        raise StudyError(errors)
    record = _with_ending(game.record)
    if "Position" not in record.tags:
        raise StudyError([Problem("no_position")])
    comments = (*record.comments, *_comments(record.turns))
    if any(command.name == BY for comment in comments for command in comment.commands):
        raise StudyError([Problem("others_words")])
    if goal is not None:
        record = replace(record, tags={**record.tags, GOAL_TAG: str(goal)})
        try:
            check_puzzle(record)
        except NotAPuzzle as error:
            raise StudyError(error.wrong) from None
        return record
    faults = replay(record).faults
    if faults:
        raise StudyError(faults)
    return record


def _comments(turns: Iterable[RecordTurn]) -> Iterator[Comment]:
    """All comments of some turns, those in variations too."""
    for turn in turns:
        yield from turn.comments
        for played in turn.orders:
            yield from played.comments
            for variation in played.variations:
                yield from _comments(variation)


def _with_ending(record: Record) -> Record:
    """A study that leads to the end of the game, and does not say so, says so."""
    end = replay(record).position
    if record.result != "*" or end is None or end.winner is None or end.reason is None:
        return record
    result = RESULT_OF[end.winner]
    tags = {**record.tags, "Result": result, "Termination": end.reason}
    return replace(record, tags=tags, result=result)
