"""Breaking things, one after the other, at random moments; each is put right a moment later.

A *break* has a name, what to do, and how long it lasts. What is killed is killed with SIGKILL.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from deploy.load.processes import Child
from deploy.load.redis_server import tell_redis
from deploy.load.sink import Fault
from deploy.load.weather import Weather

GAP = (0.5, 2.5)
"""Seconds from the end of one break to the next."""
STILL = 15.0
OUT = (0.2, 1.5)
"""Seconds for which something is gone."""
WEATHER = (2.0, 3.0)
CLOUDS: dict[Fault, str] = {
    "later": "says 451",
    "never": "says 550",
    "silent": "hangs",
    "cut": "drops out in a mail",
    "gone": "drops out behind a mail, not kept",
    "unsaid": "drops out behind a mail, kept",
}
"""What is told of a mail server that misbehaves."""
_UNMET = 10.0
"""Seconds for which bad weather goes on at most, if nobody is out in it."""
_LOOK = 0.05
_STEP = 1 << 16
_LOGGED = 64 << 10
"""What is logged while the disk is full, at most."""


@dataclass(frozen=True)
class Break:
    """One way to break something."""

    name: str
    begin: Callable[[], None]
    end: Callable[[], None] = lambda: None
    lasts: tuple[float, float] = OUT
    couriers: int = 0
    """How many that hand mails over are ended by it: threads of all processes that are killed."""


@dataclass(frozen=True)
class Broken:
    """A break that has been."""

    name: str
    began: float
    ended: float
    couriers: int


class Mortal(Protocol):
    """What can be killed and started again."""

    name: str

    def kill(self) -> None: ...

    def start(self) -> None: ...


def killing(each: Mortal, *, couriers: int = 0) -> Break:
    """SIGKILL, and a new start."""
    return Break(f"{each.name} killed", each.kill, each.start, couriers=couriers)


def emptying(url: str) -> Break:
    """A Redis that has forgotten everything."""
    port = int(url.rpartition(":")[2].partition("/")[0])

    def empty() -> None:
        with suppress(OSError):
            tell_redis(port, "FLUSHALL")

    return Break("redis emptied", empty)


def clouding(weather: Weather, fault: Fault, lasts: tuple[float, float] = WEATHER) -> Break:
    """A mail server that misbehaves in one way, until a mail has met with it: else it proves
    nothing. In the end there may be none."""
    before = 0

    def begin() -> None:
        nonlocal before
        before = weather.hits[fault]
        weather.fault = fault

    def end() -> None:
        until = time.monotonic() + _UNMET
        while weather.hits[fault] == before and time.monotonic() < until:
            time.sleep(_LOOK)
        weather.fault = None

    return Break(f"mail server {CLOUDS[fault]}", begin, end, lasts)


def filling(folder: Path) -> Break:
    """A disk on which there is no room; ``folder`` is the root of a small file system."""
    ballast = folder / "ballast"

    def begin() -> None:
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            step = _STEP
            while step:
                try:
                    while file.write(bytes(step)) == step:
                        pass
                except OSError:
                    pass
                step //= 2

    return Break("disk full", begin, lambda: ballast.unlink(missing_ok=True), WEATHER)


def limiting(child: Child, lasts: tuple[float, float] = WEATHER) -> Break:
    """The same for one process where no file system can be mounted: its files may not grow beyond
    a size that its log has, and its database has not."""

    def limit(size: int) -> None:
        with suppress(ProcessLookupError):
            _, most = resource.prlimit(child.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (size, most))

    def begin() -> None:
        limit(child.log_size + _LOGGED)

    return Break("disk full", begin, lambda: limit(resource.RLIM_INFINITY), lasts)


class Breaker:
    """Breaks everything once in any order, then again, until the time is up or it is enough."""

    def __init__(
        self,
        breaks: Sequence[Break],
        rng: Random,
        count: Callable[[], int],
        gap: tuple[float, float] = GAP,
        still: float = STILL,
    ) -> None:
        """``count`` tells how many mails have arrived: what breaks while nothing goes on proves
        little, so there is one between two breaks, if it comes within ``still`` seconds."""
        self.history: list[Broken] = []
        self._count = count
        self._gap = gap
        self._still = still
        self._breaks = list(breaks)
        self._rng = rng

    async def run(self, seconds: float, rounds: int) -> None:
        """Break things for so long, each so often at the most."""
        until = time.monotonic() + seconds
        for _ in range(rounds):
            for each in self._rng.sample(self._breaks, len(self._breaks)):
                await self._wait_for_mail()
                await asyncio.sleep(self._rng.uniform(*self._gap))
                if time.monotonic() >= until:
                    return
                await self._break(each)

    async def _wait_for_mail(self) -> None:
        before = self._count()
        until = time.monotonic() + self._still
        while self._count() == before and time.monotonic() < until:
            await asyncio.sleep(_LOOK)

    async def _break(self, each: Break) -> None:
        began = time.monotonic()
        await asyncio.to_thread(each.begin)
        try:
            await asyncio.sleep(self._rng.uniform(*each.lasts))
        finally:
            await asyncio.to_thread(each.end)
        self.history.append(Broken(each.name, began, time.monotonic(), each.couriers))
