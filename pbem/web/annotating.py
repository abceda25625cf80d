"""Annotating an archived game by plain forms, beside its board; scripts make it easier, no more.

What the page shows is ``remark_panels``. Whatever is refused comes back with the text that was
written, so that nothing has to be written twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, Response, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from pbem.archive.places import Place
from pbem.archive.remark_judging import position_at
from pbem.archive.remark_plans import split_plan
from pbem.archive.remarks import MAX_TEXT, RemarkError, explain_remark
from pbem.games.ortus.choosing import find_choices_on
from pbem.games.ortus.position import Position
from pbem.games.registry import get_game
from pbem.mail.redact import clean_message
from pbem.play import annotating as use
from pbem.play import discussing
from pbem.play.archived import ArchivedGame
from pbem.play.errors import PlayError
from pbem.play.joining_notes import wish_for_notes
from pbem.play.players import NOTE_WISHES, PlayerFaults
from pbem.tongue import N_
from pbem.web.faults import say_error, say_fields, say_placed
from pbem.web.games import answer_choices, board_words, read_path
from pbem.web.remark_panels import author_query, find_place, make_panel, read_authors
from pbem.web.seen_games import get_seen, place_asked
from pbem.web.visiting import for_players, get_around, get_viewer

annotating: Final = Blueprint("annotating", __name__)

SAVED: Final = N_("Your remark stands.")
KNOWN: Final = N_("That stood there already.")
WITHDRAWN: Final = N_("Your remark is withdrawn.")
NOTHING: Final = N_("There is nothing to keep yet.")


@annotating.get("/archive/<int:number>/remarks")
def panel(number: int) -> Response:
    """What stands beside the board at a moment, as a piece of the page."""
    game = _get_game(number)
    shown = make_panel(game, place_asked(), by=read_authors())
    return Response(render_template("archive/remarks.html", panel=shown, number=number))


@annotating.get("/archive/<int:number>/annotated.ogn")
def record(number: int) -> Response:
    """The record of a game with all remarks that stand, each marked by its author."""
    _get_game(number)
    with get_around().store.read() as unit:
        text = use.annotated_text(unit, number, unit.get_record(number))
    response = Response(text, mimetype="text/plain")
    response.headers["Content-Disposition"] = f'attachment; filename="{number}-annotated.ogn"'
    return response


@annotating.post("/archive/<int:number>/remarks")
@for_players
def add(number: int) -> Any:
    """A comment, signs, a variation, or a text with several remarks."""
    _get_game(number)
    place = find_place(request.form.get("at", ""))
    kind, text = _read_remark()
    if kind is None or (place is None and kind != "text"):
        return _again(number, place, kind or "comment", text, [g.tongue.say(NOTHING)])
    player_id = get_viewer().id
    try:
        if kind == "text":
            kept = use.take_text(get_around(), player_id, number, text, now=g.now).kept
        else:
            assert place is not None
            kept = _take(player_id, number, place, kind, text).kept
    except RemarkError as error:
        return _again(number, place, kind, text, _say(error, has_places=kind == "text"))
    except PlayError as error:
        return _again(number, place, kind, text, [say_error(error)])
    flash(g.tongue.say(SAVED if kept else KNOWN), "good")
    return _back(number, kept[0].place if place is None and kept else place)


def _take(player_id: int, number: int, place: Place, kind: Any, text: str) -> use.Taken:
    """A remark, or all variations of a plan, together or not at all."""
    texts = split_plan(text) if kind == "variation" else (text,)
    return use.remark_together(
        get_around(), player_id, number, place=place, kind=kind, texts=texts, now=g.now
    )


def _read_remark() -> tuple[str | None, str]:
    """What the form has, the first that is filled in: a button for a sign, or a text."""
    form = request.form
    for kind in ("sign", "comment", "variation", "text"):
        text = form.get(kind, "")
        if text.strip():
            return kind, clean_message(text, most=MAX_TEXT)
    return None, ""


@annotating.get("/archive/<int:number>/remarks/<int:remark>")
def history(number: int, remark: int) -> str:
    """All versions of a remark."""
    _get_game(number)
    with get_around().store.read() as unit:
        versions = use.versions_of(unit, number, remark)
    if not versions:
        abort(404)
    return render_template("archive/remark_history.html", number=number, versions=versions)


@annotating.post("/archive/<int:number>/remarks/<int:remark>")
@for_players
def change(number: int, remark: int) -> Any:
    """Another text for a remark of one's own, or none."""
    _get_game(number)
    player_id, around = get_viewer().id, get_around()
    text = clean_message(request.form.get("text", ""), most=MAX_TEXT)
    place = find_place(request.form.get("at", ""))
    try:
        if request.form.get("do") == "withdraw":
            use.withdraw(around, player_id, number, remark, now=g.now)
            flash(g.tongue.say(WITHDRAWN), "good")
        else:
            use.change(around, player_id, number, remark, text, now=g.now)
            flash(g.tongue.say(SAVED), "good")
    except RemarkError as error:
        return _again(number, place, "", text, _say(error), remark=remark)
    except PlayError as error:
        flash(say_error(error), "bad")
    return _back(number, place)


