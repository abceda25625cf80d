"""Challenges in a ladder: making one, accepting it, declining it. The rules are ``ladder``'s."""

from __future__ import annotations

from datetime import datetime

from pbem.play.errors import NotAllowedError
from pbem.play.events import notices
from pbem.play.events.open_event import OpenEvent
from pbem.play.events.stepping import tell_act
from pbem.play.ports import Surroundings
from pbem.tournaments.act_entries import find_active
from pbem.tournaments.event import Challenge, Event


def challenge(
    around: Surroundings, event_id: str, player_id: int, rival: int, *, now: datetime
) -> Challenge:
    """Challenge the entrant with this number. Raises NotAllowedError."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        own = find_active(opened.event, player_id)
        if own is None:
            raise NotAllowedError("not_in_event")
        opened.act(
            "challenged", by=player_id, player=player_id, at=now, entrant=own.number, rival=rival
        )
        opened.save()
        made = opened.event.challenges[-1]
        rival_id = opened.event.entrant(rival).player_id
        tell_act(unit, opened, notices.CHALLENGED, [rival_id], at=now, challenge=made.number)
        return made


def accept(
    around: Surroundings, event_id: str, player_id: int, number: int, *, now: datetime
) -> Event:
    """Accept a challenge; it is paired at once (``advancing``)."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        _get_own(opened.event, player_id, number)
        opened.act("challenge_accepted", by=player_id, player=player_id, at=now, challenge=number)
        opened.save()
        return opened.event


def decline(
    around: Surroundings,
    event_id: str,
    player_id: int,
    number: int,
    *,
    reason: str = "",
    now: datetime,
) -> Event:
    """Decline a challenge; without a good reason it costs the place."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        found = _get_own(opened.event, player_id, number)
        opened.act(
            "challenge_declined",
            by=player_id,
            player=player_id,
            at=now,
            reason=reason,
            challenge=number,
        )
        opened.save()
        told = opened.event.entrant(found.challenger).player_id
        tell_act(unit, opened, notices.CHALLENGE_ANSWERED, [told], at=now, challenge=number)
        return opened.event


def _get_own(event: Event, player_id: int, number: int) -> Challenge:
    """A challenge to this player. Raises NotAllowedError."""
    if not 1 <= number <= len(event.challenges):
        raise NotAllowedError("no_such_challenge")
    found = event.challenges[number - 1]
    if event.entrant(found.challenged).player_id != player_id:
        raise NotAllowedError("not_your_challenge")
    return found
