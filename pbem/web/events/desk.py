"""The director's desk: everything a director does to an event and to who plays in it.

Each deed is a form of its own and comes back to the desk; what is public asks for a reason. Rulings
on games are ``dossier``'s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from flask import abort, flash, g, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from pbem.games.base import OptionsError
from pbem.play.errors import NotAllowedError, PlayError
from pbem.play.events import directing, making, running, substituting
from pbem.play.events.open_event import MAX_REASON
from pbem.tongue import N_
from pbem.tournaments.event import Event
from pbem.web.events.overview import head_of
from pbem.web.events.pairings import pairing_lines
from pbem.web.events.seen import SeenEvent, for_directors
from pbem.web.events.site import events
from pbem.web.faults import say_error, say_fields
from pbem.web.visiting import get_around, get_viewer

Form = MultiDict[str, str]
Deed = Callable[[str, Form], Event]


@events.get("/<event_id>/desk")
@for_directors
def desk(seen: SeenEvent) -> str:
    """What the director can do now."""
    event = seen.event
    begun = pairing_lines(seen, (each for each in event.encounters if each.round <= event.round))
    begun.sort(key=lambda line: -line.number)
    games = [(line.round, game) for line in begun for game in line.games]
    return render_template(
        "events/desk.html",
        **head_of(seen),
        running=[each for each in games if each[1].result is None],
        settled=[each for each in games if each[1].result is not None],
        active=[each for each in event.entrants if each.standing in ("in", "waiting")],
    )


@events.post("/<event_id>/open")
@for_directors
def open_entries(seen: SeenEvent) -> BaseResponse:
    """Announce the event."""
    return _do(seen, "open", back="events.show")


@events.post("/<event_id>/desk/<deed>")
@for_directors
def direct(seen: SeenEvent, deed: str) -> BaseResponse:
    """Do one of the deeds."""
    if deed not in DEEDS:
        abort(404)
    return _do(seen, deed, back="events.desk")


def _do(seen: SeenEvent, deed: str, *, back: str) -> BaseResponse:
    do, said = DEEDS[deed]
    try:
        do(seen.event.id, request.form)
        flash(g.tongue.say(said), "good")
    except OptionsError as error:
        flash(" ".join(say_fields(error).values()), "bad")
    except PlayError as error:
        flash(say_error(error), "bad")
    return redirect(url_for(back, event_id=seen.event.id), 303)


# -- what is done ---------------------------------------------------------------------------------


def _me() -> int:
    return get_viewer().id


def _number(form: Form, name: str, code: str) -> int:
    text = form.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotAllowedError(code)
    return int(text)


def _reason(form: Form) -> str:
    return form.get("reason", "")[:MAX_REASON]


def _open(event_id: str, form: Form) -> Event:
    return making.open_entries(get_around(), event_id, _me(), now=g.now)


def _close(event_id: str, form: Form) -> Event:
    return making.close_entries(get_around(), event_id, _me(), now=g.now)


def _start(event_id: str, form: Form) -> Event:
    return running.start(get_around(), event_id, _me(), now=g.now)


def _pause(event_id: str, form: Form) -> Event:
    return running.pause(get_around(), event_id, _me(), reason=_reason(form), now=g.now)


def _resume(event_id: str, form: Form) -> Event:
    return running.resume(get_around(), event_id, _me(), reason=_reason(form), now=g.now)


def _extend(event_id: str, form: Form) -> Event:
    days = _number(form, "days", "bad_extension")
    return running.extend(get_around(), event_id, _me(), days, reason=_reason(form), now=g.now)


def _end(event_id: str, form: Form) -> Event:
    return running.end(get_around(), event_id, _me(), reason=_reason(form), now=g.now)


def _cancel(event_id: str, form: Form) -> Event:
    return making.cancel(get_around(), event_id, _me(), reason=_reason(form), now=g.now)


def _allow_late(event_id: str, form: Form) -> Event:
    raw = {"allows_late": form.get("allows") == "1"}
    return making.change(get_around(), event_id, _me(), raw, reason=_reason(form), now=g.now)


def _add_director(event_id: str, form: Form) -> Event:
    added = _number(form, "player", "no_such_player")
    return making.add_director(get_around(), event_id, _me(), added, now=g.now)


def _remove_director(event_id: str, form: Form) -> Event:
    removed = _number(form, "player", "no_such_player")
    return making.remove_director(get_around(), event_id, _me(), removed, now=g.now)


def _warn(event_id: str, form: Form) -> Event:
    entrant = _number(form, "entrant", "no_such_entrant")
    return directing.warn(get_around(), event_id, _me(), entrant, reason=_reason(form), now=g.now)


def _put_out(event_id: str, form: Form) -> Event:
    """Withdraw somebody, or disqualify them."""
    put_out = directing.disqualify if form.get("how") == "disqualify" else directing.withdraw
    return put_out(
        get_around(),
        event_id,
        _me(),
        _number(form, "entrant", "no_such_entrant"),
        reason=_reason(form),
        is_annulled="annul" in form,
        now=g.now,
    )


def _substitute(event_id: str, form: Form) -> Event:
    return substituting.ask_substitute(
        get_around(),
        event_id,
        _me(),
        _number(form, "entrant", "no_such_entrant"),
        _number(form, "player", "no_such_player"),
        reason=_reason(form),
        now=g.now,
    )


DEEDS: Final[Mapping[str, tuple[Deed, str]]] = {
    "open": (_open, N_("The event is open for entries.")),
    "close": (_close, N_("Entering has ended.")),
    "start": (_start, N_("The event begins. Pairings and games follow within a minute.")),
    "pause": (_pause, N_("The event is paused.")),
    "resume": (_resume, N_("The event goes on.")),
    "extend": (_extend, N_("The round is prolonged.")),
    "end": (_end, N_("The event is over.")),
    "cancel": (_cancel, N_("The event is called off.")),
    "late": (_allow_late, N_("Noted.")),
    "add-director": (_add_director, N_("The event has one more director.")),
    "remove-director": (_remove_director, N_("That player directs the event no longer.")),
    "warn": (_warn, N_("The player is warned.")),
    "put-out": (_put_out, N_("The player takes no further part.")),
    "substitute": (_substitute, N_("The substitute is asked.")),
}
"""By the name in the address: what is done, and what is said when it was."""
