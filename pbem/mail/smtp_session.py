"""One SMTP or LMTP conversation: our own rules on top of aiosmtpd's protocol.

Owns what is said to a client and when, and every cap of a conversation. Where a message ends is
``smtp_data``; the thread and the port are ``listener``'s.

Why not aiosmtpd's own DATA: it keeps a line without an end in memory however long it grows, says
one reply where LMTP needs one for each recipient, and gives a whole message one fixed time.
"""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
from collections.abc import Awaitable, Callable, Sequence
from typing import AnyStr, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, TLSSetupException

from pbem.mail.addresses import find_destination
from pbem.mail.receive import Receipt, Verdict
from pbem.mail.smtp_data import Incoming
from pbem.mail.smtp_gate import Gate, Limits, peer_name

_log: Final = logging.getLogger(__name__)

_ALL: Final = 1 << 24  # more than a reader ever buffers: it is empty after reading so much
_PROGRESS: Final = 64 << 10
_GRACE: Final = 5.0
_PIECE: Final = 16 << 10
"""Bytes that are read at once. asyncio makes room for them anew each time, and room for the 256 kB
that it would read comes from the system page by page."""
_AT_ONCE: Final = 8
"""Lines that may be said before others have their turn."""
_CAN_WAIT: Final = (b"25", b"354")
"""Replies after which a conversation goes on as it was; behind any other it may be closed."""
_PATH: Final = re.compile(r'<(?:@[^:<>]*:)?((?:"(?:[^"\\]|\\.)*"|[^<>"])*)>(?:[ \t]+(.*))?')
_REPLIES: Final[dict[Verdict, str]] = {
    "stored": "250 2.0.0 Stored",
    "unknown": "550 5.1.1 No such recipient here",
    "too_large": "552 5.3.4 Too large",
    "replayed": "451 4.3.0 Try again later",
    "later": "451 4.3.0 Try again later",
}

Keep = Callable[[Sequence[str], bytes, str, str], Awaitable[list[Receipt]]]
"""Stores a mail: recipients, bytes, sender, peer. Answers after the commit."""


class _Hooks:
    """What aiosmtpd asks a handler."""

    def __init__(self, domain: str, limits: Limits) -> None:
        self.domain = domain
        self.limits = limits

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, name: str, replies: list[str]
    ) -> list[str]:
        session.host_name = name
        kept = [line for line in replies if not line.startswith(("250-AUTH", "250 HELP"))]
        return [*kept, "250 PIPELINING"]

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        assert isinstance(server, SmtpSession)
        if find_destination(address, self.domain) is None:
            return server.refuse("550 5.1.1 No such recipient here")
        if len(envelope.rcpt_tos) >= self.limits.recipients:
            return server.refuse("452 4.5.3 Too many recipients")
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"


