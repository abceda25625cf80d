"""The archive: ``python deploy/bench/archive.py [--json] [--small]``.

Random games go in, out, and into another store, and must be the same bytes; searches are asked of a
hundred thousand games, on SQLite and, where a server is found, on PostgreSQL. Importing is measured
against the strict reading of the same records by one process, before and after it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Literal

import psycopg
from generating import EVENTS, PLAYERS, random_record
from growing import crowd_position, grow_archive
from measuring import Figure, at_least, at_most, print_figures, shown

from notation.record_reading import read_records, split_records
from notation.record_tags import TERMINATIONS
from pbem.archive.indexing import read_game
from pbem.archive.patterns import PATTERNS, house_pattern
from pbem.archive.positions import position_key
from pbem.cli.importing import import_games, start_readers
from pbem.games.ortus.arena import BUILT_IN
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.position import Position
from pbem.games.ortus.replaying import replay
from pbem.play.archived import Filter
from pbem.play.exporting import exported, ogn_bytes, zip_bytes
from pbem.play.finding import explore_setups, look_up
from pbem.play.found import SetupFilter
from pbem.play.importing import Manner
from pbem.play.library import search
from pbem.play.ports import Surroundings
from pbem.store.database import make_engine, open_store
from pbem.store.schema import upgrade


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    games: int = 10_000
    fewer: int = 2_000
    stored: int = 100_000
    asked: int = 60
    jobs: int = os.cpu_count() or 1


SMALL = Size(games=120, fewer=60, stored=1_200, asked=6)


def generate(file: Path, size: Size) -> None:
    """The file of all games, by as many processes as there are processors."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("forkserver")) as pool:
        texts = pool.map(random_record, range(size.games), chunksize=20)
        with file.open("w") as out:
            for number, text in enumerate(texts):
                out.write(("\n" if number else "") + text)


def first_games(file: Path, count: int) -> str:
    with file.open() as lines:
        games = (game for game, _ in zip(split_records(lines), range(count), strict=False))
        return "\n".join("\n".join(game.own_lines) + "\n" for game in games)


def strict_rate(text: str) -> float:
    """Games a second: text and legality, as ``core.py`` measures it."""
    began, count = time.perf_counter(), 0
    for game in read_records(text):
        assert not replay(game.record).faults
        count += 1
    return count / (time.perf_counter() - began)


@contextmanager
def opened(url: str) -> Iterator[Surroundings]:
    store = open_store(url)
    try:
        yield Surroundings(store, secrets.token_bytes)
    finally:
        store.dispose()


def import_file(url: str, file: Path, jobs: int) -> dict[str, float]:
    """Run in a process of its own: how fast, and how much memory at most."""
    with opened(url) as around, start_readers(jobs) as readers, file.open() as lines:
        began = time.perf_counter()
        outcomes = import_games(around, split_records(lines), Manner(strict=True), readers)
        fates = [outcome.fate for outcome in outcomes]
        took = time.perf_counter() - began
    assert set(fates) == {"added"}, set(fates)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"rate": len(fates) / took, "peak": peak}


