"""Whole games by mail while everything breaks: ``python deploy/load/faults.py [--json]``.

Simulated players play as in ``turns.py``, some of their mails over HTTP. Meanwhile, one after the
other and at random moments, with SIGKILL: web, listener, reader, sender, beat, Redis (which is
also emptied), PostgreSQL; and in one process all of it, and the disk is full. The mail server that
takes our mails says 4xx and 5xx, falls silent, and drops connections, before the end of a mail and
after it. Players send again what was not taken, like any mail server, with the same Message-ID.

Then all is calm, and the games are played to their ends. What players sent is compared with the
logs and with what arrived. Mails that came twice by their Message-ID are told apart: where the
connection broke after the mail was taken, or what had sent it was killed before it could note that,
nobody can know, and it is sent again rather than lost; an answer comes again to a player whose
mail came again (L1.2). Any other is a fault.

What waits for minutes in the database waits for half of one: see ``hurrying.py``.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

_DEPLOY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_DEPLOY.parent), str(_DEPLOY / "bench")]

from measuring import Figure, at_least, at_most, print_figures, shown
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from deploy.load.auditing import Audit, audit, count_waiting
from deploy.load.breaking import Break, Breaker, Broken, clouding, emptying, filling, killing
from deploy.load.hurrying import hurry
from deploy.load.players import Players
from deploy.load.postgres import NoServerError
from deploy.load.posting import Post, Webhook
from deploy.load.preparing import prepare
from deploy.load.processes import Child, DiedError
from deploy.load.redis_server import NoRedisError
from deploy.load.servers import (
    SECRET,
    Database,
    ManyProcesses,
    OneProcess,
    environment,
    verify_all,
)
from deploy.load.sink import Sink
from deploy.load.weather import Weather
from pbem.errors import PbemError
from pbem.mail.keys import Keys
from pbem.store.database import make_engine

BY_HTTP = 0.2
"""How many mails of players come over HTTP."""
ROOM = 256
"""Megabytes of the disk that gets full."""
_EVERY = 3.0
_LOOK = 0.2
REMARKS = 20

Server = OneProcess | ManyProcesses


@dataclass(frozen=True)
class Bounds:
    """How much is played and broken."""

    games: int
    seconds: float
    """For which things break."""
    calm: float
    """Seconds after that, at most."""
    seed: int


@dataclass(frozen=True)
class Outcome:
    """What came of a run."""

    broken: list[Broken]
    hits: Counter[str]
    ended: Counter[str]
    """What has ended by itself, and was started again."""
    found: Audit
    running: int
    """Games that did not come to their ends."""
    tried_again: int
    verified: str
    """What ``pbem verify --all`` found wrong; empty if nothing."""


async def run(
    folder: Path,
    url: str,
    bounds: Bounds,
    make: Callable[[dict[str, str], Path], Server],
    breaks: Callable[[Server], Sequence[Break]],
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
    sink.deliver = players.take
    worldly = [clouding(weather, each) for each in ("later", "never", "silent", "cut", "unsaid")]
    breaker = Breaker([*breaks(server), *worldly], rng)
    engine = make_engine(url)
    background: list[asyncio.Task[None]] = []
    restarted: Counter[str] = Counter()
    try:
        post.open(await asyncio.to_thread(server.start))
        background += [
            asyncio.create_task(_hurry(engine)),
            asyncio.create_task(_watch_over(server, restarted)),
        ]
        await breaker.run(bounds.seconds)
        await _come_to_rest(engine, players, post, bounds.calm)
        for task in background:
            task.cancel()
        await asyncio.to_thread(server.stop)
        keys = Keys(SECRET.encode())
        found = audit(engine, keys, players, sink.unsaid, breaker.history)
        verified = await asyncio.to_thread(verify_all, environ)
    finally:
        for task in background:
            task.cancel()
        await post.close()
        await asyncio.to_thread(server.stop)
        await sink.close()
        engine.dispose()
    hits = Counter({str(name): count for name, count in weather.hits.items()})
    return Outcome(
        breaker.history, hits, restarted, found, players.running, post.tried_again, verified
    )


async def _hurry(engine: Engine) -> None:
    """Have nothing wait for long."""
    while True:
        await asyncio.sleep(_EVERY)
        with suppress(SQLAlchemyError, PbemError):  # what is broken, may be the database
            await asyncio.to_thread(hurry, engine)


async def _watch_over(server: Server, restarted: Counter[str]) -> None:
    """Start again what ends by itself, as systemd does."""
    while True:
        await asyncio.sleep(_LOOK)
        for child in server.children:
            if isinstance(child, Child) and child.is_wanted and not child.is_running:
                restarted[child.name] += 1
                child.start()
                await asyncio.sleep(1)


async def _come_to_rest(engine: Engine, players: Players, post: Post, seconds: float) -> None:
    """Until all games are over and nothing waits any more, or the time is up."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await asyncio.sleep(_LOOK)
        is_over = not players.running and post.is_empty and not players.unanswered
        if is_over and not await asyncio.to_thread(count_waiting, engine):
            return


