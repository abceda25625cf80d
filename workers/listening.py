"""A process that only takes mail: it stores what comes and tells the readers over the broker.

For many machines, where ``embedded`` is not: readers, senders and pages may stop and start while
mail is taken. Without a database it answers "try later" (L1.1).
"""

from __future__ import annotations

import threading
from contextlib import ExitStack, closing
from typing import Final, Self

import structlog

from pbem.bootstrap import make_office, open_surroundings
from pbem.broker import is_shared
from pbem.config import Settings
from pbem.endpoints import Endpoint
from pbem.errors import ConfigError, StoreError
from pbem.mail.patience import STARTING, patiently
from workers.app import Nudges
from workers.celery import app as celery
from workers.desk import utc_now
from workers.listeners import NOTED_EVERY, Listeners
from workers.metrics_server import serving_metrics

_log: Final = structlog.get_logger("workers")


class Listening:
    """Takes mail from ``start`` to ``stop``, and notes in the store that it does."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = ExitStack()
        self._stopping = threading.Event()
        self._listeners: Listeners | None = None
        self._noting = threading.Thread(target=self._note, name="listening-notes", daemon=True)

    @property
    def endpoints(self) -> dict[str, Endpoint]:
        """Where it listens, by protocol."""
        return {} if self._listeners is None else self._listeners.endpoints

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin. Raises PbemError, with nothing left running."""
        _check(self._settings)
        try:
            office = make_office(self._settings)
            around = patiently(
                lambda: self._stack.enter_context(open_surroundings(self._settings)), STARTING
            )
            nudges = self._stack.enter_context(closing(Nudges(celery)))
            listeners = Listeners(
                self._settings, around, office, nudge=nudges.mails_stored, clock=utc_now
            )
            self._listeners = self._stack.enter_context(listeners)
            watching = serving_metrics(self._settings, stopping=self._stopping)
            if (endpoint := self._stack.enter_context(watching)) is not None:
                self._listeners.endpoints["metrics"] = endpoint
        except BaseException:
            self._stack.close()
            raise
        self._noting.start()
        self._stack.callback(self._noting.join)
        self._stack.callback(self._stopping.set)

    def stop(self) -> None:
        """Take no more mail; what is being stored is answered."""
        self._stack.close()

    def find_fault(self) -> str | None:
        """What has ended that should run."""
        parts = {} if self._listeners is None else self._listeners.parts()
        # Without its notes nobody would know that it listens, and clocks would stand.
        parts["notes"] = self._noting.is_alive()
        return next((name for name, is_running in parts.items() if not is_running), None)

    def _note(self) -> None:
        is_over = False
        while not is_over and self._listeners is not None:
            try:
                self._listeners.note()
            except StoreError as error:  # no mail can be stored, so it is true that none is taken
                _log.warning("listening_not_noted", reason=f"{type(error).__name__}: {error}")
            is_over = self._stopping.wait(NOTED_EVERY.total_seconds())


def _check(settings: Settings) -> None:
    """Raises ConfigError with all that a listener needs and is not set."""
    missing = []
    if settings.mail_domain is None:
        missing.append("PBEM_MAIL_DOMAIN is not set: what stands right of the @ in our addresses")
    if settings.site_url is None:
        missing.append("PBEM_SITE_URL is not set: where the web pages are")
    if settings.listen_smtp is None and settings.listen_lmtp is None:
        missing.append("nothing to listen at: PBEM_LISTEN_SMTP or PBEM_LISTEN_LMTP must be set")
    if not is_shared(settings.broker_url):
        missing.append(
            "PBEM_BROKER_URL is not set: nobody in this process reads mail (pbem serve does)"
        )
    if missing:
        raise ConfigError("; ".join(missing))
