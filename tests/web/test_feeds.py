"""Feeds of deadlines, read as calendars and news readers read them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest

from pbem.play import farewell
from pbem.play.model import Player
from pbem.web.feeds import PURPOSE, feed_link
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Match
from tests.web.club_site import URL, ClubSite

ATOM = "{http://www.w3.org/2005/Atom}"
Event = dict[str, str]


@pytest.fixture
def match(club_site: ClubSite) -> Match:
    return club_site.club.study(
        TWO_ARCHERS, gold=club_site.club.join("Ann"), black=club_site.club.join("Ben; <b>, é")
    )


def path(site: ClubSite, player: Player, name: str) -> str:
    return feed_link(site.office, player, name).removeprefix(URL)


def read_calendar(site: ClubSite, player: Player) -> list[Event]:
    """The events of a calendar, whose form is checked on the way (RFC 5545)."""
    answer = site.visitor().get(path(site, player, "deadlines.ics"))
    assert answer.mimetype == "text/calendar"
    raw = answer.data
    assert raw.endswith(b"END:VCALENDAR\r\n")
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    lines = re.sub(rb"\r\n[ \t]", b"", raw).decode().splitlines()
    assert lines[:2] == ["BEGIN:VCALENDAR", "VERSION:2.0"]
    assert any(line.startswith("PRODID:") for line in lines)
    events: list[Event] = []
    for line in lines[1:-1]:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            events.append({})
        elif events and name != "END":
            assert name not in events[-1]
            events[-1][name] = value
    for event in events:
        assert {"UID", "DTSTAMP", "DTSTART", "SUMMARY"} <= set(event)
    return events


def instant(text: str) -> datetime:
    return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def test_a_deadline_in_a_calendar(club_site: ClubSite, match: Match) -> None:
    (event,) = read_calendar(club_site, match.players[0])
    deadline = match.deadline("gold")
    assert deadline is not None
    assert instant(event["DTEND"]) == deadline.replace(microsecond=0)
    assert instant(event["DTEND"]) - instant(event["DTSTART"]) == timedelta(minutes=30)
    assert event["SUMMARY"] == "Your turn against Ben\\; <b>\\, é"
    assert event["URL"] == f"{URL}/games/{match.id}"
    assert read_calendar(club_site, match.players[1]) == []


def test_what_is_asked_next_is_another_event(club_site: ClubSite, match: Match) -> None:
    match.send("gold", "W1 rng I4", 1)
    assert read_calendar(club_site, match.players[0]) == []
    (event,) = read_calendar(club_site, match.players[1])
    assert event["SUMMARY"] == "Your defence against Ann"
    match.send("black", "resign", 1)
    assert read_calendar(club_site, match.players[1]) == []


def test_long_names_are_folded_between_characters(club_site: ClubSite) -> None:
    black = club_site.club.join("é" * 60)
    match = club_site.club.study(TWO_ARCHERS, black=black)
    (event,) = read_calendar(club_site, match.players[0])
    assert event["SUMMARY"].endswith("é" * 60)


def test_news(club_site: ClubSite, match: Match) -> None:
    answer = club_site.visitor().get(path(club_site, match.players[0], "news.atom"))
    assert answer.mimetype == "application/atom+xml"
    feed = ElementTree.fromstring(answer.data)
    assert feed.tag == f"{ATOM}feed"
    for name in ("id", "title", "updated", "author"):
        assert feed.find(f"{ATOM}{name}") is not None
    (entry,) = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "Your turn against Ben; <b>, é"
    updated = entry.findtext(f"{ATOM}updated")
    assert updated is not None
    assert datetime.fromisoformat(updated) <= club_site.now
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == f"{URL}/games/{match.id}"


def test_in_the_language_of_the_player(club_site: ClubSite) -> None:
    gold = club_site.club.join("Ann", language="nl")
    club_site.club.study(TWO_ARCHERS, gold=gold, black=club_site.club.join("Ben"))
    (event,) = read_calendar(club_site, gold)
    assert event["SUMMARY"] != "Your turn against Ben"
    assert "Ben" in event["SUMMARY"]


def test_nothing_of_the_board(club_site: ClubSite, match: Match) -> None:
    for name in ("deadlines.ics", "news.atom"):
        text = club_site.visitor().get(path(club_site, match.players[0], name)).text
        assert "I4" not in text
        assert "example.org" not in text.replace("play.example.org", "")


@pytest.mark.parametrize("name", ["deadlines.ics", "news.atom"])
def test_links_that_are_not_ours(club_site: ClubSite, match: Match, name: str) -> None:
    keys, ann = club_site.office.keys, match.players[0]
    for link in (
        "x",
        str(ann.id),
        keys.link("unsubscribe", str(ann.id)),
        keys.link(PURPOSE, "x"),
        keys.link(PURPOSE, "99999999999999999999999"),
        keys.link(PURPOSE, "²"),
        keys.link(PURPOSE, str(ann.id))[:-1] + "!",
    ):
        assert club_site.visitor().get(f"/feeds/{link}/{name}").status_code == 404


def test_those_who_left_have_none(club_site: ClubSite, match: Match) -> None:
    there = path(club_site, match.players[0], "deadlines.ics")
    farewell.delete(club_site.around, match.players[0].id, now=club_site.now)
    assert club_site.visitor().get(there).status_code == 404
