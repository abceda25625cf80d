"""Passes: links to sign in, sessions and tokens. Of their secrets only hashes are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    Index,
    UniqueConstraint,
    bindparam,
    delete,
    or_,
    select,
    update,
)
from sqlmodel import Field

from pbem.play.access import Pass
from pbem.play.model import Player
from pbem.store.columns import NUMBER, Instant, Json, Key, Row, Words, is_number, table_of
from pbem.store.players import LEAVES, PLAYERS, SOME_LEAVES, player_of
from pbem.store.transaction import Transaction


class PassRow(Row, table=True):
    """Something a player was given to come in with."""

    __tablename__ = "passes"
    __table_args__ = (
        UniqueConstraint("hash"),
        CheckConstraint("kind IN ('link', 'session', 'token')", name="kind"),
        Index("ix_passes_player_id", "player_id", "kind"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    kind: str = Field(sa_type=Key)
    hash: str = Field(sa_type=Key)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    created_at: datetime = Field(sa_type=Instant)
    expires_at: datetime | None = Field(sa_type=Instant)
    name: str = Field(sa_type=Words)
    scopes: list[str] = Field(sa_type=Json)
    used_at: datetime | None = Field(sa_type=Instant)
    ended_at: datetime | None = Field(sa_type=Instant)


_PASSES: Final = table_of(PassRow)
_SELECT: Final = select(*(_PASSES.c[field.name] for field in fields(Pass)))
_FIND: Final = _SELECT.where(_PASSES.c.id == bindparam("wanted"))
_LOCK: Final = _FIND.with_for_update()
_HAS_HASH: Final = _PASSES.c.hash == bindparam("wanted")
_FIND_BY_HASH: Final = _SELECT.where(_HAS_HASH)
_OWNER: Final = select(PLAYERS).join(_PASSES, _PASSES.c.player_id == PLAYERS.c.id).where(_HAS_HASH)
_LEAVES_OF_OWNER: Final = SOME_LEAVES.join(
    _PASSES, _PASSES.c.player_id == LEAVES.c.player_id
).where(_HAS_HASH)
_OF_PLAYER: Final = _SELECT.where(
    _PASSES.c.player_id == bindparam("owner"), _PASSES.c.kind == bindparam("of_kind")
).order_by(_PASSES.c.id.desc())
_ADD: Final = _PASSES.insert().returning(_PASSES.c.id)
_SAVE: Final = (
    update(_PASSES)
    .where(_PASSES.c.id == bindparam("wanted"))
    .values({name: bindparam(name) for name in ("expires_at", "used_at", "ended_at")})
)
_FORGET: Final = delete(_PASSES).where(
    or_(_PASSES.c.expires_at < bindparam("before"), _PASSES.c.ended_at < bindparam("before"))
)
_REMOVE: Final = delete(_PASSES).where(_PASSES.c.player_id == bindparam("owner"))


class PassQueries(Transaction):
    """What a unit can do with passes."""

    def add_pass(self, made: Pass) -> Pass:
        """A new pass, with its number."""
        values = {**asdict(made), "scopes": list(made.scopes)}
        del values["id"]
        return replace(made, id=self._value(_ADD, values))

    def find_pass(self, pass_id: int) -> Pass | None:
        """A pass by number."""
        return self._pass(_FIND, pass_id) if is_number(pass_id) else None

    def lock_pass(self, pass_id: int) -> Pass | None:
        """A pass by number, kept from others until this unit ends."""
        return self._pass(_LOCK, pass_id) if is_number(pass_id) else None

    def find_owned_pass(self, hash_: str) -> tuple[Pass, Player] | None:
        """The pass whose secret has this hash, and whose it is."""
        wanted = {"wanted": hash_}
        passes, players, leaves = self._fetch(
            (_FIND_BY_HASH, wanted), (_OWNER, wanted), (_LEAVES_OF_OWNER, wanted)
        )
        return (_from_row(passes[0]), player_of(players[0], leaves)) if passes else None

    def passes_of(self, player_id: int, kind: str) -> Sequence[Pass]:
        """A player's passes of one kind, newest first."""
        rows = self._rows(_OF_PLAYER, {"owner": player_id, "of_kind": kind})
        return [_from_row(row) for row in rows]

    def save_pass(self, changed: Pass) -> None:
        """A pass that was used or is over."""
        values = {
            "wanted": changed.id,
            "expires_at": changed.expires_at,
            "used_at": changed.used_at,
            "ended_at": changed.ended_at,
        }
        self._write_later(_SAVE, values, f"there is no pass {changed.id}")

    def remove_passes(self, player_id: int) -> None:
        """Drop all passes of a player who leaves."""
        self._write_later(_REMOVE, {"owner": player_id})

    def forget_passes(self, before: datetime) -> int:
        """Drop what has been over since then; how many."""
        return self._change(_FORGET, {"before": before})

    def _pass(self, statement: Any, wanted: object) -> Pass | None:
        row = self._first(statement, {"wanted": wanted})
        return None if row is None else _from_row(row)


def _from_row(row: Any) -> Pass:
    values = row._asdict()
    return Pass(**{**values, "scopes": tuple(values["scopes"])})
