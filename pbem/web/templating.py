"""What every template can say: words, times, boards, and where one is."""

from __future__ import annotations

import hashlib
from datetime import date, datetime, timedelta
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

from flask import Flask, g, request, url_for

from pbem.catalogues import languages
from pbem.games.base import Fault
from pbem.games.registry import NAMES as GAME_NAMES
from pbem.games.registry import get_game
from pbem.mail.dates import say_duration
from pbem.tournaments.event import show_points
from pbem.web.boards import draw
from pbem.web.forms import form_token
from pbem.web.navigation import navigation
from pbem.web.visiting import find_theme, get_office

LANGUAGE_NAMES: Final = {"en": "English", "nl": "Nederlands"}
"""What languages call themselves."""

URGENT: Final = timedelta(days=1)
"""A deadline nearer than this is shown in another colour."""

_PATHS: Final = 2048
"""How many paths of pages are kept at hand."""

_STATIC: Final = Path(__file__).parent / "static"


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
            "csrf_token": form_token,
            "url_for": partial(path, root),
            "asset": partial(asset, root),
            "viewer": g.viewer,
            "theme": find_theme(),
            "site_name": get_office().name,
            "site_url": get_office().site_url,
            "navigation": navigation,
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
        points=show_points,
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
