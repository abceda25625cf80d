"""Directors have an event begin, stand still, go on, last longer, and end."""

from __future__ import annotations

from datetime import datetime

from pbem.play.events import notices
from pbem.play.events.open_event import OpenEvent
from pbem.play.events.stepping import begin, finish, tell_act
from pbem.play.ports import Surroundings, Unit
from pbem.tournaments.beginning import who_begins
from pbem.tournaments.event import Event


def start(around: Surroundings, event_id: str, player_id: int | None, *, now: datetime) -> Event:
    """Have an event begin now. Raises NotAllowedError if too few are there."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        begin(unit, opened, who_begins(opened.event), by=player_id, now=now)
        opened.save()
        return opened.event


def pause(
    around: Surroundings, event_id: str, player_id: int | None, *, reason: str = "", now: datetime
) -> Event:
    """Have an event stand still: no round turns over and no game begins. Games that run go on, and
    their results count."""
    return _do(around, event_id, "paused", by=player_id, reason=reason, now=now)


def resume(
    around: Surroundings, event_id: str, player_id: int | None, *, reason: str = "", now: datetime
) -> Event:
    """Have a paused event go on."""
    return _do(around, event_id, "resumed", by=player_id, reason=reason, now=now)


def extend(
    around: Surroundings,
    event_id: str,
    player_id: int | None,
    days: int,
    *,
    reason: str = "",
    now: datetime,
) -> Event:
    """Prolong the present round."""
    return _do(around, event_id, "extended", by=player_id, reason=reason, now=now, days=days)


def end(
    around: Surroundings, event_id: str, player_id: int | None, *, reason: str = "", now: datetime
) -> Event:
    """End an event that would go on, as a ladder or a league. Games that run go on, and count for
    nothing."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        finish(unit, opened, by=player_id, reason=reason, now=now)
        opened.save()
        return opened.event


def _do(
    around: Surroundings,
    event_id: str,
    name: str,
    *,
    by: int | None,
    reason: str,
    now: datetime,
    **facts: int,
) -> Event:
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        opened.act(name, by=by, at=now, reason=reason, **facts)
        opened.save()
        tell_everybody(unit, opened, now=now)
        return opened.event


def tell_everybody(unit: Unit, opened: OpenEvent, *, now: datetime) -> None:
    """Tell all who are in of the act that was done last."""
    players = [each.player_id for each in opened.event.entrants if each.is_in]
    tell_act(unit, opened, notices.NEWS, players, at=now)
