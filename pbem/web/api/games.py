"""Games for programs: looking, trying, playing, writing, and a feed of what happens."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

from flask import Response, abort, g, json, make_response
from flask_smorest import Blueprint

from pbem.games.base import Fault, Refused
from pbem.play import games as play
from pbem.play.archive import record_of
from pbem.play.errors import NoSuchGameError
from pbem.play.viewing import GameView, look
from pbem.web.api import schemas
from pbem.web.api.callers import for_callers, get_caller
from pbem.web.api.problems import ProblemSchema, problem
from pbem.web.house import get_house
from pbem.web.summaries import my_games

games = Blueprint("api_games", __name__, url_prefix="/api/v1/games", description="Games")

MOST_STREAMS: Final = 6
"""How many feeds are open at once; each keeps a thread."""
STREAM_SECONDS: Final = 50.0
_LOOK: Final = 1.0
_streams: Final = threading.BoundedSemaphore(MOST_STREAMS)


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


@games.route("")
@for_callers("read")
@games.arguments(schemas.GamesQuery, location="query")
@games.response(200, schemas.GameListSchema)
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
def mine(query: dict[str, Any]) -> dict[str, Any]:
    """My games, in order of id."""
    running, finished = my_games(get_house().around, get_caller(), now=g.now)
    chosen = [*running, *finished]
    if query["state"] == "running":
        chosen = list(running)
    elif query["state"] == "waiting":
        chosen = [game for game in running if game.asked is not None]
    elif query["state"] == "over":
        chosen = list(finished)
    chosen.sort(key=lambda game: game.game_id)
    found = [game for game in chosen if game.game_id > query["after"]]
    page = found[: query["limit"]]
    more = page[-1].game_id if len(found) > len(page) else None
    return {"games": page, "next": more}


@games.route("/<game_id>")
@for_callers("read", is_optional=True)
@games.arguments(schemas.AtQuery, location="query")
@games.response(200, schemas.GameSchema)
@games.alt_response(304, description="Nothing has changed.")
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
def show(query: dict[str, Any], game_id: str) -> Any:
    """A game, at the newest entry or at another."""
    view = get_view(game_id, at=query["at"])
    games.set_etag([view.game_id, view.seat, view.newest, view.at, view.is_over, _minute(view)])
    return _shown(view)


def _minute(view: GameView) -> int:
    """Clocks run: what is shown is good for a minute while they do."""
    return 0 if view.is_over else int(g.now.timestamp() // 60)


def _shown(view: GameView) -> dict[str, Any]:
    return {
        "id": view.game_id,
        "seat": view.seat,
        "players": view.names,
        "player_numbers": view.player_ids,
        "newest": view.newest,
        "at": view.at,
        "is_over": view.is_over,
        "winner": view.winner,
        "termination": view.termination,
        "request": None if view.request is None else view.request.id,
        "deadline": None if view.request is None else view.request.deadline,
        "briefing": view.briefing(g.tongue),
        "told": view.told(g.tongue),
        "spoken": view.spoken(g.tongue),
        "clocks": [
            {
                "seconds_left": int(clock.left.total_seconds()),
                "is_running": clock.is_running,
                "deadline": clock.deadline,
            }
            for clock in view.clocks
        ],
        "steps": view.steps,
        "trips_asked": view.trips.asked,
        "trips_saved": view.trips.saved,
    }


@games.route("/<game_id>/board.svg")
@for_callers("read", is_optional=True)
@games.arguments(schemas.AtQuery, location="query")
@games.response(200, content_type="image/svg+xml", description="The board as the caller sees it.")
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
def board(query: dict[str, Any], game_id: str) -> Response:
    """The board as a picture."""
    from pbem.diagrams.svg import scene_svg  # noqa: PLC0415 - few callers want pictures

    view = get_view(game_id, at=query["at"])
    return Response(scene_svg(view.scene(g.tongue)), mimetype="image/svg+xml")


@games.route("/<game_id>/preview", methods=["POST"])
@for_callers("read")
@games.arguments(schemas.TextBody)
@games.response(200, schemas.PreviewSchema)
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
@games.alt_response(422, schema=ProblemSchema)
def preview(body: dict[str, Any], game_id: str) -> Any:
    """What orders would do, without consequences."""
    view, seat = get_own(game_id)
    shown = play.preview(get_house().around, game_id, seat, body["text"], tongue=g.tongue)
    if isinstance(shown, Refused):
        return _refused(view, shown)
    forecasts = [
        {
            "steps": forecast.steps,
            "stops": None if forecast.fault is None else _explain(view, forecast.fault),
            "asks": forecast.asks,
        }
        for forecast in shown.forecasts
    ]
    return {"text": shown.text, "forecasts": forecasts}


def _explain(view: GameView, fault: Fault) -> str:
    return view.play.explain(fault, tongue=g.tongue)


def _refused(view: GameView, refused: Refused) -> Response:
    faults = [
        {
            "code": fault.code,
            "clause": fault.clause,
            "line": fault.line,
            "column": fault.column,
            "detail": _explain(view, fault),
        }
        for fault in refused.faults
    ]
    suggestions = [
        {"order": each.order, "submission": each.submission} for each in refused.suggestions
    ]
    return problem(422, "refused", faults=faults, suggestions=suggestions)


@games.route("/<game_id>/choices", methods=["POST"])
@for_callers("read")
@games.arguments(schemas.PathBody)
@games.response(200, schemas.ChoicesSchema)
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
def choices(body: dict[str, Any], game_id: str) -> dict[str, Any]:
    """What may follow behind the first steps of a turn."""
    view, seat = get_own(game_id)
    found = view.choose(seat, body["path"], g.tongue)
    if found is None:
        return {"choices": [], "forks": [], "fault": None, "step": None}
    fault = None if found.fault is None else _explain(view, found.fault)
    return {"choices": found.choices, "forks": found.forks, "fault": fault, "step": found.step}


@games.route("/<game_id>/submissions", methods=["POST"])
@for_callers("play")
@games.arguments(schemas.SubmissionBody)
@games.response(201, schemas.SubmittedSchema)
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
@games.alt_response(409, schema=ProblemSchema)
@games.alt_response(422, schema=ProblemSchema)
def submit(body: dict[str, Any], game_id: str) -> Any:
    """Send orders, a decision, a set-up or a bid."""
    view, seat = get_own(game_id)
    key = None if body["key"] is None else _key(body["key"])
    done = play.submit(
        get_house().around,
        game_id,
        seat,
        body["text"],
        arrived=g.now,
        key=key,
        request_id=body["request"],
    )
    match done:
        case play.Taken(entry=entry):
            return _became("played", entry.text, entry=entry.number)
        case play.Repeated(entry=entry):
            return _became("repeated", entry.text, entry=entry.number)
        case play.Kept(held=held, is_new=True):
            return _became("kept", held.text, until=held.until)
        case play.Kept(held=held):
            return problem(409, "already_kept", held.text)
        case play.TooLate():
            return problem(409, "too_late", g.tongue.say("The game has gone on meanwhile."))
        case play.TurnedDown(refused=refused):
            return _refused(view, refused)


def _became(outcome: str, text: str, **more: Any) -> dict[str, Any]:
    return {"outcome": outcome, "text": text, "entry": None, "until": None, **more}


def _key(written: str) -> str:
    """A key of the caller's own: nobody else's can be the same."""
    return f"api/{get_caller().id}/{hashlib.sha256(written.encode()).hexdigest()}"


@games.route("/<game_id>/held", methods=["DELETE"])
@for_callers("play")
@games.response(204)
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
@games.alt_response(409, schema=ProblemSchema)
def undo(game_id: str) -> Any:
    """Drop what is kept for correction."""
    _, seat = get_own(game_id)
    if play.undo(get_house().around, game_id, seat, now=g.now) is None:
        return problem(409, "nothing_to_undo")
    return None


@games.route("/<game_id>/messages")
@for_callers("read")
@games.response(200, schemas.MessageSchema(many=True))
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
def messages(game_id: str) -> Any:
    """The messages of a game of one's own."""
    return get_own(game_id)[0].messages


