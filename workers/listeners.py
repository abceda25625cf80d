"""The listeners of a process: SMTP, LMTP or both, as the settings want them.

Also how a listener that has a process to itself tells the others that mail can come in: it notes so
in the store, and the pulse looks there (L1.6).
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, Literal, Self

from pbem.config import Settings
from pbem.endpoints import Endpoint
from pbem.errors import ConfigError
from pbem.mail.listener import Listener, Nudge
from pbem.mail.office import Office
from pbem.play.ports import Surroundings

NOTED_EVERY: Final = timedelta(seconds=15)
"""How often a listener of its own process notes that it listens."""
_TAKEN_FOR_GRANTED: Final = timedelta(minutes=2)
"""How long after such a note somebody is taken to listen still."""


class Listeners:
    """All listeners that are set, from ``start`` to ``stop``."""

    def __init__(
        self,
        settings: Settings,
        around: Surroundings,
        office: Office,
        *,
        nudge: Nudge,
        clock: Callable[[], datetime],
    ) -> None:
        self._settings = settings
        self._around = around
        self._office = office
        self._nudge = nudge
        self._clock = clock
        self._running: dict[str, Listener] = {}
        self.endpoints: dict[str, Endpoint] = {}
        """Where they listen, by protocol."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Take mail from now on. Raises ConfigError, with nothing left running."""
        tls = _tls(self._settings)
        try:
            self._listen("smtp", self._settings.listen_smtp, tls)
            self._listen("lmtp", self._settings.listen_lmtp, tls)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Take no more mail; what is being stored is answered."""
        while self._running:
            self._running.popitem()[1].stop()

    def parts(self) -> dict[str, bool]:
        """The listeners by name, and whether they take mail."""
        return {f"{name} listener": each.is_listening for name, each in self._running.items()}

    def note(self) -> None:
        """Note in the store that mail can come in, if it can. Raises StoreError."""
        if all(self.parts().values()):
            with self._around.store.begin() as unit:
                unit.note_listening(self._clock())

    def _listen(
        self,
        protocol: Literal["smtp", "lmtp"],
        wanted: Endpoint | None,
        tls: ssl.SSLContext | None,
    ) -> None:
        if wanted is None:
            return
        listener = Listener(
            self._around,
            self._office,
            protocol=protocol,
            host=wanted.host,
            port=wanted.port,
            tls=tls,
            nudge=self._nudge,
            clock=self._clock,
        )
        try:
            listener.start()
        except OSError as error:
            raise taken(f"PBEM_LISTEN_{protocol.upper()}", wanted, error) from None
        self._running[protocol] = listener
        self.endpoints[protocol] = Endpoint(wanted.host, listener.port)


def is_somebody_listening(around: Surroundings, now: datetime) -> bool:
    """Whether a listener of another process has noted of late that it listens."""
    with around.store.read() as unit:
        noted = unit.last_listening()
    return noted is not None and now - noted < _TAKEN_FOR_GRANTED


def taken(name: str, wanted: Endpoint, error: OSError) -> ConfigError:
    """What is said of a place where nothing can listen."""
    return ConfigError(f"{name}: nothing can listen at {wanted}: {error.strerror or error}")


def _tls(settings: Settings) -> ssl.SSLContext | None:
    """What a listener offers for STARTTLS. Raises ConfigError."""
    if settings.tls_cert_file is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(settings.tls_cert_file, settings.tls_key_file)
    except OSError as error:  # ssl's errors are of this kind, too
        raise ConfigError(f"PBEM_TLS_CERT_FILE: {error}") from None
    return context
