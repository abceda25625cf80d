"""One of many processes that hammer the same few games; ``test_hammering`` starts them.

A process knows nothing of the others. It picks a game, reads who is asked, and sends an order that
was legal a moment ago; sometimes it sends what it has sent before, answers what was answered long
ago, or sweeps. What it is about to do and what it was told goes into a file of its own, line by
line, so that a process which is killed leaves behind what it knew.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from pbem.errors import StoreBusyError
from pbem.games.ortus.sampling import random_entry
from pbem.play import games
from pbem.play.ports import Surroundings
from pbem.store.database import open_store
from tests.play.club import NOON, RULES

SWEEPS = 0.08
REPEATS = 0.2
OLD_REQUESTS = 0.1
MOST_TRIES = 5


@dataclass(frozen=True)
class Work:
    """What one process is to do."""

    url: str
    games: tuple[str, ...]
    file: Path
    name: str
    submissions: int


@dataclass(frozen=True)
class _Submission:
    game: str
    seat: int
    text: str
    key: str
    request: str


class Hammer:
    """The work of one process."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._rng = Random(work.name)
        self._store = open_store(work.url, pool_size=1)
        self._around = Surroundings(self._store, secrets.token_bytes)
        self._file = os.open(work.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._now = NOON
        self._sent: list[_Submission] = []

    def run(self) -> None:
        for number in range(self._work.submissions):
            self._now += timedelta(minutes=self._rng.randrange(10))
            chance = self._rng.random()
            if chance < SWEEPS:
                self._sweep()
            elif chance < SWEEPS + REPEATS and self._sent:
                self._submit(self._rng.choice(self._sent))
            else:
                self._play(f"{self._work.name}/{number}", chance > 1 - OLD_REQUESTS)
        self._tell(done=True)

    def close(self) -> None:
        self._store.dispose()
        os.close(self._file)

    def _tell(self, **facts: Any) -> None:
        os.write(self._file, json.dumps(facts).encode() + b"\n")

    def _sweep(self) -> None:
        try:
            swept = games.sweep(self._around, self._now)
        except StoreBusyError:
            self._tell(busy=True)
        else:
            assert swept.failed == {}, swept.failed

    def _play(self, key: str, is_late: bool) -> None:
        game = self._rng.choice(self._work.games)
        with self._around.store.read() as unit:
            stored = games.get_stored(unit, game)
            rows = unit.requests_of(game, only_open=not is_late)
        if stored.is_over:
            return
        entry = random_entry(self._rng, RULES, RULES.load(stored.start, stored.state))
        own = [row.id for row in rows if row.seat == entry.seat]
        request = self._rng.choice(own) if is_late else own[0]
        submission = _Submission(game, entry.seat or 0, entry.text, key, request)
        self._sent.append(submission)
        self._submit(submission)

    def _submit(self, sent: _Submission) -> None:
        facts = {"key": sent.key, "game": sent.game, "seat": sent.seat, "request": sent.request}
        self._tell(sends=True, **facts)
        for _ in range(MOST_TRIES):
            try:
                told = games.submit(
                    self._around,
                    sent.game,
                    sent.seat,
                    sent.text,
                    arrived=self._now,
                    key=sent.key,
                    request_id=sent.request,
                )
            except StoreBusyError:
                self._tell(busy=True)
                continue
            entry = told.entry.number if isinstance(told, games.Taken | games.Repeated) else None
            self._tell(told=type(told).__name__, entry=entry, **facts)
            return


def hammer(work: Work) -> None:
    """What a process does from its beginning to its end."""
    at_work = Hammer(work)
    at_work.run()
    at_work.close()
