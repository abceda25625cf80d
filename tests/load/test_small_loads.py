"""Small versions of the loads: real processes, real mail, a few turns, a few faults."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from deploy.load import trial, turns
from deploy.load.breaking import CLOUDS, Break, Mortal, clouding, killing, limiting
from deploy.load.floor import Floor
from deploy.load.playing import Measured
from deploy.load.postgres import NoServerError
from deploy.load.redis_server import NoRedisError, find_redis
from deploy.load.servers import Database, ManyProcesses, OneProcess
from deploy.load.sink import Fault
from deploy.load.trial import Outcome, Server
from deploy.load.weather import Weather
from tests.load.apart import run_apart
from workers.desk import AT_ONCE

SOME_TURNS = turns.Bounds(games=3, seconds=7)
SHORT = (0.2, 0.6)
SOME_CLOUDS: tuple[Fault, ...] = ("never", "gone", "unsaid")
SOME_FAULTS = trial.Bounds(
    games=4, seconds=60, calm=60, seed=1, rounds=1, gap=(0.0, 0.2), still=1.5, is_whole=False
)


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    """A PostgreSQL that may be broken."""
    _need_redis()
    try:
        made = Database(is_durable=False)
    except NoServerError as error:
        if os.environ.get("PBEM_REQUIRE_POSTGRES"):
            pytest.fail(str(error))
        pytest.skip(f"no PostgreSQL to test with: {error}")
    yield made
    made.throw_away()


def _need_redis() -> None:
    try:
        find_redis()
    except NoRedisError as error:
        if os.environ.get("PBEM_REQUIRE_REDIS"):
            pytest.fail(str(error))
        pytest.skip(f"no Redis to test with: {error}")


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'pbem.sqlite3'}"


@pytest.fixture
def postgresql(database: Database) -> Iterator[str]:
    with database.fresh() as url:
        yield url


def check_turns(run: Measured, logged: int) -> None:
    assert run.amiss == []
    assert 0 < run.submissions == run.played == logged
    assert run.has_pictures == 1.0
    assert run.cpu > 0
    assert all(used.rss > 0 for used in run.usage.values())


def test_turns_in_one_process_and_their_floor(tmp_path: Path, sqlite: str) -> None:
    run, logged = run_apart(turns.run(OneProcess, tmp_path, sqlite, SOME_TURNS))
    check_turns(run, logged)
    other = tmp_path / "floor"
    other.mkdir()
    url = f"sqlite:///{other / 'pbem.sqlite3'}"
    lowest: Floor = run_apart(turns.floor(other, url, run, 0, seconds=2))
    assert lowest.mails >= lowest.turns > 0


def test_turns_in_many_processes(tmp_path: Path, postgresql: str, database: Database) -> None:
    make = partial(ManyProcesses, database=database)
    check_turns(*run_apart(turns.run(make, tmp_path, postgresql, SOME_TURNS)))


def check_faults(done: Outcome, *killed: str) -> None:
    found = done.found
    assert found.remarks == []
    assert (done.verified, done.faults) == (SOME_FAULTS.games, "")
    assert done.ended == []
    assert found.accepted > 0
    assert found.played == found.accepted
    assert found.quarantined == found.waiting == found.unknown == 0
    assert found.copies.unsaid <= done.hits["unsaid"]
    clouds = {f"mail server {CLOUDS[each]}" for each in SOME_CLOUDS}
    assert {each.name for each in done.broken} == {*clouds, *killed}


def clouds(weather: Weather) -> list[Break]:
    return [clouding(weather, each, SHORT) for each in SOME_CLOUDS]


def test_faults_in_one_process(tmp_path: Path, sqlite: str) -> None:
    def breaks(server: Server, weather: Weather) -> Sequence[Break]:
        (serve,) = server.workers
        return [killing(serve, couriers=AT_ONCE), limiting(serve, SHORT), *clouds(weather)]

    done = run_apart(trial.run(tmp_path, sqlite, SOME_FAULTS, OneProcess, breaks))
    check_faults(done, "serve killed", "disk full")


def test_faults_in_many_processes(tmp_path: Path, postgresql: str, database: Database) -> None:
    def breaks(server: Server, weather: Weather) -> Sequence[Break]:
        assert isinstance(server, ManyProcesses)
        # Both workers are the same program, and one of them is to go on.
        mortals: list[Mortal] = [server.parts["sender"], server.redis, database]
        each = [
            killing(mortal, couriers=AT_ONCE if mortal in server.workers else 0)
            for mortal in mortals
        ]
        return [*each, *clouds(weather)]

    make = partial(ManyProcesses, database=database)
    done = run_apart(trial.run(tmp_path, postgresql, SOME_FAULTS, make, breaks))
    names = ("sender", "redis", "postgresql")
    check_faults(done, *(f"{name} killed" for name in names))
