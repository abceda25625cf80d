"""Events and accounts that become one, or end: nobody plays twice in an event, and nobody who has
left for good is awaited.

Events come before players and games in the order of locks: they are locked (``lock_events_of``)
before anything else is done to an account.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pbem.play.errors import NotAllowedError
from pbem.play.events.entering import leave_opened
from pbem.play.events.open_event import OpenEvent
from pbem.play.ports import Surroundings, Unit
from pbem.tournaments.act_entries import find_active

OVER = ("over", "cancelled")


def lock_events_of(around: Surroundings, unit: Unit, player_ids: Sequence[int]) -> list[OpenEvent]:
    """The events that players have to do with and that are not over, locked in order."""
    wanted = {
        stored.id
        for player_id in player_ids
        for stored, _ in unit.events_of(player_id)
        if stored.phase not in OVER
    }
    return [OpenEvent.lock(around, unit, event_id) for event_id in sorted(wanted)]


def check_apart(opened: Sequence[OpenEvent], kept_id: int, gone_id: int) -> None:
    """Raises NotAllowedError if two who are to become one take part in the same event."""
    for each in opened:
        both = (find_active(each.event, player_id) for player_id in (kept_id, gone_id))
        if all(place is not None for place in both):
            raise NotAllowedError("same_event")


def part(opened: Sequence[OpenEvent], unit: Unit, player_id: int, *, now: datetime) -> None:
    """Somebody leaves for good: their places, what they were asked, and what they direct."""
    for each in opened:
        if each.event.phase in OVER:
            continue
        for asked in each.event.asked:
            if asked.player_id == player_id:
                entrant = asked.entrant
                each.act("substitute_declined", at=now, player=player_id, entrant=entrant)
        if find_active(each.event, player_id) is not None:
            leave_opened(each, player_id, now=now)
        if player_id in each.event.directors:
            each.act("director_removed", at=now, player=player_id)
        each.save()
    unit.forget_statements(player_id)
