"""Who can still win and what each needs; and when it will all be over.

Both take a while to find out: who can win follows from the log and is kept until it grows, when it
will be over follows from how long players take and is kept for some minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from flask import abort, g, render_template

from pbem.play.events.pace import forecast_event
from pbem.play.events.saying_prospects import say_method, say_prospect
from pbem.play.ports import Unit
from pbem.shelf import Shelf
from pbem.tournaments.event import Event
from pbem.tournaments.forecast import EventForecast
from pbem.tournaments.prospects import Prospects, prospects
from pbem.tournaments.team_table import team_table
from pbem.web.events.overview import head_of
from pbem.web.events.seen import SeenEvent, see
from pbem.web.events.site import events
from pbem.web.events.stages import say_stage, stages_of
from pbem.web.navigation import count_waiting
from pbem.web.visiting import get_around

MOST_KEPT: Final = 400
"""Of how many tables and events something is kept."""
FRESH: Final = timedelta(minutes=10)
"""So long a forecast is shown again."""
MOST_SHOWN: Final = 60
"""Of how many players it is said what they need."""

_prospects: Final[Shelf[tuple[str, int, str], Prospects]] = Shelf(MOST_KEPT, lambda _: 1)
_forecasts: Final[Shelf[tuple[str, int], tuple[datetime, EventForecast]]] = Shelf(
    MOST_KEPT, lambda _: 1
)


@events.get("/<event_id>/chances")
def chances(event_id: str) -> str:
    """What can still come of an event."""
    with get_around().store.read() as unit:
        seen = see(unit, event_id)
        count_waiting(unit)
        if seen.event.phase in ("draft", "open"):
            abort(404)
        forecast = find_forecast(unit, seen.event)
    tables = [(say_stage(seen.event, stage), *_told(seen, stage)) for stage in _newest(seen.event)]
    return render_template("events/chances.html", **head_of(seen), tables=tables, forecast=forecast)


def find_forecast(unit: Unit, event: Event) -> EventForecast | None:
    """When an event that goes on will end; None for another."""
    if event.phase != "running":
        return None
    key = (event.id, event.acts)
    kept = _forecasts.find(key)
    if kept is None or not timedelta(0) <= g.now - kept[0] < FRESH:
        kept = (g.now, forecast_event(unit, event, now=g.now))
        _forecasts.keep(key, kept)
    return kept[1]


def _newest(event: Event) -> list[str]:
    """The stages in which something is open; all if nothing is."""
    stages = stages_of(event)
    running = {each.stage for each in event.encounters if not each.is_over}
    return [stage for stage in stages if stage in running] or stages[:1]


def _told(seen: SeenEvent, stage: str) -> tuple[list[str], str]:
    event = seen.event
    key = (event.id, event.acts, stage)
    found = _prospects.find(key)
    if found is None:
        found = prospects(event, stage)
        _prospects.keep(key, found)
    names: Mapping[int, str] = seen.names.by_entrant
    if event.charter.format == "teams":
        teams = team_table(event)
        names = {number: teams.name(number) for number in range(1, len(teams.teams) + 1)}
    rows = found.rows[:MOST_SHOWN]
    said = [say_prospect(each, found, names, tongue=g.tongue) for each in rows]
    return said, say_method(found, tongue=g.tongue)