# -- another way to play ------------------------------------------------------------------------


@annotating.get("/archive/<int:number>/vary")
@for_players
def vary(number: int) -> str:
    """A board on which another way to play is put together by clicking, or written."""
    _get_game(number)
    return _vary_page(number, _get_place())


@annotating.post("/archive/<int:number>/choices")
@for_players
def choices(number: int) -> Response:
    """What may follow behind some orders, for the board that can be clicked."""
    _get_game(number)
    position = _get_board(number, _get_place())
    found = None
    if position.question is None and position.winner is None:
        found = find_choices_on(position, read_path(), tongue=g.tongue)
    return answer_choices(found, get_game("ortus"))


def _vary_page(number: int, place: Place, text: str = "", faults: list[str] | None = None) -> str:
    position = _get_board(number, place)
    scene = find_choices_on(position, (), tongue=g.tongue).scene
    return render_template(
        "archive/vary.html",
        number=number,
        place=str(place),
        turn=place.turn,
        scene=scene,
        can_vary=position.question is None and position.winner is None,
        is_dicey=position.rules.dicey,
        words=board_words(),
        text=text,
        faults=faults or [],
    )


def _get_board(number: int, place: Place) -> Position:
    with get_around().store.read() as unit:
        record = use.read_joined(unit, number).record
    try:
        return position_at(record, place, replacing=True)
    except RemarkError:
        abort(404)


def _get_place() -> Place:
    place = find_place(place_asked())
    if place is None:
        abort(404)
    return replace(place, order=max(1, place.order))


# -- discussion and notes -----------------------------------------------------------------------


@annotating.post("/archive/<int:number>/discussion")
@for_players
def say(number: int) -> Any:
    """Say something about a turn."""
    _get_game(number)
    place = find_place(request.form.get("at", ""))
    text = clean_message(request.form.get("text", ""), most=2 * discussing.MAX_POST)
    turn = "" if place is None else place.turn
    try:
        discussing.say(get_around(), get_viewer().id, number, turn, text, now=g.now)
    except PlayerFaults as error:
        return _again(number, place, "post", text, list(say_fields(error).values()))
    except PlayError as error:
        return _again(number, place, "post", text, [say_error(error)])
    return _back(number, place, "#discussion")


@annotating.post("/archive/<int:number>/notes")
@for_players
def join_notes(number: int) -> Any:
    """Say whether one's private notes of this game join it."""
    game = _get_game(number)
    wish = request.form.get("wish", "")
    place = find_place(request.form.get("at", ""))
    if game.game_id is None or wish not in NOTE_WISHES:
        abort(404)
    with get_around().store.read() as unit:
        stored = unit.find_game(game.game_id)
    seat = None if stored is None else stored.find_seat(get_viewer().id)
    if seat is None:
        abort(404)
    try:
        wish_for_notes(get_around(), game.game_id, seat, wish, now=g.now)
        flash(g.tongue.say("Saved."), "good")
    except PlayError as error:
        flash(say_error(error), "bad")
    return _back(number, place)


# -- answers ------------------------------------------------------------------------------------


def _get_game(number: int) -> ArchivedGame:
    """A game that the visitor may see; else there is none."""
    with get_around().store.read() as unit:
        return get_seen(unit, number)


def _back(number: int, place: object, anchor: str = "#remarks") -> BaseResponse:
    """To the moment that the form was about, with the same annotators shown."""
    query = author_query(read_authors())
    path = url_for("replay.show", number=number)
    return redirect(f"{path}?{query}at={place or ''}{anchor}", 303)


def _again(
    number: int,
    place: Place | None,
    kind: str,
    text: str,
    faults: list[str],
    *,
    remark: int | None = None,
) -> tuple[str, int]:
    """What was written, with what is wrong about it."""
    if kind == "variation" and place is not None:
        try:
            return _vary_page(number, replace(place, order=max(1, place.order)), text, faults), 422
        except RemarkError:
            pass
    page = render_template(
        "archive/remark_again.html",
        number=number,
        place="" if place is None else str(place),
        kind=kind,
        text=text,
        faults=faults,
        remark=remark,
    )
    return page, 422


def _say(error: RemarkError, *, has_places: bool = False) -> list[str]:
    """All that is wrong, with its places in a text of several remarks."""
    reasons = [explain_remark(fault, tongue=g.tongue) for fault in error.faults]
    if has_places:
        placed = zip(error.faults, reasons, strict=True)
        reasons = [say_placed(fault.line, fault.column, reason) for fault, reason in placed]
    return list(dict.fromkeys(reasons))
