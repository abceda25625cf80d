"""What a leave would do to the events of who plans it, told before it is taken."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g

from pbem.play.events.naming import NOBODY
from pbem.play.events.open_event import get_event
from pbem.play.events.pace import effect_of_leave
from pbem.play.events.viewing import my_events
from pbem.play.model import Leave
from pbem.tournaments.forecast import LeaveEffect
from pbem.tournaments.rounds import limit_of
from pbem.web.visiting import get_around, get_viewer


@dataclass(frozen=True, slots=True)
class EventEffect:
    """What a leave does to one event; ``waiting`` are names."""

    event_id: str
    title: str
    effect: LeaveEffect
    waiting: tuple[str, ...]
    has_limit: bool
    """Whether rounds turn over without those who are away."""


def leave_in_events(leave: Leave) -> list[EventEffect]:
    """The viewer's events that go on, and what a leave would do to each."""
    me = get_viewer().id
    found = []
    with get_around().store.read() as unit:
        for stored, roles in my_events(unit, me):
            if stored.phase != "running" or "entrant" not in roles:
                continue
            event = get_event(unit, stored.id)
            away = (leave.begins, leave.ends)
            effect = effect_of_leave(unit, event, me, away, now=g.now)
            players = (unit.find_player(each) for each in effect.waiting)
            waiting = tuple(NOBODY if each is None else each.name for each in players)
            has_limit = limit_of(event) is not None
            found.append(EventEffect(stored.id, stored.title, effect, waiting, has_limit))
    return found
