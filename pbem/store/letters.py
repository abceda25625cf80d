"""Mails of ours as written: what a reply to one refers to, and what it may quote (L3.1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Executable,
    Index,
    LargeBinary,
    UniqueConstraint,
    bindparam,
    select,
    update,
)
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
    prints: bytes = Field(sa_type=LargeBinary)


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
_BY_MESSAGE_IDS: Final = of_many(_ALL, _LETTERS.c.message_id)
_BY_TOKENS: Final = of_many(_ALL, _LETTERS.c.token_hash)

_GAMES_BY_TOKENS: Final = of_many(
    select(_LETTERS.c.token_hash, _LETTERS.c.game_id).where(_LETTERS.c.game_id.is_not(None)),
    _LETTERS.c.token_hash,
)
_NEWEST: Final = 20


def _about(*columns: Any) -> tuple[Executable, Executable]:
    """Columns of the newest letters to a player: about a game, and about none."""
    newest = (
        select(*columns)
        .where(_LETTERS.c.player_id == bindparam("player"))
        .order_by(_LETTERS.c.id.desc())
        .limit(_NEWEST)
    )
    about_game = newest.where(_LETTERS.c.game_id == bindparam("game"))
    return about_game, newest.where(_LETTERS.c.game_id.is_(None))


_FACTS_ABOUT: Final = _about(*(_LETTERS.c[name] for name in LetterFacts._fields))
_PRINTS_ABOUT: Final = _about(_LETTERS.c.prints)


class LetterQueries(Transaction):
    """What a unit can do with letters."""

    def save_letter(self, letter: Letter) -> Letter:
        """Keep what was written, with a number; one with the same message_id is replaced."""
        return self.save_letters([letter])[0]

    def save_letters(self, letters: Sequence[Letter]) -> list[Letter]:
        """The same of several."""
        saved = self._fetch(*((_SAVE[self._dialect], _values(letter)) for letter in letters))
        return [replace(letter, id=row.id) for letter, [row] in zip(letters, saved, strict=True)]

    @remembered
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
    def letter_facts(self, player_id: int, game_id: str | None) -> Sequence[LetterFacts]:
        """What the newest letters to a player about a game (None: about no game) told and opened,
        newest first."""
        rows = self._rows(*_newest(player_id, game_id, _FACTS_ABOUT))
        return [LetterFacts(*row) for row in rows]

    def _foresee_facts(self, pairs: Collection[tuple[int, str]]) -> Foresight:
        """What ``letter_facts`` is going to be asked of players and their games."""
        # One by one, but in one round trip: only so are no more looked at than the newest.
        asked = dict.fromkeys([*pairs, *((player_id, None) for player_id, _ in pairs)])
        found = yield [_newest(*each, _FACTS_ABOUT) for each in asked]
        for each, rows in zip(asked, found, strict=True):
            facts = [LetterFacts(*row) for row in rows]
            self._foretell(LetterQueries.letter_facts, facts, *each)

    def games_of_letters(self, token_hashes: Collection[str]) -> Mapping[str, str]:
        """The games that letters are about, by the hashes of their tokens; of one about no game
        there is none."""
        storable = [each for each in token_hashes if is_storable(each)]
        rows = self._rows(*self._of_many(_GAMES_BY_TOKENS, storable))
        return {row.token_hash: row.game_id for row in rows}

    @remembered
    def prints_to(self, player_id: int, game_id: str | None) -> Sequence[bytes]:
        """The fingerprints of the lines of the same letters."""
        rows = self._rows(*_newest(player_id, game_id, _PRINTS_ABOUT))
        return [row.prints for row in rows]

    def _foresee_prints_to(self, player_id: int, game_id: str | None) -> Foresight:
        """What ``prints_to`` is going to be asked."""
        [rows] = yield [_newest(player_id, game_id, _PRINTS_ABOUT)]
        prints = [row.prints for row in rows]
        self._foretell(LetterQueries.prints_to, prints, player_id, game_id)

    def _foresee_letters(self, message_ids: Collection[str]) -> Foresight:
        """What ``find_letter_by_message_id`` is going to be asked."""
        find = LetterQueries.find_letter_by_message_id
        return self._foresee_each(find, _BY_MESSAGE_IDS, message_ids, "message_id", _only)

    def _letters_of(self, token_hashes: Collection[str]) -> list[Letter]:
        """The letters whose tokens have these hashes, as ``find_letter`` is going to be asked."""
        storable = [each for each in token_hashes if is_storable(each)]
        letters = [Letter(*row) for row in self._rows(*self._of_many(_BY_TOKENS, storable))]
        for letter in letters:
            self._foretell(LetterQueries.find_letter, letter, letter.token_hash)
        return letters

    def readdress_letters(self, player_id: int, to_player_id: int) -> None:
        """Replies to what was written to a player are another's."""
        self._write_later(_READDRESS, {"before": player_id, "after": to_player_id})


def _newest(player_id: int, game_id: str | None, about: tuple[Executable, Executable]) -> Wanted:
    about_game, about_none = about
    wanted: dict[str, Any] = {"player": player_id}
    if game_id is None:
        return about_none, wanted
    return about_game, wanted | {"game": game_id}


def _values(letter: Letter) -> dict[str, Any]:
    return {name: getattr(letter, name) for name in _WRITTEN} | {"facts": dict(letter.facts)}


def _only(rows: Sequence[Any]) -> Letter | None:
    return Letter(*rows[0]) if rows else None
