"""Whole games by mail between simulated players: ``python deploy/load/turns.py [--json]``.

Real processes on the loopback: players send by SMTP, the server reads, plays, draws and sends, and
players answer what comes. First as fast as it goes, with all games at once, up to three times if
that is too slow; then at a tenth of the load that is asked for, at random instants, for the time
from mail in to mail out. A *turn* is a submission by mail that was played: an entry of a game's
log.

Bounded by ``--games`` and ``--seconds``; stops by itself, and leaves nothing behind.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

_DEPLOY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_DEPLOY.parent), str(_DEPLOY / "bench")]

from measuring import Figure, at_most, print_figures, shown

from deploy.load.floor import Floor, FloorServer, measure_floor
from deploy.load.playing import Measured, Server, play
from deploy.load.postgres import NoServerError
from deploy.load.preparing import prepare
from deploy.load.processes import clean_up_when_told
from deploy.load.reckoning import MEGABYTE, count_turns, quickness, slower_run, speed, wholeness
from deploy.load.redis_server import NoRedisError
from deploy.load.servers import Database, ManyProcesses, OneProcess, environment
from deploy.load.sink import Sink
from deploy.load.stored import BASE

ONE_TURNS = 40
MANY_TURNS = 60
LATENCY_MS = 300
RESIDENT_MB = 160
TENTH = 0.1
GROWTH = 1.2
FLOOR_SECONDS = 8.0
SAID = 20
"""How much of what went wrong in a run is said."""
RUNS = 3
"""How often a speed that is below its target is measured, at most."""

Make = Callable[[dict[str, str], Path], Server]


@dataclass(frozen=True)
class Bounds:
    """How much is played."""

    games: int
    seconds: float
    stored: int = 0
    """Games in the store that nobody plays, for what they cost; 0 leaves that out."""


async def run(
    make: Make,
    folder: Path,
    url: str,
    bounds: Bounds,
    *,
    rate: float | None = None,
    stored: int = 0,
) -> tuple[Measured, int]:
    """One run on a fresh store, and how many turns are in its logs."""
    sink = Sink(lambda mail: None)
    environ = environment(folder, url, await sink.open())
    try:
        arranged = await asyncio.to_thread(prepare, environ, bounds.games, stored)
        server = make(environ, folder)
        measured = await play(server, sink, arranged, seconds=bounds.seconds, rate=rate)
    finally:
        await sink.close()
    for amiss in measured.amiss[:SAID]:
        print(amiss, file=sys.stderr)
    return measured, count_turns(url)


async def floor(
    folder: Path, url: str, of: Measured, relays: int, *, seconds: float = FLOOR_SECONDS
) -> Floor:
    """The floor of a run, on a fresh store."""
    sink = Sink(lambda mail: None)
    environ = environment(folder, url, await sink.open())
    try:
        await asyncio.to_thread(prepare, environ, 0)
        server = FloorServer(environ, folder, of, relays)
        return await measure_floor(server, sink, of.sent, at_once=of.games, seconds=seconds)
    finally:
        await sink.close()


@dataclass(frozen=True)
class Mode:
    """A way to run the server, and what it should reach."""

    name: str
    turns: float
    make: Make
    relays: int
    """Processes beside the listener that the floor has."""
    stores: Callable[[], AbstractContextManager[tuple[Path, str]]]
    """A folder and a fresh database, gone afterwards."""


def saturate(mode: Mode, bounds: Bounds) -> list[tuple[Measured, int]]:
    """Runs with always enough to do, the quickest first. After one that is too slow there is
    another, whatever made it slow: a machine is slower at one time than at another, only in part
    because of what its host withholds, and nothing makes a server quicker than it is."""
    runs: list[tuple[Measured, int]] = []
    for _ in range(RUNS):
        with mode.stores() as (folder, url):
            runs.append(asyncio.run(run(mode.make, folder, url, bounds)))
        if runs[-1][0].speed >= mode.turns:
            break
    return sorted(runs, key=lambda each: each[0].speed, reverse=True)


def measure(mode: Mode, bounds: Bounds) -> list[Figure]:
    """Saturated, at a tenth of the load, and the floor."""
    (fast, logged), *slower = saturate(mode, bounds)
    runs = len(slower) + 1
    figures = [shown(f"{mode.name}: runs, of which the quickest counts", runs, "runs")]
    figures += speed(mode.name, fast, mode.turns, logged)
    for number, (other, others_logged) in enumerate(slower, 1):
        figures += slower_run(f"{mode.name}, slower run {number}", other, others_logged)
    with mode.stores() as (folder, url):
        lowest = asyncio.run(floor(folder, url, fast, mode.relays))
    figures += [
        shown(f"{mode.name}: floor, turns", lowest.turns, "turns/s"),
        shown(f"{mode.name}: floor, mails out", lowest.mails, "mails/s"),
        shown(f"{mode.name}: turns / floor", fast.speed / lowest.turns, "x"),
    ]
    if "serve" in fast.usage:
        resident = max(each.usage["serve"].peak for each, _ in ((fast, logged), *slower))
        figures.append(
            at_most(f"{mode.name}: resident, at most", resident / MEGABYTE, "MB", RESIDENT_MB)
        )
    half = replace(bounds, seconds=bounds.seconds / 2)
    with mode.stores() as (folder, url):
        rate = mode.turns * TENTH
        slow, logged = asyncio.run(run(mode.make, folder, url, half, rate=rate))
    figures += quickness(mode.name, slow, rate, LATENCY_MS, logged)
    return figures + (compare_sizes(mode, half) if bounds.stored else [])


def compare_sizes(mode: Mode, bounds: Bounds) -> list[Figure]:
    """What a turn costs with few and with many games in the store, at the least: the machine may be
    slower at one time than at another, and for what it withholds nobody can be quicker. What seems
    to cost too much is measured once more."""

    runs: list[tuple[Measured, int]] = []

    def cost(stored: int) -> float:
        with mode.stores() as (folder, url):
            runs.append(asyncio.run(run(mode.make, folder, url, bounds, stored=stored)))
        done, _ = runs[-1]
        return done.cpu / max(1, done.turns) * 1000

    few, many = [cost(BASE)], [cost(bounds.stored)]
    few.append(cost(BASE))
    if min(many) > GROWTH * min(few):
        many.append(cost(bounds.stored))
        few.append(cost(BASE))
    return [
        shown(f"{mode.name}: CPU for a turn, {BASE} games stored", min(few), "ms"),
        shown(f"{mode.name}: CPU for a turn, {bounds.stored} games stored", min(many), "ms"),
        at_most(f"{mode.name}: with many / with few", min(many) / min(few), "x", GROWTH),
        wholeness(f"{mode.name}, with few and with many", *runs),
    ]


@contextmanager
def sqlite_store() -> Iterator[tuple[Path, str]]:
    with tempfile.TemporaryDirectory(prefix="pbem-load-") as folder:
        yield Path(folder), f"sqlite:///{folder}/pbem.sqlite3"


def one_process(bounds: Bounds) -> list[Figure]:
    return measure(Mode("one process", ONE_TURNS, OneProcess, 0, sqlite_store), bounds)


def many_processes(bounds: Bounds) -> list[Figure]:
    database = Database()

    @contextmanager
    def stores() -> Iterator[tuple[Path, str]]:
        with tempfile.TemporaryDirectory(prefix="pbem-load-") as folder, database.fresh() as url:
            yield Path(folder), url

    try:
        make = partial(ManyProcesses, database=database)
        return measure(Mode("many processes", MANY_TURNS, make, 2, stores), bounds)
    finally:
        database.throw_away()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print a list of figures instead")
    parser.add_argument("--games", type=int, default=40, help="games at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="of one run, at most")
    parser.add_argument("--only", choices=("one", "many"), help="one mode only")
    parser.add_argument(
        "--stored", type=int, default=100_000, help="games that only lie there; 0 leaves them out"
    )
    given = parser.parse_args()
    clean_up_when_told()
    bounds = Bounds(given.games, given.seconds, given.stored)
    figures = [] if given.only == "many" else one_process(bounds)
    if given.only != "one":
        try:
            figures += many_processes(bounds)
        except (NoServerError, NoRedisError) as error:
            figures.append(Figure("many processes: were not measured", 0, "", "to be there", False))
            print(error, file=sys.stderr)
    return print_figures(figures, as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
