"""What the use cases know of the world: players, games, requests, notices. Plain and frozen.

How these are stored is ``pbem.store``; a stored game's position is only a cache of its log.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Final

from pbem.games.base import Start, Trips
from pbem.play.log import LogEntry

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a player wants to be written to, and when a clock does not run for them."""

    language: str = "en"
    time_zone: str = "UTC"
    board: str = "image"
    """``image``, ``text`` or ``spoken``."""
    delivery: str = "each"
    """``each`` turn, a daily ``digest``, or ``none``: no mail but answers to one's own."""
    quiet_from: time | None = None
    quiet_to: time | None = None
    rests_on_weekends: bool = False
    messages_stop_plans: bool = False
    notes_join: str = "never"
    """Whether private notes join the archived game: ``never``, ``after`` it, or if both players'
    may, ``agreed``."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Days off, both included, and the instants between which no clock runs because of them."""

    first: date
    last: date
    begins: datetime
    ends: datetime
    announced_at: datetime


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody with a name. A deleted player keeps the number, so that games stay whole."""

    id: int
    name: str
    created_at: datetime
    preferences: Preferences = Preferences()
    standing: str = "off"
    """Standing rules for all games, canonical (N3.1)."""
    leaves: tuple[Leave, ...] = ()
    stopped_since: datetime | None = None
    """Since when mail to the player bounces, which stops the clock."""
    first_stop: datetime | None = None
    """When the first of the stops began that count together (L5)."""
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """A mail address of a player; ``address`` is lower case and unique."""

    address: str
    player_id: int
    added_at: datetime
    verified_at: datetime | None = None
    is_preferred: bool = False
    is_fallback: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A submission in its correction window: taken, not played, known to nobody but its author."""

    seat: int
    text: str
    key: str | None
    arrived: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it stands. ``players`` are by seat; ``state`` and ``clock`` are caches of the log.

    ``terms`` are what the server sees to (clock, correction window, visibility), as agreed;
    ``due`` is the next instant at which something happens by itself.
    """

    start: Start
    game: str
    terms: Mapping[str, object]
    players: tuple[int, ...]
    created_at: datetime
    state: str
    clock: str
    entries: int = 0
    head: str = ""
    last_at: datetime | None = None
    """When the last entry took effect."""
    turns: int = 0
    held: tuple[Held, ...] = ()
    trips: Trips = Trips()
    due: datetime | None = None
    winner: int | None = None
    termination: str | None = None
    ended_at: datetime | None = None
    rematch_of: str | None = None

    @property
    def id(self) -> str:
        """The name of the game in mails and addresses."""
        return self.start.game_id

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.ended_at is not None

    def find_seat(self, player_id: int) -> int | None:
        """The seat of a player in this game."""
        return self.players.index(player_id) if player_id in self.players else None


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Something a seat was asked for; closed exactly once, by the entry that answers it.

    ``mark`` tells one question from the next of the same kind; ``deadline`` is when the clock
    decides, None while it stands still.
    """

    game_id: str
    seat: int
    kind: str
    mark: str
    opened_by: int
    opened_at: datetime
    deadline: datetime | None = None
    closed_by: int | None = None
    closed_at: datetime | None = None

    @property
    def id(self) -> str:
        """The name of the request: its game, the entry that opened it, and the seat."""
        return f"{self.game_id}.{self.opened_by}.{self.seat}"


def split_request_id(request_id: str) -> tuple[str, int, int]:
    """Game, entry and seat of a request's id; numbers below zero where it is none."""
    game_id, _, rest = request_id.partition(".")
    opened_by, _, seat = rest.partition(".")
    numbers = [int(part) if _NUMBER.fullmatch(part) else -1 for part in (opened_by, seat)]
    return game_id, numbers[0], numbers[1]


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which the server could not receive or send, so that clocks stood (L1.6).

    ``after`` is the game that was told of it last; games are told in the order of their ids.
    """

    begins: datetime
    ends: datetime
    after: str = ""


@dataclass(frozen=True, slots=True)
class Pulse:
    """When the server last could receive and send, and the outages before that (begin and end)
    which not every game has been told of."""

    last: datetime
    outages: tuple[tuple[datetime, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class SeenGame:
    """A game as it stands, with who sits in it, its open requests, and what was written beside it:
    all messages, and the notes of one player."""

    game: StoredGame
    names: tuple[str, ...]
    requests: tuple[OpenRequest, ...] = ()
    messages: tuple[Message, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class LockedGame:
    """A game kept from others, with its open requests, the entry of a submission's key, and the
    server's pulse, None if it never had one."""

    game: StoredGame
    requests: tuple[OpenRequest, ...] = ()
    known: LogEntry | None = None
    pulse: Pulse | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A mail to be written: one for each cause, player and kind (L1.3). Facts are plain values."""

    cause: str
    player_id: int
    kind: str
    created_at: datetime
    game_id: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """What one seat wrote to the other, cleaned, behind which entry."""

    game_id: str
    seat: int
    entry: int
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """What a player wrote for nobody else, on a turn."""

    game_id: str
    seat: int
    entry: int
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """An offer to play: to one player, or open to all while ``guest_id`` is None.

    ``agreement`` is what would be played, as plain values; ``host_seat`` None lets the lot choose
    the seats. It ends once: accepted (``game_id`` is set), declined, or withdrawn.
    """

    id: str
    host_id: int
    guest_id: int | None
    agreement: Mapping[str, object]
    host_seat: int | None
    created_at: datetime
    rematch_of: str | None = None
    closed_at: datetime | None = None
    outcome: str | None = None
    game_id: str | None = None
