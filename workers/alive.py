"""Signs of life for whoever watches over a process: a file (PBEM_ALIVE_FILE) that is touched every
few seconds; and the beat, which goes on without a broker.

A worker's file grows old when it hangs, and also while it waits for a broker that is away: who
watches had better be patient, or restarts what is not at fault. Jobs that hang are not seen here
but by the age of what waits.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import structlog
from celery import bootsteps
from celery.beat import Scheduler, SchedulingError

from pbem.config import read_settings

EVERY: Final = 5.0
"""Seconds between two touches."""
TOLD_EVERY: Final = 60.0
"""Seconds between two words about a broker that is away."""

_log: Final = structlog.get_logger("workers")


def touch(file: Path | None) -> None:
    """Say that this process is well; nothing depends on it here."""
    if file is None:
        return
    try:
        file.touch()
    except OSError as error:
        _log.warning("alive_file_not_touched", file=str(file), reason=error.strerror)


class AliveStep(bootsteps.StartStopStep):  # type: ignore[misc]
    """Has a worker touch the file."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self._file = read_settings().alive_file
        self._entry: Any = None

    def start(self, worker: Any) -> None:
        """From now on, also before the broker is reached."""
        if self._file is not None:
            touch(self._file)
            self._entry = worker.timer.call_repeatedly(EVERY, touch, (self._file,))

    def stop(self, worker: Any) -> None:
        """No more."""
        if self._entry is not None:
            self._entry.cancel()
            self._entry = None


class AliveScheduler(Scheduler):  # type: ignore[misc]
    """A beat that touches the file whenever it looks what is due, and keeps no file of its own:
    when a job last ran is of no interest, every job may run at any time."""

    _silent_until = 0.0

    def tick(self, *args: Any, **options: Any) -> Any:
        """Nudge what is due."""
        touch(read_settings().alive_file)
        return super().tick(*args, **options)

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Nudge a job. Without a broker all are lost for as long: that is told now and then."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            if time.monotonic() >= self._silent_until:
                self._silent_until = time.monotonic() + TOLD_EVERY
                _log.warning("nudge_lost", job=entry.name, reason=str(error))
        else:
            self._silent_until = 0.0
