"""Handing a mail to a server: one recipient at a time, over a connection that is kept.

Tells three things apart. The server took the mail: ``Delivered``. It refused this recipient or this
mail: ``Failed``, for now or for good (L1.4). There was no server that would take any mail:
``RelayDownError``, which is nobody's failure and counts for no attempt. When to try again is
``sending``; what the bytes are is ``mime``.
"""

from __future__ import annotations

import re
import smtplib
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from pbem.endpoints import Server
from pbem.errors import PbemError

TIMEOUT: Final = 30.0
"""Seconds a server may take for one answer."""
_TRUSTED: Final = 2.0
"""Seconds for which a connection is taken to be there still."""
_KEPT: Final = 60.0
"""Seconds after which a connection that was not used is given up; servers do the same."""
_ANOTHER: Final = 10.0
"""Seconds for which who gets no connection waits for another's, or for room for one more."""
_MOMENT: Final = 0.5
_MOST: Final = 200
"""Mails over one connection; many a server wants a new one after some number."""
_SHOWN: Final = 300

_ADDRESS: Final = re.compile(r"[^\s<>\x00-\x1f\x7f]{1,256}@[^\s<>@\x00-\x1f\x7f]{1,255}")
_POLICY: Final = re.compile(r"\s*5\.7\.\d{1,3}\b", re.ASCII)
_LOG_IN_FIRST: Final = 530
_CLOSING: Final = 421
_GO_ON: Final = 354
_T = TypeVar("_T")


