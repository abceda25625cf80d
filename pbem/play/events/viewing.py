"""Looking at events: lists, one event. Everything of an event is public but drafts, which
only their directors see, and what players say to them (``statements``).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from pbem.play.events.open_event import NoSuchEventError, get_event
from pbem.play.events.ports import Role, StoredEvent
from pbem.play.ports import Unit
from pbem.tournaments.event import Event, Phase

PUBLIC: Final[tuple[Phase, ...]] = ("open", "running", "paused", "over", "cancelled")
ON_A_PAGE: Final = 50


def see_event(unit: Unit, event_id: str, *, viewer: int | None) -> Event:
    """An event as it stands. Raises NoSuchEventError, also for another's draft."""
    event = get_event(unit, event_id)
    if event.phase == "draft" and viewer not in event.directors:
        raise NoSuchEventError(event=event_id)
    return event


def list_events(
    unit: Unit,
    *,
    phases: Sequence[Phase] = PUBLIC,
    before: tuple[datetime, str] | None = None,
    limit: int = ON_A_PAGE,
) -> Sequence[StoredEvent]:
    """Events that everybody may see, newest first."""
    public = [phase for phase in phases if phase in PUBLIC]
    return unit.newest_events(public, before=before, limit=limit)


def my_events(unit: Unit, player_id: int) -> Sequence[tuple[StoredEvent, tuple[Role, ...]]]:
    """The events that somebody has to do with, newest first, with what they have."""
    found: dict[str, tuple[StoredEvent, tuple[Role, ...]]] = {}
    for stored, role in unit.events_of(player_id):
        known = found.get(stored.id, (stored, ()))[1]
        found[stored.id] = (stored, (*known, role))
    return list(found.values())
