"""Waiting for a database that is away for a moment, by whoever has something in hand or begins.

What was claimed, and above all a mail that has left, is not let go of because the database starts
anew: the same is done again after short pauses. They grow, and have jitter, so that not all come
at once when it is back. What would fail again is not tried again: only a database that is away or
busy is waited for.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from pbem.errors import StoreBusyError, StoreUnavailableError

IN_HAND: Final = 60.0
"""Seconds for which a mail is kept in hand; leases are longer than that and all that goes on
meanwhile."""
STARTING: Final = 20.0
"""Seconds for which a process that begins waits for it: both may have been started together."""
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 1.0

_log: Final = logging.getLogger(__name__)
_T = TypeVar("_T")


def patiently(work: Callable[[], _T], seconds: float = IN_HAND) -> _T:
    """What ``work`` gives, tried again for so long while there is no database or others are in the
    way. Raises what its last try raised, and at once any other error."""
    until = time.monotonic() + seconds
    pause = FIRST_PAUSE
    while True:
        try:
            return work()
        except (StoreBusyError, StoreUnavailableError) as error:
            left = until - time.monotonic()
            if left <= 0:
                raise
            if pause == FIRST_PAUSE:
                _log.warning("the database is waited for: %s: %s", type(error).__name__, error)
        time.sleep(min(left, pause * random.uniform(0.5, 1.5)))
        pause = min(2 * pause, LONGEST_PAUSE)
