"""Where all mail of the simulated players arrives: an SMTP server on the loopback.

Cheap, because it shares the machine with what is measured: of a mail only its headers are looked
at, and its text where somebody quotes it. It can misbehave as servers do; ``faults`` says how, and
what it does then is counted.
"""

from __future__ import annotations

import asyncio
import binascii
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from email.header import decode_header, make_header
from typing import Literal

from deploy.load.ports import HOST

EHLO = b"250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 20000000\r\n"
_FOLD = re.compile(rb"\r\n(?=[ \t])")
_ADDRESS = re.compile(rb"<?([^<>\s\"]+@[^<>\s\"]+)>?$")
_END = b"\r\n.\r\n"
_PIECE = 128 << 10
"""Bytes that are read at once: more than a mail usually has."""
_SILENCE = 8.0
"""Seconds after which a silent server is gone."""

Fault = Literal["later", "never", "silent", "cut", "gone", "unsaid"]
"""``later``: 451 after the mail. ``never``: 550. ``silent``: no answer, and after a while the
connection breaks. ``cut``: it breaks before the mail has ended. ``gone``: it breaks after that, and
the mail is gone, too, as from a server that dies before it has written it down. ``unsaid``: it
breaks when the mail is kept and that is not yet said. A client cannot tell the last two apart, and
SMTP has no way to ask (RFC 5321, 4.2.5 and 6.1): it must send the mail again, and what was kept
comes twice."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """One mail that was taken, with the instant of its last byte."""

    at: float
    recipient: str
    message_id: str
    answers: str
    """The Message-ID of the mail that it answers, or of its thread."""
    reply_to: str
    subject: str
    raw: bytes

    @property
    def has_picture(self) -> bool:
        """Whether a diagram is in it."""
        return b"Content-Type: image/png" in self.raw

    @property
    def text(self) -> bytes:
        """Its plain text, as a mail program quotes it."""
        begin = self.raw.find(b"\r\n\r\n", self.raw.find(b"Content-Type: text/plain")) + 4
        return binascii.a2b_qp(self.raw[begin : self.raw.find(b"\r\n--", begin)])


class Sink:
    """Takes every mail and hands it to ``deliver``. ``choose_fault`` may say that one goes wrong,
    by its envelope's recipient; None is no fault."""

    def __init__(
        self,
        deliver: Callable[[Arrived], None],
        choose_fault: Callable[[str], Fault | None] = lambda recipient: None,
    ) -> None:
        self.deliver = deliver
        self.choose_fault = choose_fault
        self.unsaid: Counter[str] = Counter()
        """Message-IDs of mails that were kept, and nobody was told."""
        self.connections: set[_Conversation] = set()
        self.room = memoryview(bytearray(_PIECE))
        """Where bytes arrive; one conversation at a time needs it."""
        self._server: asyncio.Server | None = None

    async def open(self, port: int = 0) -> int:
        """Listen; the port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Conversation(self), HOST, port)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Take no more mail."""
        if self._server is not None:
            self._server.close()
        for conversation in list(self.connections):
            conversation.drop()
        while self.connections:
            await asyncio.sleep(0)


class _Conversation(asyncio.BufferedProtocol):
    """One client: lines, and between DATA and the dot a mail. Commands that came together are
    answered together, as servers do (RFC 2920)."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._buffer = bytearray()
        self._is_data = False
        self._searched = 0
        self._recipient = ""
        self._fault: Fault | None = None
        self._replies = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._sink.connections.add(self)
        transport.write(b"220 sink ESMTP\r\n")

    def connection_lost(self, error: Exception | None) -> None:
        self._sink.connections.discard(self)

    def drop(self) -> None:
        """Break the connection, as a machine does that is gone."""
        if self._transport is not None:
            self._transport.abort()

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._sink.room

    def buffer_updated(self, nbytes: int) -> None:
        self._buffer += self._sink.room[:nbytes]
        while self._take_mail() if self._is_data else self._take_line():
            pass
        self._say_replies()

    def _say(self, reply: bytes) -> None:
        self._replies += reply

    def _say_replies(self) -> None:
        if self._replies and self._transport is not None:
            self._transport.write(self._replies)
            self._replies = bytearray()

    def _take_line(self) -> bool:
        end = self._buffer.find(b"\n")
        if end < 0:
            return False
        line = bytes(self._buffer[:end]).rstrip()
        del self._buffer[: end + 1]
        verb = line[:4].upper()
        if verb == b"EHLO":
            self._say(EHLO)
        elif verb == b"DATA" and not self._recipient:
            self._say(b"503 5.5.1 for whom?\r\n")
        elif verb == b"DATA":
            self._is_data, self._searched = True, 0
            self._say(b"354 go on\r\n")
        elif verb == b"QUIT":
            self._say(b"221 bye\r\n")
            self._say_replies()
            if self._transport is not None:
                self._transport.close()
            return False
        elif verb == b"RCPT":
            self._name_recipient(line)
        else:
            self._say(b"250 OK\r\n")
        return True

    def _name_recipient(self, line: bytes) -> None:
        self._recipient = line.partition(b"<")[2].partition(b">")[0].decode().lower()
        self._fault = self._sink.choose_fault(self._recipient)
        if self._fault == "never":
            self._recipient = ""
            self._say(b"550 5.1.1 nobody of that name\r\n")
        else:
            self._say(b"250 OK\r\n")

    def _take_mail(self) -> bool:
        if self._fault == "cut" and self._buffer:
            self.drop()
            return False
        end = self._buffer.find(_END, self._searched)
        if end < 0:
            self._searched = max(0, len(self._buffer) - len(_END))
            return False
        raw = bytes(self._buffer[: end + 2])
        del self._buffer[: end + len(_END)]
        self._is_data = False
        if self._fault == "later":
            self._say(b"451 4.3.2 not now\r\n")
        elif self._fault == "silent":
            asyncio.get_running_loop().call_later(_SILENCE, self.drop)
        elif self._fault == "gone":
            self.drop()
        else:
            mail = read_mail(raw, self._recipient)
            if self._fault == "unsaid":
                self._sink.unsaid[mail.message_id] += 1
                self.drop()
            else:
                self._say(b"250 taken\r\n")
                self._say_replies()  # who waits for it need not wait for what it leads to
            self._sink.deliver(mail)
        return True


def read_mail(raw: bytes, recipient: str) -> Arrived:
    """What a player looks at, without taking the mail apart."""
    lines = _FOLD.sub(b"", raw[: raw.find(b"\r\n\r\n")]).split(b"\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(b":") for line in lines)}

    def get(name: bytes) -> str:
        return headers.get(name, b"").decode("ascii", "replace").strip()

    reply_to = _ADDRESS.search(headers.get(b"reply-to", b"").strip())
    return Arrived(
        at=time.monotonic(),
        recipient=recipient,
        message_id=get(b"message-id"),
        answers=get(b"in-reply-to"),
        reply_to="" if reply_to is None else reply_to[1].decode(),
        subject=_words(get(b"subject")),
        raw=raw,
    )


def _words(header: str) -> str:
    return str(make_header(decode_header(header))) if "=?" in header else header
