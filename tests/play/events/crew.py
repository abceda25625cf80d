"""Processes at work on one event; ``test_at_once`` starts them.

A process knows nothing of the others. It may be told to end itself, as by SIGKILL, in the middle of
a unit of work or right behind one, before it can tell anybody.
"""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal

from pbem.errors import StoreBusyError
from pbem.play import games
from pbem.play.errors import NotAllowedError
from pbem.play.events import running
from pbem.play.events.advancing import advance
from pbem.play.ports import Store, Surroundings, Unit
from pbem.store.database import open_store

Where = Literal["inside", "behind"]
MOST_TRIES = 20


@dataclass(frozen=True)
class Task:
    """What one process is to do. ``unit`` counts from 1; 0 is never."""

    url: str
    event_id: str
    now: datetime
    unit: int = 0
    where: Where = "inside"
    resigns: tuple[tuple[str, int], ...] = ()
    """Games and the seats that resign in them."""
    pauses_by: int | None = None
    """A director who pauses the event."""


class MortalStore:
    """A store whose user does not live through a certain unit."""

    def __init__(self, store: Store, unit: int, where: Where) -> None:
        self._store = store
        self._left = unit
        self._where = where

    @contextmanager
    def begin(self) -> Iterator[Unit]:
        """A unit that is kept, unless it is the one."""
        self._left -= 1
        with self._store.begin() as unit:
            yield unit
            if self._left == 0 and self._where == "inside":
                unit.find_event("so that all that waits is sent")
                os.kill(os.getpid(), signal.SIGKILL)
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def read(self) -> AbstractContextManager[Unit]:
        """Reading is not dangerous."""
        return self._store.read()


def work(task: Task) -> None:
    """What a process does from its beginning to its end; it ends with 3 if it was refused."""
    store = open_store(task.url, pool_size=1)
    around = Surroundings(MortalStore(store, task.unit, task.where), secrets.token_bytes)
    for game_id, seat in task.resigns:
        _patiently(partial(games.submit, around, game_id, seat, "resign", arrived=task.now))
    if task.pauses_by is not None:
        try:
            running.pause(around, task.event_id, task.pauses_by, reason="Ice.", now=task.now)
        except NotAllowedError:
            os._exit(3)
    else:
        _patiently(partial(advance, around, task.event_id, task.now))
    store.dispose()


def _patiently(do: Callable[[], object]) -> None:
    for _ in range(MOST_TRIES):
        try:
            do()
        except StoreBusyError:
            continue
        return
