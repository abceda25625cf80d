"""Durable submissions beside their floor, and beside 100,000 stored games.

``python deploy/bench/play.py [--json]``. The floor is what the database does alone: the rows that
real submissions wrote, written again by the bare driver, one commit for each submission. SQLite
uses a temporary folder, PostgreSQL the server named by PBEM_TEST_POSTGRES_URL or found on its
standard local port, in databases of its own that are dropped at the end.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import psycopg
from growing import grow_postgresql, grow_sqlite
from measuring import Figure, at_least, at_most, median_ms, report, shown
from psycopg import RawCursor

from pbem.bootstrap import settle_memory
from pbem.games.base import Entry
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.sampling import random_game
from pbem.play import games, invitations, players
from pbem.play.ports import Surroundings
from pbem.store.database import SqlStore, make_engine, open_store
from pbem.store.lines import COMMIT
from pbem.store.prepared import Prepared
from pbem.store.schema import upgrade
from pbem.store.transaction import Transaction

SUBMISSIONS = 600
ROUNDS = 12
BASE_GAMES = 100
MANY_GAMES = 100_000
OPENING_ENTRIES = 8
ENTRIES = 40
MOST_LOOKING = 50.0
"""Milliseconds that a look at how things stand may take."""
NOW = datetime(2026, 11, 16, tzinfo=UTC)

Statement = tuple[str, Any]


@dataclass
class Bench:
    """A store with games in it, and the submissions that will be made, in order."""

    store: SqlStore
    game_ids: list[str]
    submissions: list[tuple[str, Entry]] = field(default_factory=list)
    now: datetime = NOW
    costs: list[float] = field(default_factory=list)

    @property
    def around(self) -> Surroundings:
        return Surroundings(self.store, secrets.token_bytes)

    def write_games(self) -> None:
        """Play all games at random beforehand, so that only submitting is measured."""
        logs: list[list[tuple[str, Entry]]] = []
        for game_id in self.game_ids:
            with self.store.read() as unit:
                stored = unit.find_game(game_id)
            assert stored is not None
            entries = random_game(Random(game_id), stored.start, max_entries=ENTRIES)
            logs.append([(game_id, entry) for entry in entries])
        rng = Random(1)
        while logs:
            log = rng.choice(logs)
            self.submissions.append(log.pop(0))
            if not log:
                logs.remove(log)
        self.submissions.reverse()

    def submit_once(self) -> None:
        """The next submission, and what it took."""
        game_id, entry = self.submissions.pop()
        self.now += timedelta(seconds=1)
        key = secrets.token_hex(8)
        began = time.perf_counter()
        done = games.submit(
            self.around, game_id, entry.seat or 0, entry.text, arrived=self.now, key=key
        )
        self.costs.append(time.perf_counter() - began)
        assert isinstance(done, games.Taken), done


def prepare(url: str) -> Bench:
    engine = make_engine(url)
    upgrade(engine)
    engine.dispose()
    bench = Bench(open_store(url), [])
    around = bench.around
    people = [
        players.join(around, name, f"{name}@example.org", now=NOW, verified=True)
        for name in ("ann", "bob")
    ]
    for number in range(BASE_GAMES):
        agreement = {"level": LEVELS[number % 5], "clock": "30d+1d cap 60d defence 4d fall"}
        invitation = invitations.invite(around, people[0].id, people[1].id, agreement, now=NOW)
        game = invitations.accept(around, people[1].id, invitation.id, now=NOW)
        bench.game_ids.append(game.id)
    bench.write_games()
    for _ in range(BASE_GAMES * OPENING_ENTRIES):
        bench.submit_once()
    bench.costs.clear()
    settle_memory()
    return bench


def again(bench: Bench, url: str) -> Bench:
    """The same submissions on another copy of the store."""
    return Bench(open_store(url), bench.game_ids, list(bench.submissions), bench.now)


def is_writing(prepared: Prepared) -> bool:
    return not prepared.text.startswith(("SELECT", COMMIT))


@contextmanager
def captured() -> Iterator[list[list[Statement]]]:
    """The statements of each flush, as the driver gets them; only what writes rows."""
    units: list[list[Statement]] = []
    run = Transaction._run

    def noting(self: Transaction, statements: Sequence[tuple[Prepared, Any]]) -> list[Any]:
        writes = [(each.text, values) for each, values in statements if is_writing(each)]
        if writes:
            units.append(writes)
        return run(self, statements)

    Transaction._run = noting  # type: ignore[method-assign]
    try:
        yield units
    finally:
        Transaction._run = run  # type: ignore[method-assign]


def write_to_sqlite(connection: sqlite3.Connection, units: list[list[Statement]]) -> float:
    """Units a second by the bare driver."""
    began = time.perf_counter()
    for statements in units:
        connection.execute("BEGIN IMMEDIATE")
        for statement, parameters in statements:
            connection.execute(statement, parameters)
        connection.execute("COMMIT")
    return len(units) / (time.perf_counter() - began)


def write_to_postgresql(connection: psycopg.Connection, units: list[list[Statement]]) -> float:
    """Units a second by the bare driver, each in one round trip and a commit."""
    began = time.perf_counter()
    for statements in units:
        with connection.pipeline():
            for statement, parameters in statements:
                connection.execute(statement, parameters)
        connection.commit()
    return len(units) / (time.perf_counter() - began)


def rate_against_floor(name: str, bench: Bench, floor: Callable[..., float]) -> list[Figure]:
    """Submissions and bare commits in turns, so that a slow moment of the disk hits both."""
    rates, bare_rates = [], []
    for _ in range(ROUNDS):
        bench.costs.clear()
        with captured() as units:
            for _ in range(SUBMISSIONS // ROUNDS):
                bench.submit_once()
        rates.append(len(bench.costs) / sum(bench.costs))
        bare_rates.append(floor(units))
    ratio = statistics.median(rate / bare for rate, bare in zip(rates, bare_rates, strict=True))
    return [
        shown(f"{name}: bare commits of the same rows", statistics.median(bare_rates), "commits/s"),
        shown(f"{name}: durable submissions", statistics.median(rates), "turns/s"),
        at_least(f"{name}: submissions / floor", ratio, "x", 0.4),
    ]


def compare_sizes(name: str, small: Bench, large: Bench) -> list[Figure]:
    """Median cost of a submission with few and with many games, in turns."""
    for bench in (small, large):
        bench.costs.clear()
    for _ in range(SUBMISSIONS):
        small.submit_once()
        large.submit_once()
    few, many = (statistics.median(bench.costs) * 1000 for bench in (small, large))
    return [
        shown(f"{name}: one submission, {BASE_GAMES} games stored", few, "ms"),
        shown(f"{name}: one submission, {MANY_GAMES} games stored", many, "ms"),
        at_most(f"{name}: cost with many / with few", many / few, "x", 1.2),
    ]


def look_at_backlog(name: str, large: Bench) -> list[Figure]:
    """What metrics ask for every few seconds: it must not grow with what is done."""

    def look() -> None:
        with large.store.read() as unit:
            unit.find_backlog(datetime.now(UTC), counts_games=False)

    def count() -> None:
        with large.store.read() as unit:
            unit.find_backlog(datetime.now(UTC))

    name = f"{name}: how things stand, {MANY_GAMES:,} games"
    asked, counted = median_ms(look), median_ms(count, repeats=5)
    return [
        at_most(name, asked, "ms", MOST_LOOKING),
        shown(f"{name}, counted as well", counted, "ms"),
    ]


def bench_sqlite(folder: Path) -> list[Figure]:
    files = {name: folder / f"{name}.sqlite3" for name in ("small", "large", "floor")}
    small = prepare(f"sqlite:///{files['small']}")
    small.store.dispose()
    for name in ("large", "floor"):
        shutil.copy(files["small"], files[name])

    def floor(units: list[list[Statement]]) -> float:
        connection = sqlite3.connect(files["floor"], isolation_level=None)
        # The database is set as the store sets it.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        rate = write_to_sqlite(connection, units)
        connection.close()
        return rate

    large = again(small, f"sqlite:///{files['large']}")
    figures = rate_against_floor("SQLite", small, floor)
    grow_sqlite(str(files["large"]), MANY_GAMES // BASE_GAMES - 1)
    figures += compare_sizes("SQLite", small, large)
    figures += look_at_backlog("SQLite", large)
    for bench in (small, large):
        bench.store.dispose()
    return figures


def find_server() -> str | None:
    named = os.environ.get("PBEM_TEST_POSTGRES_URL")
    for url in [named] if named else ["postgresql://127.0.0.1:5432/postgres?connect_timeout=3"]:
        try:
            psycopg.connect(url, autocommit=True).close()
        except psycopg.Error:
            continue
        return url
    return None


def bench_postgresql(server: str) -> list[Figure]:
    tag = secrets.token_hex(4)
    names = {name: f"pbem_bench_{tag}_{name}" for name in ("small", "large", "floor")}
    with psycopg.connect(server, autocommit=True) as admin:
        try:
            admin.execute(f"CREATE DATABASE {names['small']}")
            urls = {name: _with_database(server, database) for name, database in names.items()}
            small = prepare(urls["small"])
            small.store.dispose()
            for name in ("large", "floor"):
                admin.execute(f"CREATE DATABASE {names[name]} TEMPLATE {names['small']}")

            def floor(units: list[list[Statement]]) -> float:
                with psycopg.connect(urls["floor"], cursor_factory=RawCursor) as connection:
                    return write_to_postgresql(connection, units)

            large = again(small, urls["large"])
            figures = rate_against_floor("PostgreSQL", small, floor)
            grow_postgresql(urls["large"], MANY_GAMES // BASE_GAMES - 1)
            figures += compare_sizes("PostgreSQL", small, large)
            figures += look_at_backlog("PostgreSQL", large)
            for bench in (small, large):
                bench.store.dispose()
        finally:
            for database in names.values():
                admin.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
    return figures


def _with_database(url: str, database: str) -> str:
    head, _, query = url.partition("?")
    return f"{head.rpartition('/')[0]}/{database}" + (f"?{query}" if query else "")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = bench_sqlite(Path(folder))
    postgresql = find_server()
    if postgresql is None:
        print("no PostgreSQL server found: only SQLite was measured", file=sys.stderr)
    else:
        found += bench_postgresql(postgresql)
    report(found)
