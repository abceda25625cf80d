"""Games and who sits in them. What was agreed never changes; the rest is a cache of the log."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    Connection,
    Index,
    and_,
    bindparam,
    func,
    select,
    text,
    update,
)
from sqlmodel import Field

from pbem.games.base import Start, Trips
from pbem.play.log import LogEntry
from pbem.play.model import Held, LockedGame, Message, Note, OpenRequest, SeenGame, StoredGame
from pbem.store.archive_rows import WANT_ARCHIVED
from pbem.store.columns import (
    NUMBER,
    Instant,
    Json,
    Key,
    Row,
    Words,
    instant_of,
    is_storable,
    microseconds,
    of_many,
    table_of,
)
from pbem.store.events import GAME_ENDED
from pbem.store.logs import FIND_ENTRY
from pbem.store.messages import MESSAGES_OF, NOTES, SOME_NOTES
from pbem.store.players import PLAYERS
from pbem.store.pulse import HEART, PULSE, pulse_of
from pbem.store.rating_rows import WANT_RATED
from pbem.store.requests import OPEN_REQUESTS, REQUESTS
from pbem.store.transaction import Foresight, Transaction, Wanted, remembered


class GameRow(Row, table=True):
    """A game as it stands."""

    __tablename__ = "games"
    __table_args__ = (
        CheckConstraint("entries >= 0", name="entries"),
        CheckConstraint("turns >= 0", name="turns"),
        CheckConstraint("(ended_at IS NULL) = (termination IS NULL)", name="end"),
        CheckConstraint("winner IS NULL OR ended_at IS NOT NULL", name="winner"),
        Index(
            "ix_games_due",
            "due",
            "id",
            sqlite_where=text("due IS NOT NULL"),
            postgresql_where=text("due IS NOT NULL"),
        ),
        Index(
            "ix_games_running",
            "id",
            "ended_at",  # always NULL; without it SQLite would look at the row as well
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
    )

    id: str = Field(primary_key=True, sa_type=Key)
    game: str = Field(sa_type=Words)
    options: dict[str, Any] = Field(sa_type=Json)
    seed: bytes
    terms: dict[str, Any] = Field(sa_type=Json)
    created_at: datetime = Field(sa_type=Instant)
    rematch_of: str | None = Field(foreign_key="games.id", sa_type=Key)
    state: str = Field(sa_type=Words)
    clock: str = Field(sa_type=Words)
    entries: int
    head: str = Field(sa_type=Words)
    last_at: datetime | None = Field(sa_type=Instant)
    turns: int
    held: list[Any] = Field(sa_type=Json)
    trips_asked: int
    trips_unaffordable: int
    trips_by_rules: int
    trips_by_plans: int
    due: datetime | None = Field(sa_type=Instant)
    winner: int | None
    termination: str | None = Field(sa_type=Words)
    ended_at: datetime | None = Field(sa_type=Instant)


class SeatRow(Row, table=True):
    """Who sits where. Log, requests, messages and notes refer to seats."""

    __tablename__ = "seats"
    __table_args__ = (
        CheckConstraint("seat >= 0", name="seat"),
        Index("ix_seats_player_id", "player_id", "game_id"),
    )

    game_id: str = Field(primary_key=True, foreign_key="games.id", sa_type=Key)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)


_PAGE: Final = 1000
_GAMES: Final = table_of(GameRow)
_SEATS: Final = table_of(SeatRow)
_UNCHANGING: Final = ("id", "game", "options", "seed", "terms", "created_at", "rematch_of")

_FIND_GAME: Final = select(_GAMES).where(_GAMES.c.id == bindparam("game_id"))
_FIND_GAMES: Final = of_many(select(_GAMES), _GAMES.c.id)
_LOCK_GAME: Final = {
    # Not FOR UPDATE: a row that refers to this game (a rematch) must not have to wait for the lock.
    "postgresql": _FIND_GAME.with_for_update(key_share=True),
    # A unit on SQLite has the whole file to itself.
    "sqlite": _FIND_GAME,
}
_ADD_GAME: Final = _GAMES.insert()
_SAVE_GAME: Final = (
    update(_GAMES)
    .where(
        _GAMES.c.id == bindparam("game_id"),
        _GAMES.c.entries == bindparam("entries_before"),
        _GAMES.c.head == bindparam("head_before"),
    )
    .values({c.name: bindparam(c.name) for c in _GAMES.c if c.name not in _UNCHANGING})
)
_SEATS_OF: Final = (
    select(_SEATS.c.player_id)
    .where(_SEATS.c.game_id == bindparam("game_id"))
    .order_by(_SEATS.c.seat)
)
_SEATS_OF_MANY: Final = of_many(
    select(_SEATS.c.player_id, _SEATS.c.game_id).order_by(_SEATS.c.seat), _SEATS.c.game_id
)
_NAMED_SEATS_OF: Final = (
    select(_SEATS.c.player_id, PLAYERS.c.name)
    .join(PLAYERS, PLAYERS.c.id == _SEATS.c.player_id)
    .where(_SEATS.c.game_id == bindparam("game_id"))
    .order_by(_SEATS.c.seat)
)
_NOTES_OF_PLAYER: Final = SOME_NOTES.join(
    _SEATS, and_(_SEATS.c.game_id == NOTES.c.game_id, _SEATS.c.seat == NOTES.c.seat)
).where(NOTES.c.game_id == bindparam("game_id"), _SEATS.c.player_id == bindparam("player_id"))
_ADD_SEATS: Final = _SEATS.insert()
_CHANGE_SEAT: Final = (
    update(_SEATS)
    .where(_SEATS.c.game_id == bindparam("game"), _SEATS.c.seat == bindparam("number"))
    .values(player_id=bindparam("player"))
)
_GAMES_OF: Final = (
    select(_SEATS.c.game_id)
    .where(_SEATS.c.player_id == bindparam("player_id"))
    .order_by(_SEATS.c.game_id)
    .distinct()
)
_JOINED: Final = _GAMES_OF.join(_GAMES, _GAMES.c.id == _SEATS.c.game_id)
_GAMES_BY_END: Final = {
    None: _GAMES_OF,
    True: _JOINED.where(_GAMES.c.ended_at.is_not(None)),
    False: _JOINED.where(_GAMES.c.ended_at.is_(None)),
}
_ENDED_OR_NOT: Final = _JOINED.add_columns(_GAMES.c.ended_at.is_not(None).label("is_over"))
_WAITING: Final = (
    # One row for all games in which nothing is held: each row costs a step of the driver.
    select(_SEATS.c.seat, _GAMES.c.held, func.count())
    .join(_GAMES, _GAMES.c.id == _SEATS.c.game_id)
    .where(
        _SEATS.c.player_id == bindparam("player_id"),
        _GAMES.c.ended_at.is_(None),
        select(REQUESTS.c.seat)
        .where(
            REQUESTS.c.game_id == _SEATS.c.game_id,
            REQUESTS.c.seat == _SEATS.c.seat,
            REQUESTS.c.closed_at.is_(None),
        )
        .exists(),
    )
    .group_by(_SEATS.c.seat, _GAMES.c.held)
)
_NEXT_GAMES: Final = (
    select(_GAMES.c.id)
    .where(_GAMES.c.id > bindparam("last"))
    .order_by(_GAMES.c.id)
    .limit(bindparam("page"))
)
_RUNNING_GAMES: Final = _NEXT_GAMES.where(_GAMES.c.ended_at.is_(None))
_DUE_GAMES: Final = (
    select(_GAMES.c.id)
    .where(_GAMES.c.due.is_not(None), _GAMES.c.due <= bindparam("until"))
    .order_by(_GAMES.c.due, _GAMES.c.id)
    .limit(bindparam("limit"))
)


class GameQueries(Transaction):
    """What a unit can do with games."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._locked: dict[str, tuple[int, str]] = {}
        """How long the log of each locked game is, and its head, as far as this unit knows."""

    @contextmanager
    def nested(self) -> Iterator[None]:
        """A part of this unit that is undone alone when its block raises."""
        locked = dict(self._locked)
        try:
            with super().nested():
                yield
        except BaseException:
            # PostgreSQL gives back the locks that were taken inside.
            self._locked = locked
            raise

    def add_game(self, game: StoredGame) -> None:
        """A new game with its seats. Raises StoreConflictError."""
        values = {
            "id": game.id,
            "game": game.game,
            "options": dict(game.start.options),
            "seed": game.start.seed,
            "terms": dict(game.terms),
            "created_at": game.created_at,
            "rematch_of": game.rematch_of,
        }
        self._write_later(_ADD_GAME, values | _changing(game))
        seats = [
            {"game_id": game.id, "seat": seat, "player_id": player_id}
            for seat, player_id in enumerate(game.players)
        ]
        for seat in seats:
            self._write_later(_ADD_SEATS, seat)
        self._locked[game.id] = (game.entries, game.head)

    @remembered
    def find_game(self, game_id: str) -> StoredGame | None:
        """A game as it stands, not locked."""
        if not is_storable(game_id):
            return None
        wanted = {"game_id": game_id}
        rows, seats = self._fetch((_FIND_GAME, wanted), (_SEATS_OF, wanted))
        return _game(rows[0], seats) if rows else None

    def _foresee_games(self, games: Collection[str]) -> Foresight:
        """What ``find_game`` is going to be asked."""
        rows, seats = yield [
            self._of_many(_FIND_GAMES, games),
            self._of_many(_SEATS_OF_MANY, games),
        ]
        for row in rows:
            game = _game(row, [seat for seat in seats if seat.game_id == row.id])
            self._foretell(GameQueries.find_game, game, row.id)

    def see_game(self, game_id: str, player_id: int | None) -> SeenGame | None:
        """A game as it stands with names, requests, messages, and the notes of one player."""
        if not is_storable(game_id):
            return None
        wanted = {"game_id": game_id}
        rows, seats, requests, messages, notes = self._fetch(
            (_FIND_GAME, wanted),
            (_NAMED_SEATS_OF, wanted),
            (OPEN_REQUESTS, wanted),
            (MESSAGES_OF, wanted),
            (_NOTES_OF_PLAYER, {"game_id": game_id, "player_id": player_id}),
        )
        if not rows:
            return None
        return SeenGame(
            _game(rows[0], seats),
            tuple(name for _, name in seats),
            tuple(OpenRequest(*row) for row in requests),
            tuple(Message(*row) for row in messages),
            tuple(Note(*row) for row in notes),
        )

    @remembered
    def lock_game(self, game_id: str, key: str | None = None) -> LockedGame | None:
        """A game as it stands, kept from others until this unit ends, with what is asked in it,
        the entry that the submission of this key became, and the server's pulse."""
        if not is_storable(game_id):
            return None
        return self._take_lock(*self._fetch(*self._locking(game_id, key)))

    def _foresee_lock_of_game(self, game_id: str, key: str) -> Foresight:
        """Lock a game, for ``lock_game`` and ``find_game`` are going to be asked."""
        locked = self._take_lock(*(yield self._locking(game_id, key)))
        if locked is not None:
            self._foretell(GameQueries.lock_game, locked, game_id, key)
            self._foretell(GameQueries.find_game, locked.game, game_id)

    def _locking(self, game_id: str, key: str | None) -> Sequence[Wanted]:
        wanted = {"game_id": game_id}
        # All behind the lock: who waited for it must see everything as it is now.
        return (
            (_LOCK_GAME[self._dialect], wanted),
            (_SEATS_OF, wanted),
            (OPEN_REQUESTS, wanted),
            (FIND_ENTRY, {"game_id": game_id, "wanted": key if key and is_storable(key) else None}),
            (PULSE, HEART),
        )

    def _take_lock(
        self,
        rows: Sequence[Any],
        seats: Sequence[Any],
        requests: Sequence[Any],
        entries: Sequence[Any],
        pulse: Sequence[Any],
    ) -> LockedGame | None:
        if not rows:
            return None
        game = _game(rows[0], seats)
        self._locked[game.id] = (game.entries, game.head)
        return LockedGame(
            game,
            tuple(OpenRequest(*row) for row in requests),
            LogEntry(*entries[0]) if entries else None,
            pulse_of(pulse),
        )

    def save_game(self, game: StoredGame) -> None:
        """What changes of a game. Raises StoreConflictError.

        The lock keeps others away; that the log is still as long as when the game was locked is
        looked at all the same, so that a fault in the locking cannot cost a turn.
        """
        before = self._locked.get(game.id)
        if before is None:
            raise self._conflict(f"game {game.id} was to be saved without having been locked")
        values = _changing(game) | {
            "game_id": game.id,
            "entries_before": before[0],
            "head_before": before[1],
        }
        self._write_later(_SAVE_GAME, values, f"game {game.id} was changed under its lock")
        if game.is_over:
            for wanted in (WANT_ARCHIVED, WANT_RATED):
                self._write_later(wanted[self._dialect], {"game_id": game.id})
            self._write_later(GAME_ENDED, {"ended": game.id})
        self._locked[game.id] = (game.entries, game.head)

    def games_of(self, player_id: int, *, is_over: bool | None = None) -> Sequence[str]:
        """The ids of a player's games, in order of id."""
        return self._column(_GAMES_BY_END[is_over], {"player_id": player_id})

    @remembered
    def games_by_end(self, player_id: int) -> tuple[Sequence[str], Sequence[str]]:
        """The ids of a player's games that run, and of those that are over."""
        return _by_end(self._rows(_ENDED_OR_NOT, {"player_id": player_id}))

    def _foresee_ends(self, player_id: int) -> Foresight:
        """What ``games_by_end`` is going to be asked."""
        [rows] = yield [(_ENDED_OR_NOT, {"player_id": player_id})]
        self._foretell(GameQueries.games_by_end, _by_end(rows), player_id)

    def count_waiting(self, player_id: int) -> int:
        """How many games wait for a player."""
        [rows] = self._fetch((_WAITING, {"player_id": player_id}))
        return sum(
            count for seat, held, count in rows if all(of_seat != seat for of_seat, *_ in held)
        )

    def all_games(self, *, after: str = "") -> Iterator[str]:
        """The ids of all games behind one, in order, without holding them all in memory."""
        wanted = {"last": after, "page": _PAGE}
        while page := self._column(_NEXT_GAMES, wanted):
            yield from page
            wanted["last"] = page[-1]

    def running_games(self, after: str, limit: int) -> Sequence[str]:
        """The ids of the next games behind one that are not over, in order of id."""
        wanted = {"last": after, "page": limit}
        return self._column(_RUNNING_GAMES, wanted)

    def due_games(self, until: datetime, limit: int) -> Sequence[str]:
        """The ids of games in which something happens by itself by then, soonest first."""
        return self._column(_DUE_GAMES, {"until": until, "limit": limit})

    def change_seat(self, game_id: str, seat: int, player_id: int) -> None:
        """Another player takes a seat. Raises StoreConflictError."""
        values = {"game": game_id, "number": seat, "player": player_id}
        self._write_later(_CHANGE_SEAT, values, f"game {game_id} has no seat {seat}")


