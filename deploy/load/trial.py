"""One run in which things break: players play, a breaker breaks, and then all is compared."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from deploy.load.auditing import Audit, audit, count_waiting
from deploy.load.breaking import (
    CLOUDS,
    GAP,
    STILL,
    Break,
    Breaker,
    Broken,
    clouding,
    emptying,
    filling,
    killing,
    limiting,
)
from deploy.load.hurrying import hurry
from deploy.load.players import Players
from deploy.load.playing import ASKING, Pace, until
from deploy.load.posting import Post, Webhook
from deploy.load.preparing import prepare
from deploy.load.processes import Child
from deploy.load.servers import (
    SECRET,
    ManyProcesses,
    OneProcess,
    environment,
    verify_all,
)
from deploy.load.sink import Fault, Sink
from deploy.load.weather import Weather
from pbem.errors import PbemError
from pbem.mail.keys import Keys
from pbem.store.database import make_engine
from workers.desk import AT_ONCE

BY_HTTP = 0.2
"""How many mails of players come over HTTP."""
ROOM = 256
"""Megabytes of the disk that gets full."""
_EVERY = 3.0
_LOOK = 0.2

Server = OneProcess | ManyProcesses
Breaks = Callable[[Server, Weather], Sequence[Break]]
"""What is to break of a server, and of the weather around it."""


@dataclass(frozen=True)
class Bounds:
    """How much is played and broken."""

    games: int
    seconds: float
    """For which things break."""
    calm: float
    """Seconds after that, at most."""
    seed: int
    rounds: int = 1000
    """How often each thing breaks, at most."""
    gap: tuple[float, float] = GAP
    """Seconds between two breaks."""
    still: float = STILL
    """Seconds in which a mail may come between them."""
    is_whole: bool = True
    """Whether games are played to their ends; else players write no more when things do not break
    any more, and what is under way comes to its end."""


@dataclass(frozen=True)
class Outcome:
    """What came of a run."""

    broken: list[Broken]
    hits: Counter[Fault]
    ended: list[str]
    """What has ended by itself, and was started again, with its last words."""
    found: Audit
    games: int
    running: int
    """Games that did not come to their ends."""
    tried_again: int
    verified: int
    """Games that ``pbem verify --all`` has found right."""
    faults: str
    """What it found wrong; empty if nothing."""


async def run(
    folder: Path,
    url: str,
    bounds: Bounds,
    make: Callable[[dict[str, str], Path], Server],
    breaks: Breaks,
) -> Outcome:
    """One run on a fresh store. Raises DiedError."""
    rng = Random(bounds.seed)
    weather = Weather(rng)
    sink = Sink(lambda mail: None, weather.choose)
    environ = environment(folder, url, await sink.open())
    arranged = await asyncio.to_thread(prepare, environ, bounds.games)
    server = make(environ, folder)
    post = Post()
    post.webhook = Webhook(server.http, SECRET)
    players = Players(arranged, post, seed=bounds.seed)
    players.by_http = BY_HTTP
    players.pace = pace = Pace()
    sink.deliver = players.take
    planned = breaks(server, weather)
    breaker = Breaker(planned, rng, lambda: len(players.arrivals), bounds.gap, bounds.still)
    engine = make_engine(url)
    background: list[asyncio.Task[None]] = []
    ended: list[str] = []
    try:
        post.open(await asyncio.to_thread(server.start))
        background += [
            asyncio.create_task(_hurry(engine)),
            asyncio.create_task(_watch_over(server, ended)),
        ]
        await until(lambda: pace.ready >= 2 * bounds.games, ASKING, server)
        pace.release(None)
        await breaker.run(bounds.seconds, bounds.rounds)
        if not bounds.is_whole:
            pace.hold()
            await asyncio.to_thread(_start_afresh, server, engine)
        await _come_to_rest(engine, players, post, bounds)
        for task in background:
            task.cancel()
        await asyncio.to_thread(server.stop)
        keys = Keys(SECRET.encode())
        found = audit(engine, keys, players, sink, breaker.history)
        verified, faults = await asyncio.to_thread(verify_all, environ)
    finally:
        for task in background:
            task.cancel()
        await post.close()
        await asyncio.to_thread(server.stop)
        await sink.close()
        engine.dispose()
    return Outcome(
        breaker.history,
        weather.hits,
        ended,
        found,
        bounds.games,
        players.running,
        post.tried_again,
        verified,
        faults,
    )


async def _hurry(engine: Engine) -> None:
    """Have nothing wait for long."""
    while True:
        await asyncio.sleep(_EVERY)
        with suppress(SQLAlchemyError, PbemError):  # what is broken, may be the database
            await asyncio.to_thread(hurry, engine)


async def _watch_over(server: Server, ended: list[str]) -> None:
    """Start again what ends by itself, as systemd does, and note what it had to say."""
    while True:
        await asyncio.sleep(_LOOK)
        for child in server.children:
            if isinstance(child, Child) and child.is_wanted and not child.is_running:
                ended.append(f"{child.name} ended by itself, {child.exit_code}: {child.log[-800:]}")
                child.start()
                await asyncio.sleep(1)


def _start_afresh(server: Server, engine: Engine) -> None:
    """Stop who reads and sends as an operator does, have nothing wait for whoever was killed, and
    start them again."""
    for worker in server.workers:
        worker.ask_to_stop()
    for worker in server.workers:
        worker.stop()
    hurry(engine, timedelta(0))
    for worker in server.workers:
        worker.start()


async def _come_to_rest(engine: Engine, players: Players, post: Post, bounds: Bounds) -> None:
    """Until nobody waits for anything any more, or the time is up."""
    end = time.monotonic() + bounds.calm
    while time.monotonic() < end:
        await asyncio.sleep(_LOOK)
        is_over = not bounds.is_whole or not players.running
        if not is_over or not post.is_empty:
            continue
        with suppress(SQLAlchemyError):
            if not await asyncio.to_thread(count_waiting, engine):
                return


def break_one(disk: Path) -> Breaks:
    """Everything that can break with one process, whose store is on a small disk."""

    def breaks(server: Server, weather: Weather) -> Sequence[Break]:
        (serve,) = server.workers
        full = filling(disk) if disk.is_mount() else limiting(serve)
        return [killing(serve, couriers=AT_ONCE), full, *_clouds(weather)]

    return breaks


def break_many(server: Server, weather: Weather) -> Sequence[Break]:
    """Everything that can break with many processes."""
    assert isinstance(server, ManyProcesses)
    killed = [
        killing(each, couriers=AT_ONCE if each in server.workers else 0) for each in server.children
    ]
    return [*killed, emptying(server.broker_url), *_clouds(weather)]


def _clouds(weather: Weather) -> list[Break]:
    return [clouding(weather, each) for each in CLOUDS]


@contextmanager
def small_disk() -> Iterator[Path]:
    """A folder that is a file system of its own, if we may mount one; else any."""
    with tempfile.TemporaryDirectory(prefix="pbem-faults-") as name:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}m", "none", name]
        is_mounted = subprocess.run(mount, check=False, capture_output=True).returncode == 0
        try:
            yield Path(name)
        finally:
            if is_mounted:
                subprocess.run(["umount", name], check=True)
