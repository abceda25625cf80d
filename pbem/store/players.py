"""Players, their addresses and their days off. Games and mails refer to a player's number."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, fields, replace
from datetime import date, datetime, time
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    Index,
    bindparam,
    delete,
    func,
    select,
    text,
    true,
    tuple_,
    update,
)
from sqlmodel import Field

from pbem.errors import UnstorableError
from pbem.play.model import Address, Leave, Player, Preferences
from pbem.store.columns import (
    NUMBER,
    Instant,
    Key,
    Row,
    Words,
    is_number,
    is_storable,
    of_many,
    table_of,
)
from pbem.store.transaction import Foresight, Transaction, remembered


class PlayerRow(Row, table=True):
    """A player; numbers are never used again."""

    __tablename__ = "players"
    __table_args__ = (
        CheckConstraint("board IN ('image', 'text', 'spoken')", name="board"),
        CheckConstraint("delivery IN ('each', 'digest', 'none')", name="delivery"),
        CheckConstraint("(quiet_from IS NULL) = (quiet_to IS NULL)", name="quiet"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    name: str = Field(sa_type=Words)
    created_at: datetime = Field(sa_type=Instant)
    language: str = Field(sa_type=Words)
    time_zone: str = Field(sa_type=Words)
    board: str = Field(sa_type=Words)
    delivery: str = Field(sa_type=Words)
    quiet_from: time | None
    quiet_to: time | None
    rests_on_weekends: bool
    messages_stop_plans: bool
    standing: str = Field(sa_type=Words)
    stopped_since: datetime | None = Field(sa_type=Instant)
    first_stop: datetime | None = Field(sa_type=Instant)
    deleted_at: datetime | None = Field(sa_type=Instant)
    notes_join: str = Field(sa_type=Words, sa_column_kwargs={"server_default": "never"})


class LeaveRow(Row, table=True):
    """Days off, numbered in the order in which the player has them."""

    __tablename__ = "leaves"
    __table_args__ = (
        CheckConstraint("first <= last", name="days"),
        CheckConstraint("begins <= ends", name="instants"),
    )

    player_id: int = Field(primary_key=True, foreign_key="players.id", sa_type=NUMBER)
    place: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    first: date
    last: date
    begins: datetime = Field(sa_type=Instant)
    ends: datetime = Field(sa_type=Instant)
    announced_at: datetime = Field(sa_type=Instant)


class AddressRow(Row, table=True):
    """A mail address, which belongs to one player only."""

    __tablename__ = "addresses"
    __table_args__ = (
        CheckConstraint("address = lower(address)", name="case"),
        Index("ix_addresses_player_id", "player_id"),
        Index(
            "uq_addresses_preferred",
            "player_id",
            unique=True,
            sqlite_where=text("is_preferred"),
            postgresql_where=text("is_preferred"),
        ),
        Index(
            "uq_addresses_fallback",
            "player_id",
            unique=True,
            sqlite_where=text("is_fallback"),
            postgresql_where=text("is_fallback"),
        ),
    )

    address: str = Field(primary_key=True, sa_type=Key)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    added_at: datetime = Field(sa_type=Instant)
    verified_at: datetime | None = Field(sa_type=Instant)
    is_preferred: bool
    is_fallback: bool


PLAYERS: Final = table_of(PlayerRow)
LEAVES: Final = table_of(LeaveRow)
ADDRESSES: Final = table_of(AddressRow)
_UNCHANGING: Final = ("id", "created_at")

_LEAVE: Final = [LEAVES.c[field.name] for field in fields(Leave)]
_WIDTH: Final = len(PLAYERS.c)
# A row for each leave; one without a leave if there is none.
_WITH_LEAVES: Final = (
    select(PLAYERS, *_LEAVE)
    .outerjoin(LEAVES, LEAVES.c.player_id == PLAYERS.c.id)
    .order_by(LEAVES.c.place)
)
_FIND_PLAYER: Final = _WITH_LEAVES.where(PLAYERS.c.id == bindparam("player_id"))
_FIND_PLAYERS: Final = of_many(_WITH_LEAVES, PLAYERS.c.id)
# Not FOR UPDATE: a row that refers to this player must not have to wait for the lock.
_LOCK_PLAYER: Final = (
    select(PLAYERS).where(PLAYERS.c.id == bindparam("player_id")).with_for_update(key_share=True)
)
_ADD_PLAYER: Final = PLAYERS.insert().returning(PLAYERS.c.id)
_LOWER_NAME: Final = func.lower(PLAYERS.c.name)
# What is looked for is put into small letters by the database, too: it knows others than Python.
_BY_NAME: Final = (
    select(PLAYERS.c.id)
    .where(
        PLAYERS.c.deleted_at.is_(None),
        _LOWER_NAME.like(func.lower(bindparam("beginning", type_=Words)), escape="\\"),
        tuple_(_LOWER_NAME, PLAYERS.c.id)
        > tuple_(func.lower(bindparam("behind", type_=Words)), bindparam("number", type_=NUMBER)),
        select(ADDRESSES.c.address)
        .where(ADDRESSES.c.player_id == PLAYERS.c.id, ADDRESSES.c.verified_at.is_not(None))
        .exists(),
    )
    .order_by(_LOWER_NAME, PLAYERS.c.id)
    .limit(bindparam("most"))
)
_SAVE_PLAYER: Final = (
    update(PLAYERS)
    .where(PLAYERS.c.id == bindparam("player_id"))
    .values({c.name: bindparam(c.name) for c in PLAYERS.c if c.name not in _UNCHANGING})
)
SOME_LEAVES: Final = select(*_LEAVE).order_by(LEAVES.c.place)
_LEAVES_OF: Final = SOME_LEAVES.where(LEAVES.c.player_id == bindparam("player_id"))
_DROP_LEAVES: Final = delete(LEAVES).where(LEAVES.c.player_id == bindparam("player_id"))

_FIND_ADDRESS: Final = select(ADDRESSES).where(ADDRESSES.c.address == bindparam("wanted"))
_LOCK_ADDRESS: Final = _FIND_ADDRESS.with_for_update()
_IN_ORDER: Final = select(ADDRESSES).order_by(
    ADDRESSES.c.is_preferred.desc(),
    ADDRESSES.c.is_fallback.desc(),
    ADDRESSES.c.added_at,
    ADDRESSES.c.address,
)
_ADDRESSES_OF: Final = _IN_ORDER.where(ADDRESSES.c.player_id == bindparam("player_id"))
_ADDRESSES_OF_MANY: Final = of_many(_IN_ORDER, ADDRESSES.c.player_id)
_DROP_ADDRESS: Final = delete(ADDRESSES).where(ADDRESSES.c.address == bindparam("wanted"))
_ADD_LEAVE: Final = LEAVES.insert()
_ADD_ADDRESS: Final = ADDRESSES.insert()
_SAVE_ADDRESS: Final = (
    update(ADDRESSES)
    .where(ADDRESSES.c.address == bindparam("wanted"))
    .values({c.name: bindparam(c.name) for c in ADDRESSES.c if c.name != "address"})
)
_UNMARK: Final = {
    mark: update(ADDRESSES)
    .where(
        ADDRESSES.c.player_id == bindparam("owner"),
        ADDRESSES.c.address != bindparam("kept"),
        ADDRESSES.c[mark] == true(),
    )
    .values({mark: False})
    for mark in ("is_preferred", "is_fallback")
}


class PlayerQueries(Transaction):
    """What a unit can do with players."""

    def add_player(self, name: str, preferences: Preferences, at: datetime) -> Player:
        """A new player, with the next number."""
        player = Player(id=0, name=name, created_at=at, preferences=preferences)
        number = self._value(_ADD_PLAYER, _player_values(player))
        return replace(player, id=number)

    @remembered
    def find_player(self, player_id: int) -> Player | None:
        """A player by number."""
        if not is_number(player_id):
            return None
        return _player(self._rows(_FIND_PLAYER, {"player_id": player_id}))

    def _foresee_players(self, numbers: Collection[int]) -> Foresight:
        """What ``find_player`` is going to be asked."""
        find = PlayerQueries.find_player
        return self._foresee_each(find, _FIND_PLAYERS, numbers, "id", _player)

    def players_by_name(
        self, wanted: str, *, after: tuple[str, int], limit: int
    ) -> Sequence[Player]:
        """Players whose name begins with something, behind a name and a number, in that order."""
        name, number = after
        if not (is_storable(wanted) and is_storable(name) and is_number(number)):
            return []
        beginning = "".join(f"\\{char}" if char in "\\%_" else char for char in wanted)
        values = {"beginning": f"{beginning}%", "behind": name, "number": number, "most": limit}
        rows = self._column(_BY_NAME, values)
        found = (self.find_player(number) for number in rows)
        return [player for player in found if player is not None]

    def lock_player(self, player_id: int) -> Player | None:
        """A player by number, kept from others until this unit ends."""
        if not is_number(player_id):
            return None
        wanted = {"player_id": player_id}
        # Two statements: leaves are to be those that are there once the lock is had.
        rows, leaves = self._fetch((_LOCK_PLAYER, wanted), (_LEAVES_OF, wanted))
        return player_of(rows[0], leaves) if rows else None

    def save_player(self, player: Player) -> None:
        """Everything about a player but the addresses. Raises StoreConflictError."""
        values = _player_values(player) | {"player_id": player.id}
        del values["created_at"]
        self._write_later(_SAVE_PLAYER, values, f"there is no player {player.id}")
        if self._leaves(player.id) != player.leaves:
            self._write_later(_DROP_LEAVES, {"player_id": player.id})
            for place, leave in enumerate(player.leaves):
                row = {"player_id": player.id, "place": place, **asdict(leave)}
                self._write_later(_ADD_LEAVE, row)

    @remembered
    def find_address(self, address: str) -> Address | None:
        """An address, whoever has it."""
        return self._address(_FIND_ADDRESS, address)

    def lock_address(self, address: str) -> Address | None:
        """An address, whoever has it, kept from others until this unit ends."""
        return self._address(_LOCK_ADDRESS, address)

    def _address(self, statement: Any, address: str) -> Address | None:
        if not is_storable(address):
            return None
        row = self._first(statement, {"wanted": address})
        return None if row is None else _address(row)

    @remembered
    def addresses_of(self, player_id: int) -> Sequence[Address]:
        """A player's addresses, preferred first, then the fallback, then by age."""
        return _addresses(self._rows(_ADDRESSES_OF, {"player_id": player_id}))

    def _foresee_addresses(self, numbers: Collection[int]) -> Foresight:
        """What ``addresses_of`` is going to be asked, and ``find_address`` of the same."""
        find = PlayerQueries.addresses_of
        yield from self._foresee_each(find, _ADDRESSES_OF_MANY, numbers, "player_id", _addresses)
        for address in (each for number in numbers for each in self.addresses_of(number)):
            self._foretell(PlayerQueries.find_address, address, address.address)

    def add_address(self, address: Address) -> None:
        """A new address. Raises StoreConflictError if somebody has it."""
        self._unmark_others(address)
        self._write_later(_ADD_ADDRESS, asdict(address))

    def save_address(self, address: Address) -> None:
        """An address that has changed; a mark it has is taken from the player's others.

        Raises StoreConflictError if there is no such address.
        """
        self._unmark_others(address)
        values = asdict(address)
        values["wanted"] = values.pop("address")
        self._write_later(_SAVE_ADDRESS, values, "there is no such address")

    def _unmark_others(self, address: Address) -> None:
        for mark, statement in _UNMARK.items():
            if getattr(address, mark):
                self._write_later(statement, {"owner": address.player_id, "kept": address.address})

    def remove_address(self, address: str) -> None:
        """Forget an address."""
        self._write_later(_DROP_ADDRESS, {"wanted": address})

    def _leaves(self, player_id: int) -> tuple[Leave, ...]:
        rows = self._rows(_LEAVES_OF, {"player_id": player_id})
        return tuple(Leave(*row) for row in rows)


