"""A game page and its preview beside a bare Flask page: ``python deploy/bench/web.py [--json]``.

Everything goes over HTTP on the loopback to the server we ship (waitress, as ``pbem serve`` starts
it), each application in a process of its own. The bare page is a Flask application of one view and
one small template, with the same server. The game page is what a signed-in player sees in the
middle of a game at their turn: a log of 30 entries and more, messages, notes, other games that
wait, the requests counted against the limits. Pages are asked for over four kept connections, in
turns with the bare page. A rate is requests for each second that the server was busy, so that
others on the machine do not count; the ratio is the median over the rounds. All of ``GAMES`` games
are asked for in rotation, as often as each other. What the first look at a game costs that nobody
has looked at since its last entry is shown, too.

Previews are asked for one by one, with texts of the lengths that players send: an order, a turn of
several orders, and attacks with plans for their outcomes. The weight of a page is the sum of all
bodies that a browser with nothing in its cache loads for it, not compressed.
"""

from __future__ import annotations

import json
import re
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random

from browsing import Browser, posted, request
from flask import Flask, render_template
from jinja2 import DictLoader
from measuring import Figure, at_least, at_most, report, shown

from pbem.bootstrap import make_office, open_surroundings
from pbem.config import Settings, read_settings
from pbem.endpoints import Endpoint
from pbem.games.ortus.sampling import random_game
from pbem.play import access, games, invitations, players
from pbem.play.open_game import load_course
from pbem.play.ports import Surroundings
from pbem.store.database import make_engine
from pbem.store.schema import upgrade
from pbem.web import create_app
from workers.web_server import WebServer

GAMES = 12
ENTRIES = 30
CONNECTIONS = 4
PAGES = 120
ROUNDS = 11
WARM_UP = 2
PREVIEWS = 240
VISITORS = 200
"""From how many addresses is asked: one alone would meet the limit for one visitor."""
MAX_WEIGHT = 150.0
MAX_SCRIPT = 40.0
BARE = """<!doctype html><html lang="en"><title>{{ title }}</title>
<h1>{{ title }}</h1><ul>{% for name in names %}<li>{{ name }}</li>{% endfor %}</ul></html>"""


@dataclass(frozen=True)
class Seen:
    """A game in which it is somebody's turn: its page, their cookies, and what they may write."""

    path: str
    cookies: dict[str, str]
    texts: tuple[str, ...]


# -- what is there to see -------------------------------------------------------------------------


def build_club(settings: Settings) -> list[Seen]:
    """Two players with some games in their middle."""
    engine = make_engine(settings.database_url)
    upgrade(engine)
    engine.dispose()
    with open_surroundings(settings) as around:
        now = datetime.now(UTC) - timedelta(hours=2)
        people = [
            players.join(around, name, f"{name}@example.org", now=now, verified=True)
            for name in ("ann", "bob")
        ]
        sessions = [
            access.begin_session(around, player.id, browser="bench", now=now).secret
            for player in people
        ]
        found: list[Seen] = []
        number = 0
        while len(found) < GAMES:
            number += 1
            invitation = invitations.invite(around, people[0].id, people[1].id, {}, now=now)
            game = invitations.accept(around, people[1].id, invitation.id, now=now)
            seen = _play(around, game.id, Random(number), now)
            if seen is not None:
                seat, texts = seen
                session = sessions[0 if game.players[seat] == people[0].id else 1]
                found.append(Seen(f"/games/{game.id}", {"__Host-pbem": session}, texts))
    return found


