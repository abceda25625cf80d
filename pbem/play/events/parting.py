"""Events and accounts that become one, or end: nobody plays twice in an event, and nobody who has
left for good is awaited.

Events come before players and games in the order of locks: they are locked (``lock_events_of``)
before anything else is done to an account.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.play.errors import NotAllowedError
from pbem.play.events.entering import leave_opened
from pbem.play.events.open_event import OpenEvent
from pbem.play.ports import Surroundings, Unit
from pbem.tournaments.act_entries import find_active
from pbem.tournaments.acts import Act, ActRefused, fold

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


def check_apart(unit: Unit, kept_id: int, gone_id: int) -> None:
    """Raises NotAllowedError if two who are to become one have done in an event what one alone
    cannot have done, however long ago: its log would come to nothing."""
    for event_id in unit.events_shared(kept_id, gone_id):
        log = (kept.act for kept in unit.acts_of(event_id))
        try:
            fold(event_id, (_readdressed(act, gone_id, kept_id) for act in log))
        except ActRefused:
            raise NotAllowedError("same_event") from None


def _readdressed(act: Act, before: int, after: int) -> Act:
    by, player = (after if each == before else each for each in (act.by, act.player))
    return replace(act, by=by, player=player)


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
