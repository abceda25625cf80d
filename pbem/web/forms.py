"""Forms are taken from our own pages alone: each brings the token of the browser it was shown in.

A page of another site cannot know the token. Besides, browsers say where a form comes from, and one
that comes from elsewhere is refused whatever it brings. Nothing is asked of browsers that do not
say so: ours are told to send no ``Referer``, and then send none to us either.
"""

from __future__ import annotations

import secrets
import time
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, Request, current_app, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf

from pbem.shelf import Shelf
from pbem.web.house import get_house

_OURS: Final = ("same-origin", "none")
_UNSAID: Final = ("", "null")
_MOST: Final = 4096
"""How many tokens are kept at hand, and how many cookies."""
_FIELD: Final = "csrf_token"


def form_token() -> str:
    """The token of this browser, for all forms it is shown."""
    known = session.get(_FIELD)
    return str(generate_csrf()) if known is None else _sign(current_app.secret_key, known)


@lru_cache(maxsize=_MOST)  # tokens do not grow old, so one signature does for all pages
def _sign(key: str | bytes, known: str) -> str:
    return str(generate_csrf())


def make_form_key() -> str:
    """A key for the forms of a page: what is sent twice from one of them is taken once."""
    return secrets.token_urlsafe(12)


class FormSessions(SecureCookieSessionInterface):
    """Flask's, which remembers the cookies it has read that hold nothing but a token: the signature
    of a cookie vouches for it until it is too old."""

    def __init__(self) -> None:
        self._read: Shelf[str, tuple[str, float]] = Shelf(_MOST, lambda _: 1)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """What a browser brings; nothing if it is not ours, or too old."""
        cookie = request.cookies.get(self.get_cookie_name(app), "")
        known = self._read.find(cookie)
        if known is not None and time.time() < known[1]:
            return self.session_class({_FIELD: known[0]})
        opened = super().open_session(app, request)
        if opened and set(opened) == {_FIELD}:
            self._read.keep(cookie, (opened[_FIELD], self._ends(app, cookie)))
        return opened

    def _ends(self, app: Flask, cookie: str) -> float:
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "it has just read the cookie"
        _, signed = serializer.loads(cookie, return_timestamp=True)
        return float((signed + app.permanent_session_lifetime).timestamp())


class OwnForms(CSRFProtect):  # type: ignore[misc] # it comes without types
    """Refuses forms of other sites with CSRFError."""

    def protect(self, *args: Any, **more: Any) -> None:
        """Check the token, then where the form comes from."""
        super().protect(*args, **more)
        if g.get("csrf_valid") and _is_from_elsewhere():
            raise CSRFError("The form is of another site.")


def _is_from_elsewhere() -> bool:
    """Whether the browser says that another site has sent this."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in _OURS
    said = request.headers.get("Origin", "")
    if said in _UNSAID:
        said = request.headers.get("Referer", "")
    if said in _UNSAID:
        return False
    # A proxy may call us by another name than visitors do.
    ours = (request.host, urlsplit(get_house().office.site_url).netloc)
    return _place(said) not in ours


def _place(address: str) -> str | None:
    try:
        return urlsplit(address).netloc
    except ValueError:
        return None
