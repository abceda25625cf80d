"""Searching the archive: newest first, a page at a time, each page from an index.

A search falls into *branches*, each with its own index: the player may have been Gold or Black, and
a game may be open or one of the viewer's own. Every branch gives its first games, and the first of
all of them are the page. Statements depend on what is asked, so these are not compiled at import.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, bindparam, or_, select, tuple_

from pbem.archive.facts import folded
from pbem.play.archived import ArchivedGame, Cursor, Filter, Written
from pbem.store.archive import SUMMARY, game_of
from pbem.store.archive_rows import (
    ARCHIVED_GAMES,
    ARCHIVED_PATTERNS,
    ARCHIVED_POSITIONS,
    ARCHIVED_RECORDS,
)
from pbem.store.columns import is_storable
from pbem.store.transaction import Transaction

_C: Final = ARCHIVED_GAMES.c
_WORDS: Final = ("result", "termination", "level", "arena", "dice", "starter", "source")
_TEXTS: Final = ("player", "opponent", "setup", "event", "pattern", *_WORDS)
_MOST: Final = 2**31 - 1
_MOST_PRIVATE: Final = 5000
"""Private games of a player's as either House that are looked at, the newest."""
# SQLite is told which index: it counts the many games without a player as one player's.
_PRIVATE: Final = tuple(
    select(_C.id)
    .where(_C.visibility == "private", _C[column] == bindparam("viewer"))
    .with_hint(ARCHIVED_GAMES, f"INDEXED BY ix_archived_games_{column}", "sqlite")
    .order_by(_C.day.desc(), _C.id.desc())
    .limit(_MOST_PRIVATE)
    for column in ("gold_player", "black_player")
)
Conditions = list[ColumnElement[bool]]


class ArchiveSearch(Transaction):
    """What a unit can find in the archive."""

    def search_archive(
        self, wanted: Filter, *, viewer: int | None, after: Cursor | None, limit: int
    ) -> Sequence[ArchivedGame]:
        """The games behind one that fit and that a viewer may see, newest first."""
        if not _is_possible(wanted):
            return ()
        found = {}
        for branch in _branches(wanted, self._private_games(viewer)):
            for row in self._connection.execute(_first(branch, wanted, after, limit)):
                found[row.id] = game_of(row)
        games = sorted(found.values(), key=lambda game: (-game.facts.day, -game.number))
        return games[:limit]

    def written_games(
        self, wanted: Filter, *, viewer: int | None, after: int, limit: int
    ) -> Sequence[Written]:
        """The games above a number that fit and that a viewer may see, in order of number."""
        if not _is_possible(wanted):
            return ()
        branches = _branches(wanted, self._private_games(viewer))
        statement = (
            select(*SUMMARY, ARCHIVED_RECORDS.c.record)
            .join(ARCHIVED_RECORDS, ARCHIVED_RECORDS.c.game == _C.id)
            .where(_C.id > after, or_(*(and_(*branch) for branch in branches)))
            .order_by(_C.id)
            .limit(limit)
        )
        if wanted.pattern:
            statement = statement.where(_C.id.in_(_with_pattern(wanted.pattern)))
        rows = self._connection.execute(statement)
        return [Written(game_of(row), row.record) for row in rows]

    def _private_games(self, viewer: int | None) -> Sequence[int]:
        if viewer is None:
            return ()
        found = self._fetch(*((statement, {"viewer": viewer}) for statement in _PRIVATE))
        return [row.id for rows in found for row in rows]


def _first(branch: Conditions, wanted: Filter, after: Cursor | None, limit: int) -> Any:
    """The first games of a branch. Their ids are found in an index, the rest is read by id."""
    day, number = _C.day, _C.id
    ids = select(_C.id).where(*branch)
    if wanted.pattern:
        day, number = ARCHIVED_PATTERNS.c.day, ARCHIVED_PATTERNS.c.game
        ids = ids.join(ARCHIVED_PATTERNS, number == _C.id).where(
            ARCHIVED_PATTERNS.c.pattern == wanted.pattern
        )
    if after is not None:
        ids = ids.where(tuple_(day, number) < tuple_(min(after.day, _MOST), after.number))
    found = ids.order_by(day.desc(), number.desc()).limit(limit).subquery()
    return select(*SUMMARY).join(found, found.c.id == _C.id)


def _with_pattern(pattern: str) -> Any:
    return select(ARCHIVED_PATTERNS.c.game).where(ARCHIVED_PATTERNS.c.pattern == pattern)


def _is_possible(wanted: Filter) -> bool:
    """Whether anything could be like that: no row holds text that cannot be stored."""
    return all(is_storable(getattr(wanted, name)) for name in _TEXTS)


def _branches(wanted: Filter, own: Sequence[int]) -> Iterator[Conditions]:
    common = list(_common(wanted))
    for seat, door in product(_seats(wanted), _doors(own)):
        yield [*door, *seat, *common]


def _doors(own: Sequence[int]) -> Iterator[Conditions]:
    """Open games, and private ones of the viewer's own: by number, so that however much is asked
    of them nobody else's games are looked at."""
    yield [_C.visibility == "open"]
    if own:
        yield [_C.id.in_(own)]


def _seats(wanted: Filter) -> Iterator[Conditions]:
    """What the player's side was like: as Gold, and as Black."""
    of_player = (wanted.player, wanted.opponent, wanted.setup)
    figures = (wanted.player_id, wanted.min_rating, wanted.max_rating)
    if not any(of_player) and all(figure is None for figure in figures):
        yield []
        return
    seats = [
        list(_seat(wanted, house, other))
        for house, other in (("gold", "black"), ("black", "gold"))
        if wanted.house in ("", house)
    ]
    if any(of_player) or wanted.player_id is not None:
        yield from seats
    else:  # ratings have no index of their own: one look through all games does for both Houses
        yield [or_(*(and_(*seat) for seat in seats))]


def _seat(wanted: Filter, house: str, other: str) -> Iterator[ColumnElement[bool]]:
    if wanted.player:
        yield _C[f"{house}_folded"] == folded(wanted.player)
    if wanted.player_id is not None:
        yield _C[f"{house}_player"] == wanted.player_id
    if wanted.opponent:
        yield _C[f"{other}_folded"] == folded(wanted.opponent)
    if wanted.setup:
        yield _C[f"{house}_setup"] == wanted.setup
    yield from _between(_C[f"{house}_rating"], wanted.min_rating, wanted.max_rating)


def _common(wanted: Filter) -> Iterator[ColumnElement[bool]]:
    for name in _WORDS:
        if word := getattr(wanted, name):
            yield _C[name] == word
    if wanted.event:
        yield _C.event_folded == folded(wanted.event)
    yield from _between(_C.day, wanted.first_day, wanted.last_day)
    yield from _between(_C.turns, wanted.min_turns, wanted.max_turns)
    if wanted.positions:
        is_there = ARCHIVED_POSITIONS.c.key.in_(wanted.positions)
        yield _C.id.in_(select(ARCHIVED_POSITIONS.c.game).where(is_there))


def _between(
    column: ColumnElement[Any], least: int | None, most: int | None
) -> Iterator[ColumnElement[bool]]:
    if least is not None:
        yield column >= max(0, min(least, _MOST))
    if most is not None:
        yield column <= max(0, min(most, _MOST))
