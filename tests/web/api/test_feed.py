"""The feed of a game: what happens is told, and whoever leaves makes room for others."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from pbem.endpoints import Endpoint
from pbem.web.api import feed
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Match
from tests.web.club_site import ClubSite, Program
from workers.web_server import THREADS, WebServer


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.02)


@pytest.fixture
def match(club_site: ClubSite) -> Match:
    return club_site.club.study(TWO_ARCHERS)


@pytest.fixture
def nobody(club_site: ClubSite) -> Program:
    return Program(club_site.app.test_client())


def events(answer: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a feed, with their ids."""
    text = ""
    for part in answer.response:
        text += part.decode() if isinstance(part, bytes) else part
        while "\n\n" in text:
            event, _, text = text.partition("\n\n")
            fields = dict(line.split(": ", 1) for line in event.splitlines())
            if "data" in fields:
                yield fields["id"], json.loads(fields["data"])


def test_new_entries_are_told(nobody: Program, match: Match) -> None:
    answer = nobody.get(f"/games/{match.id}/events")
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    told = events(answer)
    name, first = next(told)
    assert first == {"newest": int(name), "is_over": False, "steps": []}
    match.send("gold", "W1 rng I4")
    name, second = next(told)
    assert second["newest"] == first["newest"] + 1 == int(name)
    assert [step["texts"] for step in second["steps"]] == [["W1 rng I4"]]
    match.send("black", "resign")
    assert next(told)[1]["is_over"] is True
    assert list(told) == []
    answer.close()


def test_who_comes_back_misses_nothing(nobody: Program, match: Match) -> None:
    before = match.stored.entries - 1
    match.send("gold", "W1 rng I4")
    for seen, count in ((str(before), 1), ("0", 1), ("", 0), ("x", 0), ("9" * 30, 0)):
        answer = nobody.get(f"/games/{match.id}/events", headers={"Last-Event-ID": seen})
        _, first = next(events(answer))
        assert len(first["steps"]) >= count
        assert bool(first["steps"]) is bool(count)
        answer.close()


def test_it_ends(nobody: Program, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "STREAM_SECONDS", 0.1)
    answer = nobody.get(f"/games/{match.id}/events")
    assert len(list(events(answer))) == 1
    answer.close()


def test_there_are_only_so_many(nobody: Program, match: Match) -> None:
    path = f"/games/{match.id}/events"
    opened = [nobody.get(path) for _ in range(feed.MOST_STREAMS)]
    refused = nobody.get(path)
    assert (refused.status_code, refused.get_json()["code"]) == (503, "too_many_feeds")
    assert refused.headers["Retry-After"]
    # One who has read, and one who left before the first word.
    next(events(opened[0]))
    for answer in opened:
        answer.close()
    for _ in range(2 * feed.MOST_STREAMS):
        answer = nobody.get(path)
        assert answer.status_code == 200
        answer.close()


def test_looking_without_the_body_keeps_no_place(nobody: Program, match: Match) -> None:
    for _ in range(2 * feed.MOST_STREAMS):
        answer = nobody.call("HEAD", f"/games/{match.id}/events")
        assert (answer.status_code, answer.data) == (200, b"")
        answer.close()


def test_no_feed_of_what_may_not_be_seen(club_site: ClubSite, nobody: Program) -> None:
    hidden = club_site.club.study(TWO_ARCHERS, visibility="private")
    assert nobody.get(f"/games/{hidden.id}/events").status_code == 404
    own = club_site.program(hidden.players[0]).get(f"/games/{hidden.id}/events")
    assert own.status_code == 200
    own.close()


def test_feeds_leave_room_for_pages(club_site: ClubSite, match: Match) -> None:
    """With the real server: all feeds are open, pages are shown, and who leaves is noticed."""
    assert THREADS > feed.MOST_STREAMS
    server = WebServer(club_site.app, Endpoint("127.0.0.1", 0))
    server.start()
    port, there = server.endpoint.port, f"/api/v1/games/{match.id}/events"

    with ExitStack() as opened:

        def ask(path: str, stack: ExitStack = opened) -> http.client.HTTPResponse:
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            stack.callback(link.close)
            link.request("GET", path)
            return stack.enter_context(link.getresponse())

        opened.callback(server.stop)
        with ExitStack() as readers:
            for _ in range(feed.MOST_STREAMS):
                assert ask(there, readers).readline().startswith(b"retry")
            assert ask("/health/live").status == 200
            assert ask(there).status == 503
        until = time.monotonic() + 60
        while (status := ask(there).status) == 503 and time.monotonic() < until:
            time.sleep(0.02)
        assert status == 200
