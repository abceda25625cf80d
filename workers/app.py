"""How Celery runs the jobs. A message is only a nudge: it says that there may be work, the work is
in the database, and the beat finds whatever the broker has lost. Nothing has a time in the broker
(L1.3): a job that finds no database tries again itself, after short pauses, and leaves the rest to
the beat. Celery's own retries would each be one more message. What the mail's servers do not take
has its pauses in the database (``pbem.mail.sending``), and no other error is tried again.

A job that hangs is ended by its time limit where workers have processes: first with an exception,
which undoes the unit it is in, then with SIGKILL. In threads nothing can do that: there a job ends
because all it waits for does, servers and locks, and it hands over after a few seconds
(``jobs.STINT``).

Each lane of jobs has its queue. ``celery`` beside this module is the app of workers on many
machines; ``embedded`` runs the same jobs in one process.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import structlog
from celery import Celery
from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import setup_logging

from pbem.errors import PbemError
from pbem.mail.patience import patiently
from workers.desk import Desk
from workers.jobs import HURRIED, JOBS, LANES, Job, Lane, Told
from workers.waiting import Waiting, WaitingInRedis
from workers.watching import note_done, watched

PREFIX: Final = "pbem"
_STALE: Final = 60
"""Seconds after which a nudge that nobody has taken is dropped: others have followed."""
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 10.0
"""Seconds for which a broker that could not be reached is left alone, at first and at most."""
_WAITING: Final = 8.0
"""Seconds for which a job waits for the database itself; the beat comes soon after."""
_ENDING: Final = 10.0
"""Seconds between the two ways in which a job that takes too long is ended."""
_POLLED: Final = 0.05
_POLLED_SELDOM: Final = 0.25
"""Seconds between two looks into the queues in memory: of lanes that are hurried, and of
others. Each look takes some time of everybody's; other brokers wake their workers."""
_SILENCE: Final = 5.0
"""Seconds after which a broker that says nothing is taken for gone: a connection that nobody has
closed may lead nowhere."""

_log: Final = structlog.get_logger("workers")


def make_app(
    get_desk: Callable[[], Desk],
    find_broker: Callable[[], str],
    *,
    lanes: Sequence[Lane] = LANES,
    prefix: str = PREFIX,
    waiting: Waiting | None = None,
) -> Celery:
    """A Celery app with all jobs, whose workers take up those of some lanes.

    ``get_desk`` is called where a job runs, ``find_broker`` when a broker is first needed.
    ``waiting`` is given where all jobs run in one process.
    """
    app = Celery("pbem", set_as_current=False)
    app.add_defaults(partial(_configuration, find_broker, lanes, prefix))
    nudges = Nudges(app, waiting)
    for job in JOBS:
        app.task(
            _runner(job, get_desk, nudges),
            name=task_name(job.name),
            shared=False,
            soft_time_limit=job.longest.total_seconds(),
            time_limit=job.longest.total_seconds() + _ENDING,
        )
    return app


def task_name(job: str) -> str:
    """What Celery calls a job."""
    return f"pbem.{job}"


class Nudges:
    """Tells workers that there is work. It never fails: what it cannot tell is found later."""

    def __init__(self, app: Celery, waiting: Waiting | None = None) -> None:
        """``waiting`` is between processes what the broker knows, if it is a Redis."""
        self._app = app
        self._waiting = waiting
        self._silent_until = 0.0
        self._pause = _FIRST_PAUSE

    def __call__(self, job: str, number: int | None = None) -> None:
        """Nudge a job; the number is of what has come up, for the log."""
        if time.monotonic() < self._silent_until:
            return
        try:
            waiting = self._find_waiting()
            if waiting is not None and not waiting.add(job):
                return  # it has not begun since it was nudged, so it will find this, too
            self._app.send_task(
                task_name(job), args=[number], expires=_STALE, retry=False, ignore_result=True
            )
        except Exception as error:  # whatever a broker's client raises
            self._silent_until = time.monotonic() + self._pause * random.uniform(0.5, 1)
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            if self._waiting is not None:
                self._waiting.discard(job)
            _log.warning("nudge_lost", job=job, reason=f"{type(error).__name__}: {error}")
        else:
            self._pause = _FIRST_PAUSE

    def begun(self, job: str) -> None:
        """A job begins: whatever comes up from now on needs another nudge."""
        waiting = self._find_waiting()
        if waiting is not None:
            waiting.discard(job)

    def close(self) -> None:
        """Nobody nudges from here any more. The connections to the broker are the app's."""
        if self._waiting is not None:
            self._waiting.close()

    def _find_waiting(self) -> Waiting | None:
        if self._waiting is None:
            conf = self._app.conf
            if str(conf.broker_url).startswith(("redis:", "rediss:")):
                self._waiting = WaitingInRedis(conf.broker_url, conf.task_default_exchange)
        return self._waiting

    def mail_waits(self) -> None:
        """Mails of ours may wait to be sent."""
        self("send")

    def mails_stored(self, numbers: Sequence[int]) -> None:
        """Mails have come in."""
        for number in numbers[:1]:
            self("read", number)


def _runner(job: Job, get_desk: Callable[[], Desk], nudge: Nudges) -> Callable[[int | None], None]:
    def run(number: int | None = None) -> None:
        nudge.begun(job.name)
        try:
            with watched(job.name):
                for other in patiently(try_it, _WAITING):
                    nudge(other)
        except PbemError as error:  # no database, or it is busy: the beat comes again
            _log.warning("job_put_off", job=job.name, reason=f"{type(error).__name__}: {error}")
        except SoftTimeLimitExceeded:  # where it hung is in the log; the beat comes again
            _log.exception("job_took_too_long", job=job.name, longest=str(job.longest))
        except Exception:
            _log.exception("job_failed", job=job.name, number=number)

    def try_it() -> Told:
        desk = get_desk()
        if desk.stopping.is_set():
            return ()
        told = job.run(desk)
        note_done(desk, job.name)
        return told

    return run


def _configuration(
    find_broker: Callable[[], str], lanes: Sequence[Lane], prefix: str
) -> Mapping[str, Any]:
    return {
        "broker_url": find_broker(),
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_connection_timeout": 2.0,
        "broker_transport_options": {
            "polling_interval": _POLLED_SELDOM if HURRIED.isdisjoint(lanes) else _POLLED,
            "socket_timeout": _SILENCE,
            "socket_keepalive": True,
        },
        "task_queues": {f"{prefix}.{lane}": {} for lane in lanes},
        "task_default_queue": f"{prefix}.{lanes[0]}",
        "task_default_exchange": prefix,
        "task_routes": {task_name(job.name): {"queue": f"{prefix}.{job.lane}"} for job in JOBS},
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_serializer": "json",
        "accept_content": ["json"],
        "worker_prefetch_multiplier": 1,
        "worker_redirect_stdouts": False,
        "worker_hijack_root_logger": False,
        "worker_enable_remote_control": False,
        "timezone": "UTC",
        "beat_scheduler": "workers.alive:AliveScheduler",
        "beat_schedule": {
            job.name: {
                "task": task_name(job.name),
                "schedule": job.every,
                "options": {"expires": job.every.total_seconds()},
            }
            for job in JOBS
        },
    }


def _leave_logging_alone(**_: object) -> None:
    """Celery sets up none where somebody else does."""


setup_logging.connect(_leave_logging_alone)
