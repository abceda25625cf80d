"""What every job works with, opened once in a process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pbem.bootstrap import make_office, open_surroundings
from pbem.config import Settings
from pbem.errors import ConfigError
from pbem.mail.imap import Backoff
from pbem.mail.office import Office
from pbem.mail.signing import Signer, load_signer
from pbem.mail.transport import SmtpTransport, Transport
from pbem.play.ports import Surroundings


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
    courier: Executor | None = None
    """Hands mails over while others are written."""
    signer: Signer | None = None
    clock: Callable[[], datetime] = utc_now
    is_receiving: Callable[[], bool] = _yes
    """Whether the ways in of this process are open; True where it has none."""
    stopping: threading.Event = field(default_factory=threading.Event)
    backoff: Backoff = field(default_factory=Backoff)
    """When the mailbox is visited again that could not be."""
    noted: dict[str, float] = field(default_factory=dict)
    """When it was last noted that a job came to its end here; of ``watching``."""


@contextmanager
def open_desk(settings: Settings, *, is_receiving: Callable[[], bool] = _yes) -> Iterator[Desk]:
    """The desk of this process. Raises PbemError."""
    if settings.relay is None:
        raise ConfigError("PBEM_SMTP_URL must be set")
    office = make_office(settings)
    signer = None
    if settings.dkim_selector is not None and settings.dkim_key_file is not None:
        signer = load_signer(office.domain, settings.dkim_selector, settings.dkim_key_file)
    transport = SmtpTransport(settings.relay, name=office.domain)
    courier = ThreadPoolExecutor(1, thread_name_prefix="courier")
    with open_surroundings(settings) as around, closing(transport), courier:
        yield Desk(settings, around, office, transport, courier, signer, is_receiving=is_receiving)
