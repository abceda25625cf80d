"""Counters of requests in the memory of one process, for ``limits``.

The storage that comes with the library starts a thread for nearly every request, which took longer
than the rest of the counting. Here windows that are over go when as many new ones have come.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import Final

from limits.storage import Storage

SCHEME: Final = "pbem-memory"
_FEWEST: Final = 1000
"""So many windows are kept before any is looked for that is over."""


class Counting(Storage):
    """Fixed windows by key: how many there were, and when it ends."""

    STORAGE_SCHEME = [SCHEME]  # noqa: RUF012  (declared so by the library)

    def __init__(
        self, uri: str | None = None, wrap_exceptions: bool = False, **_: float | str | bool
    ) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        self._windows: dict[str, tuple[int, float]] = {}
        self._full = _FEWEST
        self._lock = Lock()

    @property
    def base_exceptions(self) -> type[Exception]:
        """What can go wrong."""
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count; how many there are in the present window."""
        now = time.time()
        with self._lock:
            count, ends = self._windows.get(key, (0, 0.0))
            if ends <= now:
                self._make_room(now)
                count, ends = 0, now + expiry
            self._windows[key] = count + amount, ends
            return count + amount

    def get(self, key: str) -> int:
        """How many there are in the present window."""
        count, ends = self._windows.get(key, (0, 0.0))
        return count if ends > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """When the present window ends."""
        return max(self._windows.get(key, (0, 0.0))[1], time.time())

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int:
        """Forget everything; how many windows that were."""
        with self._lock:
            forgotten = len(self._windows)
            self._windows.clear()
            return forgotten

    def clear(self, key: str) -> None:
        """Forget one."""
        with self._lock:
            self._windows.pop(key, None)

    def _make_room(self, now: float) -> None:
        if len(self._windows) >= self._full:
            self._windows = {
                key: window for key, window in self._windows.items() if window[1] > now
            }
            self._full = max(_FEWEST, 2 * len(self._windows))
