"""What SQLAlchemy raises, told as errors of ours; the drivers' own are in ``driver_errors``."""

from __future__ import annotations

from sqlalchemy.engine import Engine, ExceptionContext
from sqlalchemy.event import listen

from pbem.errors import PbemError
from pbem.store.driver_errors import ours
from pbem.store.transaction import SPOILED


def translate_errors(engine: Engine) -> None:
    """Let everything that goes through an engine raise our errors only, and spoil its unit."""
    listen(engine, "handle_error", _raise_ours)


def _raise_ours(context: ExceptionContext) -> None:
    if context.connection is not None and not context.connection.invalidated:
        context.connection.info[SPOILED] = True
    original = context.original_exception
    if isinstance(original, PbemError):
        raise original
    if isinstance(original, Exception):
        raise ours(original, lost=context.is_disconnect) from original
