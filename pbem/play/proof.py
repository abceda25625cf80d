"""Whether a record and a log are of one game and tell the same of it (N5.6). Pure.

A record follows from its log, so it is written again from the log and compared. What the log does
not know is left out of that: names, event, site, round, tags of others, and remarks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final, NamedTuple

from notation.record import Record, RecordTurn
from notation.record_reading import parse_record
from notation.record_tags import FURTHER_TAGS, GAME_TAGS, LAST_TAG, ROSTER
from notation.record_writing import format_played, format_record
from pbem.archive.places import label_of
from pbem.archive.unannotated import without_remarks
from pbem.games.base import Result
from pbem.play.archive import write_record
from pbem.play.log import LogEntry
from pbem.play.verification import get_head, replay_chapters

_KNOWN: Final = frozenset((*ROSTER, *GAME_TAGS, *FURTHER_TAGS, LAST_TAG, "Wells", "Cuts"))
_UNKNOWN: Final = frozenset(("Event", "Site", "Round", "Gold", "Black"))
LOGGED: Final = _KNOWN - _UNKNOWN
"""The tags that follow from a log, whether or not they apply to a game."""


@dataclass(frozen=True, slots=True)
class LogProof:
    """What a sound log comes to: the game, the head of the chain, and what its record must say."""

    game_id: str
    entries: int
    head: str
    result: Result | None
    digest: str
    """The SHA-256 of the record as far as the log tells it."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The first thing in which a record differs from its log, with its place in the file."""

    line: int
    column: int
    says: str
    log_says: str


def prove_log(seed: bytes, entries: Sequence[LogEntry]) -> LogProof:
    """Check a log in every respect. Raises ChainError at the first entry that is wrong."""
    head = get_head(entries)
    chapters = replay_chapters(seed, entries)
    course = chapters[-1].course
    return LogProof(
        game_id=course.start.game_id,
        entries=len(entries),
        head=head,
        result=course.play.find_result(course.state),
        digest=logged_digest(parse_record(write_record(chapters, {}))),
    )


def logged_digest(record: Record) -> str:
    """The same for all records that say the same of what is in a log."""
    return hashlib.sha256(format_record(_as_logged(record)).encode()).hexdigest()


def find_disagreement(
    record: Record, seed: bytes, entries: Sequence[LogEntry], *, first_line: int = 1
) -> Disagreement | None:
    """The first difference between a record and a sound log of the same game; None if they agree.

    ``first_line`` is that of the record's first tag.
    """
    expected = _as_logged(parse_record(write_record(replay_chapters(seed, entries), {})))
    found = _as_logged(record)
    for line, name in enumerate(record.tags, start=first_line):
        says, logged = found.tags.get(name), expected.tags.get(name)
        if says != logged:
            return Disagreement(line, 1, f'{name} "{says}"', f'"{logged}"' if logged else "none")
    for name in expected.tags:
        if name not in found.tags:
            return Disagreement(first_line, 1, f"no {name}", f'"{expected.tags[name]}"')
    place = (first_line, 1)
    for piece, logged_piece in zip_longest(_pieces(found), _pieces(expected), fillvalue=_END):
        place = piece.place or place
        if piece.text != logged_piece.text:
            return Disagreement(*place, piece.text, logged_piece.text)
    return None


def _as_logged(record: Record) -> Record:
    tags = {name: value for name, value in record.tags.items() if name in LOGGED}
    return replace(without_remarks(record), tags=tags)


class _Piece(NamedTuple):
    """Something behind the tags, and where it stands; None if that is not known."""

    text: str
    place: tuple[int, int] | None = None


_END: Final = _Piece("the end")


def _pieces(record: Record) -> Iterator[_Piece]:
    """Everything behind the tags, in order."""
    for comment in record.comments:
        yield _Piece(f"{{{comment.text}}}")
    yield from _pieces_of(record.turns)
    yield _Piece(record.result)


def _pieces_of(turns: Sequence[RecordTurn]) -> Iterator[_Piece]:
    for turn in turns:
        place = (turn.line, turn.column)
        yield _Piece(f"{label_of(turn)}.", place)
        for comment in turn.comments:
            yield _Piece(f"{{{comment.text}}}", place)
        for played in turn.orders:
            place = (played.line, played.column)
            yield _Piece(format_played(played), place)
            for variation in played.variations:
                yield _Piece("(", place)
                yield from _pieces_of(variation)
                yield _Piece(")", place)
