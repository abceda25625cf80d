"""From what a player has set to when their clocks run."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.play.course import calendar_text
from pbem.play.model import Leave, Player
from pbem.play.open_game import OpenGame
from pbem.play.ports import Surroundings, Unit
from pbem.schedule.calendar import Calendar, QuietHours
from pbem.schedule.instants import Period
from pbem.schedule.leave import Leave as PlannedLeave

LONGEST_STOP: Final = timedelta(days=14)
"""How long a clock stands because mail bounces; then it runs again, answered or not (L5)."""

STOPS_TOGETHER: Final = timedelta(days=60)
"""Stops that begin within this time count as one: nobody gains time by bouncing again."""


def first_of_stops(player: Player, now: datetime) -> datetime:
    """When the stops began that one beginning now would count together with."""
    first = player.first_stop
    return now if first is None or now >= first + STOPS_TOGETHER else first


def stop_ends(player: Player, since: datetime) -> datetime:
    """When a stop that began at this instant is over."""
    return first_of_stops(player, since) + LONGEST_STOP


def calendar_of(player: Player) -> Calendar:
    """When a player's time counts."""
    chosen = player.preferences
    quiet = None
    if chosen.quiet_from is not None and chosen.quiet_to is not None:
        quiet = QuietHours(chosen.quiet_from, chosen.quiet_to)
    stops: tuple[Period, ...] = ()
    if player.stopped_since is not None:
        stops = (Period(player.stopped_since, stop_ends(player, player.stopped_since)),)
    return Calendar(
        time_zone=chosen.time_zone,
        rests_on_weekends=chosen.rests_on_weekends,
        quiet=quiet,
        leaves=tuple(Period(leave.begins, leave.ends) for leave in player.leaves),
        stops=stops,
    )


def planned(leave: Leave) -> PlannedLeave:
    """A leave as the schedule reckons with it."""
    return PlannedLeave(leave.first, leave.last, Period(leave.begins, leave.ends))


def refresh_calendars(around: Surroundings, unit: Unit, player: Player, at: datetime) -> None:
    """Tell every running game of a player about a changed calendar; nothing is retroactive."""
    calendar = calendar_of(player)
    for game_id in unit.games_of(player.id, is_over=False):
        game = OpenGame.lock(around, unit, game_id)
        game.catch_up(at)
        seat = game.stored.find_seat(player.id)
        if seat is not None and _is_changed(game, seat, calendar):
            game.decree(calendar_text(seat, calendar), at)
        game.save(at)


def _is_changed(game: OpenGame, seat: int, calendar: Calendar) -> bool:
    if game.stored.is_over:
        return False
    return game.course.clock.seats[seat].timeline.current != calendar
