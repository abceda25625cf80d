"""What players write beside their orders: messages to the opponent, and notes for themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ForeignKeyConstraint, Index, bindparam, delete, select
from sqlmodel import Field

from pbem.play.model import Message, Note
from pbem.store.columns import NUMBER, Instant, Key, Row, Words, of_many, table_of
from pbem.store.transaction import Foresight, Transaction, inserts, remembered


class MessageRow(Row, table=True):
    """A message between seats."""

    __tablename__ = "messages"
    __table_args__ = (
        ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"]),
        Index("ix_messages_game_id", "game_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    game_id: str = Field(sa_type=Key)
    seat: int
    entry: int
    at: datetime = Field(sa_type=Instant)
    text: str = Field(sa_type=Words)


class NoteRow(Row, table=True):
    """A private note: one for each seat and entry."""

    __tablename__ = "notes"
    __table_args__ = (ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"]),)

    game_id: str = Field(primary_key=True, sa_type=Key)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = Field(sa_type=Instant)
    text: str = Field(sa_type=Words)


_MESSAGES: Final = table_of(MessageRow)
NOTES: Final = table_of(NoteRow)

_ADD_MESSAGE: Final = _MESSAGES.insert()
_IN_ORDER: Final = select(*(_MESSAGES.c[field.name] for field in fields(Message))).order_by(
    _MESSAGES.c.id
)
MESSAGES_OF: Final = _IN_ORDER.where(_MESSAGES.c.game_id == bindparam("game_id"))
_MESSAGES_OF_MANY: Final = of_many(_IN_ORDER, _MESSAGES.c.game_id)
_SAVE_NOTE: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["game_id", "seat", "entry"],
        set_={"at": insert.excluded["at"], "text": insert.excluded["text"]},
    )
    for name, insert in inserts(NOTES).items()
}
SOME_NOTES: Final = select(*(NOTES.c[field.name] for field in fields(Note))).order_by(NOTES.c.entry)
_NOTES_OF: Final = SOME_NOTES.where(
    NOTES.c.game_id == bindparam("game"), NOTES.c.seat == bindparam("of_seat")
)

_DROP_NOTES: Final = delete(NOTES).where(
    NOTES.c.game_id == bindparam("game"), NOTES.c.seat == bindparam("of_seat")
)


class MessageQueries(Transaction):
    """What a unit can do with messages and notes."""

    def add_message(self, message: Message) -> None:
        """A message between seats."""
        self._write_later(_ADD_MESSAGE, asdict(message))

    @remembered
    def messages_of(self, game_id: str) -> Sequence[Message]:
        """The messages of a game in order."""
        return _messages(self._rows(MESSAGES_OF, {"game_id": game_id}))

    def _foresee_messages(self, games: Collection[str]) -> Foresight:
        """What ``messages_of`` is going to be asked."""
        find = MessageQueries.messages_of
        return self._foresee_each(find, _MESSAGES_OF_MANY, games, "game_id", _messages)

    def save_note(self, note: Note) -> None:
        """A private note; another on the same entry replaces it."""
        self._write_later(_SAVE_NOTE[self._dialect], asdict(note))

    def remove_notes(self, game_id: str, seat: int) -> None:
        """Forget a seat's private notes."""
        self._write_later(_DROP_NOTES, {"game": game_id, "of_seat": seat})

    def notes_of(self, game_id: str, seat: int) -> Sequence[Note]:
        """A seat's private notes in order."""
        rows = self._rows(_NOTES_OF, {"game": game_id, "of_seat": seat})
        return [Note(*row) for row in rows]


def _messages(rows: Sequence[Any]) -> list[Message]:
    return [Message(*row) for row in rows]