def figures_of(name: str, done: Outcome) -> list[Figure]:
    """What is told of a run."""
    found, copies = done.found, done.found.copies
    kinds = Counter(each.name for each in done.broken)
    return [
        *(shown(f"{name}: {what}", times, "times") for what, times in sorted(kinds.items())),
        *(shown(f"{name}: mails hit by {what!r}", n, "mails") for what, n in done.hits.items()),
        *(shown(f"{name}: {what} ended by itself", n, "times") for what, n in done.ended.items()),
        at_least(f"{name}: faults injected", len(done.broken), "times", 1),
        shown(f"{name}: mails that players had to send again", done.tried_again, "times"),
        at_least(f"{name}: submissions taken", found.accepted, "mails", 1),
        shown(f"{name}: submissions taken over HTTP", found.over_http, "mails"),
        shown(f"{name}: submissions played", found.played, "mails"),
        shown(f"{name}: submissions refused", found.refused, "mails"),
        at_most(f"{name}: submissions lost", found.lost, "mails", 0),
        at_most(f"{name}: submissions played twice", found.played_twice, "mails", 0),
        at_most(f"{name}: mails in quarantine", found.quarantined, "mails", 0),
        at_least(f"{name}: mails sent", found.mails, "mails", 1),
        at_most(f"{name}: mails lost", found.missing + found.dead, "mails", 0),
        at_most(f"{name}: mails that still wait", found.waiting, "mails", 0),
        at_most(f"{name}: mails that are not ours", found.unknown, "mails", 0),
        shown(f"{name}: twice, broken off before it was said", copies.unsaid, "mails"),
        shown(f"{name}: twice, killed before it was noted", copies.unnoted, "mails"),
        shown(f"{name}: twice, asked for again", copies.wanted, "mails"),
        at_most(f"{name}: mails doubled", copies.without_reason, "mails", 0),
        at_most(f"{name}: games not played to their end", done.running, "games", 0),
        at_most(f"{name}: games that pbem verify finds wrong", bool(done.verified), "runs", 0),
    ]


def break_one(folder: Path) -> Callable[[Server], Sequence[Break]]:
    """What can break in one process whose store is on a small disk."""
    return lambda server: [*map(killing, _mortals(server)), *_filling(folder)]


def _filling(folder: Path) -> list[Break]:
    return [filling(folder)] if folder.is_mount() else []


def break_many(server: Server) -> Sequence[Break]:
    """What can break in many processes."""
    assert isinstance(server, ManyProcesses)
    return [*map(killing, _mortals(server)), emptying(server.broker_url)]


def _mortals(server: Server) -> Sequence[Child | Database]:
    return server.children


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


def one_process(bounds: Bounds) -> Outcome:
    with small_disk() as disk, tempfile.TemporaryDirectory(prefix="pbem-faults-") as folder:
        url = f"sqlite:///{disk}/pbem.sqlite3"
        return asyncio.run(run(Path(folder), url, bounds, OneProcess, break_one(disk)))


def many_processes(bounds: Bounds) -> Outcome:
    database = Database()
    try:
        with tempfile.TemporaryDirectory(prefix="pbem-faults-") as folder, database.fresh() as url:
            make = partial(ManyProcesses, database=database)
            return asyncio.run(run(Path(folder), url, bounds, make, break_many))
    finally:
        database.throw_away()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print a list of figures instead")
    parser.add_argument("--games", type=int, default=12, help="games at once")
    parser.add_argument("--seconds", type=float, default=90.0, help="for which things break")
    parser.add_argument("--calm", type=float, default=240.0, help="seconds after that, at most")
    parser.add_argument("--only", choices=("one", "many"), help="one mode only")
    parser.add_argument("--seed", type=int, help="what the random moments follow from")
    given = parser.parse_args()
    seed = int(time.time()) if given.seed is None else given.seed
    bounds = Bounds(given.games, given.seconds, given.calm, seed)
    figures = []
    for word, name, mode in (
        ("one", "one process", one_process),
        ("many", "many processes", many_processes),
    ):
        if given.only in (None, word):
            try:
                done = mode(bounds)
            except (NoServerError, NoRedisError, DiedError) as error:
                print(error, file=sys.stderr)
                figures.append(Figure(f"{name}: was not measured", 0, "", "to run", False))
                continue
            figures += figures_of(name, done)
            for remark in [*done.found.remarks[:REMARKS], done.verified]:
                print(
                    f"{name}: {remark}" if remark else "", end="\n" * bool(remark), file=sys.stderr
                )
    print(f"seed {seed}", file=sys.stderr)
    return print_figures(figures, as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
