"""Fetching mail from a mailbox over IMAP (L2).

A mail is stored first and marked as read afterwards (L1.1): what happens in between is at worst the
same mail twice, which changes nothing (L1.2). What can never be taken (too large, for nobody of
ours) is marked as read and flagged, and stays for the operator to see.
"""

from __future__ import annotations

import imaplib
import random
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from pbem.endpoints import Server
from pbem.mail.envelope import recipients_in, sender_in
from pbem.mail.office import Office
from pbem.mail.parts import MAX_MAIL, read_headers
from pbem.mail.receive import Verdict, receive
from pbem.play.ports import Surroundings

MAX_MAILS: Final = 100
"""Fetched in one visit; the rest in the next."""

_TIMEOUT: Final = 30.0
_SIZE: Final = re.compile(rb"RFC822\.SIZE (\d{1,15})")
_SHORTEST: Final = timedelta(seconds=30)
_LONGEST: Final = timedelta(minutes=15)


class ImapError(Exception):
    """The mailbox could not be used; the text names no password and no mail."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What one visit to the mailbox brought."""

    stored: tuple[int, ...] = ()
    """Numbers of the mails that are to be read."""
    refused: int = 0
    """Mails that can never be taken."""
    is_over: bool = True
    """Whether nothing is left there."""


def fetch_mail(
    around: Surroundings,
    office: Office,
    server: Server,
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    limit: int = MAX_MAILS,
) -> Visit:
    """Fetch and store unread mails, oldest first. Raises ImapError; what was stored is stored."""
    stored: list[int] = []
    refused = 0
    with _opened(server) as mailbox:
        waiting = mailbox.unread()
        for number in waiting[:limit]:
            verdict: Verdict = "too_large"
            if mailbox.size(number) <= MAX_MAIL:
                verdict, ids = _keep(around, office, mailbox.fetch(number), clock())
                stored += ids
            if verdict == "later":
                return Visit(tuple(stored), refused, is_over=False)
            if verdict == "stored":
                mailbox.settle(number, server.done_folder)
            else:
                refused += 1
                mailbox.flag(number)
        return Visit(tuple(stored), refused, is_over=len(waiting) <= limit)


def count_unread(server: Server) -> int:
    """How many mails wait in a mailbox; none is touched. Raises ImapError."""
    with _opened(server) as mailbox:
        return len(mailbox.unread())


def _keep(
    around: Surroundings, office: Office, raw: bytes, now: datetime
) -> tuple[Verdict, list[int]]:
    headers = read_headers(raw)
    receipts = receive(
        around,
        office,
        recipients_in(headers, office),
        raw,
        sender=sender_in(headers),
        via="imap",
        now=now,
    )
    ids = [one.inbound_id for one in receipts if one.inbound_id is not None]
    return receipts[0].verdict if receipts else "unknown", ids


class _Mailbox:
    """An open folder. Mails are named by their UID."""

    def __init__(self, connection: imaplib.IMAP4) -> None:
        self.connection = connection
        # What a server can do is told in full only to who has logged in.
        _, told = connection.capability()
        self.can_move = b"MOVE" in bytes(told[0] or b"").upper().split()

    def unread(self) -> list[bytes]:
        found = self._ask("SEARCH", "UNSEEN")[0]
        return sorted(found.split(), key=int) if isinstance(found, bytes) else []

    def size(self, number: bytes) -> int:
        for part in self._ask("FETCH", number.decode(), "(RFC822.SIZE)"):
            if isinstance(part, bytes) and (found := _SIZE.search(part)):
                return int(found[1])
        raise ImapError("the size of a mail was not told")

    def fetch(self, number: bytes) -> bytes:
        for part in self._ask("FETCH", number.decode(), "(BODY.PEEK[])"):
            if isinstance(part, tuple):
                raw = part[1]
                assert isinstance(raw, bytes)
                return raw
        raise ImapError("a mail was not there")

    def settle(self, number: bytes, folder: str | None) -> None:
        """A mail was taken: mark it, and put it away if there is a place for that."""
        self._ask("STORE", number.decode(), "+FLAGS.SILENT", r"(\Seen)")
        if folder is not None:
            quoted = f'"{folder}"'
            if self.can_move:
                self._ask("MOVE", number.decode(), quoted)
            else:
                self._ask("COPY", number.decode(), quoted)
                self._ask("STORE", number.decode(), "+FLAGS.SILENT", r"(\Deleted)")

    def flag(self, number: bytes) -> None:
        """A mail cannot be taken: it stays, where somebody sees it."""
        self._ask("STORE", number.decode(), "+FLAGS.SILENT", r"(\Seen \Flagged)")

    def _ask(self, command: str, *words: str) -> list[bytes | tuple[bytes, bytes]]:
        kind, data = self.connection.uid(command, *words)
        if kind != "OK":
            raise ImapError(f"the server refused {command}")
        return list(data)


@contextmanager
def _opened(server: Server) -> Iterator[_Mailbox]:
    connection: imaplib.IMAP4 | None = None
    try:
        connection = _connect(server)
        if server.user is not None:
            connection.login(server.user, server.password or "")
        kind, _ = connection.select(f'"{server.folder}"')
        if kind != "OK":
            raise ImapError("there is no such folder")
        yield _Mailbox(connection)
    except (OSError, imaplib.IMAP4.error, ValueError) as error:
        # What a server says may repeat what it was told.
        raise ImapError(type(error).__name__) from None
    finally:
        if connection is not None:
            with suppress(OSError, imaplib.IMAP4.error):
                connection.logout()
            with suppress(OSError):
                connection.shutdown()


def _connect(server: Server) -> imaplib.IMAP4:
    if server.tls == "none":
        return imaplib.IMAP4(server.host, server.port, timeout=_TIMEOUT)
    context = ssl.create_default_context(cafile=server.ca_file)
    if server.tls == "implicit":
        return imaplib.IMAP4_SSL(server.host, server.port, ssl_context=context, timeout=_TIMEOUT)
    connection = imaplib.IMAP4(server.host, server.port, timeout=_TIMEOUT)
    try:
        connection.starttls(context)
    except BaseException:
        connection.shutdown()
        raise
    return connection


@dataclass(slots=True)
class Backoff:
    """When to visit a mailbox that fails: less and less often, so that no account is locked."""

    failures: int = 0
    not_before: datetime | None = None

    def is_due(self, now: datetime) -> bool:
        """Whether it is time for a visit."""
        return self.not_before is None or now >= self.not_before

    def failed(self, now: datetime) -> timedelta:
        """A visit failed; how long to wait, with jitter."""
        self.failures += 1
        longest = min(_LONGEST, _SHORTEST * (1 << min(self.failures, 20)))
        wait = longest * random.uniform(0.5, 1)
        self.not_before = now + wait
        return wait

    def worked(self) -> None:
        """A visit went well."""
        self.failures, self.not_before = 0, None
