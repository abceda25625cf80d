"""Games of others come into the archive: each is judged by itself, and taken whole or not at all.

``judge`` needs no store and may run in other processes; ``take`` writes what was found good. Names
in a record stay names: nobody gets an account by them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from notation.errors import NotationError
from notation.record import Record
from notation.record_reading import GameLines, ReadGame, parse_record, recover_game
from notation.record_writing import format_record
from pbem.archive.facts import UNKNOWN, facts_of
from pbem.archive.faults import SPELLING, PlacedFault, faults_of, text_fault
from pbem.archive.indexing import read_game
from pbem.errors import StoreConflictError
from pbem.play.archived import NewGame
from pbem.play.ports import Surroundings

Fate = Literal["added", "duplicate", "refused"]
_ATTEMPTS: Final = 3
_NOT_UTF_8: Final = re.compile(r"[\udc80-\udcff]")
"""Bytes that are not UTF-8, as Python reads them with ``surrogateescape``."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How to read. ``strict``: only what is canonical. ``event`` is for games that name none."""

    strict: bool = False
    event: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A game of a file: to be archived if it is good, and what is wrong or was mended."""

    line: int
    game: NewGame | None
    faults: tuple[PlacedFault, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a game of a file. ``number`` is the archived game's, or the one it is the same
    as; ``faults`` were mended, or are why it was refused."""

    line: int
    fate: Fate
    number: int | None = None
    faults: tuple[PlacedFault, ...] = ()


def judge(lines: GameLines, manner: Manner) -> Judged:
    """Read a game and play it through. Lines that are not UTF-8 are read as Windows-1252."""
    foreign = _decode(lines)
    read = recover_game(lines)
    played = read_game(read.record)
    faults = tuple(sorted([*foreign, *faults_of(read, played.replayed.faults)]))
    is_spelling = all(error.code in SPELLING for error in read.errors)
    if played.replayed.faults or not is_spelling or (faults and manner.strict):
        return Judged(read.line, None, faults)
    if read.record.result == "*":
        unfinished = PlacedFault(read.line, 1, "the game is not over [unfinished]")
        return Judged(read.line, None, (*faults, unfinished))
    record = _with_event(read.record, manner.event)
    if not read.errors and record is read.record:
        text = "\n".join(lines.own_lines) + "\n"
    else:
        text = format_record(record)
        if (fault := _find_loss(read, text)) is not None:
            return Judged(read.line, None, (*faults, fault))
    return Judged(read.line, NewGame(facts_of(record), text, played.index), faults)


def _decode(lines: GameLines) -> list[PlacedFault]:
    """Read what is in no UTF-8 as Windows-1252, line by line: files are put together from others.
    Said once a game."""
    faults: list[PlacedFault] = []
    for place, line in enumerate(lines.lines):
        if line.isascii() or (found := _NOT_UTF_8.search(line)) is None:
            continue
        lines.lines[place] = line.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
        if not faults:
            where = (lines.first_line + place, found.start() + 1)
            faults.append(PlacedFault(*where, "not UTF-8, read as Windows-1252 [bad_encoding]"))
    return faults


def _with_event(record: Record, event: str) -> Record:
    if not event or record.tags.get("Event", UNKNOWN) != UNKNOWN:
        return record
    return replace(record, tags={**record.tags, "Event": event})


def _find_loss(read: ReadGame, text: str) -> PlacedFault | None:
    """What keeps a mended game from being one: it must read as it was written."""
    try:
        parse_record(text)
    except NotationError as error:
        return PlacedFault(read.line, 1, f"cannot be mended: {text_fault(error).sentence}")
    return None


def take(around: Surroundings, judged: Sequence[Judged], *, now: datetime) -> list[Outcome]:
    """Archive the good ones of some games, all together; what became of each."""
    for attempt in range(_ATTEMPTS):
        try:
            return _take(around, judged, now)
        except StoreConflictError:  # somebody else has just archived one of them
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("it was tried")


def _take(around: Surroundings, judged: Sequence[Judged], now: datetime) -> list[Outcome]:
    good = [each.game for each in judged if each.game is not None]
    with around.store.begin() as unit:
        known = unit.archived_digests([game.facts.digest for game in good])
        new: dict[str, NewGame] = {}
        for game in good:
            if game.facts.digest not in known:
                new.setdefault(game.facts.digest, game)
        added = dict(zip(new, unit.add_archived(list(new.values()), now), strict=True))
    outcomes = []
    for each in judged:
        if each.game is None:
            outcomes.append(Outcome(each.line, "refused", None, each.faults))
            continue
        digest = each.game.facts.digest
        if digest in added:  # the first of those that are the same
            known[digest] = added.pop(digest)
            outcomes.append(Outcome(each.line, "added", known[digest], each.faults))
        else:
            outcomes.append(Outcome(each.line, "duplicate", known[digest], each.faults))
    return outcomes
