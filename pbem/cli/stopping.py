"""Being told to stop: what commands wait for that run until somebody ends them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def told_to_stop() -> Iterator[threading.Event]:
    """Set as soon as SIGTERM or Ctrl-C comes; behind the block they do again what they did."""
    stopping = threading.Event()

    def stop(*_: object) -> None:
        stopping.set()

    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
