"""A pause of an event: while it lasts, nothing of the event's own time runs.

What was still to come when it was paused comes as much later as the pause was long: the limit of
the round, answers to challenges, slipping. The clocks of games are their own and go on.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pbem.tournaments.event import Event


def paused(event: Event, at: datetime) -> Event:
    """A running event stands still."""
    return replace(event, phase="paused", paused_at=at)


def resumed(event: Event, at: datetime) -> Event:
    """A paused event goes on, with all its instants moved by the length of the pause."""
    if event.paused_at is None:
        return replace(event, phase="running")
    length = at - event.paused_at

    def moved(instant: datetime | None) -> datetime | None:
        # What happened during the pause, such as the end of a game, counts from the end of it.
        return None if instant is None else min(instant + length, at)

    return replace(
        event,
        phase="running",
        paused_at=None,
        round_began=moved(event.round_began),
        challenges=tuple(
            replace(each, at=min(each.at + length, at)) if each.answer == "open" else each
            for each in event.challenges
        ),
        entrants=tuple(replace(each, active_at=moved(each.active_at)) for each in event.entrants),
    )
