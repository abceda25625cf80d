"""How simulated players send: a few SMTP connections that are kept, each with one mail at a time.

Like a mail server: what is not taken for now, or breaks off, comes again with the same Message-ID
until it is taken or refused for good. Commands are sent together (PIPELINING), as servers do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from deploy.load.ports import HOST

CONNECTIONS = 8
"""Fewer than a listener takes from one address."""
MAILS_A_CONNECTION = 1000
"""Before a listener has heard enough commands of one client."""
PATIENCE = 30.0
"""Seconds for one answer of a server."""
PAUSE = 0.5
"""Seconds before a mail comes again."""


@dataclass(eq=False, slots=True)
class Mail:
    """A mail of a player on its way."""

    sender: str
    recipient: str
    message_id: str
    raw: bytes
    accepted_at: float | None = None
    refusal: str | None = None
    """What the server said for good, if it did."""
    tries: int = 0
    done: Callable[[Mail], None] = field(default=lambda mail: None)


class Post:
    """All connections to one listener."""

    def __init__(self, connections: int = CONNECTIONS) -> None:
        self.port = 0
        self.tried_again = 0
        """How often a mail had to be sent again."""
        self._waiting: asyncio.Queue[Mail] = asyncio.Queue()
        self._connections = connections
        self._tasks: list[asyncio.Task[None]] = []
        self._under_way = 0

    @property
    def is_empty(self) -> bool:
        """Whether every mail has been taken, or refused for good."""
        return self._waiting.empty() and not self._under_way

    def open(self, port: int) -> None:
        """Send to this port from now on."""
        self.port = port
        self._tasks = [asyncio.create_task(self._carry()) for _ in range(self._connections)]

    async def close(self) -> None:
        """Send no more."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    def send(self, mail: Mail) -> None:
        """Have a mail sent."""
        self._waiting.put_nowait(mail)

    async def _carry(self) -> None:
        """The life of one connection, and of those that follow when it breaks."""
        line: _Line | None = None
        while True:
            mail = await self._waiting.get()
            self._under_way += 1
            try:
                if line is None or line.mails >= MAILS_A_CONNECTION:
                    line = await _Line.open(self.port)
                mail.tries += 1
                code, said = await line.hand_over(mail)
            except (OSError, EOFError, TimeoutError, ValueError):
                code, said = 0, ""
            if code != 250 and line is not None and code // 100 != 5:
                line.drop()
                line = None
            self._under_way -= 1
            if code == 250:
                mail.accepted_at = time.monotonic()
            elif code // 100 == 5:
                mail.refusal = f"{code} {said}"
            else:
                self.tried_again += 1
                self._under_way += 1
                asyncio.get_running_loop().call_later(PAUSE, self._again, mail)
                continue
            mail.done(mail)

    def _again(self, mail: Mail) -> None:
        self._under_way -= 1
        self.send(mail)


class _Line:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.mails = 0

    @classmethod
    async def open(cls, port: int) -> _Line:
        """A connection that has said hello. Raises OSError and the like."""
        async with asyncio.timeout(PATIENCE):
            line = cls(*await asyncio.open_connection(HOST, port))
            await line._expect(220)
            line._writer.write(b"EHLO players.example\r\n")
            await line._expect(250)
        return line

    async def hand_over(self, mail: Mail) -> tuple[int, str]:
        """What the server says to a mail in the end. Raises OSError and the like."""
        self.mails += 1
        async with asyncio.timeout(PATIENCE):
            self._writer.write(
                f"MAIL FROM:<{mail.sender}> BODY=8BITMIME\r\n"
                f"RCPT TO:<{mail.recipient}>\r\nDATA\r\n".encode()
            )
            answers = [await self._answer() for _ in range(3)]
            refused = next((each for each in answers[:2] if each[0] != 250), None)
            if answers[2][0] != 354:
                return refused or answers[2]
            self._writer.write(mail.raw.replace(b"\r\n.", b"\r\n..") + b"\r\n.\r\n")
            return await self._answer()

    def drop(self) -> None:
        """Hang up."""
        self._writer.transport.abort()

    async def _expect(self, wanted: int) -> None:
        code, said = await self._answer()
        if code != wanted:
            raise ValueError(f"{code} {said}")

    async def _answer(self) -> tuple[int, str]:
        while True:
            line = await self._reader.readuntil(b"\n")
            if line[3:4] != b"-":
                return int(line[:3]), line[4:].decode("ascii", "replace").strip()
