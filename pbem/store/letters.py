"""Mails of ours as written: what a reply to one refers to, and what it may quote (L3.1)."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Dialect,
    Executable,
    Index,
    LargeBinary,
    UniqueConstraint,
    bindparam,
    select,
    update,
)
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field

from pbem.play.post import Letter, LetterFacts
from pbem.store.columns import (
    NUMBER,
    Instant,
    Json,
    Key,
    Row,
    is_number,
    is_storable,
    of_many,
    table_of,
)
from pbem.store.transaction import Foresight, Transaction, Wanted, inserts, remembered

_LINE_END: Final = "\n"


class PackedLines(TypeDecorator[tuple[str, ...]]):
    """Lines of text, compressed: mails of one game say much the same."""

    impl = LargeBinary
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[tuple[str, ...] | None], bytes]:
        """Into the database."""
        return _packed

    def result_processor(
        self, dialect: Dialect, coltype: object
    ) -> Callable[[bytes], tuple[str, ...]]:
        """Out of it."""
        return _unpacked


def _packed(lines: tuple[str, ...] | None) -> bytes:
    # Each line with its end, so that no lines and one empty line are not the same.
    joined = "".join(line.replace(_LINE_END, " ") + _LINE_END for line in lines or ())
    return zlib.compress(joined.encode("utf-8", "surrogatepass"))


def _unpacked(packed: bytes) -> tuple[str, ...]:
    joined = zlib.decompress(packed).decode("utf-8", "surrogatepass")
    return tuple(joined.split(_LINE_END)[:-1])


class LetterRow(Row, table=True):
    """A mail of ours. Of its token only the hash is kept."""

    __tablename__ = "letters"
    __table_args__ = (
        UniqueConstraint("message_id"),
        UniqueConstraint("token_hash"),
        Index("ix_letters_player_id_game_id_id", "player_id", "game_id", "id"),
        Index("ix_letters_game_id", "game_id"),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    message_id: str = Field(sa_type=Key)
    token_hash: str = Field(sa_type=Key)
    kind: str = Field(sa_type=Key)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    address: str = Field(sa_type=Key)
    made_at: datetime = Field(sa_type=Instant)
    game_id: str | None = Field(foreign_key="games.id", sa_type=Key)
    seat: int | None
    request_id: str | None = Field(sa_type=Key)
    facts: dict[str, Any] = Field(sa_type=Json)
    lines: bytes = Field(sa_type=PackedLines)


_LETTERS: Final = table_of(LetterRow)
_FIELDS: Final = tuple(field.name for field in fields(Letter))
_WRITTEN: Final = tuple(name for name in _FIELDS if name != "id")

_SAVE: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["message_id"],
        set_={column: insert.excluded[column] for column in _WRITTEN if column != "message_id"},
    ).returning(_LETTERS.c.id)
    for name, insert in inserts(_LETTERS).items()
}
_ALL: Final = select(*(_LETTERS.c[name] for name in _FIELDS))
_FIND: Final = {
    name: _ALL.where(_LETTERS.c[name] == bindparam("wanted"))
    for name in ("id", "token_hash", "message_id")
}
_READDRESS: Final = (
    update(_LETTERS)
    .where(_LETTERS.c.player_id == bindparam("before"))
    .values(player_id=bindparam("after"))
)
_LAST: Final = (
    _ALL.where(_LETTERS.c.player_id == bindparam("player"))
    .order_by(_LETTERS.c.id.desc())
    .limit(bindparam("most"))
)
_ABOUT_GAME: Final = _LAST.where(_LETTERS.c.game_id == bindparam("game"))
_ABOUT_NONE: Final = _LAST.where(_LETTERS.c.game_id.is_(None))
_BY_MESSAGE_IDS: Final = of_many(_ALL, _LETTERS.c.message_id)

_NEWEST: Final = 20
_FACTS: Final = tuple(_LETTERS.c[name] for name in LetterFacts._fields)
_FACTS_ABOUT: Final = (
    _ABOUT_GAME.with_only_columns(*_FACTS),
    _ABOUT_NONE.with_only_columns(*_FACTS),
)


class LetterQueries(Transaction):
    """What a unit can do with letters."""

    def save_letter(self, letter: Letter) -> Letter:
        """Keep what was written, with a number; one with the same message_id is replaced."""
        return self.save_letters([letter])[0]

    def save_letters(self, letters: Sequence[Letter]) -> list[Letter]:
        """The same of several."""
        saved = self._fetch(*((_SAVE[self._dialect], _values(letter)) for letter in letters))
        return [replace(letter, id=row.id) for letter, [row] in zip(letters, saved, strict=True)]

    def find_letter(self, token_hash: str) -> Letter | None:
        """The letter whose token has this hash."""
        return self._letter("token_hash", token_hash)

    @remembered
    def find_letter_by_message_id(self, message_id: str) -> Letter | None:
        """The letter with the left half of a Message-ID."""
        return self._letter("message_id", message_id)

    def find_letter_by_id(self, letter_id: int) -> Letter | None:
        """A letter by its number."""
        return self._letter("id", letter_id) if is_number(letter_id) else None

    def _letter(self, name: str, wanted: int | str) -> Letter | None:
        if isinstance(wanted, str) and not is_storable(wanted):
            return None
        return _only(self._rows(_FIND[name], {"wanted": wanted}))

    @remembered
    def letters_to(
        self, player_id: int, game_id: str | None, *, limit: int = _NEWEST
    ) -> Sequence[Letter]:
        """The newest letters to a player about a game (None: about no game), newest first."""
        return _letters(self._rows(*_newest(player_id, game_id, limit)))

    def _foresee_letters_to(self, player_id: int, game_id: str | None) -> Foresight:
        """What ``letters_to`` is going to be asked."""
        [rows] = yield [_newest(player_id, game_id, _NEWEST)]
        self._foretell(LetterQueries.letters_to, _letters(rows), player_id, game_id)

    @remembered
    def letter_facts(self, player_id: int, game_id: str | None) -> Sequence[LetterFacts]:
        """The facts of the same letters: their lines take long to unpack."""
        rows = self._rows(*_newest(player_id, game_id, _NEWEST, about=_FACTS_ABOUT))
        return [LetterFacts(*row) for row in rows]

    def _foresee_facts(self, pairs: Collection[tuple[int, str]]) -> Foresight:
        """What ``letter_facts`` is going to be asked of players and their games."""
        # One by one, but in one round trip: only so are no more looked at than the newest.
        asked = dict.fromkeys([*pairs, *((player_id, None) for player_id, _ in pairs)])
        found = yield [_newest(*each, _NEWEST, about=_FACTS_ABOUT) for each in asked]
        for each, rows in zip(asked, found, strict=True):
            facts = [LetterFacts(*row) for row in rows]
            self._foretell(LetterQueries.letter_facts, facts, *each)

    def _foresee_letters(self, message_ids: Collection[str]) -> Foresight:
        """What ``find_letter_by_message_id`` is going to be asked."""
        find = LetterQueries.find_letter_by_message_id
        return self._foresee_each(find, _BY_MESSAGE_IDS, message_ids, "message_id", _only)

    def readdress_letters(self, player_id: int, to_player_id: int) -> None:
        """Replies to what was written to a player are another's."""
        self._write_later(_READDRESS, {"before": player_id, "after": to_player_id})


def _newest(
    player_id: int,
    game_id: str | None,
    limit: int,
    *,
    about: tuple[Executable, Executable] = (_ABOUT_GAME, _ABOUT_NONE),
) -> Wanted:
    about_game, about_none = about
    wanted: dict[str, Any] = {"player": player_id, "most": limit}
    if game_id is None:
        return about_none, wanted
    return about_game, wanted | {"game": game_id}


def _letters(rows: Sequence[Any]) -> list[Letter]:
    return [Letter(*row) for row in rows]


def _values(letter: Letter) -> dict[str, Any]:
    return {name: getattr(letter, name) for name in _WRITTEN} | {"facts": dict(letter.facts)}


def _only(rows: Sequence[Any]) -> Letter | None:
    return Letter(*rows[0]) if rows else None
