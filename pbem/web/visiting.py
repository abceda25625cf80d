"""Who visits: the session's cookie, the language and the look of the page, and the time it is.

Set up once a request, before anything else; views find it in ``g``: ``now``, ``viewer`` (a player
or None), ``session_pass``, ``tongue`` and ``calendar``. Signing in and out is ``signing_in``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar, cast

from flask import Flask, Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from pbem.catalogues import languages
from pbem.mail.dates import Calendar
from pbem.mail.office import Office
from pbem.play.access import SESSION_LASTS, Given, find_owner
from pbem.play.model import Player
from pbem.play.ports import Surroundings
from pbem.tongue import Tongue
from pbem.web.browsers import browser_language
from pbem.web.house import get_house

LANGUAGE_COOKIE: Final = "language"
THEME_COOKIE: Final = "theme"
THEMES: Final = ("light", "dark")
_YEAR: Final = 365 * 24 * 3600

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


def get_around() -> Surroundings:
    """The surroundings of this server."""
    return get_house().around


def get_office() -> Office:
    """The post office of this server."""
    return get_house().office


def install_visiting(app: Flask) -> None:
    """Before each request: what time it is, who visits, and in which language."""

    @app.before_request
    def arrive() -> None:
        g.now = get_house().clock()
        g.viewer = g.session_pass = None
        secret = request.cookies.get(session_cookie())
        if secret:
            found = find_owner(get_around(), "session", secret[:200], now=g.now)
            if found is not None:
                g.viewer, g.session_pass = found
        g.tongue = _tongue(g.viewer)
        zone = g.viewer.preferences.time_zone if g.viewer else "UTC"
        g.calendar = Calendar(g.tongue, zone, g.now)


def _tongue(viewer: Player | None) -> Tongue:
    """The viewer's language; a visitor's by choice, or as the browser says."""
    if viewer is not None:
        return get_house().tongues(viewer.preferences.language)
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen not in languages():
        chosen = browser_language()
    return get_house().tongues(chosen)


def find_theme() -> str | None:
    """``light`` or ``dark`` if the visitor chose; None leaves it to the browser."""
    chosen = request.cookies.get(THEME_COOKIE)
    return chosen if chosen in THEMES else None


# -- cookies ------------------------------------------------------------------------------------


def is_secure() -> bool:
    """Whether this site is reached over HTTPS; only then can cookies be kept to it."""
    return get_office().site_url.startswith("https://")


def session_cookie() -> str:
    """The name of the session's cookie; browsers bind the longer one to this host."""
    return "__Host-pbem" if is_secure() else "pbem"


def remember_session(response: Response, given: Given) -> None:
    """Give the browser the secret of a new session."""
    response.set_cookie(
        session_cookie(),
        given.secret,
        max_age=int(SESSION_LASTS.total_seconds()),
        secure=is_secure(),
        httponly=True,
        samesite="Lax",
        path="/",
    )


def forget_session(response: Response) -> None:
    """Take the secret from the browser."""
    response.delete_cookie(session_cookie(), path="/", secure=is_secure(), httponly=True)


def remember_choice(response: Response, name: str, value: str | None) -> None:
    """Remember a visitor's choice of language or look; None forgets it."""
    if value is None:
        response.delete_cookie(name, path="/", secure=is_secure())
    else:
        response.set_cookie(
            name, value, max_age=_YEAR, secure=is_secure(), httponly=True, samesite="Lax"
        )


# -- who may come in ----------------------------------------------------------------------------


def get_viewer() -> Player:
    """The player who visits. Only behind ``for_players``."""
    return cast(Player, g.viewer)


def ask_to_sign_in() -> BaseResponse:
    """To the page for signing in; who has done so comes back to what was asked for."""
    wanted = request.full_path.rstrip("?") if request.method == "GET" else None
    return redirect(url_for("signing_in.ask", next=wanted), 303)


def for_players(
    view: Callable[Parameters, Answer],
) -> Callable[Parameters, Answer | BaseResponse]:
    """A view for players only: visitors are asked to sign in first, and come back then."""

    @wraps(view)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Answer | BaseResponse:
        if g.viewer is None:
            return ask_to_sign_in()
        return view(*args, **kwargs)

    return guarded


def find_local_path(text: str | None) -> str | None:
    """A path of this site to go on to; None for anything that would lead elsewhere."""
    if not text or not text.startswith("/") or text.startswith(("//", "/\\")):
        return None
    is_plain = text.isascii() and text.isprintable() and "\\" not in text
    return text if is_plain and len(text) <= 300 else None
