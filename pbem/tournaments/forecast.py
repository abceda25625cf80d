"""When events will end, from when their games will. Pure and deterministic.

Slower players never make an end earlier here, nor does a leave. How a single game is judged is
``walking``; what players took so far is ``habits``; who plays what, and what clocks say, is given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import NormalDist
from typing import Final

from pbem.tournaments.walking import NINETY, Ends, GameForecast, Running, forecast_game

USUAL_LENGTHS: Final = (16, 20, 24, 28, 32, 36, 42, 50, 64)
"""Turns of games where no archive tells of any."""

_TAIL: Final = 0.5
_NEVER: Final = timedelta(days=3650)
_NOTHING: Final = timedelta(0)
_NOTICED: Final = timedelta(days=1)
"""Who waits less than this longer hardly knows."""
_NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class EventForecast:
    """When each game, the present round and the event will end; None for what has no end."""

    games: tuple[GameForecast, ...]
    round: Ends | None
    event: Ends | None


@dataclass(frozen=True, slots=True)
class LeaveEffect:
    """What a leave does to an event: by how much the round and the event end later, and who waits,
    as player numbers."""

    round_later: timedelta
    event_later: timedelta
    waiting: tuple[int, ...]


def forecast(
    games: Sequence[Running],
    *,
    now: datetime,
    lengths: Sequence[int] = USUAL_LENGTHS,
    to_come: Sequence[Running] = (),
    rounds_left: int = 0,
    round_ends: datetime | None = None,
    round_days: int = 0,
) -> EventForecast:
    """The forecast of an event. ``lengths`` are turns of games like these; ``to_come`` is one round
    of games that have not begun, as good as any, and ``rounds_left`` how many such follow.

    ``round_ends`` is when the present round ends at the latest, and ``round_days`` how long another
    lasts at most: the next one does not wait for games that go on then, but the event does.
    """
    lengths = sorted(lengths) or USUAL_LENGTHS
    told = tuple(forecast_game(game, lengths=lengths, now=now) for game in games)
    last = _last_of([game.ends for game in told], now)
    present = last if last is None else _not_after(last, round_ends)
    if not rounds_left:
        return EventForecast(told, present, last)
    fresh = [forecast_game(game, lengths=lengths, now=now).ends for game in to_come]
    new = _last_of(fresh, now) or Ends(now, now)
    most = timedelta(days=round_days) if round_days else _NEVER
    begun = present or Ends(now, now)
    between = rounds_left - 1
    whole = Ends(
        begun.median + between * min(new.median - now, most) + (new.median - now),
        begun.ninety + between * min(new.ninety - now, most) + (new.ninety - now),
    )
    if last is not None:
        whole = Ends(max(whole.median, last.median), max(whole.ninety, last.ninety))
    return EventForecast(told, present, whole)


def leave_effect(before: EventForecast, after: EventForecast, player_id: int) -> LeaveEffect:
    """What a leave of a player does, from the forecasts without and with it."""
    later = {game.game_id: game.ends.median for game in after.games}
    waiting = {
        other
        for game in before.games
        if player_id in game.players and later[game.game_id] - game.ends.median >= _NOTICED
        for other in game.players
        if other != player_id
    }
    return LeaveEffect(
        _difference(before.round, after.round),
        _difference(before.event, after.event),
        tuple(sorted(waiting)),
    )


def _last_of(ends: Sequence[Ends], now: datetime) -> Ends | None:
    """When the last of several games is over: they end independently of each other, so that is
    later than the end of the slowest one."""
    if not ends:
        return None
    return Ends(_quantile(ends, 0.5, now), _quantile(ends, 0.9, now))


def _quantile(ends: Sequence[Ends], chance: float, now: datetime) -> datetime:
    low = max(each.median for each in ends)
    high = max(each.ninety for each in ends) + timedelta(days=1)
    while _all_over(ends, high, now) < chance:
        high += high - now
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        if _all_over(ends, middle, now) < chance:
            low = middle
        else:
            high = middle
    return high


def _all_over(ends: Sequence[Ends], at: datetime, now: datetime) -> float:
    return math.prod(_over(each, at, now) for each in ends)


def _over(ends: Ends, at: datetime, now: datetime) -> float:
    """How likely a game is over by an instant, not before its median. Behind the nine tenths it is
    so the later, the longer the game takes: then no end that moves back makes this likelier."""
    if at < ends.ninety:
        share = (at - ends.median) / (ends.ninety - ends.median)
        return _NORMAL.cdf(share * NINETY)
    beyond = (at - ends.ninety) / max((ends.ninety - now) * _TAIL, timedelta(hours=1))
    return _NORMAL.cdf(NINETY + beyond)


def _not_after(ends: Ends, latest: datetime | None) -> Ends:
    if latest is None:
        return ends
    return Ends(min(ends.median, latest), min(ends.ninety, latest))


def _difference(before: Ends | None, after: Ends | None) -> timedelta:
    if before is None or after is None:
        return _NOTHING
    return max(_NOTHING, after.median - before.median)
