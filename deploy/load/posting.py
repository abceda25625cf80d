"""How simulated players send: a few SMTP connections that are kept, each with one mail at a time;
some mails go over HTTP instead, as a provider brings them.

Like a mail server: what is not taken for now, or breaks off, comes again with the same Message-ID
until it is taken or refused for good. Commands are sent together (PIPELINING), as servers do.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from contextlib import suppress
from dataclasses import dataclass

from deploy.load.ports import HOST

CONNECTIONS = 8
"""Fewer than a listener takes from one address."""
MAILS_A_CONNECTION = 1000
"""Before a listener has heard enough commands of one client."""
PATIENCE = 30.0
"""Seconds for one answer of a server."""
PAUSE = 0.5
"""Seconds before a mail comes again."""
_PIECE = 4 << 10
"""Bytes that are read at once."""


@dataclass(eq=False, slots=True)
class Mail:
    """A mail of a player on its way."""

    sender: str
    recipient: str
    message_id: str
    raw: bytes
    first_tried: float | None = None
    """By the calendar, like ``last_answered``; all other instants are not."""
    last_answered: float | None = None
    accepted_at: float | None = None
    refusal: str | None = None
    """What the server said for good, if it did."""
    tries: int = 0
    by_http: bool = False


class Post:
    """All connections to one listener."""

    def __init__(self, connections: int = CONNECTIONS) -> None:
        self.port = 0
        self.webhook: Webhook | None = None
        """Where mails go that go over HTTP."""
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
        line = _Line(self)
        try:
            while True:
                mail = await self._waiting.get()
                self._under_way += 1
                await self._hand_over(mail, line)
        finally:
            line.drop()

    async def _hand_over(self, mail: Mail, line: _Line) -> None:
        mail.tries += 1
        mail.first_tried = mail.first_tried or time.time()
        way = self.webhook if mail.by_http and self.webhook is not None else line
        try:
            code, said = await way.hand_over(mail)
        except (OSError, EOFError, TimeoutError, ValueError):
            code, said = 0, ""
        if code == 250:
            mail.accepted_at, mail.last_answered = time.monotonic(), time.time()
        elif code // 100 == 5:
            mail.refusal = f"{code} {said}"
        else:
            line.drop()
            self.tried_again += 1
            asyncio.get_running_loop().call_later(PAUSE, self._again, mail)
            return
        self._under_way -= 1

    def _again(self, mail: Mail) -> None:
        self._under_way -= 1
        self.send(mail)


@dataclass(frozen=True)
class Webhook:
    """The way in over HTTP, for mails as they are (docs/operations.md)."""

    port: int
    secret: str

    async def hand_over(self, mail: Mail) -> tuple[int, str]:
        """What is said to a mail, as SMTP would say it. Raises OSError and the like."""
        # The same each time, so that the mail may come again.
        nonce = mail.message_id.strip("<>")
        signed = (str(int(time.time())), nonce, mail.sender, mail.recipient)
        text = "".join(f"{each}\n" for each in signed).encode() + mail.raw
        signature = hmac.digest(self.secret.encode(), text, "sha256").hex()
        head = (
            "POST /inbound/raw HTTP/1.1\r\n"
            f"Host: {HOST}:{self.port}\r\n"
            "Connection: close\r\n"
            "Content-Type: message/rfc822\r\n"
            f"Content-Length: {len(mail.raw)}\r\n"
            f"X-Pbem-Timestamp: {signed[0]}\r\n"
            f"X-Pbem-Nonce: {signed[1]}\r\n"
            f"X-Pbem-Sender: {signed[2]}\r\n"
            f"X-Pbem-Recipient: {signed[3]}\r\n"
            f"X-Pbem-Signature: {signature}\r\n\r\n"
        )
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(HOST, self.port)
            try:
                writer.write(head.encode() + mail.raw)
                status = int((await reader.readuntil(b"\n")).split()[1])
            finally:
                writer.transport.abort()
        codes = {200: 250, 406: 550}
        return codes.get(status, 0), f"HTTP {status}"


class _Line:
    """One connection, opened when it is needed."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._opened: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._mails = 0

    async def hand_over(self, mail: Mail) -> tuple[int, str]:
        """What the server says to a mail in the end. Raises OSError and the like."""
        async with asyncio.timeout(PATIENCE):
            if self._opened is None or self._mails >= MAILS_A_CONNECTION:
                self.drop()
                await self._open()
            self._mails += 1
            self._say(
                f"MAIL FROM:<{mail.sender}> BODY=8BITMIME\r\n"
                f"RCPT TO:<{mail.recipient}>\r\nDATA\r\n".encode()
            )
            answers = [await self._answer() for _ in range(3)]
            if answers[2][0] != 354:
                self._say(b"RSET\r\n")
                await self._expect(250)
                return next((each for each in answers if each[0] != 250), answers[2])
            self._say(mail.raw.replace(b"\r\n.", b"\r\n..") + b"\r\n.\r\n")
            return await self._answer()

    async def _open(self) -> None:
        self._mails = 0
        self._opened = await asyncio.open_connection(HOST, self._post.port)
        # Answers are short, and asyncio would make room for 256 kB whenever it reads one.
        self._opened[1].transport.max_size = _PIECE  # type: ignore[attr-defined]
        await self._expect(220)
        self._say(b"EHLO players.example\r\n")
        await self._expect(250)

    def drop(self) -> None:
        """Hang up."""
        if self._opened is not None:
            self._opened[1].transport.abort()
            self._opened = None

    def _say(self, words: bytes) -> None:
        assert self._opened is not None
        self._opened[1].write(words)

    async def _expect(self, wanted: int) -> None:
        code, said = await self._answer()
        if code != wanted:
            raise ValueError(f"{code} {said}")

    async def _answer(self) -> tuple[int, str]:
        assert self._opened is not None
        while True:
            line = await self._opened[0].readuntil(b"\n")
            if line[3:4] != b"-":
                return int(line[:3]), line[4:].decode("ascii", "replace").strip()
