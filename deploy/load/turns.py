"""Whole games by mail between simulated players: ``python deploy/load/turns.py [--json]``.

Real processes on the loopback: players send by SMTP, the server reads, plays, draws and sends, and
players answer what comes. First as fast as it goes, with all games at once; then at a tenth of the
load that is asked for, at random instants, for the time from mail in to mail out. A *turn* is a
submission by mail that was played: an entry of a game's log.

Bounded by ``--games`` and ``--seconds``; stops by itself, and leaves nothing behind.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

_DEPLOY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_DEPLOY.parent), str(_DEPLOY / "bench")]

from measuring import Figure, at_most, print_figures

from deploy.load.arranging import Arranged, arrange
from deploy.load.playing import Measured, Server, play
from deploy.load.reckoning import MEGABYTE, count_turns, quickness, speed
from deploy.load.servers import OneProcess, environment
from deploy.load.sink import Sink
from pbem.bootstrap import open_surroundings
from pbem.config import read_settings
from pbem.store.database import make_engine
from pbem.store.schema import upgrade

ONE_TURNS = 40
MANY_TURNS = 60
LATENCY_MS = 300
RESIDENT_MB = 160
TENTH = 0.1

Make = Callable[[dict[str, str], Path], Server]


def prepare(environ: dict[str, str], games: int) -> list[Arranged]:
    """A store with games in it that wait for their first mails."""
    settings = read_settings(environ)
    engine = make_engine(settings.database_url)
    upgrade(engine)
    engine.dispose()
    with open_surroundings(settings) as around:
        return arrange(around, games, datetime.now(UTC))


async def run(
    make: Make,
    folder: Path,
    *,
    games: int,
    seconds: float,
    rate: float | None = None,
) -> tuple[Measured, int]:
    """One run on a fresh store, and how many turns are in its logs."""
    sink = Sink(lambda mail: None)
    environ = environment(folder, f"sqlite:///{folder / 'pbem.sqlite3'}", await sink.open())
    try:
        arranged = await asyncio.to_thread(prepare, environ, games)
        measured = await play(make(environ, folder), sink, arranged, seconds=seconds, rate=rate)
    finally:
        await sink.close()
    return measured, count_turns(environ["PBEM_DATABASE_URL"])


def one_process(games: int, seconds: float) -> list[Figure]:
    name = "one process"
    with tempfile.TemporaryDirectory() as folder:
        fast, logged = asyncio.run(run(OneProcess, Path(folder), games=games, seconds=seconds))
    figures = speed(name, fast, ONE_TURNS, logged)
    resident = fast.usage["serve"].peak / MEGABYTE
    figures.append(at_most(f"{name}: resident, at its peak", resident, "MB", RESIDENT_MB))
    with tempfile.TemporaryDirectory() as folder:
        slow, logged = asyncio.run(
            run(
                OneProcess,
                Path(folder),
                games=games,
                seconds=seconds / 2,
                rate=ONE_TURNS * TENTH,
            )
        )
    return figures + quickness(name, slow, LATENCY_MS, logged)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print a list of figures instead")
    parser.add_argument("--games", type=int, default=40, help="games at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="of one run, at most")
    given = parser.parse_args()
    return print_figures(one_process(given.games, given.seconds), as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
