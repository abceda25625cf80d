"""Which jobs were nudged and have not begun: they will find whatever came up since, and need no
other nudge. A message costs a worker more than many a mail does.

In one process that is a set. Between processes it is a key in Redis, which is gone after a moment:
should a nudge be lost, the next one goes through.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final, Protocol

_FORGOTTEN_AFTER: Final = 2000
"""Milliseconds after which a job that was nudged and has not begun is nudged again."""
_PATIENCE: Final = 1.0
"""Seconds for an answer of Redis."""


class Waiting(Protocol):
    """Jobs that were nudged and have not begun."""

    def add(self, job: str) -> bool:
        """A job is to be nudged; whether it has not been yet."""

    def discard(self, job: str) -> None:
        """A job begins, or could not be nudged."""

    def close(self) -> None:
        """Nobody is nudged any more: give back what is open."""


class WaitingHere:
    """Where all jobs run in one process."""

    def __init__(self) -> None:
        self._jobs: set[str] = set()

    def add(self, job: str) -> bool:
        """Note it; whether it was not noted."""
        if job in self._jobs:
            return False
        self._jobs.add(job)
        return True

    def discard(self, job: str) -> None:
        """Forget it."""
        self._jobs.discard(job)

    def close(self) -> None:
        """Nothing is open."""


class WaitingInRedis:
    """Where jobs run in several processes, on a broker that is a Redis. It never fails: without an
    answer every job is nudged."""

    def __init__(self, url: str, prefix: str) -> None:
        # One process needs no Redis, nor the memory of what speaks to it.
        from redis import Redis  # noqa: PLC0415

        self._redis = Redis.from_url(
            url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
        )
        self._prefix = prefix

    def add(self, job: str) -> bool:
        """Note it for a moment; whether it was not noted."""
        try:
            return bool(self._redis.set(self._key(job), 1, nx=True, px=_FORGOTTEN_AFTER))
        except Exception:  # whatever its client raises, also if it is closed meanwhile
            return True

    def discard(self, job: str) -> None:
        """Forget it."""
        with suppress(Exception):
            self._redis.delete(self._key(job))

    def close(self) -> None:
        """Close the connections to Redis."""
        self._redis.close()

    def _key(self, job: str) -> str:
        return f"{self._prefix}.waiting.{job}"
