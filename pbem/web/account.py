"""What a player sets: preferences, addresses, days off, rules for all games, sessions, tokens;
and taking everything along, or leaving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, time
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    flash,
    g,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from pbem.mail.named_addresses import name_address
from pbem.play import access, farewell, leave, players
from pbem.play.access import SCOPES
from pbem.play.errors import PlayError
from pbem.play.model import Player
from pbem.play.players import BOARDS, DELIVERIES, NOTE_WISHES, PlayerFaults
from pbem.schedule.errors import ScheduleError
from pbem.schedule.zones import zone_names
from pbem.tongue import N_
from pbem.web.events.leaves import leave_in_events
from pbem.web.faults import say_error, say_fields, say_schedule
from pbem.web.feeds import feed_link
from pbem.web.house import get_house
from pbem.web.standing import MAX_RULES, OFF
from pbem.web.visiting import for_players, forget_session, get_around, get_office, get_viewer

account: Final = Blueprint("account", __name__, url_prefix="/settings")

BOARD_WORDS: Final = {
    "image": N_("A picture"),
    "text": N_("Drawn with letters"),
    "spoken": N_("Told in words"),
}
DELIVERY_WORDS: Final = {
    "each": N_("At once"),
    "digest": N_("Once a day, all together"),
    "none": N_("None but answers to my own mails"),
}
NOTE_WORDS: Final = {
    "never": N_("stay private"),
    "after": N_("join when the game is over"),
    "agreed": N_("join if my opponent's may too"),
}


@account.after_request
def _keep_nowhere(response: Response) -> Response:
    """Addresses, sessions, a new token: nothing for the next user of a browser."""
    response.headers["Cache-Control"] = "no-store"
    return response


@account.get("")
@for_players
def settings() -> str:
    """All settings on one page."""
    return _page(get_viewer(), {})


def _page(player: Player, faults: Mapping[str, str], **more: Any) -> str:
    around = get_around()
    with around.store.read() as unit:
        mine = unit.addresses_of(player.id)
    # One that waits to be confirmed is not shown: it could belong to another player.
    addresses = [each for each in mine if each.verified_at is not None]
    return render_template(
        "account/settings.html",
        player=player,
        faults=faults,
        addresses=addresses,
        sessions=access.passes_of(around, player.id, "session", now=g.now),
        tokens=access.passes_of(around, player.id, "token", now=g.now),
        this_session=g.session_pass,
        zones=zone_names(),
        boards=[(key, g.tongue.say(BOARD_WORDS[key])) for key in BOARDS],
        deliveries=[(key, g.tongue.say(DELIVERY_WORDS[key])) for key in DELIVERIES],
        note_wishes=[(key, g.tongue.say(NOTE_WORDS[key])) for key in NOTE_WISHES],
        scopes=SCOPES,
        calendar=feed_link(get_office(), player, "deadlines.ics"),
        event_calendar=feed_link(get_office(), player, "events.ics"),
        news=feed_link(get_office(), player, "news.atom"),
        **more,
    )


def _done(said: str) -> BaseResponse:
    flash(said, "good")
    return redirect(url_for(".settings"), 303)


def _undone(error: PlayError) -> BaseResponse:
    flash(say_error(error), "bad")
    return redirect(url_for(".settings"), 303)


# -- preferences --------------------------------------------------------------------------------


@account.post("")
@for_players
def save() -> Any:
    """Name and preferences, together."""
    form, player = request.form, get_viewer()
    try:
        chosen = replace(
            player.preferences,
            language=form.get("language", "en"),
            time_zone=form.get("time_zone", "UTC")[:60],
            board=form.get("board", "image"),
            delivery=form.get("delivery", "each"),
            quiet_from=_time(form.get("quiet_from")),
            quiet_to=_time(form.get("quiet_to")),
            rests_on_weekends="weekends" in form,
            messages_stop_plans="messages" in form,
            notes_join=form.get("notes_join", "never"),
        )
        players.check_preferences(chosen)
        if form.get("name", player.name) != player.name:
            players.rename(get_around(), player.id, form["name"][:200])
        players.set_preferences(get_around(), player.id, chosen, now=g.now)
    except PlayerFaults as error:
        return _page(player, say_fields(error)), 422
    except PlayError as error:
        return _page(player, {"quiet": say_error(error)}), 422
    g.tongue = get_house().tongues(chosen.language)
    return _done(g.tongue.say("Saved."))


def _time(text: str | None) -> time | None:
    if not text:
        return None
    try:
        return time.fromisoformat(text[:5])
    except ValueError:
        raise PlayerFaults({"quiet": "must be a local hour and minute"}) from None


@account.post("/rules")
@for_players
def set_rules() -> Any:
    """Standing rules for all games (N3.1)."""
    text = " ".join(request.form.get("rules", "").split())[:MAX_RULES] or OFF
    try:
        players.set_general_rules(get_around(), get_viewer().id, text, now=g.now)
    except PlayerFaults as error:
        return _page(get_viewer(), say_fields(error), rules=text), 422
    return _done(g.tongue.say("Your rules for all games are set."))


# -- addresses ----------------------------------------------------------------------------------


@account.post("/addresses")
@for_players
def change_addresses() -> Any:
    """Add, prefer, choose as second, or drop an address."""
    around, player = get_around(), get_viewer()
    address = request.form.get("address", "")[:320]
    try:
        match request.form.get("do"):
            case "add":
                name_address(around, get_office(), player.id, address, now=g.now)
                return _done(g.tongue.say("We have mailed a link to the address; confirm it."))
            case "prefer":
                players.choose_addresses(around, player.id, preferred=address)
            case "fallback":
                players.choose_addresses(
                    around, player.id, preferred=_preferred(player), fallback=address
                )
            case "drop":
                players.drop_address(around, player.id, address)
    except PlayerFaults as error:
        return _page(player, say_fields(error)), 422
    except PlayError as error:
        return _undone(error)
    return _done(g.tongue.say("Saved."))


def _preferred(player: Player) -> str:
    with get_around().store.read() as unit:
        mine = unit.addresses_of(player.id)
    return next((each.address for each in mine if each.is_preferred), "")


# -- days off -----------------------------------------------------------------------------------


@account.get("/leave")
@for_players
def show_leave() -> str:
    """Days off: what is planned, and what a new leave would do before it is taken."""
    first, last = _day("first"), _day("last")
    offer, fault = None, None
    if first is not None and last is not None:
        try:
            offer = leave.offer_leave(get_around(), get_viewer().id, first, last, now=g.now)
        except ScheduleError as error:
            fault = say_schedule(error)
    shown = {"first": request.args.get("first", ""), "last": request.args.get("last", "")}
    return render_template(
        "account/leave.html",
        player=get_viewer(),
        offer=offer,
        fault=fault,
        shown=shown,
        in_events=[] if offer is None else leave_in_events(offer.leave),
    )


@account.post("/leave")
@for_players
def change_leave() -> BaseResponse:
    """Take a leave, or end one."""
    around, player = get_around(), get_viewer()
    first, last = _day("first", request.form), _day("last", request.form)
    try:
        if request.form.get("do") == "end" and first is not None:
            leave.end_leave(around, player.id, first, now=g.now)
            flash(g.tongue.say("Your leave has ended."), "good")
        elif first is not None and last is not None:
            leave.take_leave(around, player.id, first, last, now=g.now)
            flash(g.tongue.say("Your leave is noted. You may still play while it lasts."), "good")
    except ScheduleError as error:
        flash(say_schedule(error), "bad")
    except PlayError as error:
        flash(say_error(error), "bad")
    return redirect(url_for(".show_leave"), 303)


def _day(name: str, given: Mapping[str, str] | None = None) -> date | None:
    try:
        return date.fromisoformat((request.args if given is None else given).get(name, ""))
    except ValueError:
        return None


# -- sessions and tokens ------------------------------------------------------------------------


@account.post("/passes/<int:number>/end")
@for_players
def end_pass(number: int) -> BaseResponse:
    """End a session or a token."""
    try:
        access.end_pass(get_around(), get_viewer().id, number, now=g.now)
    except PlayError as error:
        return _undone(error)
    return _done(g.tongue.say("Ended."))


@account.post("/tokens")
@for_players
def make_token() -> Any:
    """A token for a program; it is shown once."""
    form, player = request.form, get_viewer()
    try:
        given = access.make_token(
            get_around(), player.id, form.get("name", ""), form.getlist("scopes"), now=g.now
        )
    except PlayerFaults as error:
        faults = {f"token_{name}": said for name, said in say_fields(error).items()}
        return _page(player, faults), 422
    except PlayError as error:
        return _undone(error)
    return _page(player, {}, new_token=given.secret)


# -- taking along, and leaving ------------------------------------------------------------------


@account.get("/export")
@for_players
def export() -> Response:
    """Everything we keep about the player."""
    response = make_response(farewell.export(get_around(), get_viewer().id))
    response.mimetype = "application/json"
    response.headers["Content-Disposition"] = 'attachment; filename="pbem-export.json"'
    return response


@account.get("/delete")
@for_players
def ask_delete() -> str:
    """Ask once more."""
    return render_template("account/delete.html", player=get_viewer())


@account.post("/delete")
@for_players
def delete() -> Any:
    """Leave for good; running games are resigned."""
    if request.form.get("name", "").strip() != get_viewer().name:
        faults = {"name": g.tongue.say("Write your name exactly as it stands above.")}
        return render_template("account/delete.html", player=get_viewer(), faults=faults), 422
    farewell.delete(get_around(), get_viewer().id, now=g.now)
    response = make_response(redirect(url_for("home.front"), 303))
    forget_session(response)
    flash(g.tongue.say("Your account is gone. Thank you for playing."), "good")
    return response
