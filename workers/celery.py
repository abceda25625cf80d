"""The app of workers on many machines: ``celery -A workers worker`` and ``celery -A workers beat``.

Nothing is read from the environment before a worker starts.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache

from celery.signals import setup_logging

from pbem.config import IN_MEMORY, read_settings
from pbem.errors import ConfigError
from pbem.logs import set_up_logging
from workers.app import make_app
from workers.desk import Desk, open_desk


@cache
def _process_desk() -> Desk:
    """The desk of this process, opened by its first job and closed with the process."""
    return ExitStack().enter_context(open_desk(read_settings()))


def _find_broker() -> str:
    """Raises ConfigError for the broker in memory, in which no other process sees anything."""
    url = read_settings().broker_url
    if url == IN_MEMORY:
        raise ConfigError("PBEM_BROKER_URL must be set for workers of their own")
    return url


def _log_as_we_do(**_: object) -> None:
    set_up_logging(read_settings().log_style)


setup_logging.connect(_log_as_we_do)
app = make_app(_process_desk, _find_broker)
