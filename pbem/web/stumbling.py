"""Pages for what went wrong: nothing there, sent too much, too often, or the server is at fault."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, InternalServerError

from pbem.errors import StoreConflictError, StoreError, UnstorableError
from pbem.mail.dates import Calendar
from pbem.play.errors import PlayError
from pbem.tongue import N_
from pbem.web.browsers import browser_language
from pbem.web.faults import say_error
from pbem.web.house import get_house

_SAID: Final = {
    400: (N_("That could not be read"), N_("The form was not complete. Go back and try again.")),
    403: (N_("That is not for you"), N_("You may not do this.")),
    404: (N_("There is nothing here"), N_("There is no such page, or it is not yours to see.")),
    405: (N_("Not like that"), N_("This page does not take what was sent.")),
    409: (N_("That cannot be done"), N_("Things have changed meanwhile. Look again.")),
    410: (N_("This is over"), N_("What this led to is not there any more.")),
    413: (N_("That was too much"), N_("What you sent is larger than anything we take.")),
    415: (N_("That could not be read"), N_("What was sent is not of a kind we read.")),
    429: (N_("Too often"), N_("Wait a little and try again.")),
    500: (
        N_("Something broke here"),
        N_("It is our fault, and it was written down. What you had sent before is safe."),
    ),
    503: (
        N_("Try again in a moment"),
        N_("The server cannot reach its database. Nothing was lost; nothing was done."),
    ),
}


def install_error_pages(app: Flask) -> None:
    """Errors as pages; as JSON for the scripts of pages."""

    @app.errorhandler(CSRFError)
    def forged(error: CSRFError) -> Response:
        return _page(400, N_("The form was open for too long. Go back, reload it and resend it."))

    @app.errorhandler(HTTPException)
    def stumbled(error: HTTPException) -> Response:
        response = _page(error.code or 500)
        if error.code == 405 and (allowed := getattr(error, "valid_methods", None)):
            response.headers["Allow"] = ", ".join(sorted(allowed))
        return response

    @app.errorhandler(PlayError)
    def refused(error: PlayError) -> Response:
        _settle()
        return _page(409, said=say_error(error))

    @app.errorhandler(UnstorableError)
    def unreadable(error: UnstorableError) -> Response:
        return _page(400)

    @app.errorhandler(StoreConflictError)
    def outrun(error: StoreConflictError) -> Response:
        return _page(409)

    @app.errorhandler(StoreError)
    def later(error: StoreError) -> Response:
        app.logger.error("the store failed", exc_info=error)
        response = _page(503)
        response.headers["Retry-After"] = "30"
        return response

    @app.errorhandler(InternalServerError)
    def broken(error: InternalServerError) -> Response:
        return _page(500)


def _page(status: int, reason: str | None = None, *, said: str | None = None) -> Response:
    _settle()
    title, text = _SAID.get(status, _SAID[400 if status < 500 else 500])
    said = said or g.tongue.say(reason or text)
    if request.is_json:
        return make_response(jsonify(error=said), status)
    shown = render_template("stumbled.html", title=g.tongue.say(title), text=said)
    return make_response(shown, status)


def _settle() -> None:
    """An error can come before anybody was looked up."""
    if "tongue" not in g:
        house = get_house()
        g.now, g.viewer, g.session_pass = house.clock(), None, None
        g.tongue = house.tongues(browser_language())
        g.calendar = Calendar(g.tongue, "UTC", g.now)
