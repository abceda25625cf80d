"""The page of an event: what it is, how it stands, and what the visitor can do in it now."""

from __future__ import annotations

from typing import Any, Final

from flask import g, render_template

from pbem.games.registry import get_game
from pbem.mail.composing.clock_words import say_clock, say_correction
from pbem.play.events.charters import agreement_of
from pbem.play.events.saying_charter import (
    CLOSED,
    FORMAT_NAMES,
    PHASE_NAMES,
    say_event,
    say_limits,
    say_order,
)
from pbem.tournaments.act_entries import can_come_late
from pbem.tournaments.beginning import free_places
from pbem.tournaments.charter import Charter
from pbem.tournaments.event import Challenge, Event
from pbem.tournaments.rounds import limit_of
from pbem.tournaments.standings import Row, standings
from pbem.web.events.pairings import PairingLine, pairing_lines
from pbem.web.events.seen import SeenEvent, get_seen
from pbem.web.events.site import events
from pbem.web.events.stages import stages_of

LEADERS: Final = 5
"""How many of the table stand on the event's own page."""


@events.get("/<event_id>")
def show(event_id: str) -> str:
    """One event."""
    seen = get_seen(event_id)
    return render_template("events/event.html", **head_of(seen), **_told(seen))


def head_of(seen: SeenEvent) -> dict[str, Any]:
    """What the head of every page of an event needs."""
    event = seen.event
    phase = PHASE_NAMES[event.phase]
    if event.phase == "open" and event.is_closed:
        phase = CLOSED
    return {
        "seen": seen,
        "event": event,
        "charter": event.charter,
        "names": seen.names,
        "phase": g.tongue.say(phase),
        "format_name": g.tongue.say(FORMAT_NAMES[event.charter.format]),
        "rounds_begun": event.round,
    }


def _told(seen: SeenEvent) -> dict[str, Any]:
    event = seen.event
    by_standing = {
        standing: [each for each in event.entrants if each.standing == standing]
        for standing in ("in", "waiting", "withdrawn", "disqualified")
    }
    me = seen.me
    waiting = [each.number for each in by_standing["waiting"]]
    return {
        "what": say_event(event.charter, g.tongue),
        "limits": list(say_limits(event.charter, g.tongue)),
        "order": say_order(event.charter, g.tongue),
        "played": say_played(event.charter),
        "by_standing": by_standing,
        "me": me,
        "my_turn_to_wait": waiting.index(me.number) + 1 if me and me.number in waiting else None,
        "can_enter": can_enter(event),
        "asked_for": [each.entrant for each in event.asked if each.player_id == seen.viewer],
        "my_lines": _my_lines(seen),
        "my_challenges": _my_challenges(seen),
        "leaders": _leaders(event),
        "round_ends": limit_of(event) if event.phase == "running" else None,
    }


def _my_lines(seen: SeenEvent) -> list[PairingLine]:
    """The viewer's encounters that go on, and those of the present round."""
    event, me = seen.event, seen.was_me
    if me is None:
        return []
    begun = [each for each in event.of_entrant(me.number) if each.round <= event.round]
    return pairing_lines(
        seen, (each for each in begun if each.round == event.round or not each.is_over)
    )


def _my_challenges(seen: SeenEvent) -> list[Challenge]:
    """The open challenges of a ladder that the viewer has made or is to answer."""
    me = seen.me
    if me is None:
        return []
    return [
        each
        for each in seen.event.challenges
        if each.answer == "open" and me.number in (each.challenger, each.challenged)
    ]


def _leaders(event: Event) -> tuple[Row, ...]:
    """The top of the table, if there is one for all."""
    is_one = event.charter.format not in ("teams", "league") and stages_of(event) == [""]
    if event.phase in ("draft", "open") or not is_one:
        return ()
    return standings(event)[:LEADERS]


def say_played(charter: Charter) -> list[str]:
    """What is played in an event: the game's own lines, and its clock."""
    agreement = agreement_of(charter)
    lines = get_game(agreement.game).describe(agreement.options, tongue=g.tongue)
    clock = " ".join(say_clock(agreement.terms.clock, g.tongue))
    correction = say_correction(agreement.terms.correction, g.tongue)
    return [*lines, clock, *([correction] if correction else [])]


def can_enter(event: Event) -> bool:
    """Whether somebody who is not in it can still come."""
    if event.phase == "open":
        return not event.is_closed
    return event.phase == "running" and can_come_late(event) and free_places(event) > 0
