"""The pages of games: mine, one game at any of its entries, and everything done on it.

What is shown comes from ``viewing.look`` alone; what is done goes through the use cases.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    g,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from pbem.games.base import Game, Preview, Refused
from pbem.games.choices import Choices
from pbem.mail.redact import clean_message
from pbem.play import games as play
from pbem.play.archive import log_of, record_of
from pbem.play.errors import NoSuchGameError, PlayError
from pbem.play.model import StoredGame
from pbem.play.ports import Unit
from pbem.play.viewing import GameView, look
from pbem.web.boards import draw
from pbem.web.events.places import GamePlace, find_place, find_places
from pbem.web.faults import say_error
from pbem.web.forms import make_form_key
from pbem.web.navigation import count_waiting
from pbem.web.shown import find_pieces, get_shown
from pbem.web.summaries import my_games
from pbem.web.visiting import for_players, get_around, get_viewer
from pbem.web.whole import get_page

games: Final = Blueprint("games", __name__)

MAX_TEXT: Final = 20_000
MAX_STEPS: Final = 200


@games.get("/games")
@for_players
def mine() -> str:
    """My games: those that wait for me first."""
    running, finished = my_games(get_around(), get_viewer(), now=g.now)
    with get_around().store.read() as unit:
        places = find_places(unit, (game.game_id for game in (*running, *finished)))
    return render_template("games/mine.html", running=running, finished=finished, places=places)


@games.get("/games/<game_id>")
def show(game_id: str) -> Any:
    """One game, at the newest entry or at the one asked for."""
    view = get_view(game_id, at=request.args.get("at", type=int), counts_waiting=True)
    place = get_place(game_id)
    return get_page(view, partial(_render, view, place=place), place)


def get_place(game_id: str) -> GamePlace | None:
    """The event of a game, if it is one of an event."""
    with get_around().store.read() as unit:
        return find_place(unit, game_id)


def get_view(game_id: str, *, at: int | None = None, counts_waiting: bool = False) -> GameView:
    """The game as the visitor may see it; 404 if there is none, or it may not be seen."""
    try:
        with get_around().store.read() as unit:
            view = look(unit, game_id, g.viewer, now=g.now, at=at)
            if counts_waiting:
                count_waiting(unit)
    except NoSuchGameError:
        abort(404)
    if view is None:
        abort(404)
    return view


def get_own_view(game_id: str) -> tuple[GameView, int]:
    """A game of the visitor's own, and the seat; 404 for all others."""
    view = get_view(game_id)
    if view.seat is None:
        abort(404)
    return view, view.seat


def _page(view: GameView, text: str, preview: Any, *, status: int = 200) -> tuple[str, int]:
    """The page with what the player has written on it."""
    place = get_place(view.game_id)
    shown = _render(view, text=text, preview=preview, form_key=make_form_key(), place=place)
    return shown, status


def _render(view: GameView, *, text: str = "", preview: Any = None, **forms: Any) -> str:
    shown = get_shown(view)
    written = find_pieces(view, shown.briefing, (text,)) if text and shown.briefing else ()
    return render_template(
        "games/game.html",
        view=view,
        shown=shown,
        text=text,
        preview=preview,
        words=board_words(),
        pieces=written or shown.pieces,
        **forms,
    )


def board_words() -> dict[str, str]:
    """What the board's script says."""
    say = g.tongue.say
    return {
        "pick": say("Choose one of your warriors, or end the turn."),
        "aim": say("Choose where to go or whom to attack."),
        "which": say("There is more than one way. Choose one."),
        "fork": say("This attack can end in several ways. Plan on for one of them, if you like:"),
        "inside": say("Planning for: {ends}."),
        "leave": say("Back"),
        "undo": say("Undo"),
        "clear": say("Clear"),
        "end": say("End the turn"),
        "cost": say("{cost} Energy"),
        "source guide": say("Put the Guide on the board"),
        "over": say("Nothing more can be ordered here."),
        "unreachable": say("The server does not answer. What you wrote is still in the box."),
    }


# -- the turn -----------------------------------------------------------------------------------


@games.post("/games/<game_id>/turn")
@for_players
def submit(game_id: str) -> Any:
    """Send orders, decisions, a set-up or a bid; or show what they would do."""
    view, seat = get_own_view(game_id)
    text = request.form.get("text", "")[:MAX_TEXT]
    if "try" in request.form or not text.strip():
        return _page(view, text, _preview(game_id, seat, text))
    try:
        done = play.submit(
            get_around(),
            game_id,
            seat,
            text,
            arrived=g.now,
            key=key_of(request.form.get("key", "")),
            request_id=request.form.get("request") or None,
        )
    except PlayError as error:
        flash(say_error(error), "bad")
        return redirect(url_for(".show", game_id=game_id), 303)
    play.count_refusal(done)
    if isinstance(done, play.TurnedDown):
        return _page(get_view(game_id), text, done.refused, status=422)
    tell_of(done)
    return redirect(url_for(".show", game_id=game_id), 303)


def key_of(written: str) -> str | None:
    """The key of a submission from the hidden field of its form: sent twice, it is taken once."""
    is_plain = written.isascii() and written.replace("-", "").replace("_", "").isalnum()
    return f"web/{get_viewer().id}/{written}" if is_plain and len(written) <= 40 else None


