"""What players do in events: entering, taking it back, saying that they are there, withdrawing."""

from __future__ import annotations

from collections.abc import Callable

from flask import flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from pbem.play.errors import PlayError
from pbem.play.events import entering
from pbem.web.events.overview import head_of
from pbem.web.events.seen import get_seen
from pbem.web.events.site import events
from pbem.web.faults import say_error
from pbem.web.visiting import for_players, get_around, get_viewer


def done_or_told(
    event_id: str, do: Callable[[], str], *, anchor: str | None = None
) -> BaseResponse:
    """Do something in an event and say so on its page; or say why it was not done."""
    try:
        flash(do(), "good")
    except PlayError as error:
        flash(say_error(error), "bad")
    return redirect(url_for("events.show", event_id=event_id, _anchor=anchor), 303)


@events.post("/<event_id>/enter")
@for_players
def enter(event_id: str) -> BaseResponse:
    """Enter, or wait for a place."""
    get_seen(event_id)
    board = request.form.get("board", "")

    def do() -> str:
        entrant = entering.enter(
            get_around(),
            event_id,
            get_viewer().id,
            now=g.now,
            team=request.form.get("team", "")[:80],
            board=int(board) if board.isascii() and board.isdigit() and len(board) < 4 else 0,
        )
        if entrant.is_in:
            return str(g.tongue.say("You are in. We write to you when it begins."))
        return str(g.tongue.say("All places are taken: you are on the waiting list."))

    return done_or_told(event_id, do)


@events.post("/<event_id>/leave")
@for_players
def leave(event_id: str) -> BaseResponse:
    """Take an entry back, or withdraw."""
    get_seen(event_id)

    def do() -> str:
        reason = request.form.get("reason", "")
        entering.leave(get_around(), event_id, get_viewer().id, now=g.now, reason=reason)
        return str(g.tongue.say("You do not take part any more."))

    return done_or_told(event_id, do)


@events.get("/<event_id>/withdraw")
@for_players
def ask_withdraw(event_id: str) -> BaseResponse | str:
    """Ask once more: games that go on are lost by it."""
    seen = get_seen(event_id)
    if seen.me is None:
        return redirect(url_for(".show", event_id=event_id), 303)
    running = sum(
        game.result is None
        for encounter in seen.event.of_entrant(seen.me.number)
        for game in encounter.games
    )
    return render_template("events/withdraw.html", **head_of(seen), running=running)


@events.post("/<event_id>/check-in")
@for_players
def check_in(event_id: str) -> BaseResponse:
    """Say that one is there."""
    get_seen(event_id)

    def do() -> str:
        entering.check_in(get_around(), event_id, get_viewer().id, now=g.now)
        return str(g.tongue.say("Noted: you are there."))

    return done_or_told(event_id, do)
