"""Many processes at the same games: nothing is lost, nothing is done twice, nobody waits for ever.

The processes come from a server that is started afresh and shares nothing with the test but the
address of the database; ``hammer`` is what they do.
"""

from __future__ import annotations

import json
import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

from pbem.games.ortus.sampling import random_entry
from pbem.play import games
from pbem.play.log import LogEntry
from tests.ortus.games import TWO_ARCHERS, WAVE
from tests.play.club import NOON, RULES, Club, Match
from tests.play.hammer import Work, hammer
from tests.play.hasty_store import HastyStore

PROCESSES = 8
SUBMISSIONS = 20
KILLS = 10
PATIENCE = 60.0
CLOCK = "20h+1h defence 3h fall remind 20,50"

Line = dict[str, Any]

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["tests.play.hammer", "pbem.store.schema"])


class Crowd:
    """The processes at work on the games of one store, and what they have written down."""

    def __init__(self, url: str, club: Club, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self._numbers = count()
        standing = club.join()
        self.club = club
        self.matches = [
            club.study(TWO_ARCHERS, clock=CLOCK),
            club.study(WAVE, clock=CLOCK, dice="dicey", gold=standing),
            club.start(level="master", clock=CLOCK, bid=True, black=standing),
        ]

    def start(self) -> BaseProcess:
        name = f"process{next(self._numbers)}"
        ids = tuple(match.id for match in self.matches)
        work = Work(self._url, ids, self._folder / name, name, SUBMISSIONS)
        process = _processes.Process(target=hammer, name=name, args=(work,), daemon=True)
        process.start()
        return process

    def progress(self, process: BaseProcess) -> int:
        """How many lines a process has written."""
        file = self._folder / process.name
        return file.read_bytes().count(b"\n") if file.exists() else 0

    def lines(self) -> list[Line]:
        """What was written; a line that was cut off by the end of its process is none."""
        found = []
        for file in sorted(self._folder.iterdir()):
            for line in file.read_text().splitlines(keepends=True):
                if line.endswith("\n"):
                    found.append(json.loads(line))
        return found


@contextmanager
def crowd_at(url: str, folder: Path) -> Iterator[Crowd]:
    store = HastyStore.open(url)
    folder.mkdir()
    try:
        yield Crowd(url, Club(store), folder)
    finally:
        store.dispose()


def wait_for(processes: list[BaseProcess]) -> None:
    """Everybody comes to an end by themselves, and without a fault."""
    until = time.monotonic() + PATIENCE
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
    endless = [process for process in processes if process.is_alive()]
    for process in endless:
        process.kill()
    assert not endless, "they wait for each other"
    assert [process.exitcode for process in processes] == [0] * len(processes)


def check_game(match: Match, lines: list[Line]) -> list[LogEntry]:
    """The game is what its log says, and its log what the processes were told."""
    match.verify()
    log = list(match.entries())
    assert [entry.number for entry in log] == list(range(match.stored.entries))
    numbers = {entry.key: entry.number for entry in log if entry.key is not None}
    assert len(numbers) == sum(entry.key is not None for entry in log), "a key twice"
    own = [line for line in lines if line.get("game") == match.id]
    assert numbers.keys() <= {line["key"] for line in own if "sends" in line}
    for line in own:
        if line.get("told") in ("Taken", "Repeated"):
            assert numbers[line["key"]] == line["entry"], "an answer that did not last"
    taken = Counter(line["key"] for line in own if line.get("told") == "Taken")
    assert max(taken.values(), default=1) == 1, "taken twice"
    check_requests(match, log, own)
    return log


def check_requests(match: Match, log: list[LogEntry], lines: list[Line]) -> None:
    rows = {row.id: row for row in match.requests(only_open=False)}
    wanted = {(r.seat, r.kind, r.mark) for r in RULES.requests(match.state)}
    is_open = [row for row in rows.values() if row.closed_by is None]
    assert sorted((row.seat, row.kind, row.mark) for row in is_open) == sorted(wanted)
    for row in rows.values():
        assert row.opened_at == log[row.opened_by].at
        assert row.closed_by is None or row.closed_at == log[row.closed_by].at
    for line in lines:
        if line.get("told") == "Taken":
            row = rows[line["request"]]
            assert row.opened_by < line["entry"]
            assert row.closed_by is None or line["entry"] <= row.closed_by, "answered too late"


def test_eight_processes(database_url: str, tmp_path: Path) -> None:
    with crowd_at(database_url, tmp_path / "crowd") as crowd:
        wait_for([crowd.start() for _ in range(PROCESSES)])
        lines = crowd.lines()
        assert sum("done" in line for line in lines) == PROCESSES
        told = Counter(line["told"] for line in lines if "told" in line)
        assert {"Taken", "Repeated", "TooLate"} <= told.keys(), told
        assert told["Taken"] >= 2 * PROCESSES, told
        kept = 0
        for match in crowd.matches:
            log = check_game(match, lines)
            kept += sum(entry.key is not None for entry in log)
        assert kept == told["Taken"], "all of them lived to be told"


def test_killed_at_random_moments(database_url: str, tmp_path: Path) -> None:
    rng = Random(database_url.partition(":")[0])
    with crowd_at(database_url, tmp_path / "crowd") as crowd:
        crew = [crowd.start() for _ in range(PROCESSES)]
        killed = 0
        until = time.monotonic() + PATIENCE
        while killed < KILLS:
            assert time.monotonic() < until, "they do not get on with their work"
            time.sleep(rng.uniform(0.001, 0.02))
            number = rng.randrange(PROCESSES)
            # Early or late in its work, and wherever it happens to be then.
            if crowd.progress(crew[number]) > rng.randrange(2 * SUBMISSIONS):
                crew[number].kill()
                crew[number].join(PATIENCE)
                killed += crew[number].exitcode == -signal.SIGKILL
            if not crew[number].is_alive():
                crew[number] = crowd.start()
        wait_for(crew)
        lines = crowd.lines()
        assert sum("done" in line for line in lines) >= PROCESSES
        for match in crowd.matches:
            check_game(match, lines)
            go_on(match)


def go_on(match: Match) -> None:
    """The next one to come finds everything in order."""
    if match.stored.is_over:
        return
    entry = random_entry(Random(1), RULES, match.state)
    last = match.stored.last_at or NOON
    before = match.stored.entries
    done = games.submit(
        match.around, match.id, entry.seat or 0, entry.text, arrived=last, key="the next"
    )
    assert isinstance(done, games.Taken), done
    assert match.stored.entries == done.entry.number + 1 > before
    match.verify()
