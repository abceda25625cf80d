"""What goes wrong while a mail is read: it takes too long, others are in the way, it crashes.

A mail that crashes its reader three times is quarantined, and the queue goes on (L1.4).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import replace
from functools import cache
from typing import Final, TypeVar

from pbem.errors import PbemError
from pbem.play.ports import Surroundings
from pbem.play.post import MAX_READINGS, NEW, QUARANTINED

SECONDS_TO_READ: Final = 10.0
"""How long the reading of one mail may take (L2.2); its size is bounded, so it never should."""

SMALL: Final = 16 << 10
"""So few bytes need no thread to watch over them: the worst that are known take half a second."""

_MOST_AT_ONCE: Final = 8
"""More than read at the same time in one process; the others are left to those that are slow."""

_log: Final = logging.getLogger(__name__)
_T = TypeVar("_T")


class TooSlowError(PbemError):
    """Reading a mail took longer than it may."""


def within_time(work: Callable[[], _T], size: int) -> _T:
    """The result of reading so many bytes, unless it takes too long. Raises TooSlowError; the work
    is left to its thread, which comes to its end by itself, for everything it does is bounded."""
    if size <= SMALL:
        return work()
    begun = _watched().submit(work)
    try:
        return begun.result(SECONDS_TO_READ)
    except FutureTimeoutError:
        if begun.done():  # the work itself has raised it
            raise
        begun.cancel()
        raise TooSlowError(f"not read within {SECONDS_TO_READ} s") from None


@cache
def _watched() -> ThreadPoolExecutor:
    """The threads in which large mails are taken apart while their reader watches the time; made by
    the first of them, and never before a fork."""
    return ThreadPoolExecutor(_MOST_AT_ONCE, thread_name_prefix="watched")


def give_back(around: Surroundings, inbound_id: int) -> None:
    """Others were in the way, which is not the mail's fault: this reading does not count."""
    with around.store.begin() as unit:
        inbound = unit.lock_inbound(inbound_id)
        if inbound is not None and inbound.state == NEW:
            unit.save_inbound(replace(inbound, attempts=max(inbound.attempts - 1, 0)))


def note_crash(around: Surroundings, inbound_id: int, error: Exception) -> None:
    """The third crash quarantines a mail; before that it waits until its lease is over."""
    _log.error("mail %d could not be read: %s at %s", inbound_id, _named(error), _place(error))
    with around.store.begin() as unit:
        inbound = unit.lock_inbound(inbound_id)
        if inbound is not None and inbound.state == NEW and inbound.attempts >= MAX_READINGS:
            unit.save_inbound(replace(inbound, state=QUARANTINED, reason=_named(error)))


def _named(error: BaseException) -> str:
    """The kind of an error: its text may hold what is nobody's business."""
    return type(error).__name__


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "?"
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"
