"""Remarks on archived games, and what people say about their turns.

Nothing is overwritten: a later version names the remark that it replaces, and one without text
withdraws it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Final

from sqlalchemy import (
    BindParameter,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
    bindparam,
    select,
    update,
)
from sqlmodel import Field

from pbem.play.annotations import KeptRemark, NoteWish, Post
from pbem.store.archive_rows import ARCHIVED_GAMES
from pbem.store.columns import NUMBER, Instant, Key, Row, Words, is_number, is_storable, table_of
from pbem.store.transaction import Transaction, inserts


class RemarkRow(Row, table=True):
    """One annotation by one annotator, at a place of a game."""

    __tablename__ = "remarks"
    __table_args__ = (
        UniqueConstraint("replaces"),
        CheckConstraint("kind IN ('comment', 'sign', 'variation')", name="kind"),
        Index("ix_remarks_game", "game", "id"),
        Index("ix_remarks_player_id", "player_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    game: int = Field(foreign_key="archived_games.id", sa_type=NUMBER)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    author: str = Field(sa_type=Words)
    place: str = Field(sa_type=Key)
    kind: str = Field(sa_type=Key)
    text: str = Field(sa_type=Words)
    at: datetime = Field(sa_type=Instant)
    replaces: int | None = Field(foreign_key="remarks.id", sa_type=NUMBER)


class DiscussionRow(Row, table=True):
    """Something said about a turn of a game."""

    __tablename__ = "discussion"
    __table_args__ = (
        Index("ix_discussion_game", "game", "id"),
        Index("ix_discussion_player_id", "player_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    game: int = Field(foreign_key="archived_games.id", sa_type=NUMBER)
    turn: str = Field(sa_type=Key)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    author: str = Field(sa_type=Words)
    text: str = Field(sa_type=Words)
    at: datetime = Field(sa_type=Instant)


class NoteWishRow(Row, table=True):
    """Whether the private notes of a seat may join the archived game, and whether they have."""

    __tablename__ = "note_wishes"
    __table_args__ = (
        ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"]),
        CheckConstraint("wish IN ('never', 'after', 'agreed')", name="wish"),
    )

    game_id: str = Field(primary_key=True, sa_type=Key)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    wish: str | None = Field(sa_type=Key)
    joined_at: datetime | None = Field(sa_type=Instant)


REMARKS: Final = table_of(RemarkRow)
DISCUSSION: Final = table_of(DiscussionRow)
NOTE_WISHES: Final = table_of(NoteWishRow)

_GAME: Final[BindParameter[object]] = bindparam("of_game")
_PLAYER: Final[BindParameter[object]] = bindparam("of_player")
_LOCK: Final = (
    select(ARCHIVED_GAMES.c.id).where(ARCHIVED_GAMES.c.id == _GAME).with_for_update(key_share=True)
)
_ADD: Final = REMARKS.insert().returning(REMARKS.c.id)
_SELECT: Final = select(*(REMARKS.c[field.name] for field in fields(KeptRemark)))
_ON_GAME: Final = _SELECT.where(REMARKS.c.game == _GAME).order_by(REMARKS.c.id)
_BY_PLAYER: Final = _SELECT.where(REMARKS.c.player_id == _PLAYER).order_by(REMARKS.c.id)

_ADD_POST: Final = DISCUSSION.insert().returning(DISCUSSION.c.id)
_POSTS: Final = select(*(DISCUSSION.c[field.name] for field in fields(Post)))
_POSTS_ON: Final = (
    _POSTS.where(
        DISCUSSION.c.game == _GAME,
        DISCUSSION.c.turn == bindparam("of_turn"),
        DISCUSSION.c.id > bindparam("behind"),
    )
    .order_by(DISCUSSION.c.id)
    .limit(bindparam("most"))
)
_POSTS_BY: Final = _POSTS.where(DISCUSSION.c.player_id == _PLAYER).order_by(DISCUSSION.c.id)

_FIND_WISH: Final = select(*(NOTE_WISHES.c[field.name] for field in fields(NoteWish))).where(
    NOTE_WISHES.c.game_id == bindparam("of_game"), NOTE_WISHES.c.seat == bindparam("of_seat")
)
_SAVE_WISH: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["game_id", "seat"],
        set_={"wish": insert.excluded["wish"], "joined_at": insert.excluded["joined_at"]},
    )
    for name, insert in inserts(NOTE_WISHES).items()
}
_RENAME: Final = tuple(
    update(table).where(table.c.player_id == _PLAYER).values(author=bindparam("name"))
    for table in (REMARKS, DISCUSSION)
)
_READDRESS: Final = tuple(
    update(table)
    .where(table.c.player_id == _PLAYER)
    .values(player_id=bindparam("to_player"), author=bindparam("name"))
    for table in (REMARKS, DISCUSSION)
)


class RemarkQueries(Transaction):
    """What a unit can do with remarks, discussion, and wishes about notes."""

    def lock_remarks(self, game: int) -> None:
        """Keep others from annotating an archived game until this unit ends."""
        self._rows(_LOCK, {"of_game": game})

    def add_remark(self, remark: KeptRemark) -> KeptRemark:
        """A new version, with its number. Raises StoreConflictError if what it replaces has been
        replaced."""
        values = asdict(remark)
        del values["id"]
        return replace(remark, id=self._value(_ADD, values))

    def remarks_on(self, game: int) -> Sequence[KeptRemark]:
        """All versions of all remarks on an archived game, oldest first."""
        return [KeptRemark(*row) for row in self._rows(_ON_GAME, {"of_game": game})]

    def remarks_by(self, player_id: int) -> Sequence[KeptRemark]:
        """All versions of all remarks of a player, oldest first."""
        return [KeptRemark(*row) for row in self._rows(_BY_PLAYER, {"of_player": player_id})]

    def add_post(self, post: Post) -> Post:
        """Something said, with its number."""
        values = asdict(post)
        del values["id"]
        return replace(post, id=self._value(_ADD_POST, values))

    def posts_on(self, game: int, turn: str, *, after: int, limit: int) -> Sequence[Post]:
        """What was said about a turn above a number, oldest first."""
        if not (is_number(after) and is_storable(turn)):
            return []
        wanted = {"of_game": game, "of_turn": turn, "behind": after, "most": limit}
        return [Post(*row) for row in self._rows(_POSTS_ON, wanted)]

    def posts_by(self, player_id: int) -> Sequence[Post]:
        """All that a player has said about turns, oldest first."""
        return [Post(*row) for row in self._rows(_POSTS_BY, {"of_player": player_id})]

    def find_wish(self, game_id: str, seat: int) -> NoteWish | None:
        """What is known about the notes of a seat joining."""
        row = self._first(_FIND_WISH, {"of_game": game_id, "of_seat": seat})
        return None if row is None else NoteWish(*row)

    def save_wish(self, wish: NoteWish) -> None:
        """What is known now about the notes of a seat joining."""
        self._write_later(_SAVE_WISH[self._dialect], asdict(wish))

    def rename_annotator(self, player_id: int, name: str) -> None:
        """A player's remarks and posts are shown under another name."""
        for statement in _RENAME:
            self._write_later(statement, {"of_player": player_id, "name": name})

    def readdress_remarks(self, player_id: int, to_player_id: int, name: str) -> None:
        """A player's remarks and posts are another's, under that name."""
        for statement in _READDRESS:
            values = {"of_player": player_id, "to_player": to_player_id, "name": name}
            self._write_later(statement, values)