def import_apart(url: str, file: Path, jobs: int) -> dict[str, float]:
    # Not as a script: every reader would load it with all it needs, as none of ``pbem``'s does.
    words = "import json, pathlib, sys, archive; url, file, jobs = sys.argv[1:]; "
    words += "print(json.dumps(archive.import_file(url, pathlib.Path(file), int(jobs))))"
    done = subprocess.run(
        [sys.executable, "-c", words, url, str(file), str(jobs)],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def round_trip(
    name: str, make: Callable[[], str], file: Path, size: Size
) -> tuple[str, list[Figure]]:
    """In, out, in again, out again; the first store, and what was measured."""
    sample = first_games(file, min(size.games, 1_000))
    few = file.with_name("few.ogn")
    few.write_text(first_games(file, size.fewer))
    url, other = make(), make()
    less = import_apart(make(), few, size.jobs)
    before = strict_rate(sample)
    done = import_apart(url, file, size.jobs)
    after = strict_rate(sample)
    copy, again = file.with_name(f"{name}-1.ogn"), file.with_name(f"{name}-2.ogn")
    rate = export(url, copy)
    import_apart(other, copy, size.jobs)
    export(other, again)
    same = file.read_bytes() == copy.read_bytes() == again.read_bytes()
    with opened(url) as around:
        began = time.perf_counter()
        zipped = sum(map(len, zip_bytes(around, exported(around, viewer=None))))
        zip_rate = size.games / (time.perf_counter() - began)
    strict = statistics.mean((before, after))
    growth = f"{size.games / size.fewer:g} times"
    return url, [
        at_least(f"{name}: same bytes after import, export, import, export", same, "", 1),
        shown(f"{name}: strict reading, one process", strict, "games/s"),
        shown(f"{name}: import", done["rate"], "games/s"),
        at_least(f"{name}: import / strict reading", done["rate"] / strict, "x", 0.7),
        shown(f"{name}: peak memory of the writer", done["peak"], "MB"),
        at_most(f"{name}: the same for {growth} the games", done["peak"] / less["peak"], "x", 1.15),
        at_least(f"{name}: export", rate, "games/s", 2_000),
        shown(f"{name}: export as zip", zip_rate, "games/s"),
        shown(f"{name}: zip", zipped / size.games, "bytes/game"),
    ]


def export(url: str, file: Path) -> float:
    """Games a second."""
    with opened(url) as around, file.open("wb") as out:
        began, count = time.perf_counter(), 0
        for block in ogn_bytes(exported(around, viewer=None)):
            out.write(block)
            count += 1
        return count / (time.perf_counter() - began)


def wishes(rng: Random, file: Path) -> dict[str, Callable[[], Filter]]:
    """What is searched for, by the name of the field."""
    records = [game.record for game in read_records(first_games(file, 100))]
    keys = [position.key for record in records for position in read_game(record).index.positions]
    setups = [record.tags["GoldSetup"] for record in records]
    patterns = [house_pattern(house, each.name) for house in (0, 1) for each in PATTERNS]

    def player() -> str:
        return f"player {rng.randrange(PLAYERS)}"

    def month() -> int:
        return rng.randrange(2016, 2027) * 10_000 + rng.randrange(1, 13) * 100

    def between(first: int, last: int, width: int) -> tuple[int, int]:
        least = rng.randrange(first, last)
        return least, least + width

    def rated(least: int, most: int) -> Filter:
        return Filter(min_rating=least, max_rating=most)

    def long(least: int, most: int) -> Filter:
        return Filter(min_turns=least, max_turns=most)

    def within(day: int) -> Filter:
        return Filter(first_day=day, last_day=day + 99)

    return {
        "newest": Filter,
        "player": lambda: Filter(player=player()),
        "two players": lambda: Filter(player=player(), opponent=player()),
        "event": lambda: Filter(event=f"EVENT {rng.randrange(EVENTS)}"),
        "days": lambda: within(month()),
        "result": lambda: Filter(result=rng.choice(("1-0", "0-1", "1/2-1/2"))),
        "ending": lambda: Filter(termination=rng.choice(TERMINATIONS)),
        "length": lambda: long(*between(1, 60, 2)),
        "level": lambda: Filter(level=rng.choice(LEVELS)),
        "arena": lambda: Filter(arena=rng.choice([*BUILT_IN, "nowhere"])),
        "dice": lambda: Filter(dice=rng.choice(("clean", "dicey"))),
        "starter": lambda: Filter(starter=rng.choice(("gold", "black"))),
        "set-up": lambda: Filter(setup=rng.choice(setups)),
        "rating": lambda: rated(*between(800, 2200, 5)),
        "source": lambda: Filter(source=rng.choice(("played", "imported"))),
        "pattern": lambda: Filter(pattern=rng.choice(patterns)),
        "position": lambda: Filter(positions=(rng.choice(keys),)),
        "position, four ways": lambda: Filter(positions=tuple(rng.sample(keys, 4))),
        "several fields": lambda: Filter(
            player=player(), level=rng.choice(LEVELS), result="1-0", min_turns=rng.randrange(30)
        ),
        "fields of which few fit": lambda: Filter(
            termination="resignation", result="1-0", dice="dicey", max_turns=rng.randrange(20)
        ),
    }


def searching(name: str, url: str, file: Path, size: Size) -> list[Figure]:
    """The first page and the one behind it, by each field."""
    grow_archive(url, size.stored // size.games - 1)
    figures = []
    with opened(url) as around:
        for field, make in wishes(Random(1), file).items():
            times = []
            for _ in range(size.asked):
                wanted, after = make(), None
                for _ in range(2):
                    began = time.perf_counter()
                    page = search(around, wanted, viewer=1, after=after)
                    times.append((time.perf_counter() - began) * 1000)
                    after = page.after
                    if after is None:
                        break
            p95 = statistics.quantiles(times, n=20)[-1]
            figures.append(at_most(f"{name}: search by {field}, p95", p95, "ms", 50))
    return figures


def finding(name: str, url: str, file: Path, size: Size) -> list[Figure]:
    """What followed positions, one of them in every game, and how set-ups scored."""
    rng = Random(2)
    positions: list[Position] = []
    for game in read_records(first_games(file, 20)):
        replay(game.record, watch=lambda position, _: positions.append(position.copy()))
    crowd_position(url, position_key(positions[0]))
    houses: tuple[Literal["gold", "black"], ...] = ("gold", "black")
    setups = [
        SetupFilter(house=house, level=level, started=started)
        for house, level, started in product(houses, ("", *LEVELS), (None, True))
    ]
    figures = []
    with opened(url) as around:
        asked: dict[str, Callable[[], object]] = {
            "what followed a position, turned": lambda: look_up(
                around, rng.choice(positions[1:]), turned=True, viewer=1
            ),
            "what followed a position of every game": lambda: look_up(
                around, positions[0], turned=False, viewer=1
            ),
            "set-ups and their scores": lambda: explore_setups(around, rng.choice(setups)),
        }
        # The last two count all games, and find none: three times as long is what a reader bears.
        reach = dict(zip(asked, (1, 3, 3), strict=True))
        for words, ask in asked.items():
            times = []
            for _ in range(size.asked):
                began = time.perf_counter()
                ask()
                times.append((time.perf_counter() - began) * 1000)
            p95 = statistics.quantiles(times, n=20)[-1]
            figures.append(at_most(f"{name}: {words}, p95", p95, "ms", 50 * reach[words]))
    return figures


def bench(name: str, make: Callable[[], str], file: Path, size: Size) -> list[Figure]:
    url, figures = round_trip(name, make, file, size)
    return figures + searching(name, url, file, size) + finding(name, url, file, size)


def sqlite_maker(folder: Path) -> Callable[[], str]:
    def make() -> str:
        url = f"sqlite:///{folder / secrets.token_hex(4)}.sqlite3"
        return _upgraded(url)

    return make


@contextmanager
def postgresql_maker(server: str) -> Iterator[Callable[[], str]]:
    with psycopg.connect(server, autocommit=True) as admin, ExitStack() as stack:

        def make() -> str:
            database = f"pbem_bench_{secrets.token_hex(4)}"
            admin.execute(f"CREATE DATABASE {database}".encode())
            drop = f"DROP DATABASE IF EXISTS {database} WITH (FORCE)".encode()
            stack.callback(admin.execute, drop)
            head, _, query = server.partition("?")
            url = f"{head.rpartition('/')[0]}/{database}" + (f"?{query}" if query else "")
            return _upgraded(url)

        yield make


def _upgraded(url: str) -> str:
    engine = make_engine(url)
    upgrade(engine)
    engine.dispose()
    return url


def find_server() -> str | None:
    named = os.environ.get("PBEM_TEST_POSTGRES_URL")
    for url in [named] if named else ["postgresql://127.0.0.1:5432/postgres?connect_timeout=3"]:
        try:
            psycopg.connect(url, autocommit=True).close()
        except psycopg.Error:
            continue
        return url
    return None


def figures(size: Size) -> list[Figure]:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "games.ogn"
        generate(file, size)
        found = bench("SQLite", sqlite_maker(Path(place)), file, size)
        server = find_server()
        if server is None:
            print("no PostgreSQL server found: only SQLite was measured", file=sys.stderr)
            return found
        with postgresql_maker(server) as make:
            return found + bench("PostgreSQL", make, file, size)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true", help="print a list of figures instead")
    parser.add_argument("--small", action="store_true", help="few games, to see that it runs")
    chosen = parser.parse_args()
    return print_figures(figures(SMALL if chosen.small else Size()), as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
