"""Our own games become part of the archive once they are over.

The store notes each game that ends (``games_to_archive``); running this twice, or on two machines,
archives each game once. What is private stays its players'.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from notation.record_reading import parse_record
from pbem.archive.facts import facts_of
from pbem.archive.indexing import read_game
from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.play.archive import record_of
from pbem.play.archived import NewGame
from pbem.play.joining_notes import join_notes
from pbem.play.model import StoredGame
from pbem.play.ports import Surroundings, Unit
from pbem.play.terms import parse_terms


@dataclass(frozen=True, slots=True)
class Archived:
    """How many games were looked at, those that could not be archived with the reason, and whether
    others wait."""

    games: int
    failed: Mapping[str, str]
    after: str | None


def archive_finished(
    around: Surroundings,
    tags: Mapping[str, str],
    *,
    now: datetime,
    after: str = "",
    limit: int = 10,
) -> Archived:
    """Archive the next games that are over; ``tags`` bring the site and the like.

    A game that cannot be archived keeps nobody waiting: the next ones are behind it, ``after``.
    """
    with around.store.read() as unit:
        waiting = unit.games_to_archive(after=after, limit=limit)
    failed: dict[str, str] = {}
    for game_id in waiting:
        try:
            _archive(around, game_id, tags, now)
        except (StoreBusyError, StoreUnavailableError):
            raise
        except Exception as error:  # whatever a damaged row brings about
            failed[game_id] = f"{type(error).__name__}: {error}"
    return Archived(len(waiting), failed, waiting[-1] if len(waiting) == limit else None)


def _archive(around: Surroundings, game_id: str, tags: Mapping[str, str], now: datetime) -> None:
    # Read and played through before anything is locked: it takes a while, and nothing changes.
    with around.store.read() as unit:
        stored = unit.find_game(game_id)
        made = _new_game(unit, stored, tags) if stored is not None and stored.is_over else None
    with around.store.begin() as unit:
        unit.lock_game(game_id)
        if made is not None and unit.find_archived_game(game_id) is None:
            known = unit.archived_digests([made.facts.digest])
            if known:
                unit.adopt_archived(known[made.facts.digest], made, now)
            else:
                unit.add_archived([made], now)
        archived = unit.find_archived_game(game_id)
        if archived is not None:
            join_notes(unit, archived, now=now)
        unit.need_not_archive(game_id)


def _new_game(unit: Unit, stored: StoredGame, tags: Mapping[str, str]) -> NewGame:
    text = record_of(unit, stored, tags)
    record = parse_record(text)
    read = read_game(record)
    if read.replayed.faults:
        raise ValueError(f"its record has a fault: {read.replayed.faults[0].code}")
    gold, black = stored.players
    return NewGame(
        facts=facts_of(record),
        record=text,
        index=read.index,
        visibility="private" if parse_terms(stored.terms).delay is None else "open",
        source="played",
        game_id=stored.id,
        players=(gold, black),
    )
