"""One running game walked through to its likely end. Pure and deterministic.

Turn by turn, each answer takes its player's usual time, and none of it passes while they are on
leave. How sure the end is follows from how much lengths and answers vary. A slower player never
makes an end earlier here, nor does a leave. What this means for an event is ``forecast``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import NormalDist
from typing import Final, Literal

from pbem.tournaments.habits import USUAL, Habit

DEFENCES: Final = 0.4
"""So many answers of the other side a turn takes, besides the turn itself."""
ALARMING: Final = 0.2
"""A flag is told of that falls with this chance or more."""
NINETY: Final = NormalDist().inv_cdf(0.9)
"""So many standard deviations above the mean lie nine tenths."""

_NOTHING: Final = timedelta(0)
_SECOND: Final = timedelta(seconds=1)

Leaves = tuple[tuple[datetime, datetime], ...]
"""From when to when somebody is away, in order; none overlap."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A side of a running game. ``bank`` is what is left on the clock, None if it has no end;
    ``asked_at`` and ``deadline`` are of an answer that is awaited."""

    player_id: int
    habit: Habit = USUAL
    leaves: Leaves = ()
    bank: timedelta | None = None
    asked_at: datetime | None = None
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """A game that goes on: so many turns are played, and one side is to move."""

    game_id: str
    seats: tuple[Seat, Seat]
    turns: int = 0
    to_move: int = 0
    increment: timedelta = _NOTHING


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A flag that is likely to fall: ``now``, because an answer is late, with its chance; or in the
    end, because somebody plays slower than the clock allows (``pace``)."""

    player_id: int
    at: datetime
    why: Literal["now", "pace"]
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Ends:
    """When something ends: as likely sooner as later, and by when with nine chances of ten."""

    median: datetime
    ninety: datetime


@dataclass(frozen=True, slots=True)
class GameForecast:
    """When a game ends, and whose clock is likely to run out."""

    game_id: str
    players: tuple[int, int]
    ends: Ends
    time_outs: tuple[TimeOut, ...]


def forecast_game(game: Running, *, lengths: Sequence[int], now: datetime) -> GameForecast:
    """When one game ends; ``lengths`` are sorted."""
    usual, long = _turns_left(game.turns, lengths)
    walk = _Walk(game, now)
    for _ in range(usual):
        walk.turn()
    middle, variance, falls = walk.now, walk.variance, dict(walk.falls)
    for _ in range(long - usual):
        walk.turn()
    apart = math.hypot((walk.now - middle) / _SECOND, NINETY * math.sqrt(variance))
    ends = Ends(middle, middle + timedelta(seconds=apart))
    first, second = game.seats
    return GameForecast(
        game.game_id, (first.player_id, second.player_id), ends, tuple(_time_outs(game, falls, now))
    )


class _Walk:
    """A game walked through from now on, at each player's usual pace."""

    def __init__(self, game: Running, now: datetime) -> None:
        self.now = now
        self.variance = 0.0
        """Of the seconds that it takes."""
        self.falls: dict[int, datetime] = {}
        """When a clock would be empty, by seat."""
        self._game = game
        self._mover = game.to_move
        self._banks = [seat.bank for seat in game.seats]
        self._elapsed = [_silence(seat, now) for seat in game.seats]

    def turn(self) -> None:
        """One side has its turn, the other defends."""
        self._answer(self._mover, 1.0)
        self._answer(1 - self._mover, DEFENCES)
        self._mover = 1 - self._mover

    def _answer(self, number: int, share: float) -> None:
        seat = self._game.seats[number]
        needed = seat.habit.mean * share
        waited, self._elapsed[number] = self._elapsed[number], _NOTHING
        # Whoever has been silent for long will be so for some time.
        needed = max(needed - waited, waited / 2)
        self.now = _after(self.now, needed, seat.leaves)
        self.variance += share * (seat.habit.deviation / _SECOND) ** 2
        bank = self._banks[number]
        if bank is not None and share == 1.0:
            bank -= needed
            if bank < _NOTHING:
                self.falls.setdefault(number, self.now)
            self._banks[number] = bank + self._game.increment


def _after(start: datetime, needed: timedelta, leaves: Leaves) -> datetime:
    """The instant after so much time, not counting leaves."""
    for begins, ends in leaves:
        if ends <= start:
            continue
        if start + needed <= begins:
            break
        needed -= max(_NOTHING, begins - start)
        start = ends
    return start + needed


def _turns_left(played: int, lengths: Sequence[int]) -> tuple[int, int]:
    """How many turns are still to come, usually and at most in nine games of ten: from games that
    lasted longer than this one has."""
    longer = [length for length in lengths if length > played]
    if len(longer) < 3:  # longer than nearly all: it may go on for a quarter of what it took
        usual = max(4, played // 4)
        return usual, 2 * usual
    usual = longer[(len(longer) - 1) // 2] - played
    long = longer[math.ceil(0.9 * len(longer)) - 1] - played
    return usual, max(usual, long)


def _time_outs(game: Running, falls: Mapping[int, datetime], now: datetime) -> Iterator[TimeOut]:
    for number, seat in enumerate(game.seats):
        chance = _chance_of_flag(seat, now)
        if seat.deadline is not None and chance >= ALARMING:
            yield TimeOut(seat.player_id, seat.deadline, "now", round(chance, 2))
        elif number in falls:
            yield TimeOut(seat.player_id, falls[number], "pace")


def _chance_of_flag(seat: Seat, now: datetime) -> float:
    """How likely the answer that is awaited comes too late."""
    if seat.asked_at is None or seat.deadline is None:
        return 0.0
    away = _away(seat.leaves, seat.asked_at, seat.deadline)
    return seat.habit.chance_of_silence(_silence(seat, now), seat.deadline - seat.asked_at - away)


def _silence(seat: Seat, now: datetime) -> timedelta:
    """How long an answer has been awaited, not counting leave."""
    if seat.asked_at is None or seat.asked_at >= now:
        return _NOTHING
    return now - seat.asked_at - _away(seat.leaves, seat.asked_at, now)


def _away(leaves: Leaves, since: datetime, until: datetime) -> timedelta:
    """How much of a time somebody is on leave."""
    parts = (min(ends, until) - max(begins, since) for begins, ends in leaves)
    return sum((part for part in parts if part > _NOTHING), _NOTHING)