class SmtpSession(SMTP):
    """An SMTP conversation."""

    line_length_limit = 16 << 10
    is_lmtp = False

    def __init__(
        self,
        gate: Gate,
        keep: Keep,
        *,
        domain: str,
        loop: asyncio.AbstractEventLoop,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.gate = gate
        self._keep = keep
        self._peer = ""
        self._is_refused = False
        self._is_reading_data = False
        self._is_storing = False
        self._is_over = False
        self._refusals = 0
        self._command_bytes = 0
        self._waiting = 0
        self._replies: list[bytes] = []
        """What is to be said as soon as no other command is here already."""
        self._silent_until = 0.0
        self._hang_up_handles: list[asyncio.TimerHandle] = []
        super().__init__(
            _Hooks(domain, gate.limits),
            data_size_limit=gate.limits.mail_bytes,
            enable_SMTPUTF8=True,
            hostname=domain,
            ident="LMTP pbem" if self.is_lmtp else "ESMTP pbem",
            tls_context=tls,
            timeout=gate.limits.idle_seconds,
            loop=loop,
        )

    # -- the connection -------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let a client in, or tell it to come later."""
        if self._original_transport is None:
            limits = self.gate.limits
            name = transport.get_extra_info("peername")
            self._peer = peer_name(name[0] if isinstance(name, tuple) and name else "")
            most = limits.connections if self.is_lmtp else limits.connections_a_peer
            if not self.gate.enter(self, self._peer, most):
                self._is_refused = True
                self.transport = transport
                self.hang_up("421 4.7.0 Too many connections, try again later")
                return
            self._hang_up_later(limits.session_seconds)
            transport.max_size = _PIECE  # type: ignore[attr-defined]
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Bytes from the client; a flood of commands ends the conversation."""
        if self._is_refused:
            return
        if not self._is_reading_data:
            self._command_bytes += len(data)
            if self._command_bytes > self.gate.limits.command_bytes:
                self.hang_up("421 4.7.0 Too many commands")
                return
        super().data_received(data)

    def eof_received(self) -> bool | None:
        """The client has said all. What it has said is still answered, and then it is over."""
        if self._is_refused:
            return None
        if self.session is not None and self.session.ssl is not None:
            return super().eof_received()  # TLS closes both directions at once
        self._is_over = True
        if not self._is_storing:
            self._reader.feed_eof()
        return True

    def connection_lost(self, error: Exception | None) -> None:
        """The client is gone. What is being stored is stored; it will come again."""
        for handle in self._hang_up_handles:
            handle.cancel()
        self.gate.leave(self, self._peer)
        if not self._is_refused:
            super().connection_lost(error)

    def hang_up(self, reply: str = "") -> None:
        """End the conversation, also with a client that does not listen."""
        transport = self.transport
        if not isinstance(transport, asyncio.Transport) or transport.is_closing():
            return
        if reply:
            self._replies.append(reply.encode("ascii") + b"\r\n")
        self._say_replies()
        transport.close()
        self._hang_up_handles.append(self.loop.call_later(_GRACE, transport.abort))

    def end(self) -> None:
        """End the conversation as soon as no mail of it is being stored."""
        if not self._is_storing:
            self.hang_up("421 4.3.2 Shutting down, try again later")

    def abort(self) -> None:
        """Drop the connection at once."""
        if isinstance(self.transport, asyncio.Transport):
            self.transport.abort()

    def _hang_up_later(self, seconds: float) -> None:
        said = "421 4.4.2 This has taken too long"
        self._hang_up_handles.append(self.loop.call_later(seconds, self.hang_up, said))

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Be patient from now on. A timer that is too early finds out, and need not be made anew
        with every command."""
        patience = duration or self.gate.patience()
        self._silent_until = self.loop.time() + patience
        timer = self._timeout_handle
        if timer is None or timer.cancelled() or timer.when() > self._silent_until:
            super()._reset_timeout(patience)

    def _timeout_cb(self) -> None:
        left = self._silent_until - self.loop.time()
        if left > 0:
            super()._reset_timeout(left)
        else:
            self.hang_up("421 4.4.2 Timeout")

    def refuse(self, reply: str) -> str:
        """The same reply, counted: who only guesses recipients is sent away."""
        self._refusals += 1
        if self._refusals > self.gate.limits.refusals:
            self.hang_up("421 4.7.0 Too many recipients refused")
        return reply

    async def push(self, status: AnyStr) -> None:
        """Say something. Commands that came together are answered together (RFC 2920); they may
        come in heaps, so after some of them others have their turn. A client that does not listen
        to what was said is waited for."""
        said = status.encode() if isinstance(status, str) else status
        if not self._replies:
            self.loop.call_soon(self._say_replies)
        self._replies.append(said + b"\r\n")
        is_due = len(self._replies) >= _AT_ONCE or not said.startswith(_CAN_WAIT)
        if is_due or self._writer.is_closing() or self._writer.transport.get_write_buffer_size():
            self._say_replies()
            await self._writer.drain()
            await asyncio.sleep(0)

    def _say_replies(self) -> None:
        """Send what is to be said, to a client that is still there."""
        said, self._replies = b"".join(self._replies), []
        if said and isinstance(self.transport, asyncio.Transport):
            self.transport.write(said)

    async def handle_exception(self, error: Exception) -> str:
        """What is said after a fault of ours, or to nobody at the end of what a client says."""
        if isinstance(error, asyncio.IncompleteReadError | TLSSetupException):
            self.hang_up()
        else:  # only its kind: a text could hold an address, and so a token (L3.4)
            _log.error("a mail conversation failed: %s", type(error).__name__)
        return _REPLIES["later"]

    # -- commands -------------------------------------------------------------------------------

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """The address and what follows it. The empty one is ``<>``. Ours, because the standard
        library's parser of headers stands behind aiosmtpd's."""
        found = _PATH.fullmatch(arg.strip())
        if found is None:
            return None, None
        return found[1].strip() or "<>", found[2] or ""

    async def smtp_STARTTLS(self, arg: str) -> None:
        """Go on under TLS. A handshake that breaks off ends the conversation: asyncio does not say
        so to who waits for it, and its place would never be free again."""
        if self._tls_protocol is not None:
            await self.push("503 5.5.1 TLS is on already")
            return
        await super().smtp_STARTTLS(arg)
        if self._tls_protocol is not None and (self.session is None or self.session.ssl is None):
            raise TLSSetupException

    async def smtp_VRFY(self, arg: str) -> None:
        """Tells nothing about anybody."""
        await self.push("252 2.5.0 Send it and see")

    async def smtp_HELP(self, arg: str) -> None:
        """Nothing that RFC 5321 does not say."""
        await self.push("214 2.0.0 See RFC 5321")

    async def smtp_AUTH(self, arg: str) -> None:
        """Nobody logs in here: mail is only taken for ourselves."""
        await self.push("502 5.5.1 Not implemented")

    async def smtp_DATA(self, arg: str) -> None:
        """Read a mail, store it, and only then say so (L1.1)."""
        if await self.check_helo_needed():
            return
        envelope = self.envelope
        assert envelope is not None
        if not envelope.rcpt_tos:
            await self.push("503 5.5.1 Need RCPT command")
            return
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        incoming = Incoming(self.gate.limits.mail_bytes)
        try:
            if not await self._read_data(incoming):
                return
            replies = await self._store(envelope, incoming)
        finally:
            self._is_reading_data = self._is_storing = False
            self.gate.waiting_bytes -= self._waiting
            self._waiting = 0
        self.envelope = self._create_envelope()
        await self.push("\r\n".join(replies))
        if self._is_over:
            self._reader.feed_eof()
        elif not self.gate.is_open:
            self.end()

    async def _read_data(self, incoming: Incoming) -> bool:
        """Read up to the end of the message; False if the client was sent away before it."""
        limits = self.gate.limits
        self._is_reading_data = True
        progress = 0
        while True:
            piece = await self._reader.read(_ALL)
            if not piece:
                raise asyncio.IncompleteReadError(b"", None)
            rest = incoming.feed(piece)
            self._wait_with(incoming.kept)
            if self.gate.waiting_bytes > limits.waiting_bytes:
                incoming.drop()
            if rest is not None:
                self._is_reading_data = False
                self._command_bytes += len(rest)
                if rest and not self._is_over:
                    self._reader.feed_data(rest)  # it is empty: the next command is the first
                return True
            if incoming.seen > 4 * limits.mail_bytes:
                self.hang_up(_REPLIES["too_large"])
                return False
            if incoming.seen - progress >= _PROGRESS:  # a drop now and then earns no more time
                progress = incoming.seen
                self._reset_timeout()

    def _wait_with(self, kept: int) -> None:
        """Count the bytes of this conversation among all that wait."""
        self.gate.waiting_bytes += kept - self._waiting
        self._waiting = kept

    async def _store(self, envelope: Envelope, incoming: Incoming) -> list[str]:
        """The replies to a message that has ended: one, or with LMTP one for each recipient."""
        self._is_storing = True
        self._reset_timeout()
        recipients = list(envelope.rcpt_tos)
        verdicts: list[Verdict]
        mail = incoming.take_mail()
        if mail is None:
            is_too_large = not incoming.is_dropped or incoming.seen > incoming.limit
            verdicts = ["too_large" if is_too_large else "later"] * len(recipients)
        else:
            try:
                receipts = await self._keep(recipients, mail, envelope.mail_from or "", self._peer)
                verdicts = [receipt.verdict for receipt in receipts]
            except Exception as error:
                _log.error("a mail could not be stored: %s", type(error).__name__)
                verdicts = ["later"] * len(recipients)
        if not self.is_lmtp:  # one answer for all: they were stored together or not at all
            verdicts = [next((each for each in verdicts if each != "stored"), "stored")]
        return [_REPLIES[verdict] for verdict in verdicts]


class LmtpSession(SmtpSession, LMTP):
    """An LMTP conversation: LHLO, and a reply for each recipient."""

    is_lmtp = True
