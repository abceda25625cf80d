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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Protocol

from pbem.endpoints import Server
from pbem.errors import PbemError

TIMEOUT: Final = 30.0
"""Seconds a server may take for one answer."""
_TRUSTED: Final = 2.0
"""Seconds for which a connection is taken to be there still."""
_KEPT: Final = 60.0
"""Seconds after which a connection that was not used is given up; servers do the same."""
_MOST: Final = 200
"""Mails over one connection; many a server wants a new one after some number."""
_SHOWN: Final = 300

_ADDRESS: Final = re.compile(r"[^\s<>\x00-\x1f\x7f]{1,256}@[^\s<>@\x00-\x1f\x7f]{1,255}")
_POLICY: Final = re.compile(r"\s*5\.7\.\d{1,3}\b", re.ASCII)
_LOG_IN_FIRST: Final = 530
_CLOSING: Final = 421
_GO_ON: Final = 354


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
    """A server that speaks SMTP or LMTP. Every thread has its own connection and keeps it."""

    def __init__(self, server: Server, *, name: str, timeout: float = TIMEOUT) -> None:
        self._server = server
        self._name = name
        self._timeout = timeout
        self._mine = threading.local()
        self._open_links: set[_Link] = set()
        self._is_closed = False
        self._lock = threading.Lock()

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Delivered | Failed:
        """Hand over one mail. Raises RelayDownError."""
        if not _ADDRESS.fullmatch(recipient):
            return Failed(True, 553, "this is no mail address")
        address = _ascii_domain(recipient)
        data = with_crlf(data)
        link = self._find_kept()
        if link is not None:
            with suppress(RelayDownError):  # it has gone meanwhile: once more over a new one
                return self._send_over(link, envelope_from, address, data)
        return self._send_over(self._connect(), envelope_from, address, data)

    def check(self) -> None:
        """See whether mail would be taken now. Raises RelayDownError."""
        link = self._find_kept() or self._connect()
        with self._closing_if_down(link):
            link.begin(f"postmaster@{self._name}", [])
            link.reset()

    def close(self) -> None:
        """Close the connections of all threads, and have none opened by one that is late."""
        with self._lock:
            self._is_closed = True
            links = list(self._open_links)
        for link in links:
            self._drop(link)

    def _send_over(
        self, link: _Link, envelope_from: str, recipient: str, data: bytes
    ) -> Delivered | Failed:
        options = []
        if not recipient.isascii():
            if not link.has("smtputf8"):
                return Failed(True, 553, "the server takes no address with such letters")
            options.append("SMTPUTF8")
        if not data.isascii() and link.has("8bitmime"):
            options.append("BODY=8BITMIME")
        with self._closing_if_down(link):
            link.begin(envelope_from, options, recipient)
        outcome = link.finish(recipient, data)
        if not link.is_open:
            self._drop(link)
        return outcome

    @contextmanager
    def _closing_if_down(self, link: _Link) -> Iterator[None]:
        try:
            yield
        except RelayDownError:
            self._drop(link)
            raise

    def _find_kept(self) -> _Link | None:
        """The connection of this thread, if it is still there."""
        link: _Link | None = getattr(self._mine, "link", None)
        if link is None or not link.is_open:
            return None
        if link.is_usable():
            return link
        self._drop(link)
        return None

    def _connect(self) -> _Link:
        try:
            link = _Link(self._open())
        except smtplib.SMTPResponseException as error:
            said = _shown(_bytes(error.smtp_error))
            raise RelayDownError(f"{self._server}: {error.smtp_code} {said}") from None
        except (smtplib.SMTPException, OSError) as error:
            raise RelayDownError(f"{self._server}: {error}") from None
        with self._lock:
            is_late = self._is_closed
            if not is_late:
                self._open_links.add(link)
        if is_late:
            link.close()
            raise RelayDownError(f"{self._server}: nothing is sent any more")
        self._mine.link = link
        return link

    def _drop(self, link: _Link) -> None:
        link.close()
        with self._lock:
            self._open_links.discard(link)

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


class _Link:
    """One connection, from one mail to the next."""

    def __init__(self, smtp: smtplib.SMTP) -> None:
        self.is_open = True
        self._smtp = smtp
        self._used = time.monotonic()
        self._mails = 0
        self._is_all_said = False
        """Whether recipient and DATA of the mail at hand were said with the first command."""

    def has(self, extension: str) -> bool:
        return self._smtp.has_extn(extension)

    def is_usable(self) -> bool:
        """Whether it is there still; asks the server only after a pause."""
        idle = time.monotonic() - self._used
        if not self.is_open or idle > _KEPT or self._mails >= _MOST:
            return False
        if idle < _TRUSTED:
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
        self._used = time.monotonic()

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
            self._used = time.monotonic()
        self.reset()
        if code == _CLOSING:
            self.is_open = False
        shown = _shown(text)
        return Failed(_is_permanent(code, shown), code, shown)

    def _say_all(self, envelope_from: str, options: list[str], recipient: str) -> tuple[int, bytes]:
        """Everything up to the mail itself; the answer to the first of it."""
        said = (
            " ".join([f"mail FROM:{smtplib.quoteaddr(envelope_from)}", *options]),
            f"rcpt TO:{smtplib.quoteaddr(recipient)}",
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
