"""A listener for SMTP or LMTP: one thread with an event loop, and a few threads that store (L2).

Storing never runs on the event loop, and a client hears of success only after the commit (L1.1).
What is said in a conversation is ``smtp_session``.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Final, Literal, Self

from pbem.mail.office import Office
from pbem.mail.receive import MAILS_AN_HOUR, Receipt, receive
from pbem.mail.smtp_gate import Gate, Limits
from pbem.mail.smtp_session import LmtpSession, SmtpSession
from pbem.play.ports import Surroundings

_log: Final = logging.getLogger(__name__)
_BACKLOG: Final = 200
_STARTING_SECONDS: Final = 30.0

Nudge = Callable[[Sequence[int]], None]
"""Told the numbers of mails that were stored; they are found without it, only later."""


class Listener:
    """Takes mail at one port, from ``start`` to ``stop``."""

    def __init__(
        self,
        around: Surroundings,
        office: Office,
        *,
        protocol: Literal["smtp", "lmtp"] = "smtp",
        host: str = "127.0.0.1",
        port: int = 0,
        limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
        nudge: Nudge | None = None,
        mails_an_hour: int = MAILS_AN_HOUR,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._around = around
        self._office = office
        self._protocol = protocol
        self._host = host
        self._wanted_port = port
        self._limits = limits or Limits()
        self._tls = tls
        self._nudge = nudge
        self._mails_an_hour = mails_an_hour
        self._clock = clock
        self._started = threading.Event()
        self._failure: BaseException | None = None
        self._port: int | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._patience = 0.0

    @property
    def port(self) -> int:
        """The port it listens at, also where any free one was wanted."""
        assert self._port is not None, "the listener has not been started"
        return self._port

    @property
    def is_listening(self) -> bool:
        """Whether mail is taken."""
        is_alive = self._thread is not None and self._thread.is_alive()
        return is_alive and self._started.is_set() and self._failure is None

    def start(self) -> None:
        """Listen from now on. Raises OSError if the port cannot be had."""
        # aiosmtpd logs every line of a conversation, tokens and all (L3.4).
        logging.getLogger("mail.log").setLevel(logging.ERROR)
        name = f"{self._protocol}-listener"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        if not self._started.wait(_STARTING_SECONDS):
            raise OSError(f"the {name} did not start")
        if self._failure is not None:
            raise self._failure

    def stop(self, timeout: float = 10.0) -> None:
        """Take no more mail; what is being stored is answered, for up to ``timeout`` seconds."""
        if self._loop is not None and self._stopping is not None and self._thread is not None:
            self._patience = timeout
            if self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(timeout + _STARTING_SECONDS)
            self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # -- on the event loop ----------------------------------------------------------------------

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._failure = error
            if self._started.is_set():
                _log.exception("the %s listener has ended", self._protocol)
        finally:
            self._started.set()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        gate = Gate(self._limits)
        kind = LmtpSession if self._protocol == "lmtp" else SmtpSession
        with ThreadPoolExecutor(self._limits.threads, f"{self._protocol}-store") as pool:

            async def keep(
                recipients: Sequence[str], raw: bytes, sender: str, peer: str
            ) -> list[Receipt]:
                return await loop.run_in_executor(pool, self._keep, recipients, raw, sender, peer)

            server = await loop.create_server(
                lambda: kind(gate, keep, domain=self._office.domain, loop=loop, tls=self._tls),
                self._host,
                self._wanted_port,
                backlog=_BACKLOG,
            )
            self._loop, self._stopping = loop, asyncio.Event()
            self._port = server.sockets[0].getsockname()[1]
            self._started.set()
            await self._stopping.wait()
            server.close()
            await self._end_sessions(gate)

    async def _end_sessions(self, gate: Gate) -> None:
        gate.is_open = False
        for session in list(gate.sessions):
            session.end()
        until = asyncio.get_running_loop().time() + self._patience
        while gate.sessions and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.02)
        for session in list(gate.sessions):
            session.abort()

    # -- in a thread of the pool ----------------------------------------------------------------

    def _keep(self, recipients: Sequence[str], raw: bytes, sender: str, peer: str) -> list[Receipt]:
        receipts = receive(
            self._around,
            self._office,
            recipients,
            raw,
            sender=sender,
            via=self._protocol,
            now=self._clock(),
            peer="" if self._protocol == "lmtp" else peer,
            mails_an_hour=self._mails_an_hour,
        )
        stored = [one.inbound_id for one in receipts if one.inbound_id is not None]
        if stored and self._nudge is not None:
            try:
                self._nudge(stored)
            except Exception:  # the mail is stored: a sweep finds it without the nudge
                _log.warning("a nudge for new mail failed", exc_info=True)
        return receipts
