"""The world's mail server: takes what our server sends, and files it by recipient.

Real SMTP on a free port of the loopback. It can refuse an address, as servers do, for good or for
a while. ``wait_for`` is bounded: a mail that does not come fails the test.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

PATIENCE = 60.0
"""Seconds until a mail that has not come is missing."""

MAX_SIZE = 20 * 1024 * 1024


@dataclass(frozen=True)
class Delivered:
    """One mail as it was handed over for one recipient."""

    number: int
    sender: str
    recipient: str
    raw: bytes


class Sink:
    """An SMTP server that runs while its ``with`` block does."""

    def __init__(self) -> None:
        self._arrived = threading.Condition()
        self._mails: list[Delivered] = []
        self._refusals: dict[str, str] = {}
        self._controller = _FreePort(self, hostname="127.0.0.1", port=0, data_size_limit=MAX_SIZE)

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._controller.bound_port

    def __enter__(self) -> Sink:
        self._controller.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._controller.stop()

    # -- what the tests ask ---------------------------------------------------------------------

    def refuse(self, address: str, reply: str | None) -> None:
        """Answer so when mail comes for an address; None takes it again."""
        with self._arrived:
            if reply is None:
                self._refusals.pop(address, None)
            else:
                self._refusals[address] = reply

    def all_mails(self) -> list[Delivered]:
        """Everything that came, oldest first."""
        with self._arrived:
            return list(self._mails)

    def empty(self) -> None:
        """Forget what came."""
        with self._arrived:
            self._mails.clear()

    def mails_to(self, address: str) -> list[Delivered]:
        """What came for one recipient, oldest first."""
        return [mail for mail in self.all_mails() if mail.recipient == address]

    def wait_for(
        self, is_there: Callable[[list[Delivered]], bool], what: str, seconds: float = PATIENCE
    ) -> None:
        """Until the mails are as they should be; fails when they never are."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: is_there(self._mails), seconds):
                raise AssertionError(f"{what} did not come within {seconds:.0f} s")

    # -- what the server calls, on its own thread -----------------------------------------------

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient, or refuse it."""
        with self._arrived:
            refusal = self._refusals.get(address.lower())
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """File a mail."""
        raw = envelope.original_content or b""
        with self._arrived:
            for recipient in envelope.rcpt_tos:
                number = len(self._mails)
                sender = envelope.mail_from or ""
                self._mails.append(Delivered(number, sender, recipient.lower(), raw))
            self._arrived.notify_all()
        return "250 OK"


class _FreePort(Controller):
    """A controller that finds a port by itself and knows which."""

    bound_port = 0

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.bound_port = self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]