def tell_of(done: play.Submitted) -> None:
    """Say what became of a submission, on the next page."""
    match done:
        case play.Taken(entry=entry):
            flash(g.tongue.say("Played: {text}", text=entry.text), "good")
        case play.Kept(held=held, is_new=True):
            until = g.calendar.instant(held.until)
            flash(g.tongue.say("Kept until {until}. You can undo it.", until=until), "good")
        case play.Kept():
            flash(g.tongue.say("Something of yours is kept already; undo it first."), "bad")
        case play.Repeated():
            flash(g.tongue.say("This was sent before; it was played once."), "good")
        case play.TooLate():
            flash(
                g.tongue.say("The game has gone on meanwhile; nothing was played. Look again."),
                "bad",
            )


def _preview(game_id: str, seat: int, text: str) -> Preview | Refused | None:
    if not text.strip():
        return None
    return play.preview(get_around(), game_id, seat, text, tongue=g.tongue)


@games.post("/games/<game_id>/preview")
@for_players
def preview(game_id: str) -> Response:
    """What orders would do, as a piece of the page."""
    _, seat = get_own_view(game_id)
    text = read_json("text")
    shown = _preview(game_id, seat, text[:MAX_TEXT]) if isinstance(text, str) else None
    return jsonify(html=render_template("games/outcomes.html", preview=shown, text=text))


@games.post("/games/<game_id>/choices")
@for_players
def choices(game_id: str) -> Response:
    """What may follow behind some orders, for the board that can be clicked."""
    view, seat = get_own_view(game_id)
    found = view.choose(seat, read_path(), g.tongue)
    return answer_choices(found, view.play)


def answer_choices(found: Choices | None, game: Game[Any]) -> Response:
    """What may follow, for the script of the board."""
    if found is None:
        return jsonify(choices=[], forks=[])
    return jsonify(
        svg=str(draw(found.scene)),
        choices=[
            {
                "order": choice.order,
                "kind": choice.kind,
                "cost": choice.cost,
                "sources": choice.sources,
                "target": choice.target,
                "landing": choice.landing,
            }
            for choice in found.choices
        ],
        forks=[{"guard": fork.guard, "label": fork.label} for fork in found.forks],
        fault=None if found.fault is None else game.explain(found.fault, tongue=g.tongue),
        step=found.step,
    )


def read_path() -> list[str]:
    """The orders that the script of the board has put together so far."""
    path = read_json("path")
    if not isinstance(path, list) or not all(isinstance(step, str) for step in path):
        abort(400)
    return [step[:200] for step in path[:MAX_STEPS]]


def read_json(name: str) -> Any:
    """A field of what a script has sent; None if there is none."""
    try:
        sent = request.get_json(silent=True)
    except RecursionError:  # brackets in brackets in brackets
        abort(400)
    return sent.get(name) if isinstance(sent, dict) else None


@games.post("/games/<game_id>/undo")
@for_players
def undo(game_id: str) -> BaseResponse:
    """Drop what is kept for correction."""
    _, seat = get_own_view(game_id)
    dropped = play.undo(get_around(), game_id, seat, now=g.now)
    if dropped is None:
        flash(g.tongue.say("There is nothing to undo any more."), "bad")
    else:
        flash(g.tongue.say("Undone. Your clock runs as if nothing had been sent."), "good")
    return redirect(url_for(".show", game_id=game_id), 303)


# -- beside the turn ----------------------------------------------------------------------------


@games.post("/games/<game_id>/messages")
@for_players
def write_message(game_id: str) -> BaseResponse:
    """Write to the opponent."""
    _, seat = get_own_view(game_id)
    text = clean_message(request.form.get("text", ""))
    if text:
        play.write_message(get_around(), game_id, seat, text, now=g.now)
    return redirect(url_for(".show", game_id=game_id, _anchor="messages"), 303)


@games.post("/games/<game_id>/notes")
@for_players
def write_note(game_id: str) -> BaseResponse:
    """Keep a private note on the game as it stands."""
    _, seat = get_own_view(game_id)
    play.write_note(get_around(), game_id, seat, request.form.get("text", "").strip(), now=g.now)
    return redirect(url_for(".show", game_id=game_id, _anchor="notes"), 303)


@games.get("/games/<game_id>/resign")
@for_players
def ask_resign(game_id: str) -> str:
    """Ask once more."""
    view, _ = get_own_view(game_id)
    return render_template("games/resign.html", view=view, form_key=make_form_key())


@games.get("/games/<game_id>.ogn")
def record(game_id: str) -> Response:
    """The record of a game that is over (N5)."""
    with get_around().store.read() as unit:
        text = record_of(unit, _get_over(unit, game_id), {})
    return _as_file(text, f"{game_id}.ogn")


@games.get("/games/<game_id>.log")
def log(game_id: str) -> Response:
    """The log of a game that is over, with which anybody can verify it (N5.6)."""
    with get_around().store.read() as unit:
        text = log_of(unit, _get_over(unit, game_id))
    return _as_file(text, f"{game_id}.log")


def _get_over(unit: Unit, game_id: str) -> StoredGame:
    """A game that is over; 404 while it runs, or if it may not be seen."""
    if not get_view(game_id).is_over:
        abort(404)
    return play.get_stored(unit, game_id)


def _as_file(text: str, name: str) -> Response:
    response = Response(text, mimetype="text/plain")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
