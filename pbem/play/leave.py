"""Days off, and stops while mail bounces: no clock of the player runs, and one may still play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime

from pbem.play.calendars import LONGEST_STOP, first_of_stops, planned, refresh_calendars
from pbem.play.errors import NotAllowedError
from pbem.play.events.leaving import tell_directors_of_leave
from pbem.play.model import Leave, Player
from pbem.play.open_game import load_course
from pbem.play.players import check_changed_often
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import get_player, lock_player
from pbem.schedule.leave import LeaveEffect, LeaveRules, end_early, plan_leave, preview_leave


@dataclass(frozen=True, slots=True)
class LeaveOffer:
    """A leave that may be taken, what it leaves of the year, and what it does to each clock."""

    leave: Leave
    days_left: dict[int, int]
    effects: dict[str, LeaveEffect]


def offer_leave(
    around: Surroundings,
    player_id: int,
    first: date,
    last: date,
    *,
    now: datetime,
    rules: LeaveRules | None = None,
) -> LeaveOffer:
    """What a leave would do, before it is taken. Raises ScheduleError with all faults."""
    with around.store.read() as unit:
        return _offer(
            unit, get_player(unit, player_id), first, last, now=now, rules=rules or LeaveRules()
        )


def _offer(
    unit: Unit, player: Player, first: date, last: date, *, now: datetime, rules: LeaveRules
) -> LeaveOffer:
    plan = plan_leave(
        [planned(leave) for leave in player.leaves],
        first,
        last,
        now=now,
        time_zone=player.preferences.time_zone,
        rules=rules,
    )
    period = plan.leave.period
    assert period.ends is not None
    effects = {}
    for game_id in unit.games_of(player.id, is_over=False):
        stored = unit.find_game(game_id)
        seat = None if stored is None else stored.find_seat(player.id)
        if stored is not None and seat is not None:
            effects[game_id] = preview_leave(load_course(stored).clock, seat, plan.leave, now=now)
    leave = Leave(first, last, period.begins, period.ends, now)
    return LeaveOffer(leave, plan.days_left, effects)


def take_leave(
    around: Surroundings,
    player_id: int,
    first: date,
    last: date,
    *,
    now: datetime,
    rules: LeaveRules | None = None,
) -> LeaveOffer:
    """Take the leave: no clock of the player runs in it. One may still play. Raises ScheduleError,
    NotAllowedError."""
    with around.store.begin() as unit:
        player = lock_player(unit, player_id)
        offer = _offer(unit, player, first, last, now=now, rules=rules or LeaveRules())
        check_changed_often(unit, f"leave/{player_id}", now)
        _change_leaves(around, unit, player, (*player.leaves, offer.leave), now)
        tell_directors_of_leave(unit, player_id, offer.leave, now=now)
        return offer


def end_leave(around: Surroundings, player_id: int, first: date, *, now: datetime) -> Player:
    """Come back early, or drop a leave that has not begun."""
    with around.store.begin() as unit:
        player = lock_player(unit, player_id)
        found = next((leave for leave in player.leaves if leave.first == first), None)
        if found is None:
            raise NotAllowedError("no_such_leave")
        cut = end_early(planned(found), now=now, time_zone=player.preferences.time_zone)
        leaves = [leave for leave in player.leaves if leave != found]
        if cut is not None and cut.period.ends is not None:
            leaves.append(replace(found, last=cut.last, ends=cut.period.ends))
        return _change_leaves(around, unit, player, tuple(leaves), now)


def _change_leaves(
    around: Surroundings, unit: Unit, player: Player, leaves: tuple[Leave, ...], now: datetime
) -> Player:
    ordered = tuple(sorted(leaves, key=lambda leave: leave.begins))
    player = replace(player, leaves=ordered)
    unit.save_player(player)
    refresh_calendars(around, unit, player, now)
    return player


def stop_clocks(around: Surroundings, player_id: int, *, now: datetime) -> Player:
    """Mail to a player bounces: no clock of theirs runs (L5), for a time; see ``calendars``."""
    with around.store.begin() as unit:
        player = lock_player(unit, player_id)
        first = first_of_stops(player, now)
        if player.stopped_since is None and now < first + LONGEST_STOP:
            player = replace(player, stopped_since=now, first_stop=first)
            unit.save_player(player)
            refresh_calendars(around, unit, player, now)
        return player


def resume_clocks(around: Surroundings, player_id: int, *, now: datetime) -> Player:
    """Mail arrives again."""
    with around.store.begin() as unit:
        player = lock_player(unit, player_id)
        if player.stopped_since is not None:
            player = replace(player, stopped_since=None)
            unit.save_player(player)
            refresh_calendars(around, unit, player, now)
        return player
