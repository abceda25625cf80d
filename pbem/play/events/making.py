"""Making an event, changing what was announced, opening it for entries; and who directs it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from pbem.play.errors import NotAllowedError
from pbem.play.events import notices
from pbem.play.events.charters import check_ahead, parse_charter
from pbem.play.events.open_event import OpenEvent
from pbem.play.ports import Surroundings
from pbem.play.starting import get_player, short_id
from pbem.tournaments.charter import Charter
from pbem.tournaments.charter_plain import charter_to_plain
from pbem.tournaments.event import Event

EVENTS_A_DAY: Final = 5
MOST_DIRECTORS: Final = 8
_DAY: Final = timedelta(days=1)


def make(
    around: Surroundings, player_id: int, raw: Mapping[str, object], *, now: datetime
) -> Event:
    """A new event, which only its director sees until it is opened.

    Raises OptionsError and NotAllowedError.
    """
    charter = parse_charter(raw)
    check_ahead(charter, now)
    with around.store.begin() as unit:
        get_player(unit, player_id)
        made = OpenEvent.make(
            around,
            unit,
            _event_id(around),
            by=player_id,
            charter=charter_to_plain(charter),
            at=now,
        )
        made.save()
        if unit.count_event(f"event/{player_id}", now, _DAY) > EVENTS_A_DAY:
            raise NotAllowedError("announced_often", most=EVENTS_A_DAY)
        return made.event


def _event_id(around: Surroundings) -> str:
    """An id with a digit in it: then no word of a sentence can be taken for one (L4)."""
    made = short_id(around)
    return made if any(each.isdigit() for each in made) else f"7{made[1:]}"


def change(
    around: Surroundings,
    event_id: str,
    player_id: int,
    raw: Mapping[str, object],
    *,
    reason: str = "",
    now: datetime,
) -> Event:
    """A director changes what was announced: ``raw`` has only what is different.

    Raises OptionsError and NotAllowedError. When the event has begun, little can change.
    """
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        charter = parse_charter({**charter_to_plain(opened.event.charter), **raw})
        if _instants(charter) != _instants(opened.event.charter):
            check_ahead(charter, now)
        act = opened.act(
            "changed", by=player_id, at=now, reason=reason, charter=charter_to_plain(charter)
        )
        opened.save()
        if opened.event.phase != "draft":
            notices.tell(
                unit,
                notices.NEWS,
                [each.player_id for each in opened.event.entrants if each.is_in],
                cause=notices.cause_of_act(event_id, act.number),
                at=now,
                event_id=event_id,
                act=act.number,
            )
        return opened.event


def _instants(charter: Charter) -> tuple[datetime | None, datetime | None]:
    return charter.closes_at, charter.starts_at


def open_entries(
    around: Surroundings, event_id: str, player_id: int | None, *, now: datetime
) -> Event:
    """Announce an event: from now on anybody can see it and enter."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        opened.act("opened", by=player_id, at=now)
        opened.save()
        return opened.event


def close_entries(around: Surroundings, event_id: str, player_id: int, *, now: datetime) -> Event:
    """End entering before its time."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        opened.act("closed_entries", by=player_id, at=now)
        opened.save()
        return opened.event


def cancel(
    around: Surroundings, event_id: str, player_id: int | None, *, reason: str, now: datetime
) -> Event:
    """Call an event off: games that run go on between their players, and count for nothing."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        was_known = opened.event.phase != "draft"
        act = opened.act("cancelled", by=player_id, at=now, reason=reason)
        opened.save()
        if was_known:
            notices.tell(
                unit,
                notices.OVER,
                [each.player_id for each in opened.event.entrants if each.standing != "withdrawn"],
                cause=notices.cause_of_act(event_id, act.number),
                at=now,
                event_id=event_id,
                act=act.number,
            )
        return opened.event


def add_director(
    around: Surroundings, event_id: str, player_id: int | None, added_id: int, *, now: datetime
) -> Event:
    """Another player directs the event too."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        get_player(unit, added_id)
        if len(opened.event.directors) >= MOST_DIRECTORS:
            raise NotAllowedError("too_many_directors", most=MOST_DIRECTORS)
        act = opened.act("director_added", by=player_id, player=added_id, at=now)
        opened.save()
        notices.tell(
            unit,
            notices.NEWS,
            [added_id],
            cause=notices.cause_of_act(event_id, act.number),
            at=now,
            event_id=event_id,
            act=act.number,
        )
        return opened.event


def remove_director(
    around: Surroundings, event_id: str, player_id: int | None, removed_id: int, *, now: datetime
) -> Event:
    """A director, perhaps the one who asks for it, directs the event no longer."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        opened.act("director_removed", by=player_id, player=removed_id, at=now)
        opened.save()
        return opened.event