@games.route("/<game_id>/messages", methods=["POST"])
@for_callers("play")
@games.arguments(schemas.TextBody)
@games.response(201, schemas.MessageSchema)
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
def write_message(body: dict[str, Any], game_id: str) -> Any:
    """Write to the opponent."""
    _, seat = get_own(game_id)
    return play.write_message(get_house().around, game_id, seat, body["text"], now=g.now)


@games.route("/<game_id>/notes")
@for_callers("read")
@games.response(200, schemas.MessageSchema(many=True))
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
def notes(game_id: str) -> Any:
    """One's own private notes on a game."""
    return get_own(game_id)[0].notes


@games.route("/<game_id>/notes", methods=["POST"])
@for_callers("play")
@games.arguments(schemas.TextBody)
@games.response(201, schemas.MessageSchema)
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
def write_note(body: dict[str, Any], game_id: str) -> Any:
    """Keep a private note on the game as it stands."""
    _, seat = get_own(game_id)
    return play.write_note(get_house().around, game_id, seat, body["text"], now=g.now)


@games.route("/<game_id>/record")
@for_callers("read", is_optional=True)
@games.response(200, content_type="text/plain", description="The record (.ogn).")
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
def record(game_id: str) -> Response:
    """The record of a game that is over."""
    if not get_view(game_id).is_over:
        abort(404)
    with get_house().around.store.read() as unit:
        text = record_of(unit, play.get_stored(unit, game_id), {})
    return Response(text, mimetype="text/plain")


@games.route("/<game_id>/events")
@for_callers("read", is_optional=True)
@games.response(200, content_type="text/event-stream", description="New entries as they happen.")
@games.alt_response(401, schema=ProblemSchema)
@games.alt_response(403, schema=ProblemSchema)
@games.alt_response(404, schema=ProblemSchema)
@games.alt_response(503, schema=ProblemSchema)
def events(game_id: str) -> Response:
    """A feed of the game: the number of its newest entry, whenever there is a new one.

    It ends after some time; a client that reads such feeds comes back by itself.
    """
    view = get_view(game_id)
    if not _streams.acquire(blocking=False):
        response = problem(503, "too_many_feeds", "Ask again later, or look at the game itself.")
        response.headers["Retry-After"] = "30"
        return response
    response = make_response(_feed(view.game_id, view.newest, g.viewer))
    response.mimetype = "text/event-stream"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _feed(game_id: str, newest: int, viewer: Any) -> Iterator[str]:
    house = get_house()
    until = time.monotonic() + STREAM_SECONDS
    try:
        yield f"retry: 3000\n{_event(newest)}"
        while time.monotonic() < until:
            time.sleep(_LOOK)
            with house.around.store.read() as unit:
                view = look(unit, game_id, viewer, now=house.clock())
            if view is None or view.is_over:
                yield _event(newest if view is None else view.newest, is_over=True)
                return
            if view.newest != newest:
                newest = view.newest
                yield _event(newest)
            else:
                yield ": still here\n\n"
    finally:
        _streams.release()


def _event(newest: int, *, is_over: bool = False) -> str:
    told = json.dumps({"newest": newest, "is_over": is_over})
    return f"id: {newest}\nevent: entry\ndata: {told}\n\n"
