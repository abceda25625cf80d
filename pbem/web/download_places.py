"""Places for those who download many games: a few at once, and none for ever.

Each download keeps a thread for as long as its reader takes. Who reads slowly, or not at all, may
do so until somebody else wants the place; and who has several may keep but one then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 60.0
"""Seconds in which a reader must have taken a block; all are read at some pace after that."""
SLOWEST: Final = 16 * 1024
"""Bytes a second, on average."""


class Place:
    """Somebody who downloads."""

    def __init__(self, places: Places, who: str, now: float) -> None:
        self.who = who
        self._places = places
        self._begun = self._last = now
        self._size = 0

    def note(self, size: int) -> bool:
        """So many bytes more were taken; whether the place is still one's own."""
        self._last = self._places.clock()
        self._size += size
        return self._places.has(self)

    def close(self) -> None:
        """Give the place back; said again, nothing happens."""
        self._places.drop(self)

    def is_stalled(self, now: float) -> bool:
        """Whether its reader takes too long."""
        lasts = now - self._begun
        return now - self._last > PATIENCE or (lasts > PATIENCE and self._size < lasts * SLOWEST)


class Places:
    """All places of a server."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.clock = clock
        self._lock = threading.Lock()
        self._taken: list[Place] = []

    def find(self, who: str) -> Place | None:
        """A place for somebody, if need be that of one who takes too long or has several; None if
        there is none."""
        now = self.clock()
        with self._lock:
            if len(self._taken) >= self.most:
                had = [place.who for place in self._taken if place.who != who]
                yielding = [place for place in self._taken if place.is_stalled(now)]
                yielding += [place for place in self._taken if had.count(place.who) > 1]
                if not yielding:
                    return None
                self._taken.remove(yielding[0])
            place = Place(self, who, now)
            self._taken.append(place)
            return place

    def has(self, place: Place) -> bool:
        """Whether nobody else has got it."""
        with self._lock:
            return place in self._taken

    def drop(self, place: Place) -> None:
        """Somebody needs theirs no more."""
        with self._lock:
            if place in self._taken:
                self._taken.remove(place)
