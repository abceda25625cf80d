"""Whether this process can do its work now: the database answers, the broker does, and it is not
about to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from pbem.broker import reach_broker
from pbem.errors import PbemError
from pbem.play.ports import Store

_FRESH: Final = 5.0
"""Seconds for which the broker's answer counts: each costs a connection, and anybody may ask."""
_PATIENCE: Final = 2.0


class Readiness:
    """Looks, from any thread."""

    def __init__(
        self,
        get_store: Callable[[], Store],
        broker_url: str,
        *,
        stopping: threading.Event | None = None,
    ) -> None:
        self._get_store = get_store
        self._broker_url = broker_url
        self._stopping = stopping or threading.Event()
        self._lock = threading.Lock()
        self._told = "ok"
        self._asked = -_FRESH

    def look(self) -> dict[str, str]:
        """What each part says: ``ok``, or in a word or two what is wrong."""
        return {
            "database": self._database(),
            "broker": self._broker(),
            "process": "stopping" if self._stopping.is_set() else "ok",
        }

    def _database(self) -> str:
        try:
            with self._get_store().read() as unit:
                unit.oldest_unread()
        except PbemError as error:
            return type(error).__name__
        return "ok"

    def _broker(self) -> str:
        with self._lock:
            if time.monotonic() - self._asked >= _FRESH:
                try:
                    reach_broker(self._broker_url, patience=_PATIENCE)
                    self._told = "ok"
                except Exception as error:
                    # The text of a driver's error may show the password.
                    self._told = type(error).__name__
                self._asked = time.monotonic()
            return self._told
