"""What a leave would do to each event of a player, before it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.play.events.open_event import get_event
from pbem.play.events.pace import Away, effect_of_leave
from pbem.play.events.viewing import my_events
from pbem.play.ports import Unit
from pbem.tournaments.forecast import LeaveEffect


@dataclass(frozen=True, slots=True)
class EventEffect:
    """What a leave does to one event; ``waiting`` are the names of who would wait longer."""

    event_id: str
    title: str
    effect: LeaveEffect
    waiting: tuple[str, ...]


def effects_on_events(
    unit: Unit, player_id: int, away: Away, *, now: datetime
) -> tuple[EventEffect, ...]:
    """The events that go on and in which a player has a place, newest first."""
    found = []
    for stored, roles in my_events(unit, player_id):
        if stored.phase == "running" and "entrant" in roles:
            event = get_event(unit, stored.id)
            effect = effect_of_leave(unit, event, player_id, away, now=now)
            players = (unit.find_player(each) for each in effect.waiting)
            names = tuple(each.name for each in players if each is not None)
            found.append(EventEffect(stored.id, stored.title, effect, names))
    return tuple(found)
