"""What every template can say: words, times, boards, and where one is."""

from __future__ import annotations

import hashlib
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from flask import Flask, current_app, g, request, url_for
from flask_wtf.csrf import generate_csrf

from pbem.catalogues import languages
from pbem.games.base import Fault
from pbem.games.registry import NAMES as GAME_NAMES
from pbem.games.registry import get_game
from pbem.mail.dates import say_duration
from pbem.tongue import N_
from pbem.web.boards import draw
from pbem.web.visiting import find_theme, get_around, get_office

LANGUAGE_NAMES: Final = {"en": "English", "nl": "Nederlands"}
"""What languages call themselves."""

URGENT: Final = timedelta(days=1)
"""A deadline nearer than this is shown in another colour."""

_PATHS: Final = 4096
"""How many paths of pages are kept at hand."""

_STATIC: Final = Path(__file__).parent / "static"

_FOR_PLAYERS: Final = (
    (N_("My games"), "games.mine"),
    (N_("Challenges"), "arranging.challenges"),
    (N_("Players"), "people.index"),
    (N_("Help"), "help.index"),
    (N_("Settings"), "account.settings"),
)
_FOR_VISITORS: Final = (
    (N_("Challenges"), "arranging.challenges"),
    (N_("Help"), "help.index"),
    (N_("Sign in"), "signing_in.ask"),
)


_OF_THE_DEMO: Final = (N_("Post office"), "post_office.index")


class Way(NamedTuple):
    """One entry of the navigation."""

    name: str
    endpoint: str
    is_here: bool
    waiting: int


def install_templating(app: Flask) -> None:
    """Give all templates their words."""

    @app.context_processor
    def words() -> dict[str, object]:
        if "tongue" not in g:  # a page of the mail's links, which brings its own
            return {}
        return {
            "_": g.tongue.say,
            "count": g.tongue.count,
            "tongue": g.tongue,
            "csrf_token": _form_token,
            "viewer": g.viewer,
            "theme": find_theme(),
            "site_name": get_office().name,
            "navigation": _navigation,
            "site_languages": [(code, LANGUAGE_NAMES.get(code, code)) for code in languages()],
        }

    @lru_cache(maxsize=_PATHS)
    def path(root: str, endpoint: str, **values: object) -> str:
        return url_for(endpoint, **values)  # type: ignore[arg-type]

    def path_to(endpoint: str, **values: object) -> str:
        """The path of a page, which is the same each time; making it takes a while."""
        return path(request.script_root, endpoint, **values)

    def asset(name: str) -> str:
        """The path of a static file; it changes with the file, so browsers may keep it."""
        return path_to("static", filename=name, v=_version(name))

    app.jinja_env.globals.update(
        url_for=path_to,
        board=draw,
        asset=asset,
        when=_when,
        day=_day,
        left=_left,
        length=_length,
        is_urgent=_is_urgent,
        explain=_explain,
    )


def _form_token() -> str:
    """The token of all forms of a page."""
    if "form_token" not in g:
        g.form_token = generate_csrf()
    return str(g.form_token)


def _when(at: datetime) -> str:
    """An instant in the viewer's zone."""
    return str(g.calendar.instant(at))


def _day(day: date) -> str:
    """A day of the calendar."""
    return str(g.calendar.day(day))


def _left(until: datetime) -> str:
    """How long it is until an instant."""
    return str(g.calendar.left(until))


def _length(time: timedelta) -> str:
    """A length of time."""
    return say_duration(time, g.tongue)


def _is_urgent(until: datetime) -> bool:
    return bool(until - g.now < URGENT)


def _explain(fault: Fault) -> str:
    """A fault in the viewer's words. All games shown so far are of one kind."""
    return get_game(GAME_NAMES[0]).explain(fault, tongue=g.tongue)


@cache
def _version(name: str) -> str:
    return hashlib.sha256((_STATIC / name).read_bytes()).hexdigest()[:10]


def _navigation() -> list[Way]:
    ways = (_OF_THE_DEMO, *(_FOR_VISITORS if g.viewer is None else _FOR_PLAYERS))
    here = request.endpoint or ""
    return [
        Way(
            g.tongue.say(name),
            endpoint,
            here.partition(".")[0] == endpoint.partition(".")[0],
            _waiting() if endpoint == "games.mine" else 0,
        )
        for name, endpoint in ways
        if endpoint in current_app.view_functions
    ]


def _waiting() -> int:
    """In how many games the viewer is asked for something."""
    with get_around().store.read() as unit:
        return unit.count_waiting(g.viewer.id)
