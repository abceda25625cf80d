"""Events as the store keeps them. Plain, like ``studied``.

What counts is the log of acts; the row of an event is what lists are made of and when to look
again. ``mark`` is different behind every act, and ``revision`` behind every change of who somebody
is, so that a process may keep what a log came to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from pbem.tournaments.act_model import Act
from pbem.tournaments.charter import Format
from pbem.tournaments.event import Phase

Role = Literal["director", "entrant", "waiting", "asked"]
"""What somebody has to do with an event: it is theirs to direct, they play in it, wait for a place,
or were asked to take one over."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event for lists. ``acts`` is the length of its log, ``due`` when something happens by
    itself."""

    id: str
    title: str
    format: Format
    phase: Phase
    created_at: datetime
    acts: int = 0
    mark: str = ""
    revision: int = 0
    entrants: int = 0
    """How many are in."""
    round: int = 0
    """The last round that has begun."""
    starts_at: datetime | None = None
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class KeptAct:
    """An act with the mark that the event had behind it."""

    act: Act
    mark: str


@dataclass(frozen=True, slots=True)
class GameOfEvent:
    """A game of an encounter. ``game_id`` None: it has not begun; ``is_counted``: its result is
    part of the event, or it never will be."""

    event_id: str
    encounter: int
    game: int
    round: int = 1
    game_id: str | None = None
    is_over: bool = False
    is_counted: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """What a player says to the directors about a game that they are to rule on."""

    event_id: str
    encounter: int
    game: int
    player_id: int
    at: datetime
    text: str


class EventUnit(Protocol):
    """What one transaction can do with events."""

    def add_event(self, event: StoredEvent) -> None:
        """A new event."""

    def find_event(self, event_id: str) -> StoredEvent | None:
        """An event, not locked."""

    def lock_event(self, event_id: str) -> StoredEvent | None:
        """An event, kept from others until this unit ends."""

    def save_event(self, event: StoredEvent) -> None:
        """What changes of an event that this unit has locked or added."""

    def newest_events(
        self, phases: Collection[Phase], *, before: tuple[datetime, str] | None, limit: int
    ) -> Sequence[StoredEvent]:
        """Events in some phases, newest first, behind an instant of making and an id."""

    def events_of(self, player_id: int) -> Sequence[tuple[StoredEvent, Role]]:
        """The events that somebody has to do with, newest first."""

    def events_shared(self, one: int, other: int) -> Sequence[str]:
        """The ids of events whose logs tell of both players, in order."""

    def names_in_event(self, event_id: str) -> Mapping[int, str]:
        """The names of all players whom the log of an event tells of, by number."""

    def due_events(self, until: datetime, *, after: str, limit: int) -> Sequence[str]:
        """The ids of events behind one, in order, in which something is to be done: their time has
        come, games have ended or are to begin."""

    def add_act(self, event_id: str, act: Act, mark: str) -> None:
        """One more act. Raises StoreConflictError if its number is taken."""

    def acts_of(self, event_id: str, *, since: int = 1) -> Sequence[KeptAct]:
        """The log of an event from an act on."""

    def change_people(
        self,
        event_id: str,
        *,
        gone: Collection[tuple[int, Role]],
        come: Collection[tuple[int, Role]],
    ) -> None:
        """Who has something to do with an event, and who no longer has."""

    def add_event_games(self, games: Sequence[GameOfEvent]) -> None:
        """Games that are to be played. Raises StoreConflictError if there are such."""

    def games_of_event(self, event_id: str) -> Sequence[GameOfEvent]:
        """All games of an event, in order."""

    def games_of_encounter(self, event_id: str, encounter: int) -> Sequence[GameOfEvent]:
        """The games of one encounter, in order."""

    def waiting_event_games(self, event_id: str) -> Sequence[GameOfEvent]:
        """The games of an event that are over and not counted, or have not begun, in order."""

    def find_event_game(self, game_id: str) -> GameOfEvent | None:
        """Of which event a game is, if of any."""

    def begin_event_game(self, game: GameOfEvent) -> None:
        """A game of an event has begun, as ``game_id``. Raises StoreConflictError if it had."""

    def count_event_game(self, event_id: str, encounter: int, game: int) -> None:
        """The result of a game is part of the event, or never will be."""

    def save_statement(self, statement: Statement) -> None:
        """What a player says about a game; another one replaces it."""

    def statements_of(self, event_id: str, encounter: int, game: int) -> Sequence[Statement]:
        """What players have said about a game, oldest first."""

    def acts_by(self, player_id: int) -> Sequence[tuple[str, Act]]:
        """What a player has done in events, by event and number."""

    def statements_by(self, player_id: int) -> Sequence[Statement]:
        """What a player has said to directors."""

    def readdress_events(self, player_id: int, to_player_id: int) -> None:
        """What one player did and has in events is another's."""

    def forget_statements(self, player_id: int) -> None:
        """Drop what a player has said about games."""
