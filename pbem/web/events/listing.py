"""Which events there are: open for entries, running, over; and those the visitor has to do with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import g, render_template

from pbem.play.events.ports import Role, StoredEvent
from pbem.play.events.saying_charter import FORMAT_NAMES, PHASE_NAMES
from pbem.play.events.viewing import list_events, my_events
from pbem.tongue import N_
from pbem.web.events.site import events
from pbem.web.navigation import count_waiting
from pbem.web.visiting import get_around

MOST: Final = 50
"""How many of a kind are listed."""

ROLE_NAMES: Final[dict[Role, str]] = {
    "director": N_("you direct it"),
    "entrant": N_("you take part"),
    "waiting": N_("you wait for a place"),
    "asked": N_("you are asked to take over a place"),
}


@events.get("")
def index() -> str:
    """All events, the visitor's own first."""
    with get_around().store.read() as unit:
        mine = () if g.viewer is None else my_events(unit, g.viewer.id)
        open_ = list_events(unit, phases=("open",), limit=MOST)
        running = list_events(unit, phases=("running", "paused"), limit=MOST)
        over = list_events(unit, phases=("over",), limit=MOST)
        count_waiting(unit)
    return render_template(
        "events/index.html",
        mine=_told(mine),
        kinds=(
            (g.tongue.say("Open for entries"), _others(open_, mine)),
            (g.tongue.say("Running"), _others(running, mine)),
            (g.tongue.say("Over"), over),
        ),
        is_empty=not (open_ or running or over or mine),
        formats=FORMAT_NAMES,
        phases=PHASE_NAMES,
    )


def _told(mine: Sequence[tuple[StoredEvent, tuple[Role, ...]]]) -> list[tuple[StoredEvent, str]]:
    """The events of somebody that are not over, with all they are in it."""
    return [
        (event, ", ".join(g.tongue.say(ROLE_NAMES[role]) for role in roles))
        for event, roles in mine
        if event.phase not in ("over", "cancelled")
    ]


def _others(
    listed: Sequence[StoredEvent], mine: Sequence[tuple[StoredEvent, tuple[Role, ...]]]
) -> list[StoredEvent]:
    own = {event.id for event, _ in mine}
    return [event for event in listed if event.id not in own]
