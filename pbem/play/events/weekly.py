"""Once a week every director of an event that runs is written to about it.

Owns when; what the mail says is made from the event when it is sent. The cause names the week, so
that there is one mail however often this runs, and on however many machines.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Final

from pbem.play.events import notices
from pbem.play.events.open_event import load_event
from pbem.play.ports import Surroundings
from pbem.tournaments.event import Phase

HOUR: Final = time(6)
"""On Mondays, in UTC."""
PHASES: Final[tuple[Phase, ...]] = ("running", "paused")
_PAGE: Final = 50


def week_of(now: datetime) -> datetime:
    """When the week began that is told of last: the Monday of now, or the one before."""
    monday = now.date() - timedelta(days=now.weekday())
    begins = datetime.combine(monday, HOUR, tzinfo=now.tzinfo)
    return begins if begins <= now else begins - timedelta(days=7)


def tell_directors(around: Surroundings, *, now: datetime) -> int:
    """Note the weekly mails that are due; of how many events. Again changes nothing."""
    begins = week_of(now)
    before: tuple[datetime, str] | None = None
    told = 0
    while True:
        with around.store.begin() as unit:
            page = unit.newest_events(PHASES, before=before, limit=_PAGE)
            for stored in page:
                if stored.created_at >= begins:
                    continue  # it has not been there for long
                notices.tell(
                    unit,
                    notices.WEEKLY,
                    load_event(unit, stored).directors,
                    cause=f"event/{stored.id}/week/{begins:%Y-%m-%d}",
                    at=begins,
                    event_id=stored.id,
                    week=f"{begins:%Y-%m-%d}",
                )
                told += 1
        if len(page) < _PAGE:
            return told
        before = (page[-1].created_at, page[-1].id)