def _by_end(rows: Sequence[Any]) -> tuple[Sequence[str], Sequence[str]]:
    running, over = ([row.game_id for row in rows if row.is_over == end] for end in (0, 1))
    return running, over


_COLUMNS: Final = tuple(column.name for column in _GAMES.c)


def _game(raw: tuple[Any, ...], seats: Sequence[tuple[Any, ...]]) -> StoredGame:
    row = dict(zip(_COLUMNS, raw, strict=True))
    return StoredGame(
        start=Start(game_id=row["id"], options=row["options"], seed=row["seed"]),
        game=row["game"],
        terms=row["terms"],
        players=tuple(player_id for player_id, *_ in seats),
        created_at=row["created_at"],
        state=row["state"],
        clock=row["clock"],
        entries=row["entries"],
        head=row["head"],
        last_at=row["last_at"],
        turns=row["turns"],
        held=tuple(
            Held(
                seat=seat,
                text=written,
                key=key,
                arrived=instant_of(arrived),
                until=instant_of(until),
            )
            for seat, written, key, arrived, until in row["held"]
        ),
        trips=Trips(
            asked=row["trips_asked"],
            unaffordable=row["trips_unaffordable"],
            by_rules=row["trips_by_rules"],
            by_plans=row["trips_by_plans"],
        ),
        due=row["due"],
        winner=row["winner"],
        termination=row["termination"],
        ended_at=row["ended_at"],
        rematch_of=row["rematch_of"],
    )


def _changing(game: StoredGame) -> dict[str, Any]:
    return {
        "state": game.state,
        "clock": game.clock,
        "entries": game.entries,
        "head": game.head,
        "last_at": game.last_at,
        "turns": game.turns,
        "held": [
            (held.seat, held.text, held.key, microseconds(held.arrived), microseconds(held.until))
            for held in game.held
        ],
        "trips_asked": game.trips.asked,
        "trips_unaffordable": game.trips.unaffordable,
        "trips_by_rules": game.trips.by_rules,
        "trips_by_plans": game.trips.by_plans,
        "due": game.due,
        "winner": game.winner,
        "termination": game.termination,
        "ended_at": game.ended_at,
    }
