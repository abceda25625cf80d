"""An app for a real worker: as ``workers``, but its first sender claims mails and then hangs, and
what takes minutes takes seconds. ``HANGS`` names a file that is made when it does; with ``DEAF``
set it does not hear that its time is over."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from pbem.mail import sending
from workers import app as workers_app
from workers import jobs
from workers.desk import Desk
from workers.jobs import Told

LEASE = timedelta(seconds=5)
LONGEST = timedelta(seconds=5)
"""Enough for a mail to be sent by a process that has just begun."""


def hang_once(desk: Desk) -> Told:
    """The first run hangs with mails in its hands, the others send."""
    file = Path(os.environ["HANGS"])
    if file.exists():
        return jobs.send(desk)
    if os.environ.get("DEAF"):
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    with desk.around.store.begin() as unit:
        unit.claim_notices(desk.clock(), lease=LEASE, limit=10)
    file.write_text(str(os.getpid()))
    time.sleep(3600)
    return ()


CHANGED = tuple(
    replace(job, run=hang_once, longest=LONGEST) if job.name == "send" else job for job in jobs.JOBS
)
for module, name, value in (
    (sending, "LEASE", LEASE),
    (workers_app, "_ENDING", 1.0),
    (workers_app, "JOBS", CHANGED),
):
    setattr(module, name, value)

from workers.celery import app  # noqa: E402

__all__ = ["app"]
