"""What every template can say: words, times, boards, and where one is."""

from __future__ import annotations

import hashlib
from datetime import date, datetime, timedelta
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

from flask import Flask, current_app, g, request, url_for
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from pbem.catalogues import languages
from pbem.games.base import Fault
from pbem.games.registry import NAMES as GAME_NAMES
from pbem.games.registry import get_game
from pbem.mail.dates import say_duration
from pbem.tongue import N_, Tongue
from pbem.web.boards import draw
from pbem.web.visiting import find_theme, get_around, get_office

LANGUAGE_NAMES: Final = {"en": "English", "nl": "Nederlands"}
"""What languages call themselves."""

URGENT: Final = timedelta(days=1)
"""A deadline nearer than this is shown in another colour."""

_PATHS: Final = 2048
"""How many paths of pages are kept at hand, and how many navigations."""

_STATIC: Final = Path(__file__).parent / "static"

_FOR_PLAYERS: Final[tuple[tuple[str, str], ...]] = (
    (N_("My games"), "games.mine"),
    (N_("Challenges"), "arranging.challenges"),
    (N_("Players"), "people.index"),
    (N_("Help"), "help.index"),
    (N_("Settings"), "account.settings"),
)
_FOR_VISITORS: Final[tuple[tuple[str, str], ...]] = (
    (N_("Challenges"), "arranging.challenges"),
    (N_("Help"), "help.index"),
    (N_("Sign in"), "signing_in.ask"),
)


_OF_THE_DEMO: Final = (N_("Post office"), "post_office.index")


def install_templating(app: Flask) -> None:
    """Give all templates their words."""

    @app.context_processor
    def words() -> dict[str, object]:
        if "tongue" not in g:
            return {}
        tongue, root = g.tongue, request.script_root
        return {
            "_": tongue.say,
            "count": tongue.count,
            "tongue": tongue,
            "csrf_token": cache(generate_csrf),  # all forms of a page have the same
            "url_for": partial(path, root),
            "asset": partial(asset, root),
            "viewer": g.viewer,
            "theme": find_theme(),
            "site_name": get_office().name,
            "navigation": _navigation,
            "site_languages": _named_languages(),
        }

    @lru_cache(maxsize=_PATHS)
    def path(root: str, endpoint: str, **values: object) -> str:
        """The path of a page, which is the same each time; making it takes a while."""
        return url_for(endpoint, **values)  # type: ignore[arg-type]

    def asset(root: str, name: str) -> str:
        """The path of a static file; it changes with the file, so browsers may keep it."""
        return path(root, "static", filename=name, v=_version(name))

    app.jinja_env.globals.update(
        board=draw,
        when=_when,
        day=_day,
        left=_left,
        length=_length,
        is_urgent=_is_urgent,
        explain=_explain,
    )


@cache
def _named_languages() -> tuple[tuple[str, str], ...]:
    return tuple((code, LANGUAGE_NAMES.get(code, code)) for code in languages())


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


def _navigation() -> Markup:
    """The way to all parts of the site, with the number of games that wait for the viewer."""
    ways, waiting = _FOR_VISITORS, 0
    if g.viewer is not None:
        ways = _FOR_PLAYERS
        with get_around().store.read() as unit:
            waiting = unit.count_waiting(g.viewer.id)
    if _OF_THE_DEMO[1] in current_app.view_functions:
        ways = (_OF_THE_DEMO, *ways)
    part = (request.endpoint or "").partition(".")[0]
    return _links(ways, part, waiting, g.tongue, request.script_root)


@lru_cache(maxsize=_PATHS)
def _links(
    ways: tuple[tuple[str, str], ...], part: str, waiting: int, tongue: Tongue, root: str
) -> Markup:
    links = []
    for name, endpoint in ways:
        # A phone has room for what is used most; the rest is at the foot of the page, too.
        is_wide = endpoint == "people.index" or (
            ways[-1] in _FOR_PLAYERS and endpoint == "help.index"
        )
        wide = Markup(' class="wide-only"') if is_wide else ""
        here = Markup(' aria-current="page"') if endpoint.partition(".")[0] == part else ""
        badge: Markup | str = ""
        if waiting and endpoint == "games.mine":
            badge = Markup(' <span class="badge">{}</span>').format(waiting)
        link = Markup('<a href="{}"{}{}>{}{}</a>')
        links.append(link.format(url_for(endpoint), wide, here, tongue.say(name), badge))
    return Markup("\n").join(links)
