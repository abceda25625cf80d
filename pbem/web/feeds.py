"""Feeds of a player's deadlines: calendars (iCalendar) and news (Atom), by a link of one's own.

Programs that read feeds cannot sign in, so the link is the key; it shows when answers are due and
in which game, and nothing of what is on a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from flask import Blueprint, Response, abort, g

from pbem.mail.office import Office
from pbem.play.model import Player
from pbem.tongue import N_, Tongue
from pbem.web.events.dates import DATE_TITLES, event_dates
from pbem.web.house import get_house
from pbem.web.summaries import Summary, my_games

feeds: Final = Blueprint("feeds", __name__, url_prefix="/feeds")

PURPOSE: Final = "feed"
_ASKED: Final = {
    "turn": N_("Your turn against {name}"),
    "defence": N_("Your defence against {name}"),
    "setup": N_("Your set-up against {name}"),
    "bid": N_("Your bid against {name}"),
}
_ANSWER: Final = N_("Your answer to {name}")
_FOLD: Final = 72


def feed_link(office: Office, player: Player, name: str) -> str:
    """The address of a feed of a player's own."""
    return f"{office.site_url}/feeds/{office.keys.link(PURPOSE, str(player.id))}/{name}"


@feeds.get("/<link>/deadlines.ics")
def calendar(link: str) -> Response:
    """When the player's answers are due, for a calendar."""
    _, tongue, waiting = _waiting(link)
    office = get_house().office
    lines: list[str] = []
    for game in waiting:
        assert game.deadline is not None
        lines += _entry(
            game.request or game.game_id,
            game.deadline,
            _title(game, tongue),
            f"{office.site_url}/games/{game.game_id}",
        )
    return _calendar(lines)


def _entry(name: str, until: datetime, title: str, url: str) -> list[str]:
    return [
        "BEGIN:VEVENT",
        f"UID:{name}@{get_house().office.domain}",
        f"DTSTAMP:{_stamp(g.now)}",
        f"DTSTART:{_stamp(until - timedelta(minutes=30))}",
        f"DTEND:{_stamp(until)}",
        f"SUMMARY:{_ics(title)}",
        f"URL:{url}",
        "END:VEVENT",
    ]


def _calendar(entries: Sequence[str]) -> Response:
    office = get_house().office
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//pbem//{office.domain}//EN",
        f"X-WR-CALNAME:{_ics(office.name)}",
        *entries,
        "END:VCALENDAR",
    ]
    text = "".join(f"{_folded(line)}\r\n" for line in lines)
    return Response(text, mimetype="text/calendar")


@feeds.get("/<link>/events.ics")
def event_calendar(link: str) -> Response:
    """When the player's events begin, when entering ends and when rounds turn over."""
    player, tongue = _owner(link)
    office = get_house().office
    with get_house().around.store.read() as unit:
        dates = event_dates(unit, player.id)
    lines = [
        line
        for date in dates
        for line in _entry(
            f"event-{date.event_id}-{date.code}",
            date.at,
            tongue.say(DATE_TITLES[date.code], title=date.title, round=date.round),
            f"{office.site_url}/events/{date.event_id}",
        )
    ]
    return _calendar(lines)


@feeds.get("/<link>/news.atom")
def news(link: str) -> Response:
    """What the player is asked for, as news."""
    player, tongue, waiting = _waiting(link)
    office = get_house().office
    latest = max((game.asked_at for game in waiting if game.asked_at), default=player.created_at)
    entries = [
        f"<entry><id>tag:{office.domain},2026:{game.request}</id>"
        f"<title>{escape(_title(game, tongue))}</title>"
        f"<updated>{(game.asked_at or g.now).isoformat()}</updated>"
        f"<link href={quoteattr(f'{office.site_url}/games/{game.game_id}')}/>"
        f"<summary>{escape(_until(game, tongue))}</summary></entry>"
        for game in waiting
    ]
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>tag:{office.domain},2026:player/{player.id}</id>"
        f"<title>{escape(office.name)}</title><author><name>{escape(office.name)}</name></author>"
        f"<updated>{latest.isoformat()}</updated>{''.join(entries)}</feed>\n"
    )
    return Response(text, mimetype="application/atom+xml")


def _owner(link: str) -> tuple[Player, Tongue]:
    """Whose feed it is; 404 for links of others."""
    house = get_house()
    name = house.office.keys.find_linked(PURPOSE, link[:200])
    if name is None or not (name.isascii() and name.isdigit()):
        abort(404)
    with house.around.store.read() as unit:
        player = unit.find_player(int(name))
    if player is None or player.deleted_at is not None:
        abort(404)
    return player, house.tongues(player.preferences.language)


def _waiting(link: str) -> tuple[Player, Tongue, Sequence[Summary]]:
    """Whose feed it is, and the games in which something is due; 404 for links of others."""
    player, tongue = _owner(link)
    running, _ = my_games(get_house().around, player, now=g.now)
    due = [game for game in running if game.asked is not None and game.deadline is not None]
    return player, tongue, due


def _title(game: Summary, tongue: Tongue) -> str:
    return tongue.say(_ASKED.get(game.asked or "", _ANSWER), name=game.opponent)


def _until(game: Summary, tongue: Tongue) -> str:
    assert game.deadline is not None
    return tongue.say(N_("Until {instant}"), instant=f"{game.deadline:%Y-%m-%d %H:%M} UTC")


def _stamp(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%SZ}"


def _ics(text: str) -> str:
    for char in "\\;,":
        text = text.replace(char, f"\\{char}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """A line of at most 75 bytes, the rest on lines that begin with a space."""
    parts: list[str] = []
    rest = line
    while len(rest.encode()) > _FOLD:
        cut = _FOLD
        while len(rest[:cut].encode()) > _FOLD:
            cut -= 1
        parts.append(rest[:cut])
        rest = rest[cut:]
    return "\r\n ".join([*parts, rest])
