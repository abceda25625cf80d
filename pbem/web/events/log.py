"""The public log of an event: every act, newest first, with the reasons that directors gave."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from flask import g, render_template, request

from pbem.play.events.saying_log import say_act
from pbem.tournaments.act_model import Act
from pbem.web.events.overview import head_of
from pbem.web.events.seen import see
from pbem.web.events.site import events
from pbem.web.navigation import count_waiting
from pbem.web.visiting import get_around

PAGE: Final = 100
"""How many acts are on a page."""


@dataclass(frozen=True, slots=True)
class Line:
    """An act of the log as it is shown."""

    number: int
    at: datetime
    said: str
    reason: str
    is_directors: bool
    """Whether a director did it, and not the server or a player for themselves."""


@events.get("/<event_id>/log")
def show_log(event_id: str) -> str:
    """The log, some acts at a time; ``before`` is the first act of the page behind."""
    before = request.args.get("before", type=int)
    with get_around().store.read() as unit:
        acts = [kept.act for kept in unit.acts_of(event_id)]
        people = {each for act in acts for each in (act.by, act.player)}
        seen = see(unit, event_id, people)
        count_waiting(unit)
    shown = [act for act in reversed(acts) if before is None or act.number < before][:PAGE]
    directors = set(seen.event.directors) | {act.player for act in acts if _directs(act)}
    lines = [
        Line(
            act.number,
            act.at,
            say_act(act, seen.names, g.tongue),
            act.reason,
            act.by in directors and act.by != act.player,
        )
        for act in shown
    ]
    more = shown[-1].number if shown and shown[-1].number > 1 else None
    return render_template("events/log.html", **head_of(seen), lines=lines, more=more)


def _directs(act: Act) -> bool:
    return act.name == "director_added"