def _play(
    around: Surroundings, game_id: str, rng: Random, now: datetime
) -> tuple[int, tuple[str, ...]] | None:
    """Play up to a turn in the middle; who is to write what then, None if it ended before."""
    with around.store.read() as unit:
        stored = unit.find_game(game_id)
    assert stored is not None
    log = random_game(rng, stored.start, max_entries=ENTRIES + 40)
    for number, entry in enumerate(log):
        now += timedelta(seconds=10)
        seat = entry.seat or 0
        with around.store.read() as unit:
            asked = [row.kind for row in unit.requests_of(game_id) if row.seat == seat]
        if number >= ENTRIES and asked == ["turn"]:
            for each, text in enumerate(("Good luck!", "You too.", "That hurt. Well played.")):
                games.write_message(around, game_id, each % 2, text, now=now)
            games.write_note(around, game_id, seat, "Mind the Wells.", now=now)
            return seat, _texts(around, game_id, seat, rng)
        games.submit(around, game_id, seat, entry.text, arrived=now)
    return None


def _texts(around: Surroundings, game_id: str, seat: int, rng: Random) -> tuple[str, ...]:
    """Orders as they are written: one, some, and a plan behind an attack."""
    with around.store.read() as unit:
        stored = games.get_stored(unit, game_id)
    course = load_course(stored)
    found: list[str] = []
    path: list[str] = []
    while len(path) < 6:
        choices = course.play.choose(course.state, seat, path)
        if choices is None or not choices.choices:
            break
        chosen = rng.choice(choices.choices)
        path.append(chosen.order)
        found.append("; ".join(path))
        forks = course.play.choose(course.state, seat, path)
        if forks is not None and forks.forks:
            ends = " | ".join(f"{fork.guard}: end" for fork in forks.forks)
            found.append("; ".join([*path[:-1], f"{path[-1]} [{ends}]"]))
            break
    return tuple(found)


# -- servers ------------------------------------------------------------------------------------


def make_bare(stack: ExitStack) -> Flask:
    """One view, one small template."""
    app = Flask("bare")
    app.jinja_loader = DictLoader({"bare.html": BARE})

    @app.get("/")
    def page() -> str:
        return render_template("bare.html", title="A bare page", names=["one", "two", "three"])

    return app


def make_ours(settings: Settings) -> Callable[[ExitStack], Flask]:
    """The site, with its store, as ``pbem serve`` has it."""

    def make(stack: ExitStack) -> Flask:
        around = stack.enter_context(open_surroundings(settings))
        return create_app(around, make_office(settings), settings)

    return make


def serve(make: Callable[[ExitStack], Flask], is_behind: bool, told: Connection) -> None:
    with ExitStack() as stack:
        server = WebServer(make(stack), Endpoint("127.0.0.1", 0), is_behind=is_behind)
        server.start()
        told.send(server.endpoint.port)
        while told.recv():
            told.send(time.process_time())


@dataclass(frozen=True)
class Running:
    """An application in a process of its own."""

    port: int
    told: Connection

    def used(self) -> float:
        """The processor time it has used so far, in seconds."""
        self.told.send(True)
        return float(self.told.recv())


@contextmanager
def running(make: Callable[[ExitStack], Flask], *, is_behind: bool = False) -> Iterator[Running]:
    """Start an application."""
    mine, theirs = get_context("fork").Pipe()
    process = get_context("fork").Process(target=serve, args=(make, is_behind, theirs))
    process.start()
    try:
        yield Running(mine.recv(), mine)
    finally:
        process.terminate()
        process.join()


# -- what is measured ---------------------------------------------------------------------------


def visitor(number: int) -> str:
    return f"192.0.2.{number % VISITORS + 1}"


def busy_rate(browser: Browser, server: Running, wanted: list[bytes], count: int) -> float:
    """Requests for each second that the server was busy."""
    before = server.used()
    browser.load(wanted, count)
    return count / (server.used() - before)


