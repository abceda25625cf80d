"""Whole pages of games, kept until anything that stands on them changes.

The key of a page is everything it is made from: all that the viewer may see of the game, times as
far as they are said, and how the viewer is spoken to. So nobody is shown what was made for somebody
who may see more. What differs each time, the tokens of forms, is put in the place of marks.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from dataclasses import fields
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Final

from flask import g, get_flashed_messages, request

from pbem.mail.dates import DAY, HOUR, MINUTE
from pbem.play.viewing import GameView
from pbem.schedule.zones import get_zone
from pbem.shelf import Shelf
from pbem.web.forms import form_token, make_form_key
from pbem.web.navigation import navigation
from pbem.web.visiting import find_theme, get_office

MOST_BYTES: Final = 8 << 20
"""How much is kept of all pages together; one takes about 100 kB with its key."""

_TOKEN: Final = secrets.token_hex(16)
_FORM_KEY: Final = secrets.token_hex(16)
"""Marks in kept pages. Nobody is ever shown one, so nobody can write one into a message."""

_FOLLOWED: Final = ("clocks", "_story", "_visible")
"""What of a view changes with the time, or follows from its version."""
_facts: Final = attrgetter(
    "version", *(each.name for each in fields(GameView) if each.name not in _FOLLOWED)
)
_NOTHING: Final = timedelta(0)

Render = Callable[..., str]


def _weigh(page: bytes) -> int:
    return 2 * len(page)  # the messages of a page stand in its key, too


_kept: Final[Shelf[Hashable, bytes]] = Shelf(MOST_BYTES, _weigh)


def get_page(view: GameView, render: Render, *besides: Hashable) -> bytes:
    """The page of a game; ``render`` makes it, with a token and a key for its forms, from the view
    and from what is ``besides``."""
    key = (_key(view), besides)
    page = _kept.find(key)
    if page is None:
        page = render(csrf_token=lambda: _TOKEN, form_key=_FORM_KEY).encode()
        _kept.keep(key, page)
    page = page.replace(_TOKEN.encode(), form_token().encode())
    return page.replace(_FORM_KEY.encode(), make_form_key().encode())


def _key(view: GameView) -> Hashable:
    asked, zone = view.request, g.calendar.time_zone
    return (
        _facts(view),
        tuple(
            (clock.is_running, clock.deadline, _said(clock.left), _said_until(clock.deadline))
            for clock in view.clocks
        ),
        None if asked is None else _said_until(asked.deadline),
        g.viewer is None,
        g.tongue,
        zone,
        g.now.astimezone(get_zone(zone)).year,  # said of days in other years
        find_theme(),
        get_office().name,
        request.script_root,
        request.path,
        navigation(),
        tuple(get_flashed_messages(with_categories=True)),
    )


def _said_until(instant: datetime | None) -> tuple[int, int] | None:
    return None if instant is None else _said(instant - g.now)


def _said(length: timedelta) -> tuple[int, int]:
    """Two lengths of time are said alike, and are urgent alike, if this is the same."""
    length = max(length, _NOTHING)
    return (length // HOUR, 0) if length >= DAY else (0, length // MINUTE)
