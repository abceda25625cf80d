"""Signing in by a mailed link, and out; and the look of the pages that a visitor chooses.

A link shows a page with a button; only the button signs in, because programs that scan mail open
links (L3.6). Whether an address is known is told to nobody: the page says the same for all.
"""

from __future__ import annotations

from typing import Final

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

from pbem.catalogues import languages
from pbem.play import access
from pbem.play.access import NoPassError
from pbem.web.visiting import (
    LANGUAGE_COOKIE,
    THEME_COOKIE,
    THEMES,
    find_local_path,
    forget_session,
    get_around,
    get_office,
    is_secure,
    remember_choice,
    remember_session,
)

signing_in: Final = Blueprint("signing_in", __name__)

PURPOSE: Final = "sign-in"
"""What the numbers of links are signed for."""


@signing_in.get("/sign-in")
def ask() -> str | BaseResponse:
    """The form that asks for an address."""
    if g.viewer is not None:
        return redirect(url_for("games.mine"), 303)
    return render_template("signing_in/ask.html", next=find_local_path(request.args.get("next")))


@signing_in.post("/sign-in")
def send_link() -> BaseResponse:
    """Mail a link, if there is somebody to mail it to."""
    access.ask_for_link(get_around(), request.form.get("address", "")[:320], now=g.now)
    response = redirect(url_for("signing_in.sent"), 303)
    wanted = find_local_path(request.form.get("next"))
    if wanted is not None:
        response.set_cookie(
            "next",
            wanted,
            max_age=int(access.LINK_LASTS.total_seconds()),
            secure=is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response


@signing_in.get("/sign-in/sent")
def sent() -> str:
    """The same page for every address."""
    return render_template("signing_in/sent.html")


@signing_in.get("/sign-in/<signed>")
def show_link(signed: str) -> str | tuple[str, int]:
    """A page with a button; opening it uses nothing."""
    number = get_office().keys.find_signed(PURPOSE, signed, now=g.now)
    if number is None or not access.look_at_link(get_around(), number, now=g.now):
        return render_template("signing_in/over.html"), 410
    return render_template("signing_in/link.html", signed=signed)


@signing_in.post("/sign-in/<signed>")
def use_link(signed: str) -> BaseResponse | tuple[str, int]:
    """Sign in, once."""
    number = get_office().keys.find_signed(PURPOSE, signed, now=g.now)
    browser = request.user_agent.string
    try:
        if number is None:
            raise NoPassError("not one of ours")
        given = access.sign_in(get_around(), number, browser=browser, now=g.now)
    except NoPassError:
        return render_template("signing_in/over.html"), 410
    wanted = find_local_path(request.cookies.get("next"))
    response = make_response(redirect(wanted or url_for("games.mine"), 303))
    response.delete_cookie("next")
    remember_session(response, given)
    return response


@signing_in.post("/sign-out")
def leave() -> BaseResponse:
    """End this session."""
    if g.viewer is not None and g.session_pass is not None:
        access.end_pass(get_around(), g.viewer.id, g.session_pass.id, now=g.now)
        flash(g.tongue.say("You have signed out."), "good")
    response = make_response(redirect(url_for("home.front"), 303))
    forget_session(response)
    return response


@signing_in.post("/look")
def choose_look() -> BaseResponse:
    """A visitor's language, and whether pages are bright or dark."""
    response: Response = make_response(
        redirect(find_local_path(request.form.get("next")) or url_for("home.front"), 303)
    )
    language, theme = request.form.get("language"), request.form.get("theme")
    if language in languages():
        remember_choice(response, LANGUAGE_COOKIE, language)
    if theme is not None:
        remember_choice(response, THEME_COOKIE, theme if theme in THEMES else None)
    return response