class RelayDownError(PbemError):
    """No server could be reached, or it takes no mail of ours at all."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """The server has taken the mail and answers for it from now on."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """The server did not take the mail for this recipient. Code 0: it gave no answer."""

    is_permanent: bool
    code: int
    text: str

    def __str__(self) -> str:
        return f"{self.code} {self.text}".strip()


class Transport(Protocol):
    """A way out for mails."""

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Delivered | Failed:
        """Hand over one mail. Raises RelayDownError."""

    def check(self) -> None:
        """See whether mail would be taken now. Raises RelayDownError."""

    def close(self) -> None:
        """Say goodbye."""


def with_crlf(data: bytes) -> bytes:
    """The same lines, each ended by CR LF: a bare CR or LF is never sent (L2.4)."""
    return b"\r\n".join([*data.splitlines(), b""])


class SmtpTransport:
    """A server that speaks SMTP or LMTP. Threads that send at once have a connection each, which is
    kept for whoever comes next.

    A server that allows fewer connections than there are threads is not down: who gets none waits
    for another's.
    """

    def __init__(self, server: Server, *, name: str, timeout: float = TIMEOUT) -> None:
        self._server = server
        self._name = name
        self._timeout = timeout
        self._kept: list[_Link] = []
        """Nobody uses them; the one that was used last comes last."""
        self._busy: set[_Link] = set()
        self._worked_at = -_KEPT  # when the server last did what it was asked for
        self._is_closed = False
        self._changed = threading.Condition()

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Delivered | Failed:
        """Hand over one mail. Raises RelayDownError."""
        if not _ADDRESS.fullmatch(recipient):
            return Failed(True, 553, "this is no mail address")
        address = _ascii_domain(recipient)
        lines = with_crlf(data)
        return self._over_any(lambda link: _send_over(link, envelope_from, address, lines))

    def check(self) -> None:
        """See whether mail would be taken now. Raises RelayDownError."""

        def ask(link: _Link) -> None:
            link.begin(f"postmaster@{self._name}", [])
            link.reset()

        try:
            self._over_any(ask)
        except RelayDownError:
            # It may have no room for a question, for all its time goes into mails of ours.
            if not self._busy or time.monotonic() - self._worked_at > _KEPT:
                raise

    def close(self) -> None:
        """Close the connections of all threads, and have none opened by one that is late."""
        with self._changed:
            self._is_closed = True
            links = [*self._kept, *self._busy]
            self._kept.clear()
            self._changed.notify_all()
        for link in links:
            link.close()

    def _over_any(self, work: Callable[[_Link], _T]) -> _T:
        """Work over a connection that is kept, or else over a new one. Raises RelayDownError."""
        until = time.monotonic() + _ANOTHER
        while True:
            for find in (self._find_kept, self._connect):
                try:
                    link = find()
                    if link is not None:
                        with self._using(link):
                            return work(link)
                except RelayDownError as error:
                    down = error
            if not self._is_room_to_come(until):
                raise down

    def _is_room_to_come(self, until: float) -> bool:
        """Whether the server works for other threads, or did just now: then it is not down, and
        another connection, or room for one, is to be had soon. Waits for it."""
        with self._changed:
            if not self._kept:
                self._changed.wait(_MOMENT)
            now = time.monotonic()
            is_working = bool(self._busy) or now - self._worked_at < _TRUSTED
            return is_working and now < until and not self._is_closed

    @contextmanager
    def _using(self, link: _Link) -> Iterator[None]:
        try:
            yield
            self._worked_at = time.monotonic()
        except BaseException:  # nobody knows where they were in their conversation
            link.is_open = False
            raise
        finally:
            self._give_back(link)

    def _give_back(self, link: _Link) -> None:
        with self._changed:
            self._busy.discard(link)
            is_kept = link.is_open and not self._is_closed
            if is_kept:
                self._kept.append(link)
            self._changed.notify_all()
        if not is_kept:
            link.close()

    def _find_kept(self) -> _Link | None:
        """The connection that was used last, if it is still there."""
        while True:
            with self._changed:
                link = self._kept.pop() if self._kept else None
                if link is None:
                    return None
                self._busy.add(link)
                stale = [each for each in self._kept if each.is_stale]
                self._kept = [each for each in self._kept if not each.is_stale]
            for each in stale:
                each.close()
            if link.is_usable():
                return link
            link.is_open = False
            self._give_back(link)

    def _connect(self) -> _Link:
        try:
            link = _Link(self._open())
        except smtplib.SMTPResponseException as error:
            said = _shown(_bytes(error.smtp_error))
            raise RelayDownError(f"{self._server}: {error.smtp_code} {said}") from None
        except (smtplib.SMTPException, OSError) as error:
            raise RelayDownError(f"{self._server}: {error}") from None
        with self._changed:
            if not self._is_closed:
                self._busy.add(link)
                return link
        link.close()
        raise RelayDownError(f"{self._server}: nothing is sent any more")

    def _open(self) -> smtplib.SMTP:
        server = self._server
        if server.protocol == "lmtp":
            lmtp = smtplib.LMTP(server.host, server.port, self._name, timeout=self._timeout)
            lmtp.ehlo()
            return lmtp
        if server.tls == "implicit":
            context = ssl.create_default_context(cafile=server.ca_file)
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(
                server.host, server.port, self._name, timeout=self._timeout, context=context
            )
        else:
            smtp = smtplib.SMTP(server.host, server.port, self._name, timeout=self._timeout)
        try:
            if server.tls == "starttls":
                smtp.starttls(context=ssl.create_default_context(cafile=server.ca_file))
            smtp.ehlo_or_helo_if_needed()
            if server.user is not None:
                smtp.login(server.user, server.password or "")
        except BaseException:
            smtp.close()
            raise
        return smtp


def _send_over(link: _Link, envelope_from: str, recipient: str, data: bytes) -> Delivered | Failed:
    options = []
    if not recipient.isascii():
        if not link.has("smtputf8"):
            return Failed(True, 553, "the server takes no address with such letters")
        options.append("SMTPUTF8")
    if not data.isascii() and link.has("8bitmime"):
        options.append("BODY=8BITMIME")
    link.begin(envelope_from, options, recipient)
    return link.finish(recipient, data)


class _Link:
    """One connection, from one mail to the next."""

    def __init__(self, smtp: smtplib.SMTP) -> None:
        self.is_open = True
        self._smtp = smtp
        self._last_used = time.monotonic()
        self._mails = 0
        self._is_all_said = False
        """Whether recipient and DATA of the mail at hand were said with the first command."""

    def has(self, extension: str) -> bool:
        return self._smtp.has_extn(extension)

    @property
    def is_stale(self) -> bool:
        """Whether it was not used for so long that it is given up."""
        return time.monotonic() - self._last_used > _KEPT

    def is_usable(self) -> bool:
        """Whether it is there still; asks the server only after a pause."""
        if not self.is_open or self.is_stale or self._mails >= _MOST:
            return False
        if time.monotonic() - self._last_used < _TRUSTED:
            return True
        try:
            return self._smtp.noop()[0] == 250
        except (smtplib.SMTPException, OSError):
            return False

    def begin(self, envelope_from: str, options: list[str], recipient: str | None = None) -> None:
        """Announce a mail. Who refuses that refuses every mail of ours. Raises RelayDownError.

        The other commands follow in the same breath where the server allows it (RFC 2920): a server
        far away, and the threads beside this one, are waited for once instead of three times.
        """
        self._is_all_said = recipient is not None and self.has("pipelining")
        try:
            if recipient is not None and self._is_all_said:
                code, text = self._say_all(envelope_from, options, recipient)
            else:
                code, text = self._smtp.mail(envelope_from, options)
        except (smtplib.SMTPException, OSError) as error:
            raise RelayDownError(str(error)) from None
        if code != 250:
            raise RelayDownError(f"{code} {_shown(text)}")
        self._last_used = time.monotonic()

    def finish(self, recipient: str, data: bytes) -> Delivered | Failed:
        """Name the recipient and hand over the mail that was announced."""
        self._mails += 1
        try:
            code, text = self._smtp.getreply() if self._is_all_said else self._smtp.rcpt(recipient)
            if code in (250, 251, 252):
                code, text = self._hand_over(data)
                if code == 250:
                    return Delivered(_shown(text))
            elif self._is_all_said:
                self._hand_nothing_over()
        except (smtplib.SMTPException, OSError) as error:
            # It may have been taken: then it comes twice, with the same Message-ID.
            self.is_open = False
            return Failed(False, 0, f"the connection broke: {error}"[:_SHOWN])
        finally:
            self._last_used = time.monotonic()
        self.reset()
        if code == _CLOSING:
            self.is_open = False
        shown = _shown(text)
        return Failed(_is_permanent(code, shown), code, shown)

    def _say_all(self, envelope_from: str, options: list[str], recipient: str) -> tuple[int, bytes]:
        """Everything up to the mail itself; the answer to the first of it.

        Addresses are as they were looked at: smtplib would take them apart as headers.
        """
        said = (
            " ".join([f"mail FROM:<{envelope_from}>", *options]),
            f"rcpt TO:<{recipient}>",
            "data",
        )
        self._smtp.send("".join(f"{line}\r\n" for line in said).encode())
        return self._smtp.getreply()

    def _hand_nothing_over(self) -> None:
        """The recipient was refused: the server waits for no mail, or for one to nobody."""
        try:
            code, _ = self._smtp.getreply()
            if code == _GO_ON:
                self._smtp.send(b".\r\n")
                self._smtp.getreply()
        except (smtplib.SMTPException, OSError):
            self.is_open = False

    def _hand_over(self, data: bytes) -> tuple[int, bytes]:
        """The mail itself, whose lines end with CRLF: a line that begins with a dot gets another.

        smtplib would look through every line of it first.
        """
        code, text = self._smtp.getreply() if self._is_all_said else self._smtp.docmd("data")
        if code != _GO_ON:
            return code, text
        stuffed = data.replace(b"\r\n.", b"\r\n..")
        start = b"." if data.startswith(b".") else b""
        self._smtp.send(b"".join((start, stuffed, b".\r\n")))
        return self._smtp.getreply()

    def reset(self) -> None:
        """Take back what was announced."""
        try:
            self._smtp.rset()
        except (smtplib.SMTPException, OSError):
            self.is_open = False

    def close(self) -> None:
        """Say goodbye, without waiting long for an answer."""
        self.is_open = False
        with suppress(smtplib.SMTPException, OSError):
            if self._smtp.sock is not None:
                self._smtp.sock.settimeout(1.0)
                self._smtp.quit()
        self._smtp.close()


def _bytes(said: bytes | str) -> bytes:
    return said if isinstance(said, bytes) else said.encode()


def _is_permanent(code: int, text: str) -> bool:
    """Whether it is no use to try again.

    A refusal for reasons of policy is tried again until the five days are over: a server that was
    set up wrongly refuses everybody so, and must not cost all players their addresses.
    """
    return code // 100 == 5 and code != _LOG_IN_FIRST and not _POLICY.match(text)


def _shown(text: bytes) -> str:
    """What a server said, on one line and not too long."""
    line = " ".join(text.decode("utf-8", "replace").split())[:_SHOWN]
    return "".join(char if char.isprintable() else "?" for char in line)


def _ascii_domain(address: str) -> str:
    """An address whose host is written as DNS has it; other letters left of the @ stay."""
    local, _, host = address.rpartition("@")
    if host.isascii():
        return address
    try:
        return f"{local}@{host.encode('idna').decode('ascii')}"
    except UnicodeError:
        return address
