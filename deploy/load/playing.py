"""One run: a server, players at its door, and what is measured between two instants.

Everything is arranged before the server starts; its first mails ask for set-ups. When all of them
have come the play begins, and after a while to warm up the measured time. It ends when half of
the games are over, so that there is always enough to do, or when the time is up; the other games
are then played on to their ends as long as time allows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from deploy.load.arranging import Arranged
from deploy.load.players import Noted, Players
from deploy.load.posting import Post
from deploy.load.processes import DiedError, Usage, machine_cpu
from deploy.load.sink import Sink

ASKING = 180.0
"""Seconds in which the first mails must have come."""
WARMING = 8.0
"""Seconds in which a server does for the first time what it does once and keeps: it draws the parts
of pictures, reads templates, prepares statements. Then it runs for months. Of few games that are
soon over it is the first quarter."""
SENT = 300
DRAINING = 20.0
"""Seconds that the last answers may take."""
_LOOK = 0.1


class Watched(Protocol):
    """A process of a server."""

    name: str

    @property
    def is_running(self) -> bool: ...

    @property
    def log(self) -> str: ...

    def usage(self) -> Usage: ...


class Server(Protocol):
    """What can be played against."""

    @property
    def children(self) -> Sequence[Watched]: ...

    def start(self) -> int:
        """Start it; the port at which mail is taken."""

    def stop(self) -> None:
        """End it."""


@dataclass
class Measured:
    """What happened in the measured time, and in all of the run."""

    seconds: float
    turns: int
    """Submissions that were answered as played."""
    mails: int
    size: int
    """Bytes of all mails."""
    usage: dict[str, Usage]
    """CPU of the measured time, memory at its end, by process."""
    drivers_cpu: float
    others_cpu: float
    """CPU seconds that programs took which have nothing to do with this."""
    stolen_cpu: float
    """CPU seconds that the machine wanted and was not given."""
    has_pictures: float
    """The share of mails with a diagram in them."""
    games: int = 0
    games_over: int = 0
    submissions: int = 0
    played: int = 0
    amiss: list[str] = field(default_factory=list)
    """All that is lost, doubled, refused or unexpected."""
    latencies: list[float] = field(default_factory=list)
    """From mail in, accepted in the measured time, to mail out, received: one for each mail that
    follows from it, whenever it came."""
    samples: list[bytes] = field(default_factory=list)
    """Mails that came, as they came."""
    sent: list[bytes] = field(default_factory=list)
    """Mails that players sent, as they were sent."""

    @property
    def speed(self) -> float:
        """Turns in a second."""
        return self.turns / self.seconds

    @property
    def cpu(self) -> float:
        """CPU seconds of all of the server's processes."""
        return sum(each.cpu for each in self.usage.values())


class Pace:
    """When answers are sent: held back, at once, or so many a second at random instants."""

    def __init__(self, seed: int = 1) -> None:
        self._ready: list[Callable[[], None]] = []
        self._is_held = True
        self._rng = Random(seed)
        self._task: asyncio.Task[None] | None = None

    def __call__(self, send: Callable[[], None]) -> None:
        if self._is_held:
            self._ready.append(send)
        else:
            send()

    @property
    def ready(self) -> int:
        """How many answers are held back."""
        return len(self._ready)

    def release(self, rate: float | None) -> None:
        """Hold nothing back any more; or let out ``rate`` a second, at random instants."""
        if rate is not None:
            self._task = asyncio.create_task(self._let_out(rate))
            return
        self._is_held = False
        ready, self._ready = self._ready, []
        for send in ready:
            send()

    def hold(self) -> None:
        """Let nothing out."""
        self._is_held = True
        if self._task is not None:
            self._task.cancel()

    async def _let_out(self, rate: float) -> None:
        due = time.monotonic()
        while True:
            due += self._rng.expovariate(rate)
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if self._ready:
                self._ready.pop(self._rng.randrange(len(self._ready)))()


async def play(
    server: Server,
    sink: Sink,
    games: Sequence[Arranged],
    *,
    seconds: float,
    rate: float | None = None,
) -> Measured:
    """Play against a server that is not started yet. Raises DiedError."""
    post, pace = Post(), Pace()
    players = Players(games, post)
    players.pace = pace
    sink.deliver = players.take
    try:
        post.open(await asyncio.to_thread(server.start))
        await until(lambda: pace.ready >= 2 * len(games), ASKING, server)
        began = time.monotonic()
        pace.release(rate)
        enough = sum(game.length for game in games) // 4
        warm_up = min(WARMING, seconds / 4)
        await until(lambda: len(players.submissions) >= enough, warm_up, server)
        window = _Window(server, players)
        least = len(games) // 2
        left = began + seconds - time.monotonic()
        await until(lambda: players.running <= least, left, server)
        measured = window.close()
        if rate is None:
            left = began + seconds - time.monotonic()
            await until(lambda: not players.running, left, server)
        pace.hold()
        await until(lambda: post.is_empty and players.is_quiet, DRAINING, server)
    finally:
        pace.hold()
        await post.close()
        await asyncio.to_thread(server.stop)
    return _with_totals(measured, window, players)


def _with_totals(measured: Measured, window: _Window, players: Players) -> Measured:
    submissions = players.submissions.values()
    measured.games = len(players.games)
    measured.games_over = sum(len(game.ended) == 2 for game in players.games)
    measured.submissions = sum(each.mail.accepted_at is not None for each in submissions)
    measured.played = sum(each.is_played for each in submissions)
    measured.amiss = players.find_amiss()
    until = window.began + measured.seconds
    measured.latencies = players.find_waits(window.began, until, DRAINING)
    measured.samples = players.samples
    measured.sent = [each.mail.raw for each in list(submissions)[:SENT]]
    return measured


async def until(is_so: Callable[[], bool], seconds: float, server: Server) -> None:
    """Until something is so, or the time is up. Raises DiedError."""
    until = time.monotonic() + seconds
    while not is_so() and time.monotonic() < until:
        await asyncio.sleep(_LOOK)
        for child in server.children:
            if not child.is_running:
                raise DiedError(f"{child.name} has ended:\n{child.log[-3000:]}")


class _Window:
    """The measured time, from now on."""

    def __init__(self, server: Server, players: Players) -> None:
        self._server = server
        self._players = players
        self._cpu = {child.name: child.usage().cpu for child in server.children}
        self._own = time.process_time()
        self._busy = machine_cpu()
        self.began = time.monotonic()

    def close(self) -> Measured:
        """What happened until now."""
        ended = time.monotonic()
        own = time.process_time() - self._own
        busy, stolen = (now - then for now, then in zip(machine_cpu(), self._busy, strict=True))
        usage = {}
        for child in self._server.children:
            used = child.usage()
            usage[child.name] = Usage(used.cpu - self._cpu[child.name], used.rss, used.peak)
        mails = [each for each in self._players.arrivals if self.began <= each.at < ended]
        turns = sum(
            each.is_played and self.began <= (each.answered_at or 0) < ended
            for each in self._players.submissions.values()
        )
        return Measured(
            seconds=ended - self.began,
            turns=turns,
            mails=len(mails),
            size=sum(each.size for each in mails),
            usage=usage,
            drivers_cpu=own,
            others_cpu=max(0.0, busy - own - sum(each.cpu for each in usage.values())),
            stolen_cpu=stolen,
            has_pictures=_share(mails),
        )


def _share(mails: Sequence[Noted]) -> float:
    return sum(each.has_picture for each in mails) / len(mails) if mails else 0.0
