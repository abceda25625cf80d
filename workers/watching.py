"""What is noted of every job that runs: how long it took, whether it failed, and when it last came
to its end.

Times and failures are in the tally of this process. That a job came to its end is in the database,
where every process can see it, and `pbem status` too; not oftener than need be.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from pbem.errors import StoreError
from pbem.play.backlog import SEEN_JOB, SEEN_SENT, SEEN_WORKER
from pbem.tally import TALLY
from workers.desk import Desk

_NOTED: Final = 15.0
"""Seconds for which it is enough to have noted that a job came to its end."""

_log: Final = structlog.get_logger("workers")


@contextmanager
def watched(job: str) -> Iterator[None]:
    """Count a run of a job."""
    begin = time.perf_counter()
    try:
        yield
    except BaseException:
        TALLY.add("job_failures", job)
        raise
    finally:
        TALLY.time(job, time.perf_counter() - begin)


def note_done(desk: Desk, job: str) -> None:
    """A job came to its end here."""
    _note(desk, f"{SEEN_JOB}{job}", _own_name())


def note_sent(desk: Desk, *, is_urgent: bool) -> None:
    """A server has taken a mail of ours; ``is_urgent`` if others failed, which shows that not all
    do."""
    _note(desk, SEEN_SENT, is_urgent=is_urgent)


def _note(desk: Desk, what: str, *others: str, is_urgent: bool = False) -> None:
    """It never fails: what cannot be noted is noted next time. Nothing is noted often, unless it is
    urgent."""
    now = time.monotonic()
    if not is_urgent and now - desk.noted.get(what, now - _NOTED) < _NOTED:
        return
    desk.noted[what] = now
    try:
        with desk.around.store.begin() as unit:
            unit.note_seen([what, *others], desk.clock())
    except StoreError as error:
        _log.warning("not_noted", what=what, reason=f"{type(error).__name__}: {error}")


def note_ended(desk: Desk) -> None:
    """This process ends as it was told to: it is no longer among those that do jobs. It never
    fails; who ends otherwise is seen by the age of its last note."""
    try:
        with desk.around.store.begin() as unit:
            unit.drop_seen(_own_name())
    except StoreError as error:
        _log.warning("not_noted", reason=f"{type(error).__name__}: {error}")


def _own_name() -> str:
    return f"{SEEN_WORKER}{socket.gethostname()}/{os.getpid()}"
