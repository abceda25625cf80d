"""Games for programs: lists, a game at any of its entries, its board, its record and its log."""

from __future__ import annotations

from typing import Any

from flask import Response, abort, g

from pbem.play import games as play
from pbem.play.archive import log_of, record_of
from pbem.play.errors import NoSuchGameError
from pbem.play.model import StoredGame
from pbem.play.ports import Unit
from pbem.play.viewing import GameView, look
from pbem.web.api import schemas
from pbem.web.api.callers import for_callers, get_caller
from pbem.web.api.topics import Topic
from pbem.web.house import get_house
from pbem.web.summaries import page_of_games

calls = Topic("games", "/games", "Games: looking at them")


def get_view(game_id: str, *, at: int | None = None) -> GameView:
    """The game as the caller may see it; 404 if it may not be seen."""
    try:
        with get_house().around.store.read() as unit:
            view = look(unit, game_id[:60], g.viewer, now=g.now, at=at)
    except NoSuchGameError:
        abort(404)
    if view is None:
        abort(404)
    return view


def get_own(game_id: str) -> tuple[GameView, int]:
    """A game of the caller's own and the seat; 404 for others."""
    view = get_view(game_id)
    if view.seat is None:
        abort(404)
    return view, view.seat


@calls.route("")
@for_callers("read")
@calls.arguments(schemas.GamesQuery, location="query")
@calls.response(200, schemas.GameListSchema)
def mine(query: dict[str, Any]) -> dict[str, Any]:
    """My games, in order of id."""
    around, caller = get_house().around, get_caller()
    found = page_of_games(
        around, caller, query["state"], after=query["after"], limit=query["limit"] + 1
    )
    page = found[: query["limit"]]
    return {"games": page, "next": page[-1].game_id if len(found) > len(page) else None}


@calls.route("/<game_id>")
@for_callers("read", is_optional=True, problems=(404,))
@calls.arguments(schemas.AtQuery, location="query")
@calls.response(200, schemas.GameSchema)
def show(query: dict[str, Any], game_id: str) -> dict[str, Any]:
    """A game, at the newest entry or at another."""
    view = get_view(game_id, at=query["at"])
    request, held = view.request, view.held
    return {
        "id": view.game_id,
        "seat": view.seat,
        "players": view.names,
        "player_numbers": view.player_ids,
        "terms": view.terms.to_plain(),
        "newest": view.newest,
        "at": view.at,
        "is_over": view.is_over,
        "winner": view.winner,
        "termination": view.termination,
        "asked": [{"seat": seat, "kind": kind} for seat, kind in view.asked],
        "request": None if request is None else request.id,
        "deadline": None if request is None else request.deadline,
        "held": None if held is None else {"text": held.text, "until": held.until},
        "briefing": view.briefing(g.tongue),
        "told": view.told(g.tongue),
        "spoken": view.spoken(g.tongue),
        "clocks": view.clocks,
        "steps": view.steps,
        "trips_asked": view.trips.asked,
        "trips_saved": view.trips.saved,
        "seed_hash": view.seed_hash,
        "log_hash": view.version,
    }


@calls.route("/<game_id>/board.svg")
@for_callers("read", is_optional=True, problems=(404,))
@calls.arguments(schemas.AtQuery, location="query")
@calls.response(200, {"type": "string"}, content_type="image/svg+xml")
def board(query: dict[str, Any], game_id: str) -> Response:
    """The board as a picture, as the caller may see it."""
    from pbem.diagrams.svg import scene_svg  # noqa: PLC0415 - few callers want pictures

    view = get_view(game_id, at=query["at"])
    return Response(scene_svg(view.scene(g.tongue)), mimetype="image/svg+xml")


@calls.route("/<game_id>/record")
@for_callers("read", is_optional=True, problems=(404,))
@calls.response(200, {"type": "string"}, content_type="text/plain")
def record(game_id: str) -> Response:
    """The record (.ogn) of a game that is over."""
    with get_house().around.store.read() as unit:
        text = record_of(unit, _get_over(unit, game_id), {})
    return Response(text, mimetype="text/plain")


@calls.route("/<game_id>/log")
@for_callers("read", is_optional=True, problems=(404,))
@calls.response(200, {"type": "string"}, content_type="text/plain")
def log(game_id: str) -> Response:
    """The log (.log) of a game that is over, with which anybody can verify it."""
    with get_house().around.store.read() as unit:
        text = log_of(unit, _get_over(unit, game_id))
    return Response(text, mimetype="text/plain")


def _get_over(unit: Unit, game_id: str) -> StoredGame:
    """A game that is over; 404 while it runs, or if it may not be seen."""
    if not get_view(game_id).is_over:
        abort(404)
    return play.get_stored(unit, game_id)