def compare_pages(
    ours: Browser, our_server: Running, bare: Browser, bare_server: Running, seen: list[Seen]
) -> list[Figure]:
    firsts = []
    for each in seen:
        looked = request(each.path, cookies=each.cookies, visitor=visitor(0))
        firsts.append(ours.timed(looked))
        each.cookies.update(ours.ask(looked).cookies())  # as a browser brings them from then on
    wanted = [
        request(
            seen[number % len(seen)].path,
            cookies=seen[number % len(seen)].cookies,
            visitor=visitor(number),
        )
        for number in range(VISITORS * len(seen))
    ]
    floor = [request("/")]
    pages, bares = [], []
    for number in range(ROUNDS + WARM_UP):
        our_rate = busy_rate(ours, our_server, wanted, PAGES)
        bare_rate = busy_rate(bare, bare_server, floor, PAGES * 4)
        if number >= WARM_UP:
            pages.append(our_rate)
            bares.append(bare_rate)
    ratio = statistics.median(mine / its for mine, its in zip(pages, bares, strict=True))
    return [
        shown("bare Flask page", statistics.median(bares), "requests/s"),
        shown("game page", statistics.median(pages), "requests/s"),
        at_least("game page / bare page", ratio, "x", 0.25),
        shown("game page, first look since the last entry", statistics.median(firsts), "ms"),
    ]


def time_previews(ours: Browser, seen: list[Seen]) -> list[Figure]:
    calls = []
    for game in seen:
        page = ours.ask(request(game.path, cookies=game.cookies, visitor=visitor(1)))
        token = re.search(rb'data-token="([^"]+)"', page.body)
        assert token is not None, "the board of somebody's turn has a token"
        for text in game.texts:
            body = json.dumps({"text": text}).encode()
            calls.append((f"{game.path}/preview", body, game.cookies, token[1].decode()))
    Random(1).shuffle(calls)
    times = []
    for number in range(PREVIEWS):
        path, body, cookies, token_text = calls[number % len(calls)]
        times.append(
            ours.timed(
                posted(path, body, cookies=cookies, visitor=visitor(number), X_CSRFToken=token_text)
            )
        )
    return [
        shown("preview, median", statistics.median(times), "ms"),
        at_most("preview, p95", statistics.quantiles(times, n=20)[18], "ms", 40),
    ]


class _Loaded(HTMLParser):
    """What a browser loads for a page."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_loaded = tag != "link" or given.get("rel") in ("icon", "stylesheet", "manifest")
        path = given.get("href") if tag == "link" else given.get("src")
        if path and is_loaded and path not in self.paths:
            self.paths.append(path)


def weigh(ours: Browser, seen: list[Seen]) -> list[Figure]:
    heaviest: dict[str, int] = {}
    for game in seen:
        asked = {"cookies": game.cookies, "visitor": visitor(2)}
        page = ours.ask(request(game.path, **asked))  # type: ignore[arg-type]
        parser = _Loaded()
        parser.feed(page.body.decode())
        weights = {"html": len(page.body)}
        for path in parser.paths:
            answer = ours.ask(request(path, **asked))  # type: ignore[arg-type]
            assert answer.status == 200, answer.head
            weights[path.partition("?")[0]] = len(answer.body)
        heaviest = max(heaviest, weights, key=lambda each: sum(each.values()))
    total = sum(heaviest.values()) / 1000
    script = heaviest["/static/board.js"] / 1000
    return [
        *(shown(f"weight of {path}", size / 1000, "kB") for path, size in heaviest.items()),
        at_most("weight of the heaviest page and all it loads", total, "kB", MAX_WEIGHT),
        at_most("weight of the board's script", script, "kB", MAX_SCRIPT),
    ]


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        settings = read_settings(
            {
                "PBEM_DATA_DIR": folder,
                "PBEM_MAIL_DOMAIN": "play.example.org",
                "PBEM_SITE_URL": "https://play.example.org",
                "PBEM_PROXIES": "1",
                "PBEM_SECRET": secrets.token_hex(32),
            }
        )
        seen = build_club(settings)
        bare_server = stack.enter_context(running(make_bare))
        our_server = stack.enter_context(running(make_ours(settings), is_behind=True))
        bare, ours = (
            Browser(server.port, connections=CONNECTIONS) for server in (bare_server, our_server)
        )
        stack.callback(bare.close)
        stack.callback(ours.close)
        return [
            *compare_pages(ours, our_server, bare, bare_server, seen),
            *time_previews(ours, seen),
            *weigh(ours, seen),
        ]


if __name__ == "__main__":
    report(figures())