def _player(rows: Sequence[Any]) -> Player | None:
    """A player from rows with a leave each, or without one."""
    leaves = [row[_WIDTH:] for row in rows if row[_WIDTH] is not None]
    return player_of(rows[0], leaves) if rows else None


def player_of(row: Any, leaves: Sequence[Any]) -> Player:
    """A player from the row of PLAYERS and those of SOME_LEAVES."""
    return Player(
        id=row.id,
        name=row.name,
        created_at=row.created_at,
        preferences=Preferences(
            language=row.language,
            time_zone=row.time_zone,
            board=row.board,
            delivery=row.delivery,
            quiet_from=row.quiet_from,
            quiet_to=row.quiet_to,
            rests_on_weekends=row.rests_on_weekends,
            messages_stop_plans=row.messages_stop_plans,
            notes_join=row.notes_join,
        ),
        standing=row.standing,
        leaves=tuple(Leave(*leave) for leave in leaves),
        stopped_since=row.stopped_since,
        first_stop=row.first_stop,
        deleted_at=row.deleted_at,
    )


def _player_values(player: Player) -> dict[str, Any]:
    preferences = player.preferences
    for moment in (preferences.quiet_from, preferences.quiet_to):
        if moment is not None and moment.tzinfo is not None:
            raise UnstorableError("quiet hours with a time zone of their own")
    return {
        "name": player.name,
        "created_at": player.created_at,
        "language": preferences.language,
        "time_zone": preferences.time_zone,
        "board": preferences.board,
        "delivery": preferences.delivery,
        "quiet_from": preferences.quiet_from,
        "quiet_to": preferences.quiet_to,
        "rests_on_weekends": preferences.rests_on_weekends,
        "messages_stop_plans": preferences.messages_stop_plans,
        "notes_join": preferences.notes_join,
        "standing": player.standing,
        "stopped_since": player.stopped_since,
        "first_stop": player.first_stop,
        "deleted_at": player.deleted_at,
    }


def _addresses(rows: Sequence[Any]) -> list[Address]:
    return [_address(row) for row in rows]


def _address(row: Any) -> Address:
    return Address(
        address=row.address,
        player_id=row.player_id,
        added_at=row.added_at,
        verified_at=row.verified_at,
        is_preferred=row.is_preferred,
        is_fallback=row.is_fallback,
    )
