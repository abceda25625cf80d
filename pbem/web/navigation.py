"""The way to all parts of the site, at the head of every page."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from flask import current_app, g, request, url_for
from markupsafe import Markup

from pbem.play.ports import Unit
from pbem.tongue import N_, Tongue
from pbem.web.visiting import get_around

_MOST: Final = 2048
"""How many navigations are kept at hand."""

_FOR_PLAYERS: Final[tuple[tuple[str, str], ...]] = (
    (N_("My games"), "games.mine"),
    (N_("Challenges"), "arranging.challenges"),
    (N_("Events"), "events.index"),
    (N_("Archive"), "archive.index"),
    (N_("Players"), "people.index"),
    (N_("Help"), "help.index"),
    (N_("Settings"), "account.settings"),
)
_FOR_VISITORS: Final[tuple[tuple[str, str], ...]] = (
    (N_("Challenges"), "arranging.challenges"),
    (N_("Events"), "events.index"),
    (N_("Archive"), "archive.index"),
    (N_("Help"), "help.index"),
    (N_("Sign in"), "signing_in.ask"),
)
_PARTS: Final = {"replay": "archive", "studies": "archive", "ratings": "people"}
"""Blueprints whose pages belong to a part of the site that has another."""
_OF_THE_DEMO: Final = (N_("Post office"), "post_office.index")


def count_waiting(unit: Unit) -> None:
    """Count the games that wait for the viewer, where a page reads of the store anyway."""
    if g.viewer is not None:
        g.waiting = unit.count_waiting(g.viewer.id)


def navigation() -> Markup:
    """The way to all parts of the site, with the number of games that wait for the viewer."""
    ways, waiting = _FOR_VISITORS, 0
    if g.viewer is not None:
        ways = _FOR_PLAYERS
        if "waiting" not in g:
            with get_around().store.read() as unit:
                count_waiting(unit)
        waiting = g.waiting
    if _OF_THE_DEMO[1] in current_app.view_functions:
        ways = (_OF_THE_DEMO, *ways)
    part = (request.endpoint or "").partition(".")[0]
    part = _PARTS.get(part, part)
    return _links(ways, part, waiting, g.tongue, request.script_root)


def _left_out_on_phones(ways: tuple[tuple[str, str], ...]) -> set[str]:
    """A phone has room for what is used most; the rest is at the foot of every page, too."""
    left_out = {"help.index", "archive.index"}
    if ways[-1] in _FOR_PLAYERS:
        left_out |= {"people.index", "account.settings"}
    if ways[0] == _OF_THE_DEMO:
        left_out.add("arranging.challenges")
    return left_out


@lru_cache(maxsize=_MOST)
def _links(
    ways: tuple[tuple[str, str], ...], part: str, waiting: int, tongue: Tongue, root: str
) -> Markup:
    links = []
    narrow = _left_out_on_phones(ways)
    for name, endpoint in ways:
        is_wide = endpoint in narrow
        wide = Markup(' class="wide-only"') if is_wide else ""
        here = Markup(' aria-current="page"') if endpoint.partition(".")[0] == part else ""
        badge: Markup | str = ""
        if waiting and endpoint == "games.mine":
            badge = Markup(' <span class="badge">{}</span>').format(waiting)
        link = Markup('<a href="{}"{}{}>{}{}</a>')
        links.append(link.format(url_for(endpoint), wide, here, tongue.say(name), badge))
    return Markup("\n").join(links)
