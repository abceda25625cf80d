"""How a process begins: what keeps it from its work is told in one line, and nothing runs.

``pbem`` tells it so by itself. Celery and gunicorn would show a traceback, which looks like a fault
of the program where it is one of the settings.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from pbem.config import Settings
from pbem.errors import PbemError, StoreBusyError, StoreUnavailableError
from pbem.mail.patience import STARTING, patiently
from pbem.store.database import open_store

_log: Final = structlog.get_logger("workers")


@contextmanager
def saying_why(code: int = 1) -> Iterator[None]:
    """Raises SystemExit with this code instead of PbemError, and says in one line what it was."""
    try:
        yield
    except PbemError as error:
        print(f"Error: {error.sentence}", file=sys.stderr, flush=True)
        raise SystemExit(code) from None


def check_tables(settings: Settings) -> None:
    """Raises SchemaError if the tables do not fit this program, and ConfigError.

    A database that is away is waited for. If it stays away nobody knows: then the process begins
    all the same, and its jobs are put off.
    """
    try:
        patiently(lambda: open_store(settings.database_url, pool_size=1).dispose(), STARTING)
    except (StoreBusyError, StoreUnavailableError) as error:
        _log.warning("tables_not_checked", reason=f"{type(error).__name__}: {error}")
