"""The app of workers on many machines: ``celery -A workers worker`` and ``celery -A workers beat``.

Nothing is read from the environment before a worker starts.
"""

from __future__ import annotations

import atexit
import threading
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from typing import Final

import structlog
from celery.beat import Service
from celery.signals import (
    beat_init,
    celeryd_init,
    setup_logging,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutting_down,
)
from click import ClickException

from pbem.broker import is_shared
from pbem.config import Settings, read_settings
from pbem.errors import ConfigError
from pbem.logs import set_up_logging
from workers.alive import AliveStep
from workers.app import Nudges, make_app
from workers.desk import Desk, check_desk, open_desk
from workers.jobs import AT_START
from workers.listeners import is_somebody_listening
from workers.metrics_server import serving_metrics
from workers.processor import staying
from workers.starting import check_tables, saying_why
from workers.watching import note_ended

_log: Final = structlog.get_logger("workers")
_stopping: Final = threading.Event()
_kept: Final = ExitStack()
"""What is open as long as this process is: dropped, it would be closed."""
atexit.register(_kept.close)  # later no thread runs that could be waited for


@cache
def _process_desk() -> Desk:
    """The desk of this process, opened by its first job and closed with the process."""
    return open_worker_desk(_kept, read_settings())


def open_worker_desk(stack: ExitStack, settings: Settings) -> Desk:
    """The desk of a worker, which does one job at a time. Where listeners are set, they are
    processes of their own, and the pulse asks for their notes. Raises PbemError."""
    desk = replace(stack.enter_context(open_desk(settings)), staying=staying)
    if settings.listen_smtp is None and settings.listen_lmtp is None:
        return desk
    return replace(desk, is_receiving=lambda: is_somebody_listening(desk.around, desk.clock()))


class _SettingsError(ConfigError, ClickException):
    """Told by Celery's command as its own errors are: it asks for the broker itself."""


def _find_broker() -> str:
    """Raises ConfigError, also for the broker in memory, in which no other process sees
    anything."""
    try:
        url = read_settings().broker_url
    except ConfigError as error:
        raise _SettingsError(error.sentence) from None
    if not is_shared(url):
        raise _SettingsError("PBEM_BROKER_URL must be set for workers of their own")
    return url


def _check_worker(**_: object) -> None:
    """A worker that could do no job takes none from those who can."""
    _log_as_we_do()  # Celery would do so later
    with saying_why():
        settings = read_settings()
        check_desk(settings)
        check_tables(settings)


def _check_beat(sender: Service, **_: object) -> None:
    """It needs no tables, but whoever starts it learns that nobody can work. The beat of a server
    in one process is none of these: its settings need not be those of the environment."""
    if sender.app is not app:
        return
    with saying_why():
        check_tables(read_settings())


def _log_as_we_do(**_: object) -> None:
    with saying_why():
        set_up_logging(read_settings().log_style)


def _tell_how_it_fares(**_: object) -> None:
    """Each process that does jobs, and the beat, has its own metrics."""
    endpoint = _kept.enter_context(serving_metrics(read_settings(), stopping=_stopping))
    if endpoint is not None:
        _log.info("listening", protocol="metrics", endpoint=str(endpoint))


def _note_stopping(**_: object) -> None:
    _stopping.set()


def _say_goodbye(**_: object) -> None:
    """A process that does jobs ends, and may have begun with none."""
    _stopping.set()
    if _process_desk.cache_info().currsize:
        note_ended(_process_desk())


def _look_for_work(**_: object) -> None:
    """What was left is done by whoever starts next, and need not wait for the beat."""
    with closing(Nudges(app)) as nudge:
        for job in AT_START:
            nudge(job)


setup_logging.connect(_log_as_we_do)
celeryd_init.connect(_check_worker)
worker_process_init.connect(_tell_how_it_fares)
beat_init.connect(_check_beat)
beat_init.connect(_tell_how_it_fares)
worker_ready.connect(_look_for_work)
worker_shutting_down.connect(_note_stopping)
worker_process_shutdown.connect(_say_goodbye)
app = make_app(_process_desk, _find_broker)
app.steps["worker"].add(AliveStep)
