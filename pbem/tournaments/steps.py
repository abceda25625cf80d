"""What an event does by itself, one step at a time. Owns their names and what each is about.

Which one is due, and when, is ``progress``; what it leads to is an act of the log (``acts``), and
who is told of it is left to the use cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.tournaments.event import Result


@dataclass(frozen=True, slots=True)
class MoveUp:
    """Places are free: these come in from the waiting list."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CloseEntries:
    """Entering ends (``Event.is_closed``)."""


@dataclass(frozen=True, slots=True)
class AskCheckIn:
    """All who are in or wait are asked to say that they are there (``Event.check_in_asked``)."""


@dataclass(frozen=True, slots=True)
class PutOff:
    """Too few are there to begin: the directors are told, and the start is put off.

    The charter's start becomes ``starts_at``; check-in is asked for anew, so who has checked in and
    that it was asked are forgotten.
    """

    starts_at: datetime
    found: int
    least: int


@dataclass(frozen=True, slots=True)
class Begin:
    """The event begins. ``absent`` did not check in and are out; ``moved_up`` wait and come in."""

    absent: tuple[int, ...] = ()
    moved_up: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PairRound:
    """Encounters are due: ``progress.pair`` makes them, ``progress.round_after`` says which round
    has begun with them. In ``running`` are the encounters of earlier rounds that still go on."""

    round: int
    running: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round begins that was paired before: its games are to be started."""

    round: int
    running: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Walkover:
    """A game of somebody who is out has this result, whether it was started or not.

    ``game`` is its place in the encounter, from 0.
    """

    encounter: int
    game: int
    result: Result


@dataclass(frozen=True, slots=True)
class Lapse:
    """A challenge was not answered in time (``ladder.lapsed``)."""

    challenge: int


@dataclass(frozen=True, slots=True)
class Slip:
    """An entrant of a ladder has done nothing for long (``ladder.slipped``)."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Finish:
    """Everything is played, or too few are left to play on."""


Step = (
    MoveUp
    | CloseEntries
    | AskCheckIn
    | PutOff
    | Begin
    | PairRound
    | OpenRound
    | Walkover
    | Lapse
    | Slip
    | Finish
)
