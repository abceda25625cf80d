"""The floor of a run: the same mails in and out by the same ways, with no game behind them.

Players here only send: as soon as a mail comes back for one of theirs, the next goes off, as many
at a time as there were games. The mails are those of the run.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from deploy.load.arranging import HOME
from deploy.load.playing import Measured, until
from deploy.load.ports import HOST, free_port
from deploy.load.posting import Mail, Post
from deploy.load.processes import Child
from deploy.load.servers import DOMAIN
from deploy.load.sink import Arrived, Sink

WARMING = 1.0
ADDRESSES = 2000
"""Senders, so that none comes to its limit of mails."""
TOKEN = "a" * 26
_MODULE = "deploy.load.floor_server"
_MESSAGE_ID = re.compile(rb"^Message-ID: [^\r]*", re.M)


@dataclass(frozen=True)
class Floor:
    """How fast it goes with no game."""

    turns: float
    """Mails in that were stored and led to mails out, a second."""
    mails: float


class FloorServer:
    """One process that listens and relays, or one that listens and some that relay."""

    def __init__(
        self, environ: Mapping[str, str], folder: Path, run: Measured, relays: int
    ) -> None:
        samples = folder / "samples"
        samples.mkdir()
        for number, sample in enumerate(run.samples):
            (samples / f"{number:04}").write_bytes(sample)
        self._port = free_port()
        own = {
            **environ,
            "PBEM_LISTEN_SMTP": f"{HOST}:{self._port}",
            "PBEM_FLOOR_SAMPLES": str(samples),
            "PBEM_FLOOR_RATIO": str(run.mails / max(1, run.turns)),
        }
        words = {"listener": ["listen"]} if relays else {"both": ["listen", "relay"]}
        words |= {f"relay{number}": ["relay"] for number in range(relays)}
        self.children = [
            Child(f"floor-{name}", [sys.executable, "-m", _MODULE, *each], own, folder)
            for name, each in words.items()
        ]

    def start(self) -> int:
        """Start it; the port at which mail is taken."""
        for child in self.children:
            child.start()
        for child in self.children:
            child.wait_for("ready\n")
        return self._port

    def stop(self) -> None:
        """End it."""
        for child in self.children:
            child.stop()


class _Senders:
    """Send the mails of a run again and again, each under a new Message-ID."""

    def __init__(self, sent: Sequence[bytes], post: Post) -> None:
        self.relayed: list[float] = []
        self.answered: list[float] = []
        self._sent = sent
        self._post = post
        self._numbers = count()
        self._waiting: set[str] = set()

    def send(self) -> None:
        number = next(self._numbers)
        sender = f"f{number % ADDRESSES}@{HOME}"
        message_id = f"<{number}.{time.time_ns()}@{HOME}>"
        template = self._sent[number % len(self._sent)]
        raw = _MESSAGE_ID.sub(b"Message-ID: " + message_id.encode(), template, count=1)
        self._waiting.add(sender)
        self._post.send(Mail(sender, f"floor.{TOKEN}@{DOMAIN}", message_id, raw))

    def take(self, mail: Arrived) -> None:
        self.relayed.append(mail.at)
        if mail.recipient in self._waiting:
            self._waiting.discard(mail.recipient)
            self.answered.append(mail.at)
            self.send()


async def measure_floor(
    server: FloorServer, sink: Sink, sent: Sequence[bytes], *, at_once: int, seconds: float
) -> Floor:
    """How fast the mails of a run go in and out with no game behind them. Raises DiedError."""
    post = Post()
    senders = _Senders(sent, post)
    sink.deliver = senders.take
    try:
        post.open(await asyncio.to_thread(server.start))
        for _ in range(at_once):
            senders.send()
        await asyncio.sleep(WARMING)
        began = time.monotonic()
        await until(lambda: False, seconds, server)
        ended = time.monotonic()
    finally:
        await post.close()
        await asyncio.to_thread(server.stop)
    taken = ended - began
    return Floor(
        turns=sum(began <= at < ended for at in senders.answered) / taken,
        mails=sum(began <= at < ended for at in senders.relayed) / taken,
    )
