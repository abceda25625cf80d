"""What the API says when something was not done: problem documents (RFC 9457) with our codes."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, g, json, make_response, request
from marshmallow import Schema, fields
from werkzeug.exceptions import HTTPException, InternalServerError

from pbem.errors import StoreConflictError, StoreError, UnstorableError
from pbem.games.base import OptionsError
from pbem.mail.refusals import say_not_allowed
from pbem.play.errors import NoSuchGameError, NoSuchInvitationError, NoSuchPlayerError, PlayError
from pbem.play.players import PlayerFaults
from pbem.play.saying import say_faults, say_schedule_error
from pbem.schedule.errors import ScheduleError

PREFIX: Final = "/api/"
CONTENT_TYPE: Final = "application/problem+json"
_NOT_FOUND: Final = (NoSuchGameError, NoSuchPlayerError, NoSuchInvitationError)
_KINDS: Final = (
    HTTPException,
    InternalServerError,
    UnstorableError,
    StoreConflictError,
    StoreError,
    PlayError,
    OptionsError,
    ScheduleError,
)
_CODES: Final = {
    400: "not_json",
    401: "no_token",
    403: "scope_missing",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "not_json",
    422: "invalid",
    429: "too_often",
    500: "broken",
}
"""Phrases of HTTP change with the version of Python; codes do not."""

_RETRY: Final = 30


class ProblemSchema(Schema):
    """Why something was not done. ``code`` is stable; ``detail`` is for people."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String()
    scope = fields.String(metadata={"description": "The scope that the token lacks."})
    faults = fields.Raw(metadata={"description": "What is wrong with each field, or each order."})
    suggestions = fields.Raw(metadata={"description": "Legal orders near the refused one."})


def problem(status: int, code: str, detail: str = "", **more: Any) -> Response:
    """A problem document."""
    title = HTTPStatus(status).phrase
    told = {"type": "about:blank", "title": title, "status": status, "code": code, **more}
    if detail:
        told["detail"] = detail
    response = make_response(json.dumps(told), status)
    response.mimetype = CONTENT_TYPE
    return response


def install_problems(app: Flask) -> None:
    """Errors of the API as problem documents; those of pages stay pages, with their handlers."""
    pages = app.error_handler_spec[None]
    for kind in _KINDS:
        code = 500 if kind is InternalServerError else None
        handlers = pages[code]
        handlers[kind] = _either(handlers.get(kind))


def _either(show_page: Any) -> Any:
    """A program gets a document where a person gets a page."""

    def answer(error: Any) -> Any:
        if request.path.startswith(PREFIX):
            return _problem_of(error)
        if show_page is None:
            raise error
        return show_page(error)

    return answer


def _problem_of(error: Exception) -> Response:
    match error:
        case HTTPException():
            return _http(error)
        case UnstorableError():
            return problem(422, "invalid", "Something has characters that cannot be kept.")
        case StoreConflictError():
            return problem(409, "conflict", "Somebody was quicker. Look again.")
        case StoreError():
            response = problem(503, "unavailable", "Try again in a moment.")
            response.headers["Retry-After"] = str(_RETRY)
            return response
        case _:
            return _refused(error)


def _refused(error: Exception) -> Response:
    match error:
        case PlayerFaults() | OptionsError():
            return problem(422, "invalid", faults=say_faults(error.faults, tongue=g.tongue))
        case ScheduleError():
            said = say_schedule_error(error, tongue=g.tongue)
            return problem(422, "invalid", " ".join(said))
        case PlayError():
            status = 404 if isinstance(error, _NOT_FOUND) else 409
            return problem(status, error.code, say_not_allowed(error.code, error.facts, g.tongue))
        case _:
            raise error


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:  # a redirection, or nothing new: not a problem at all
        return make_response(error.get_response())
    faults = (getattr(error, "data", None) or {}).get("messages")
    response = problem(
        status, _CODES.get(status, "not_done"), **({"faults": faults} if faults else {})
    )
    if status == 405:
        response.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    retry = getattr(error, "retry_after", None)
    if retry is not None:
        response.headers["Retry-After"] = str(retry)
    return response
