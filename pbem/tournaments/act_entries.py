"""Acts about who takes part: entering, leaving, the waiting list, checking in, substitutes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pbem.tournaments import ladder
from pbem.tournaments.act_model import Act, ActRefused, entrant_of
from pbem.tournaments.beginning import free_places
from pbem.tournaments.event import Asked, Entrant, Event, Holder, Standing
from pbem.tournaments.field import rounds_planned

LATE_FORMATS: Final = ("swiss", "ladder", "league")
"""Formats into which somebody can come when they have begun."""

MOST_ENTRANTS: Final = 2000
"""How many may be in and wait together, also where nobody set a limit: pairings and tables are made
for no more."""


def waiting(event: Event) -> Iterator[Entrant]:
    """Who waits for a place, first come first."""
    return (each for each in event.entrants if each.standing == "waiting")


def find_active(event: Event, player_id: int) -> Entrant | None:
    """The place of somebody who is in or waits."""
    found = event.find_entrant(player_id)
    return found if found is not None and found.standing in ("in", "waiting") else None


def put(event: Event, entrant: Entrant) -> Event:
    """The event with a place as it is now."""
    before = entrant.number - 1
    places = (*event.entrants[:before], entrant, *event.entrants[before + 1 :])
    return replace(event, entrants=places)


def entered(event: Event, act: Act) -> Event:
    """Somebody enters, or waits for a place if all are taken."""
    if event.is_closed:
        raise ActRefused("entries_closed")
    has_place = not event.charter.max_entrants or free_places(event) > 0
    standing: Standing = "in" if has_place and not any(waiting(event)) else "waiting"
    # Who enters when all are asked whether they are there need not say it twice.
    new = replace(_new(event, act), standing=standing, is_checked_in=event.check_in_asked)
    return _added(event, new)


def can_come_late(event: Event) -> bool:
    """Whether the charter lets somebody come into an event that has begun, and there is a round to
    come for."""
    charter = event.charter
    if charter.format == "swiss" and event.round >= rounds_planned(event):
        return False
    return charter.format in LATE_FORMATS and charter.allows_late


def late_entry(event: Event, act: Act) -> Event:
    """Somebody comes when the event has begun."""
    charter = event.charter
    if not can_come_late(event):
        raise ActRefused("entries_closed")
    before = None if act.player is None else event.find_entrant(act.player)
    if before is not None and any(event.of_entrant(before.number)):
        raise ActRefused("entrant_out")  # nobody begins afresh in the middle
    if charter.max_entrants and not free_places(event):
        raise ActRefused("event_full", most=charter.max_entrants)
    new = replace(_new(event, act), first_round=event.round + 1)
    event = _added(event, new)
    return ladder.joined(event, new.number, act.at) if charter.format == "ladder" else event


def _new(event: Event, act: Act) -> Entrant:
    if act.player is None:
        raise ActRefused("no_such_player")
    before = event.find_entrant(act.player)
    if before is not None and before.standing in ("in", "waiting"):
        raise ActRefused("entered_already")
    if before is not None and before.standing == "disqualified":
        raise ActRefused("was_disqualified")
    _check_room(event)
    facts = act.facts
    return Entrant(
        active_at=act.at,
        number=len(event.entrants) + 1,
        holders=(Holder(act.player, act.number),),
        rating=int(facts.get("rating", 1500)),
        team=str(facts.get("team", "")),
        board=int(facts.get("board", 0)),
    )


def _check_room(event: Event) -> None:
    if len(event.entrants) < MOST_ENTRANTS:
        return
    if sum(each.standing in ("in", "waiting") for each in event.entrants) >= MOST_ENTRANTS:
        raise ActRefused("event_full", most=MOST_ENTRANTS)


def _added(event: Event, new: Entrant) -> Event:
    return replace(event, entrants=(*event.entrants, new))


def left(event: Event, act: Act) -> Event:
    """Somebody takes their entry back before the event begins."""
    return put(event, replace(_active(event, act), standing="withdrawn"))


def moved_up(event: Event, act: Act) -> Event:
    """The next of the waiting list is in."""
    entrant = entrant_of(event, act)
    if entrant.standing != "waiting":
        raise ActRefused("not_waiting")
    return put(event, replace(entrant, standing="in"))


def check_in_asked(event: Event, act: Act) -> Event:
    """Entrants are asked to say that they are there."""
    if event.check_in_asked:
        raise ActRefused("done_already")
    return replace(event, check_in_asked=True)


def checked_in(event: Event, act: Act) -> Event:
    """Somebody says that they are there."""
    if not event.check_in_asked:
        raise ActRefused("no_check_in_yet")
    return put(event, replace(_active(event, act), is_checked_in=True))


def withdrew(event: Event, act: Act) -> Event:
    """Somebody takes no further part; what becomes of their games is told by acts of its own."""
    return _out(event, act, "withdrawn")


def disqualified(event: Event, act: Act) -> Event:
    """A director has somebody take no further part."""
    return _out(event, act, "disqualified")


def _out(event: Event, act: Act, standing: Standing) -> Event:
    """Somebody is out: nobody need take over the place, and a ladder closes up."""
    entrant = _active(event, act)
    event = put(event, replace(entrant, standing=standing))
    asked = tuple(each for each in event.asked if each.entrant != entrant.number)
    event = replace(event, asked=asked)
    return ladder.gone(event, entrant.number, act.at) if event.ladder else event


def _active(event: Event, act: Act) -> Entrant:
    entrant = entrant_of(event, act)
    if entrant.standing not in ("in", "waiting"):
        raise ActRefused("entrant_out")
    return entrant


def warned(event: Event, act: Act) -> Event:
    """A director warns somebody."""
    entrant = _active(event, act)
    return put(event, replace(entrant, warnings=entrant.warnings + 1))


def substitute_asked(event: Event, act: Act) -> Event:
    """A director asks somebody to take over a place; another who was asked is not any more."""
    entrant = _active(event, act)
    if act.player is None:
        raise ActRefused("no_such_player")
    if find_active(event, act.player) is not None:
        raise ActRefused("entered_already")
    _check_new(event, entrant.number, act.player)
    others = tuple(each for each in event.asked if each.entrant != entrant.number)
    return replace(event, asked=(*others, Asked(entrant.number, act.player)))


def substitute_declined(event: Event, act: Act) -> Event:
    """Somebody who was asked would rather not."""
    asked = _asked(event, act)
    return replace(event, asked=tuple(each for each in event.asked if each != asked))


def substituted(event: Event, act: Act) -> Event:
    """Who was asked takes over the place: what it brought before stays their predecessor's."""
    asked = _asked(event, act)
    entrant = _active(event, act)
    if find_active(event, asked.player_id) is not None:
        raise ActRefused("entered_already")
    _check_new(event, entrant.number, asked.player_id)
    holders = (*entrant.holders, Holder(asked.player_id, act.number))
    # Who has this place now can take no other one.
    left = (each for each in event.asked if each.player_id != asked.player_id)
    event = replace(event, asked=tuple(each for each in left if each.entrant != entrant.number))
    return put(event, replace(entrant, holders=holders))


def _check_new(event: Event, number: int, player_id: int) -> None:
    """Nobody takes over a game whose other side was theirs: they know what it has in mind."""
    for encounter in event.of_entrant(number):
        other = encounter.opponent_of(number)
        if other is None or encounter.is_over:
            continue
        if any(holder.player_id == player_id for holder in event.entrant(other).holders):
            raise ActRefused("sat_opposite")


def _asked(event: Event, act: Act) -> Asked:
    for each in event.asked:
        if (each.entrant, each.player_id) == (act.facts.get("entrant"), act.player):
            return each
    raise ActRefused("not_asked")
