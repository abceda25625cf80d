"""Archived games: keeping them, and finding one by what names it. ``archive_search`` finds many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ARRAY, Text, bindparam, delete, func, or_, select, update

from pbem.archive.facts import Facts, folded
from pbem.play.archived import ArchivedGame, NewGame, Written
from pbem.store.archive_rows import (
    ARCHIVED_GAMES,
    ARCHIVED_PATTERNS,
    ARCHIVED_POSITIONS,
    ARCHIVED_RECORDS,
    UNARCHIVED_GAMES,
)
from pbem.store.columns import Json, is_number, is_storable
from pbem.store.transaction import Transaction

_FACTS: Final = tuple(field.name for field in fields(Facts))
SUMMARY: Final = tuple(
    ARCHIVED_GAMES.c[name]
    for name in (
        "id",
        "game_id",
        "visibility",
        "source",
        "added_at",
        "gold_player",
        "black_player",
        *_FACTS,
    )
)
"""The columns that ``game_of`` reads."""

_SELECT: Final = select(*SUMMARY)
_FIND: Final = _SELECT.where(ARCHIVED_GAMES.c.id == bindparam("number"))
_FIND_OURS: Final = _SELECT.where(ARCHIVED_GAMES.c.game_id == bindparam("wanted"))
_RECORD: Final = select(ARCHIVED_RECORDS.c.record).where(
    ARCHIVED_RECORDS.c.game == bindparam("number")
)
_LISTED: Final = {
    "postgresql": func.unnest(bindparam("digests", type_=ARRAY(Text)))
    .table_valued("value")
    .render_derived(),
    "sqlite": func.json_each(bindparam("digests", type_=Json)).table_valued("value"),
}
# Game by game, so that PostgreSQL has no plan that looks through all of them: it would keep one it
# made when there were few.
_NUMBERS: Final = {
    dialect: select(
        listed.c.value.label("digest"),
        select(ARCHIVED_GAMES.c.id)
        .where(ARCHIVED_GAMES.c.digest == listed.c.value)
        .scalar_subquery()
        .label("id"),
    )
    for dialect, listed in _LISTED.items()
}
"""The numbers of games by any number of digests, by the name of the database."""
_TO_ARCHIVE: Final = (
    select(UNARCHIVED_GAMES.c.game_id)
    .where(UNARCHIVED_GAMES.c.game_id > bindparam("last"))
    .order_by(UNARCHIVED_GAMES.c.game_id)
    .limit(bindparam("most"))
)
_DROP_WANTED: Final = delete(UNARCHIVED_GAMES).where(
    UNARCHIVED_GAMES.c.game_id == bindparam("wanted")
)
_ADOPT: Final = (
    update(ARCHIVED_GAMES)
    .where(ARCHIVED_GAMES.c.id == bindparam("number"))
    .values({c.name: bindparam(c.name) for c in ARCHIVED_GAMES.c if c.name != "id"})
)
_ADOPT_POSITIONS: Final = (
    update(ARCHIVED_POSITIONS)
    .where(ARCHIVED_POSITIONS.c.game == bindparam("number"))
    .values(is_open=bindparam("is_open"))
)
_PAGE: Final = 200
_OF_PLAYER: Final = (
    select(*SUMMARY, ARCHIVED_RECORDS.c.record)
    .join(ARCHIVED_RECORDS, ARCHIVED_RECORDS.c.game == ARCHIVED_GAMES.c.id)
    .where(
        or_(
            ARCHIVED_GAMES.c.gold_player == bindparam("player"),
            ARCHIVED_GAMES.c.black_player == bindparam("player"),
        ),
        ARCHIVED_GAMES.c.id > bindparam("last"),
    )
    .order_by(ARCHIVED_GAMES.c.id)
    .limit(bindparam("most"))
)
_RENAME: Final = {
    house: update(ARCHIVED_GAMES)
    .where(ARCHIVED_GAMES.c.id == bindparam("number"))
    .values({house: bindparam("name"), f"{house}_folded": bindparam("folded")})
    for house in ("gold", "black")
}
_SAVE_RECORD: Final = (
    update(ARCHIVED_RECORDS)
    .where(ARCHIVED_RECORDS.c.game == bindparam("number"))
    .values(record=bindparam("text"))
)
_READDRESS: Final = tuple(
    update(ARCHIVED_GAMES)
    .where(ARCHIVED_GAMES.c[column] == bindparam("before"))
    .values({column: bindparam("after")})
    for column in ("gold_player", "black_player")
)


class ArchiveQueries(Transaction):
    """What a unit can do with archived games, but for searching."""

    def add_archived(self, games: Sequence[NewGame], at: datetime) -> Sequence[int]:
        """Archive games that differ; their numbers. Raises StoreConflictError."""
        if not games:
            return ()
        rows = [_row(game, at) for game in games]
        self._add_many(ARCHIVED_GAMES, list(rows[0]), [list(row.values()) for row in rows])
        known = self.archived_digests([game.facts.digest for game in games])
        numbers = [known[game.facts.digest] for game in games]
        numbered = list(zip(numbers, games, strict=True))
        self._add_many(
            ARCHIVED_RECORDS, ("game", "record"), [(n, game.record) for n, game in numbered]
        )
        # In the order of the tree they are kept in: neighbours come into the same leaf.
        positions = sorted(
            (each.key, game.visibility == "open", each.next_order, each.score, number, each.ply)
            for number, game in numbered
            for each in game.index.positions
        )
        self._add_many(ARCHIVED_POSITIONS, ARCHIVED_POSITIONS.c.keys(), positions)
        patterns = []
        for number, game in numbered:
            day = game.facts.day
            patterns += [(number, pattern, ply, day) for pattern, ply in game.index.patterns]
        self._add_many(ARCHIVED_PATTERNS, ("game", "pattern", "ply", "day"), patterns)
        return numbers

    def archived_digests(self, digests: Sequence[str]) -> dict[str, int]:
        """Those of the digests whose game is archived, with its number."""
        if not digests:
            return {}
        rows = self._rows(_NUMBERS[self._dialect], {"digests": list(digests)})
        return {row.digest: row.id for row in rows if row.id is not None}

    def find_archived(self, number: int) -> ArchivedGame | None:
        """An archived game by number."""
        row = self._first(_FIND, {"number": number}) if is_number(number) else None
        return None if row is None else game_of(row)

    def find_archived_game(self, game_id: str) -> ArchivedGame | None:
        """An archived game of ours by its id."""
        row = self._first(_FIND_OURS, {"wanted": game_id}) if is_storable(game_id) else None
        return None if row is None else game_of(row)

    def get_record(self, number: int) -> str:
        """The record of an archived game that is there."""
        record: str = self._value(_RECORD, {"number": number})
        return record

    def games_to_archive(self, *, after: str, limit: int) -> Sequence[str]:
        """The ids of games of ours behind one that are over and not archived, in order of id."""
        return self._column(_TO_ARCHIVE, {"last": after, "most": limit})

    def need_not_archive(self, game_id: str) -> None:
        """A game is archived, or is not over after all."""
        self._write_later(_DROP_WANTED, {"wanted": game_id})

    def adopt_archived(self, number: int, game: NewGame, at: datetime) -> None:
        """An imported game turns out to be one of ours."""
        values = {**_row(game, at), "number": number}
        self._write_later(_ADOPT, values, f"there is no archived game {number}")
        self._write_later(_SAVE_RECORD, {"number": number, "text": game.record})
        is_open = game.visibility == "open"
        self._write_later(_ADOPT_POSITIONS, {"number": number, "is_open": is_open})

    def archived_of(self, player_id: int) -> Iterator[Written]:
        """The archived games of a player of ours, without holding them all in memory."""
        wanted = {"player": player_id, "last": 0, "most": _PAGE}
        while rows := self._rows(_OF_PLAYER, wanted):
            for row in rows:
                yield Written(game_of(row), row.record)
            wanted["last"] = rows[-1].id

    def rename_archived(self, number: int, house: str, name: str, record: str) -> None:
        """A player of a game has another name from now on, in its record too."""
        values = {"number": number, "name": name, "folded": folded(name)}
        self._write_later(_RENAME[house], values)
        self._write_later(_SAVE_RECORD, {"number": number, "text": record})

    def readdress_archived(self, player_id: int, to_player_id: int) -> None:
        """What one player has played is another's."""
        for statement in _READDRESS:
            self._write_later(statement, {"before": player_id, "after": to_player_id})


def game_of(row: Any) -> ArchivedGame:
    """The game of a row of ``SUMMARY``."""
    return ArchivedGame(
        number=row.id,
        facts=Facts(*(getattr(row, name) for name in _FACTS)),
        game_id=row.game_id,
        visibility=row.visibility,
        source=row.source,
        added_at=row.added_at,
        players=(row.gold_player, row.black_player),
    )


def _row(game: NewGame, at: datetime) -> dict[str, Any]:
    facts = game.facts
    gold, black = game.players
    return {
        **{name: getattr(facts, name) for name in _FACTS},
        "day": facts.day,
        "gold_folded": folded(facts.gold),
        "black_folded": folded(facts.black),
        "event_folded": folded(facts.event),
        "game_id": game.game_id,
        "visibility": game.visibility,
        "source": game.source,
        "added_at": at,
        "gold_player": gold,
        "black_player": black,
    }
