"""What every job works with, opened once in a process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from pbem.bootstrap import make_office, open_surroundings
from pbem.config import Settings
from pbem.endpoints import Server
from pbem.errors import ConfigError
from pbem.mail.imap import Backoff
from pbem.mail.office import Office
from pbem.mail.signing import Signer, load_signer
from pbem.mail.transport import SmtpTransport, Transport
from pbem.play.ports import Surroundings

AT_ONCE: Final = 3
"""How many readers, and how many couriers, a process has."""


def utc_now() -> datetime:
    """The instant at which a job begins; nothing below the workers reads the clock."""
    return datetime.now(UTC)


def _yes() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Desk:
    """Surroundings, post office, the way out, and whether it is time to stop."""

    settings: Settings
    around: Surroundings
    office: Office
    transport: Transport
    readers: Executor | None = None
    """Read several mails at once."""
    couriers: Executor | None = None
    """Hand mails over while others are written. Others than the readers: a server that is slow to
    take mail keeps nobody from reading."""
    staying: Callable[[], AbstractContextManager[None]] = nullcontext
    """Keeps the threads of this process on one processor while they read or send, where it does one
    such job at a time; of ``processor``."""
    signer: Signer | None = None
    clock: Callable[[], datetime] = utc_now
    is_receiving: Callable[[], bool] = _yes
    """Whether the ways in of this process are open; True where it has none."""
    stopping: threading.Event = field(default_factory=threading.Event)
    backoff: Backoff = field(default_factory=Backoff)
    """When the mailbox is visited again that could not be."""
    noted: dict[str, float] = field(default_factory=dict)
    """When it was last noted that something was seen here, by its name; of ``watching``."""


@contextmanager
def _ending(readers: ThreadPoolExecutor) -> Iterator[None]:
    """In the end no mail is begun any more; what was claimed is read by whoever starts next."""
    try:
        yield
    finally:
        readers.shutdown(cancel_futures=True)


def check_desk(settings: Settings) -> None:
    """Raises ConfigError if no desk can be opened with these settings, whatever else runs."""
    _make_office_and_relay(settings)


def _make_office_and_relay(settings: Settings) -> tuple[Office, Server]:
    if settings.relay is None:
        raise ConfigError("PBEM_SMTP_URL must be set")
    return make_office(settings), settings.relay


@contextmanager
def open_desk(settings: Settings, *, is_receiving: Callable[[], bool] = _yes) -> Iterator[Desk]:
    """The desk of this process. Raises PbemError."""
    office, relay = _make_office_and_relay(settings)
    signer = None
    if settings.dkim_selector is not None and settings.dkim_key_file is not None:
        signer = load_signer(office.domain, settings.dkim_selector, settings.dkim_key_file)
    transport = SmtpTransport(relay, name=office.domain)
    readers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="reader")
    couriers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="courier")
    with open_surroundings(settings) as around, closing(transport), _ending(readers), couriers:
        yield Desk(
            settings=settings,
            around=around,
            office=office,
            transport=transport,
            readers=readers,
            couriers=couriers,
            signer=signer,
            is_receiving=is_receiving,
        )
