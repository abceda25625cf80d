"""What a leave would do to each event of a player, before it is taken; and who is told of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.play.events import notices
from pbem.play.events.open_event import get_event
from pbem.play.events.pace import Away, effect_of_leave
from pbem.play.events.viewing import my_events
from pbem.play.model import Leave
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


def tell_directors_of_leave(unit: Unit, player_id: int, leave: Leave, *, now: datetime) -> None:
    """Tell the directors of each event that somebody plays in that they take a leave."""
    for stored, roles in my_events(unit, player_id):
        if stored.phase not in ("running", "paused") or "entrant" not in roles:
            continue
        event = get_event(unit, stored.id)
        entrant = event.find_entrant(player_id)
        if entrant is None or not entrant.is_in:
            continue
        notices.tell(
            unit,
            notices.LEAVE,
            [each for each in event.directors if each != player_id],
            cause=f"event/{event.id}/leave/{entrant.number}/{leave.first}/{leave.last}",
            at=now,
            event_id=event.id,
            entrant=entrant.number,
            first=leave.first.isoformat(),
            last=leave.last.isoformat(),
        )
