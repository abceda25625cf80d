"""What goes wrong while a mail is read: it takes too long, others are in the way, it crashes.

A mail that crashes its reader three times is quarantined, and the queue goes on (L1.4).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from pbem.errors import PbemError
from pbem.play.ports import Surroundings
from pbem.play.post import MAX_READINGS, NEW, QUARANTINED

SECONDS_TO_READ: Final = 10.0
"""How long the reading of one mail may take (L2.2); its size is bounded, so it never should."""

_log: Final = logging.getLogger(__name__)
_T = TypeVar("_T")


class TooSlowError(PbemError):
    """Reading a mail took longer than it may."""


def within_time(work: Callable[[], _T]) -> _T:
    """The result of reading, unless it takes too long. Raises TooSlowError; the work is left to
    its thread, which ends by itself, for everything it does is bounded."""
    results: list[_T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="reading a mail", daemon=True)
    thread.start()
    thread.join(SECONDS_TO_READ)
    if errors:
        raise errors[0]
    if not results:
        raise TooSlowError(f"not read within {SECONDS_TO_READ} s")
    return results[0]


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
