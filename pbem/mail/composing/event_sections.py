"""The parts of an answer that are about events: lists, tables, reasons, and what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.mail.composing.event_views import EventSight, sight_of
from pbem.mail.links import event_url
from pbem.play.events.open_event import NoSuchEventError
from pbem.play.events.ports import Role, StoredEvent
from pbem.play.events.saying_charter import FORMAT_NAMES, PHASE_NAMES
from pbem.play.events.saying_why import say_why
from pbem.play.events.viewing import list_events, my_events
from pbem.tongue import N_

Values = dict[str, object]
Facts = Mapping[str, object]

DONE: Final = {
    "checked_in": N_("You are there when {event} begins."),
    "challenged": N_("Your challenge is made, and the other is told."),
    "withdrew": N_("You take no further part in {event}."),
    "place_taken": N_("The place in {event} is yours. You get a mail about each of its games."),
    "place_declined": N_("You do not take over the place. The directors are told."),
    "challenge_accepted": N_("The challenge is on: a mail brings the game in a moment."),
    "challenge_declined": N_("You have declined the challenge."),
    "stated": N_("The directors of {event} are told. Nobody else reads it."),
    "goes_on": N_("The game goes on, and you have ruled nothing."),
    "ruled_gold": N_("Ruled: Gold wins. Both players are told, and it stands in the public log."),
    "ruled_black": N_("Ruled: Black wins. Both players are told, and it stands in the public log."),
    "ruled_draw": N_("Ruled: a draw. Both players are told, and it stands in the public log."),
    "open_done": N_("{event} is open for entries."),
    "close_done": N_("Entering {event} has ended."),
    "begin_done": N_("{event} begins. Pairings and games follow within a minute."),
    "pause_done": N_("{event} is paused, and all who play in it are told."),
    "resume_done": N_("{event} goes on, and all who play in it are told."),
    "extend_done": N_("The round of {event} is prolonged, and all who play in it are told."),
    "warn_done": N_("The warning is in the public log of {event}, and the player is told."),
    "disqualify_done": N_(
        "The player takes no further part in {event} and is told; why stands in the public log."
    ),
    "substitute_done": N_(
        "The substitute is asked, and takes over the place in {event} if they accept."
    ),
    "correct_done": N_(
        "The result is corrected. Both players are told, and it stands in the public log of"
        " {event}."
    ),
    "annul_done": N_(
        "The game counts for nothing. Both players are told, and it stands in the public log of"
        " {event}."
    ),
}
"""What was done."""
ROLES: Final[Mapping[Role, str]] = {
    "director": N_("you direct it"),
    "entrant": N_("you are in"),
    "waiting": N_("you are on the waiting list"),
    "asked": N_("you are asked to take over a place"),
}
"""What the reader has to do with an event."""
SHOWN_EVENTS: Final = 20


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in a list."""

    id: str
    title: str
    what: str
    url: str
    can_enter: bool


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the reader meets somebody."""

    opponent: str
    said: tuple[str, ...]


def _find(desk: Desk, facts: Facts) -> EventSight | None:
    try:
        return sight_of(desk, str(facts.get("event")))
    except NoSuchEventError:
        return None


def _events(desk: Desk, facts: Facts) -> Values:
    mine = [(stored, roles) for stored, roles in my_events(desk.unit, desk.player.id)]
    known = {stored.id for stored, _ in mine}
    others = list_events(desk.unit, phases=("open",), limit=SHOWN_EVENTS)
    return {
        "mine": [_line(desk, stored, roles) for stored, roles in mine[:SHOWN_EVENTS]],
        "others": [_line(desk, each, ()) for each in others if each.id not in known],
        "url": f"{desk.office.site_url}/events",
    }


def _line(desk: Desk, stored: StoredEvent, roles: tuple[Role, ...]) -> EventLine:
    say = desk.tongue.say
    what = [say(FORMAT_NAMES[stored.format]), say(PHASE_NAMES[stored.phase])]
    what += [say(ROLES[role]) for role in roles]
    return EventLine(
        stored.id,
        stored.title,
        ", ".join(what),
        event_url(desk.office, stored.id),
        stored.phase == "open" and not roles,
    )


def _table(desk: Desk, facts: Facts) -> Values:
    sight = _find(desk, facts)
    has_table = sight is not None and bool(sight.event.encounters or sight.event.ladder)
    return {
        "title": "" if sight is None else sight.event.charter.title,
        "table": sight.table() if sight is not None and has_table else None,
        "url": "" if sight is None else event_url(desk.office, sight.event.id, "table"),
    }


def _why(desk: Desk, facts: Facts) -> Values:
    sight = _find(desk, facts)
    return {
        "title": "" if sight is None else sight.event.charter.title,
        "reasons": () if sight is None else tuple(_reasons(desk, sight)),
        "url": "" if sight is None else sight.url,
    }


def _reasons(desk: Desk, sight: EventSight) -> Iterator[Reason]:
    """Of the encounters that go on, else of the last one."""
    mine = sight.mine
    if mine is None:
        return
    own = [each for each in sight.event.of_entrant(mine.number) if each.round <= sight.event.round]
    shown = [each for each in own if not each.is_over] or own[-1:]
    names = sight.names.by_entrant
    for encounter in shown:
        rival = encounter.opponent_of(mine.number)
        yield Reason(
            "" if rival is None else sight.names.of(rival),
            tuple(say_why(each, names, tongue=desk.tongue) for each in encounter.why),
        )


def _done(desk: Desk, facts: Facts) -> Values:
    sight = _find(desk, facts)
    title = "" if sight is None else sight.event.charter.title
    said = DONE[str(facts.get("what"))]
    return {
        "said": desk.tongue.find(said).format(event=title),
        "url": "" if sight is None else sight.url,
    }


def _sure(desk: Desk, facts: Facts) -> Values:
    sight = _find(desk, facts)
    return {
        "title": "" if sight is None else sight.event.charter.title,
        "command": f"withdraw {facts.get('event')} ok",
    }


EVENT_SECTIONS: Final[Mapping[str, Callable[[Desk, Facts], Values]]] = {
    "events": _events,
    "event_table": _table,
    "event_why": _why,
    "event_done": _done,
    "sure_withdraw": _sure,
}
