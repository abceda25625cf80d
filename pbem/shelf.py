"""What is worth keeping a while instead of making it again: things used last, up to a total weight.

Only for what its key vouches for: a thing that could be out of date has no place here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


class Shelf(Generic[Key, Thing]):
    """Things by their keys. Threads may share it; what does not fit is not kept."""

    def __init__(self, most: int, weigh: Callable[[Thing], int]) -> None:
        self._most = most
        self._weigh = weigh
        self._things: OrderedDict[Key, Thing] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def find(self, key: Key) -> Thing | None:
        """What is kept for a key; it stays longer for having been asked for."""
        with self._lock:
            thing = self._things.get(key)
            if thing is not None:
                self._things.move_to_end(key)
            return thing

    def keep(self, key: Key, thing: Thing) -> None:
        """Keep a thing in the place of what was there; those not asked for longest have to go."""
        weight = self._weigh(thing)
        with self._lock:
            self._drop(key)
            if weight > self._most:
                return
            self._things[key] = thing
            self._weight += weight
            while self._weight > self._most:
                self._drop(next(iter(self._things)))

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._things.clear()
            self._weight = 0

    def _drop(self, key: Key) -> None:
        thing = self._things.pop(key, None)
        if thing is not None:
            self._weight -= self._weigh(thing)
