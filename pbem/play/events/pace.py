"""When an event will end, from how long its players took for their last answers; and what a leave
would do to it.

Gathers what the forecasts need (``pbem.tournaments.forecast``): habits, leaves, clocks, the length
of games of the level. A clock that stands because mail bounces counts as a leave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from pbem.play.calendars import stop_ends
from pbem.play.model import OpenRequest, Player, StoredGame
from pbem.play.open_game import load_course
from pbem.play.paced import Reply
from pbem.play.ports import Unit
from pbem.play.rating import level_of
from pbem.tournaments.event import Event
from pbem.tournaments.forecast import EventForecast, LeaveEffect, forecast, leave_effect
from pbem.tournaments.habits import Habit, habit_of
from pbem.tournaments.remaining import rounds_left
from pbem.tournaments.rounds import limit_of
from pbem.tournaments.walking import Leaves, Running, Seat

MOST_REPLIES: Final = 60
"""How many of a player's last answers are looked at."""
LOOKED_BACK: Final = timedelta(days=180)
"""Games that nobody has touched for so long tell nothing of today's pace."""
MOST_LENGTHS: Final = 300

Away = tuple[datetime, datetime]
"""From when to when somebody would be on leave."""


def forecast_event(unit: Unit, event: Event, *, now: datetime) -> EventForecast:
    """When the games of an event, its round and itself will end."""
    return _forecast(unit, event, _Gathered(unit, event, now), now)


def effect_of_leave(
    unit: Unit, event: Event, player_id: int, away: Away, *, now: datetime
) -> LeaveEffect:
    """What a leave that is not taken yet would do to an event."""
    gathered = _Gathered(unit, event, now)
    before = _forecast(unit, event, gathered, now)
    gathered.leaves[player_id] = _united((*gathered.leaves.get(player_id, ()), away))
    return leave_effect(before, _forecast(unit, event, gathered, now), player_id)


def habits_of(
    unit: Unit, players: Mapping[int, Player | None], *, now: datetime
) -> dict[int, Habit]:
    """How long players take, by number; what passed while they were on leave does not count."""
    replies = unit.replies_of(players.keys(), since=now - LOOKED_BACK, limit=MOST_REPLIES)
    return {
        player_id: habit_of(_took(reply, leaves_of(players[player_id])) for reply in given)
        for player_id, given in replies.items()
    }


def leaves_of(player: Player | None) -> Leaves:
    """When a player is away: on leave, or out of reach."""
    if player is None:
        return ()
    found = [(leave.begins, leave.ends) for leave in player.leaves]
    if player.stopped_since is not None:
        found.append((player.stopped_since, stop_ends(player, player.stopped_since)))
    return _united(found)


class _Gathered:
    """What is known of the players and the running games of an event."""

    def __init__(self, unit: Unit, event: Event, now: datetime) -> None:
        entrants = sorted(each.player_id for each in event.entrants if each.is_in)
        self.games = list(_running(unit, event))
        seated = {player_id for game, _ in self.games for player_id in game.players}
        players = {each: unit.find_player(each) for each in sorted(seated | set(entrants))}
        self.habits = habits_of(unit, players, now=now)
        self.leaves = {player_id: leaves_of(player) for player_id, player in players.items()}
        self.pairs = list(zip(entrants[::2], entrants[1::2], strict=False))
        """Who might meet in a round to come: as good as any."""

    def seat(self, player_id: int) -> Seat:
        """A side of a game that has not begun."""
        return Seat(player_id, self.habits[player_id], self.leaves[player_id])


def _forecast(unit: Unit, event: Event, known: _Gathered, now: datetime) -> EventForecast:
    left = rounds_left(event)
    told = forecast(
        [_as_running(known, game, asked, now) for game, asked in known.games],
        now=now,
        lengths=unit.game_lengths(level_of(event.charter.agreement), limit=MOST_LENGTHS),
        to_come=[
            Running(f"{one}-{other}", (known.seat(one), known.seat(other)))
            for one, other in known.pairs
        ],
        rounds_left=left or 0,
        round_ends=limit_of(event),
        round_days=event.charter.round_days,
    )
    return told if left is not None else EventForecast(told.games, told.round, None)


def _running(unit: Unit, event: Event) -> Iterator[tuple[StoredGame, Sequence[OpenRequest]]]:
    for row in unit.games_of_event(event.id):
        if row.game_id is not None and not row.is_over:
            stored = unit.find_game(row.game_id)
            if stored is not None and not stored.is_over:
                yield stored, unit.requests_of(row.game_id)


def _as_running(
    known: _Gathered, stored: StoredGame, asked: Sequence[OpenRequest], now: datetime
) -> Running:
    clock = load_course(stored).clock
    requests = {request.seat: request for request in reversed(asked)}
    first, second = (
        Seat(
            player_id,
            known.habits[player_id],
            known.leaves[player_id],
            bank=clock.left(seat, now),
            asked_at=requests[seat].opened_at if seat in requests else None,
            deadline=requests[seat].deadline if seat in requests else None,
        )
        for seat, player_id in enumerate(stored.players)
    )
    mover = asked[0].seat if asked else 0
    return Running(stored.id, (first, second), stored.turns, mover, clock.rules.increment)


def _took(reply: Reply, leaves: Leaves) -> timedelta:
    took = max(timedelta(0), reply.arrived - reply.asked_at)
    for begins, ends in leaves:
        overlap = min(ends, reply.arrived) - max(begins, reply.asked_at)
        took -= max(timedelta(0), overlap)
    return took


def _united(leaves: Collection[Away]) -> Leaves:
    """The same times in order, without overlaps."""
    found: list[Away] = []
    for begins, ends in sorted(leaves):
        if found and begins <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], ends))
        else:
            found.append((begins, ends))
    return tuple(found)
