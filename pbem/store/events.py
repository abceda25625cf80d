"""Events: their logs, who has to do with them, their games. The tables are in ``event_rows``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import and_, bindparam, delete, intersect, or_, select, union, update

from pbem.play.events.ports import GameOfEvent, KeptAct, Role, Statement, StoredEvent
from pbem.store.columns import is_storable
from pbem.store.event_rows import (
    EVENT_ACTS,
    EVENT_GAMES,
    EVENT_PEOPLE,
    EVENT_STATEMENTS,
    EVENTS,
)
from pbem.store.players import PLAYERS
from pbem.store.transaction import Transaction, inserts
from pbem.tournaments.act_model import Act
from pbem.tournaments.event import Phase

_EVENT_FIELDS: Final = tuple(field.name for field in fields(StoredEvent))
_LAST: Final = datetime.max.replace(tzinfo=UTC)
_UNCHANGING: Final = ("id", "format", "created_at")
_SELECT: Final = select(*(EVENTS.c[name] for name in _EVENT_FIELDS))
_FIND: Final = _SELECT.where(EVENTS.c.id == bindparam("wanted"))
_LOCK: Final = {
    # Not FOR UPDATE: acts and games that refer to the event must not have to wait.
    "postgresql": _FIND.with_for_update(key_share=True),
    "sqlite": _FIND,
}
_ADD: Final = EVENTS.insert()
_SAVE: Final = (
    update(EVENTS)
    .where(EVENTS.c.id == bindparam("wanted"))
    .values({name: bindparam(name) for name in _EVENT_FIELDS if name not in _UNCHANGING})
)
_NEWEST: Final = (
    _SELECT.where(
        EVENTS.c.phase == bindparam("wanted"),
        or_(
            EVENTS.c.created_at < bindparam("instant"),
            and_(EVENTS.c.created_at == bindparam("instant"), EVENTS.c.id < bindparam("behind")),
        ),
    )
    .order_by(EVENTS.c.created_at.desc(), EVENTS.c.id.desc())
    .limit(bindparam("most"))
)
_OF_PLAYER: Final = (
    select(*(EVENTS.c[name] for name in _EVENT_FIELDS), EVENT_PEOPLE.c.role)
    .join(EVENT_PEOPLE, EVENT_PEOPLE.c.event_id == EVENTS.c.id)
    .where(EVENT_PEOPLE.c.player_id == bindparam("player"))
    .order_by(EVENTS.c.created_at.desc(), EVENTS.c.id.desc(), EVENT_PEOPLE.c.role)
)
_SHARED: Final = intersect(
    *(
        select(EVENT_ACTS.c.event_id.label("id")).where(
            or_(
                EVENT_ACTS.c.by_player == bindparam(name), EVENT_ACTS.c.player_id == bindparam(name)
            )
        )
        for name in ("one", "other")
    )
)
_NAMES: Final = select(PLAYERS.c.id, PLAYERS.c.name).where(
    PLAYERS.c.id.in_(
        union(
            *(
                select(column).where(EVENT_ACTS.c.event_id == bindparam("wanted"))
                for column in (EVENT_ACTS.c.by_player, EVENT_ACTS.c.player_id)
            )
        )
    )
)
_WAITS: Final = and_(
    EVENT_GAMES.c.is_counted.is_(False),
    or_(EVENT_GAMES.c.is_over.is_(True), EVENT_GAMES.c.game_id.is_(None)),
)
_DUE: Final = union(
    select(EVENTS.c.id.label("id")).where(
        EVENTS.c.due.is_not(None), EVENTS.c.due <= bindparam("until")
    ),
    select(EVENT_GAMES.c.event_id.label("id"))
    .join(EVENTS, EVENTS.c.id == EVENT_GAMES.c.event_id)
    .where(
        _WAITS,
        or_(
            EVENT_GAMES.c.is_over.is_(True),
            # Games of a round that has not begun wait for it, and those of a paused event too.
            and_(EVENTS.c.phase == "running", EVENT_GAMES.c.round <= EVENTS.c.round),
        ),
    ),
)
_DUE_ID: Final = _DUE.subquery().c.id
_DUE_IDS: Final = (
    select(_DUE_ID).where(bindparam("behind") < _DUE_ID).order_by(_DUE_ID).limit(bindparam("most"))
)

_ACT_FIELDS: Final = tuple(
    EVENT_ACTS.c[name]
    for name in ("number", "at", "by_player", "name", "player_id", "facts", "reason", "mark")
)
_ACTS: Final = (
    select(*_ACT_FIELDS)
    .where(EVENT_ACTS.c.event_id == bindparam("wanted"), EVENT_ACTS.c.number >= bindparam("first"))
    .order_by(EVENT_ACTS.c.number)
)
_ACTS_BY: Final = (
    select(*_ACT_FIELDS, EVENT_ACTS.c.event_id)
    .where(EVENT_ACTS.c.by_player == bindparam("player"))
    .order_by(EVENT_ACTS.c.event_id, EVENT_ACTS.c.number)
)
_ADD_ACT: Final = EVENT_ACTS.insert()
_COME: Final = {
    name: insert.on_conflict_do_nothing() for name, insert in inserts(EVENT_PEOPLE).items()
}
_GONE: Final = delete(EVENT_PEOPLE).where(
    EVENT_PEOPLE.c.event_id == bindparam("wanted"),
    EVENT_PEOPLE.c.player_id == bindparam("player"),
    EVENT_PEOPLE.c.role == bindparam("as_what"),
)
_GAME_FIELDS: Final = tuple(EVENT_GAMES.c[field.name] for field in fields(GameOfEvent))
_ADD_GAME: Final = EVENT_GAMES.insert()
_GAMES: Final = (
    select(*_GAME_FIELDS)
    .where(EVENT_GAMES.c.event_id == bindparam("wanted"))
    .order_by(EVENT_GAMES.c.encounter, EVENT_GAMES.c.game)
)
_GAMES_OF_ENCOUNTER: Final = _GAMES.where(EVENT_GAMES.c.encounter == bindparam("of_encounter"))
_WAITING_GAMES: Final = _GAMES.where(_WAITS)
_FIND_GAME: Final = select(*_GAME_FIELDS).where(EVENT_GAMES.c.game_id == bindparam("wanted"))
_THIS_GAME: Final = and_(
    EVENT_GAMES.c.event_id == bindparam("wanted"),
    EVENT_GAMES.c.encounter == bindparam("of_encounter"),
    EVENT_GAMES.c.game == bindparam("of_game"),
)
_BEGIN_GAME: Final = (
    update(EVENT_GAMES)
    .where(_THIS_GAME, EVENT_GAMES.c.game_id.is_(None))
    .values(game_id=bindparam("begun"))
)
_COUNT_GAME: Final = update(EVENT_GAMES).where(_THIS_GAME).values(is_counted=True)
_SAY: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["event_id", "encounter", "game", "player_id"],
        set_={"at": insert.excluded.at, "text": insert.excluded.text},
    )
    for name, insert in inserts(EVENT_STATEMENTS).items()
}
_STATEMENT_FIELDS: Final = tuple(EVENT_STATEMENTS.c[field.name] for field in fields(Statement))
_SAID: Final = (
    select(*_STATEMENT_FIELDS)
    .where(
        EVENT_STATEMENTS.c.event_id == bindparam("wanted"),
        EVENT_STATEMENTS.c.encounter == bindparam("of_encounter"),
        EVENT_STATEMENTS.c.game == bindparam("of_game"),
    )
    .order_by(EVENT_STATEMENTS.c.at, EVENT_STATEMENTS.c.player_id)
)
_SAID_BY: Final = (
    select(*_STATEMENT_FIELDS)
    .where(EVENT_STATEMENTS.c.player_id == bindparam("player"))
    .order_by(EVENT_STATEMENTS.c.at)
)
_TOUCHED: Final = (
    update(EVENTS)
    .where(
        EVENTS.c.id.in_(
            select(EVENT_ACTS.c.event_id).where(
                or_(
                    EVENT_ACTS.c.by_player == bindparam("before"),
                    EVENT_ACTS.c.player_id == bindparam("before"),
                )
            )
        )
    )
    .values(revision=EVENTS.c.revision + 1)
)
_READDRESS: Final = (
    update(EVENT_ACTS)
    .where(EVENT_ACTS.c.by_player == bindparam("before"))
    .values(by_player=bindparam("after")),
    update(EVENT_ACTS)
    .where(EVENT_ACTS.c.player_id == bindparam("before"))
    .values(player_id=bindparam("after")),
    update(EVENT_STATEMENTS)
    .where(EVENT_STATEMENTS.c.player_id == bindparam("before"))
    .values(player_id=bindparam("after")),
)
_PEOPLE: Final = select(EVENT_PEOPLE.c.event_id, EVENT_PEOPLE.c.role).where(
    EVENT_PEOPLE.c.player_id == bindparam("player")
)
_NOT_SAID: Final = delete(EVENT_STATEMENTS).where(
    EVENT_STATEMENTS.c.player_id == bindparam("player")
)

GAME_ENDED: Final = (
    update(EVENT_GAMES)
    # Only once: who saves a game again that is over must not wait for whoever counts it.
    .where(EVENT_GAMES.c.game_id == bindparam("ended"), EVENT_GAMES.c.is_over.is_(False))
    .values(is_over=True)
)
"""A game is over; if it is one of an event, that is to be told of it."""


class EventQueries(Transaction):
    """What a unit can do with events."""

    def add_event(self, event: StoredEvent) -> None:
        """A new event."""
        self._write_later(_ADD, asdict(event))

    def find_event(self, event_id: str) -> StoredEvent | None:
        """An event, not locked."""
        row = self._first(_FIND, {"wanted": event_id}) if is_storable(event_id) else None
        return None if row is None else StoredEvent(*row)

    def lock_event(self, event_id: str) -> StoredEvent | None:
        """An event, kept from others until this unit ends."""
        if not is_storable(event_id):
            return None
        self._seen.clear()
        row = self._first(_LOCK[self._dialect], {"wanted": event_id})
        return None if row is None else StoredEvent(*row)

    def save_event(self, event: StoredEvent) -> None:
        """What changes of an event."""
        values = {k: v for k, v in asdict(event).items() if k not in _UNCHANGING}
        self._write_later(_SAVE, values | {"wanted": event.id}, f"there is no event {event.id}")

    def newest_events(
        self, phases: Collection[Phase], *, before: tuple[datetime, str] | None, limit: int
    ) -> Sequence[StoredEvent]:
        """Events in some phases, newest first."""
        found: list[StoredEvent] = []
        instant, behind = before or (_LAST, "")
        for phase in sorted(phases):
            values = {"wanted": phase, "instant": instant, "behind": behind, "most": limit}
            found += (StoredEvent(*row) for row in self._rows(_NEWEST, values))
        found.sort(key=lambda each: (each.created_at, each.id), reverse=True)
        return found[:limit]

    def events_of(self, player_id: int) -> Sequence[tuple[StoredEvent, Role]]:
        """The events that somebody has to do with, newest first."""
        rows = self._rows(_OF_PLAYER, {"player": player_id})
        return [(StoredEvent(*row[:-1]), row[-1]) for row in rows]

    def events_shared(self, one: int, other: int) -> Sequence[str]:
        """The ids of events whose logs tell of both players, in order."""
        return sorted(self._column(_SHARED, {"one": one, "other": other}))

    def names_in_event(self, event_id: str) -> Mapping[int, str]:
        """The names of all players whom the log of an event tells of, by number."""
        if not is_storable(event_id):
            return {}
        return {row.id: row.name for row in self._rows(_NAMES, {"wanted": event_id})}

    def due_events(self, until: datetime, *, after: str, limit: int) -> Sequence[str]:
        """The ids of events behind one, in order, in which something is to be done."""
        return self._column(_DUE_IDS, {"until": until, "behind": after, "most": limit})

    def add_act(self, event_id: str, act: Act, mark: str) -> None:
        """One more act. Raises StoreConflictError."""
        self._write_later(
            _ADD_ACT,
            {
                "event_id": event_id,
                "number": act.number,
                "at": act.at,
                "by_player": act.by,
                "name": act.name,
                "player_id": act.player,
                "facts": dict(act.facts),
                "reason": act.reason,
                "mark": mark,
            },
        )

    def acts_of(self, event_id: str, *, since: int = 1) -> Sequence[KeptAct]:
        """The log of an event from an act on."""
        rows = self._rows(_ACTS, {"wanted": event_id, "first": since})
        return [KeptAct(Act(*row[:-1]), row[-1]) for row in rows]

    def change_people(
        self,
        event_id: str,
        *,
        gone: Collection[tuple[int, Role]],
        come: Collection[tuple[int, Role]],
    ) -> None:
        """Who has something to do with an event, and who no longer has."""
        for player_id, role in sorted(gone):
            values = {"wanted": event_id, "player": player_id, "as_what": role}
            self._write_later(_GONE, values)
        for player_id, role in sorted(come):
            values = {"event_id": event_id, "player_id": player_id, "role": role}
            self._write_later(_COME[self._dialect], values)

    def add_event_games(self, games: Sequence[GameOfEvent]) -> None:
        """Games that are to be played. Raises StoreConflictError."""
        for game in games:
            self._write_later(_ADD_GAME, asdict(game))

    def games_of_event(self, event_id: str) -> Sequence[GameOfEvent]:
        """All games of an event, in order."""
        return [_game(row) for row in self._rows(_GAMES, {"wanted": event_id})]

    def games_of_encounter(self, event_id: str, encounter: int) -> Sequence[GameOfEvent]:
        """The games of one encounter, in order."""
        values = {"wanted": event_id, "of_encounter": encounter}
        return [_game(row) for row in self._rows(_GAMES_OF_ENCOUNTER, values)]

    def waiting_event_games(self, event_id: str) -> Sequence[GameOfEvent]:
        """The games of an event that are over and not counted, or have not begun, in order."""
        return [_game(row) for row in self._rows(_WAITING_GAMES, {"wanted": event_id})]

    def find_event_game(self, game_id: str) -> GameOfEvent | None:
        """Of which event a game is, if of any."""
        row = self._first(_FIND_GAME, {"wanted": game_id}) if is_storable(game_id) else None
        return None if row is None else _game(row)

    def begin_event_game(self, game: GameOfEvent) -> None:
        """A game of an event has begun. Raises StoreConflictError."""
        values = _key(game.event_id, game.encounter, game.game) | {"begun": game.game_id}
        self._write_later(_BEGIN_GAME, values, f"a game of {game.event_id} had begun already")

    def count_event_game(self, event_id: str, encounter: int, game: int) -> None:
        """The result of a game is part of the event, or never will be."""
        self._write_later(_COUNT_GAME, _key(event_id, encounter, game))

    def save_statement(self, statement: Statement) -> None:
        """What a player says about a game; another one replaces it."""
        self._write_later(_SAY[self._dialect], asdict(statement))

    def statements_of(self, event_id: str, encounter: int, game: int) -> Sequence[Statement]:
        """What players have said about a game, oldest first."""
        return [Statement(*row) for row in self._rows(_SAID, _key(event_id, encounter, game))]

    def acts_by(self, player_id: int) -> Sequence[tuple[str, Act]]:
        """What a player has done in events, by event and number."""
        rows = self._rows(_ACTS_BY, {"player": player_id})
        return [(row[-1], Act(*row[:-2])) for row in rows]

    def statements_by(self, player_id: int) -> Sequence[Statement]:
        """What a player has said to directors."""
        return [Statement(*row) for row in self._rows(_SAID_BY, {"player": player_id})]

    def readdress_events(self, player_id: int, to_player_id: int) -> None:
        """What one player did and has in events is another's."""
        self._write_later(_TOUCHED, {"before": player_id})
        for statement in _READDRESS:
            self._write_later(statement, {"before": player_id, "after": to_player_id})
        for event_id, role in self._rows(_PEOPLE, {"player": player_id}):
            self.change_people(event_id, gone=[(player_id, role)], come=[(to_player_id, role)])

    def forget_statements(self, player_id: int) -> None:
        """Drop what a player has said about games."""
        self._write_later(_NOT_SAID, {"player": player_id})


def _key(event_id: str, encounter: int, game: int) -> dict[str, Any]:
    return {"wanted": event_id, "of_encounter": encounter, "of_game": game}


def _game(row: Any) -> GameOfEvent:
    event_id, encounter, game, number, game_id, is_over, is_counted = row
    return GameOfEvent(event_id, encounter, game, number, game_id, bool(is_over), bool(is_counted))
