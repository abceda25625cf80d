"""What the API says when something was not done: problem documents (RFC 9457) with our codes."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, g, json, make_response, request
from marshmallow import Schema, fields
from werkzeug.exceptions import HTTPException

from pbem.errors import StoreError
from pbem.games.base import OptionsError
from pbem.mail.refusals import say_not_allowed
from pbem.play.access import NoPassError
from pbem.play.errors import NoSuchGameError, NoSuchInvitationError, NoSuchPlayerError, PlayError
from pbem.play.players import PlayerFaults
from pbem.play.saying import say_faults, say_schedule_error
from pbem.schedule.errors import ScheduleError

PREFIX: Final = "/api/"
_NOT_FOUND: Final = (NoSuchGameError, NoSuchPlayerError, NoSuchInvitationError)


class ProblemSchema(Schema):
    """Why something was not done. ``code`` is stable; ``detail`` is for people."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String()
    faults = fields.Raw(metadata={"description": "What is wrong with each field."})
    suggestions = fields.Raw(metadata={"description": "Legal orders near the refused one."})


def problem(status: int, code: str, detail: str = "", **more: Any) -> Response:
    """A problem document."""
    title = HTTPStatus(status).phrase
    told = {"type": "about:blank", "title": title, "status": status, "code": code, **more}
    if detail:
        told["detail"] = detail
    response = make_response(json.dumps(told), status)
    response.mimetype = "application/problem+json"
    return response


def install_problems(app: Flask) -> None:
    """Errors of the API as problem documents; those of pages stay pages."""
    for kind in (PlayError, OptionsError, ScheduleError, NoPassError):
        app.register_error_handler(kind, _refused)
    pages = app.error_handler_spec[None]
    _wrap(pages)


def _wrap(pages: Any) -> None:
    """Ask the caller's way first: a program gets a document where a person gets a page."""
    for handlers in pages.values():
        for kind, show_page in list(handlers.items()):
            if kind in (HTTPException, StoreError) or issubclass(kind, HTTPException):
                handlers[kind] = _either(show_page)


def _either(show_page: Any) -> Any:
    def answer(error: Exception) -> Any:
        if not request.path.startswith(PREFIX):
            return show_page(error)
        if isinstance(error, StoreError):
            response = problem(503, "unavailable", "Try again in a moment.")
            response.headers["Retry-After"] = "30"
            return response
        return _http(error)

    return answer


def _http(error: Exception) -> Response:
    status = getattr(error, "code", None) or 500
    data = getattr(error, "data", None) or {}
    faults = data.get("messages")
    code = "invalid" if status == 422 else HTTPStatus(status).phrase.lower().replace(" ", "_")
    more = {"faults": faults} if faults else {}
    response = problem(status, code, **more)
    for name, value in (data.get("headers") or {}).items():
        response.headers[name] = value
    allowed = getattr(error, "valid_methods", None)
    if status == 405 and allowed:
        response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


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
            return problem(410, "gone")
