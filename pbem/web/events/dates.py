"""The dates of a player's events, for a calendar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pbem.play.events.open_event import get_event
from pbem.play.events.viewing import my_events
from pbem.play.ports import Unit
from pbem.tongue import N_
from pbem.tournaments.event import Event
from pbem.tournaments.ladder import ANSWER_TIME
from pbem.tournaments.rounds import limit_of

DATE_TITLES: Final = {
    "closes": N_("Entering ends: {title}"),
    "check_in": N_("Say that you are there: {title}"),
    "starts": N_("{title} begins"),
    "round": N_("Round {round} of {title} ends"),
    "challenge": N_("Your answer to a challenge: {title}"),
}
"""By what happens then."""


@dataclass(frozen=True, slots=True)
class EventDate:
    """Something that happens in an event."""

    event_id: str
    code: str
    at: datetime
    title: str
    round: int


def event_dates(unit: Unit, player_id: int) -> list[EventDate]:
    """What happens in the events of somebody, soonest first."""
    dates = []
    for stored, _ in my_events(unit, player_id):
        if stored.phase in ("open", "running"):
            event = get_event(unit, stored.id)
            for code, at in _dates(event, player_id):
                dates.append(EventDate(event.id, code, at, event.charter.title, event.round))
    return sorted(dates, key=lambda date: (date.at, date.event_id, date.code))


def _dates(event: Event, player_id: int) -> Iterator[tuple[str, datetime]]:
    charter, me = event.charter, event.find_entrant(player_id)
    if event.phase == "open":
        if charter.closes_at is not None and not event.is_closed:
            yield "closes", charter.closes_at
        if charter.starts_at is not None:
            yield "starts", charter.starts_at
            if charter.check_in_hours and me is not None and not me.is_checked_in:
                yield "check_in", charter.starts_at
        return
    limit = limit_of(event)
    if limit is not None:
        yield "round", limit
    for each in event.challenges:
        if me is not None and each.answer == "open" and each.challenged == me.number:
            yield "challenge", each.at + ANSWER_TIME
