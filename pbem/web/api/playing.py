"""Playing for programs: trying orders, sending them, taking them back, standing rules."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, g

from pbem.games.base import Fault, Refused, Rehearsal
from pbem.play import games as play
from pbem.play import invitations
from pbem.play.viewing import GameView
from pbem.web.api import schemas
from pbem.web.api.arranging import show_to_host
from pbem.web.api.callers import for_callers, get_caller
from pbem.web.api.games import get_own
from pbem.web.api.problems import problem
from pbem.web.api.topics import Topic
from pbem.web.house import get_house

calls = Topic("playing", "/games", "Games of one's own: playing them")


@calls.route("/<game_id>/preview", methods=["POST"])
@for_callers("read", problems=(404,))
@calls.arguments(schemas.TextBody)
@calls.response(200, schemas.PreviewSchema)
def preview(body: dict[str, Any], game_id: str) -> Any:
    """What orders would do, without consequences."""
    view, _ = get_own(game_id)
    shown = view.preview(body["text"], g.tongue)
    if isinstance(shown, Refused):
        return _refused(view, shown)
    assert shown is not None, "it is a game of the caller's own"
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


@calls.route("/<game_id>/choices", methods=["POST"])
@for_callers("read", problems=(404,))
@calls.arguments(schemas.PathBody)
@calls.response(200, schemas.ChoicesSchema)
def choices(body: dict[str, Any], game_id: str) -> dict[str, Any]:
    """What may follow behind the first steps of a turn."""
    view, seat = get_own(game_id)
    found = view.choose(seat, body["path"], g.tongue)
    if found is None:
        return {"choices": [], "forks": [], "fault": None, "step": None}
    fault = None if found.fault is None else _explain(view, found.fault)
    return {"choices": found.choices, "forks": found.forks, "fault": fault, "step": found.step}


@calls.route("/<game_id>/submissions", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.arguments(schemas.SubmissionBody)
@calls.response(201, schemas.SubmittedSchema)
def submit(body: dict[str, Any], game_id: str) -> Any:
    """Send orders, a decision, a set-up, a bid, standing rules, an offer of a draw; or resign.

    With a ``key`` they are taken once, however often they are sent. With the id of the ``request``
    they answer, they are not taken for another one that has come since.
    """
    view, seat = get_own(game_id)
    done = play.submit(
        get_house().around,
        view.game_id,
        seat,
        body["text"],
        arrived=g.now,
        key=None if body["key"] is None else _key(body["key"]),
        request_id=body["request"],
    )
    play.count_refusal(done)
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


@calls.route("/<game_id>/held", methods=["DELETE"])
@for_callers("play", problems=(404, 409))
@calls.response(204)
def undo(game_id: str) -> Any:
    """Drop what is kept for correction."""
    view, seat = get_own(game_id)
    if play.undo(get_house().around, view.game_id, seat, now=g.now) is None:
        return problem(409, "nothing_to_undo")
    return None


@calls.route("/<game_id>/rehearsal", methods=["POST"])
@for_callers("read", problems=(404,))
@calls.arguments(schemas.RehearsalBody)
@calls.response(200, schemas.RehearsalSchema)
def rehearse(body: dict[str, Any], game_id: str) -> Any:
    """What standing rules would have answered in this game so far; those that hold, without any."""
    view, _ = get_own(game_id)
    found = view.rehearse(body["rules"], g.tongue)
    if isinstance(found, Refused):
        return _refused(view, found)
    assert isinstance(found, Rehearsal), "it is a game of the caller's own"
    return {
        "rules": found.text,
        "meanings": [{"rule": rule, "meaning": meaning} for rule, meaning in found.meanings],
        "general": [{"rule": rule, "meaning": meaning} for rule, meaning in found.general],
        "attacks": found.attacks,
    }


@calls.route("/<game_id>/rematch", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.response(201, schemas.InvitationSchema)
def rematch(game_id: str) -> Any:
    """Offer the same again with seats swapped, when the game is over."""
    view, _ = get_own(game_id)
    around = get_house().around
    return show_to_host(invitations.rematch(around, get_caller().id, view.game_id, now=g.now))
