"""Where the server listens, sends and fetches: addresses of servers, read from what is set.

Raises only ConfigError, whose text never shows a password or the address that may hold one. Knows
no socket: connecting is the work of ``pbem.mail``.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field, replace
from typing import Final, Literal, cast
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from pbem.errors import ConfigError

Tls = Literal["starttls", "implicit", "none"]
_TLS: Final = ("starttls", "implicit", "none")
_SMTP_PORTS: Final = {"starttls": 587, "implicit": 465, "none": 25}
_IMAP_PORTS: Final = {"starttls": 143, "implicit": 993, "none": 143}
_LMTP_PORT: Final = 24


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A place to listen at; port 0 is any that is free."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Server:
    """A server to log in to."""

    protocol: Literal["smtp", "lmtp", "imap"]
    host: str
    port: int
    tls: Tls
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca_file: str | None = None
    """Whose certificates count; None: those the system trusts."""
    folder: str = "INBOX"
    """What is fetched; only of IMAP."""
    done_folder: str | None = None
    """Where mails go that were fetched; None: they stay, and are marked as read."""

    def __str__(self) -> str:
        return f"{self.protocol}://{Endpoint(self.host, self.port)}"


def read_endpoint(text: str) -> Endpoint:
    """``host:port`` or ``[::1]:port``. Raises ConfigError."""
    host, separator, port = text.strip().rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    is_number = port.isascii() and port.isdigit() and int(port) < 1 << 16
    if not separator or not host or not is_number or any(char.isspace() for char in host):
        raise ConfigError("must be host:port, as in 127.0.0.1:8025")
    return Endpoint(host, int(port))


def read_relay(text: str) -> Server:
    """``smtp://user:password@host:port?tls=starttls``, ``smtps://…`` or ``lmtp://host:port``.

    Without ``tls`` it is STARTTLS, or nothing where the server is on this machine. Raises
    ConfigError.
    """
    parts, options = _split(text, ("smtp", "smtps", "lmtp"))
    if parts.path not in ("", "/"):
        raise ConfigError("must have nothing behind the port but ?tls= and ca=")
    if parts.scheme == "lmtp":
        if options or parts.username:
            raise ConfigError("must have neither user nor options with lmtp")
        return Server("lmtp", _host(parts), _port(parts, _LMTP_PORT), "none")
    tls = _tls(parts, options, implicit=parts.scheme == "smtps")
    return _server("smtp", parts, options, tls, _SMTP_PORTS[tls])


def read_mailbox(text: str) -> Server:
    """``imaps://user:password@host:port/folder?done=folder`` or ``imap://…?tls=…``.

    Raises ConfigError.
    """
    parts, options = _split(text, ("imap", "imaps"))
    if not parts.username:
        raise ConfigError("must name the user whose mail is fetched")
    tls = _tls(parts, options, implicit=parts.scheme == "imaps")
    folder, done = unquote(parts.path.strip("/")) or "INBOX", options.pop("done", None)
    for name in (folder, done or "-"):
        if not name.isascii() or not name.isprintable() or set(name) & {'"', "\\"}:
            raise ConfigError("must name folders in plain letters, as in IMAP's own UTF-7")
    server = _server("imap", parts, options, tls, _IMAP_PORTS[tls], folder=folder)
    return replace(server, done_folder=done or None)


def is_local(host: str) -> bool:
    """Whether a host is this machine, as far as its name tells."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def _split(text: str, schemes: tuple[str, ...]) -> tuple[SplitResult, dict[str, str]]:
    """The parts of an address, and its options."""
    begin = " or ".join(f"{scheme}://" for scheme in schemes)
    try:
        parts = urlsplit(text.strip())
        pairs = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise ConfigError(f"must be an address that begins with {begin}") from None
    if parts.scheme not in schemes:
        raise ConfigError(f"must begin with {begin}")
    if parts.netloc.count("@") > 1 or parts.fragment:
        raise ConfigError("must have %40 for an @ and %23 for a # in a user's name or password")
    return parts, dict(pairs)


def _host(parts: SplitResult) -> str:
    if not parts.hostname:
        raise ConfigError("must name a host")
    return parts.hostname


def _port(parts: SplitResult, usual: int) -> int:
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise ConfigError("must have a port from 1 to 65535")
    return usual if port is None else port


def _tls(parts: SplitResult, options: dict[str, str], *, implicit: bool) -> Tls:
    usual = "none" if is_local(parts.hostname or "") else "starttls"
    tls = options.pop("tls", "implicit" if implicit else usual)
    if tls not in _TLS or (implicit and tls != "implicit"):
        raise ConfigError(f"must have tls= one of {', '.join(_TLS)}, fitting what it begins with")
    return cast(Tls, tls)


def _server(
    protocol: Literal["smtp", "imap"],
    parts: SplitResult,
    options: dict[str, str],
    tls: Tls,
    usual_port: int,
    *,
    folder: str = "INBOX",
) -> Server:
    ca_file = options.pop("ca", None)
    if options:
        raise ConfigError("must have no options but tls=, ca= and for a mailbox done=")
    host, port = _host(parts), _port(parts, usual_port)
    user = unquote(parts.username) if parts.username else None
    password = None if user is None else unquote(parts.password or "")
    if user is not None and tls == "none" and not is_local(host):
        raise ConfigError("must not send a password to another machine without TLS")
    return Server(protocol, host, port, tls, user, password, ca_file, folder)
