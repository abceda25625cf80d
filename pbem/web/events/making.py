"""Making an event, and changing what was announced: first the format is chosen, then the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import abort, flash, g, redirect, render_template, request, url_for

from pbem.games.base import OptionsError
from pbem.games.ortus.arena import BUILT_IN
from pbem.games.ortus.figures import LEVELS
from pbem.play.errors import PlayError
from pbem.play.events import making
from pbem.play.events.saying_charter import (
    FORMAT_NAMES,
    FORMAT_SENTENCES,
    MEETING_NAMES,
)
from pbem.play.events.saying_standings import TIE_BREAKS as TIE_BREAK_NAMES
from pbem.tournaments.charter import FORMATS, MEETINGS, TIE_BREAKS
from pbem.web.arranging import CLOCKS, LEVEL_WORDS, VISIBILITIES
from pbem.web.events.charter_forms import (
    MOST_TIE_BREAKS,
    fields_of,
    form_of,
    new_form,
    read_form,
)
from pbem.web.events.overview import head_of
from pbem.web.events.seen import SeenEvent, for_directors
from pbem.web.events.site import events
from pbem.web.faults import say_error, say_fields
from pbem.web.visiting import for_players, get_around, get_viewer

MAX_FIELD = 5000


@events.get("/new")
@for_players
def new() -> str:
    """The formats to choose from; with one, its form."""
    chosen = request.args.get("format", "")
    if chosen not in FORMATS:
        formats = [
            (name, g.tongue.say(FORMAT_NAMES[name]), g.tongue.say(FORMAT_SENTENCES[name]))
            for name in FORMATS
        ]
        return render_template("events/formats.html", formats=formats)
    return _form(new_form(chosen), {}, format_=chosen)


@events.post("/new")
@for_players
def make() -> Any:
    """Make an event, which nobody else sees until it is opened."""
    chosen = request.form.get("format", "")
    if chosen not in FORMATS:
        abort(400)
    written = {name: value[:MAX_FIELD] for name, value in request.form.items()}
    try:
        made = making.make(get_around(), get_viewer().id, read_form(written, chosen), now=g.now)
    except OptionsError as error:
        return _form(written, _faults(error), format_=chosen), 422
    except PlayError as error:
        flash(say_error(error), "bad")
        return redirect(url_for(".index"), 303)
    flash(g.tongue.say("Only you see it yet. Open it when all is as you like it."), "good")
    return redirect(url_for(".show", event_id=made.id), 303)


@events.get("/<event_id>/change")
@for_directors
def ask_change(seen: SeenEvent) -> str:
    """What was announced, to be changed."""
    return _form(
        form_of(seen.event.charter), {}, format_=seen.event.charter.format, **head_of(seen)
    )


@events.post("/<event_id>/change")
@for_directors
def change(seen: SeenEvent) -> Any:
    """Change what was announced; everybody in it is told."""
    event, charter = seen.event, seen.event.charter
    written = {name: value[:MAX_FIELD] for name, value in request.form.items()}
    try:
        making.change(
            get_around(),
            event.id,
            get_viewer().id,
            read_form(written, charter.format),
            reason=written.get("reason", ""),
            now=g.now,
        )
    except OptionsError as error:
        return _form(written, _faults(error), format_=charter.format, **head_of(seen)), 422
    except PlayError as error:
        faults = {"": say_error(error)}
        return _form(written, faults, format_=charter.format, **head_of(seen)), 409
    flash(g.tongue.say("Saved."), "good")
    return redirect(url_for(".show", event_id=event.id), 303)


def _faults(error: OptionsError) -> dict[str, str]:
    """What is wrong, by the names of the form's fields."""
    return {name.removeprefix("agreement."): said for name, said in say_fields(error).items()}


def _form(
    written: Mapping[str, str], faults: Mapping[str, str], *, format_: str, **more: Any
) -> str:
    say = g.tongue.say
    clocks = [(key, say(words)) for key, words in CLOCKS]
    if written.get("clock") and written["clock"] not in dict(clocks):
        clocks.append((written["clock"], written["clock"]))
    return render_template(
        "events/form.html",
        written=written,
        faults=faults,
        format_=format_,
        format_title=say(FORMAT_NAMES[format_]),
        known=fields_of(format_),
        meetings=[(name, say(MEETING_NAMES[name])) for name in MEETINGS],
        levels=[(level, say(LEVEL_WORDS.get(level, level))) for level in LEVELS],
        arenas=[(name, name.capitalize()) for name in BUILT_IN],
        clocks=clocks,
        visibilities=[(k, say(words)) for k, words in VISIBILITIES if k != "private"],
        tie_breaks=[("", "–"), *((name, say(TIE_BREAK_NAMES[name])) for name in TIE_BREAKS)],
        tie_break_places=range(1, MOST_TIE_BREAKS + 1),
        time_zone=g.calendar.time_zone,
        **more,
    )
