"""What the operator sets, read from the environment once and passed on as one plain value.

``PBEM_DATA_DIR``
    Where the server keeps its files. By default the user's own data directory.
``PBEM_DATABASE_URL``
    ``postgresql://…`` or ``sqlite:///…``. By default a SQLite file in the data directory.
``PBEM_MAIL_DOMAIN``, ``PBEM_SITE_URL``, ``PBEM_NAME``
    What stands right of the @ in our addresses, where the web pages are, who mails are from.
``PBEM_SECRET``
    What tokens and links are made from, at least 32 characters. By default the file ``secret`` in
    the data directory, made on first use.
``PBEM_SMTP_URL``
    Where mail goes out: ``smtp://user:password@host:port?tls=starttls`` (or ``implicit``,
    ``none``), ``smtps://…``, ``lmtp://…``; ``ca=`` names a file of certificates to trust.
``PBEM_LISTEN_SMTP``, ``PBEM_LISTEN_LMTP``, ``PBEM_LISTEN_HTTP``
    ``host:port``. Mail is taken where one of the first two is set; ``off`` says that it is not
    wanted. Web pages are at 127.0.0.1:8080 by default.
``PBEM_LISTEN_METRICS``
    ``host:port`` where each process tells Prometheus how it fares; of several processes on one
    machine each takes the next port that is free. Nowhere by default.
``PBEM_PROXIES``
    How many proxies stand before the web pages, each adding to ``X-Forwarded-For``; 0 by default.
    Visitors are told apart by it: without it all who come through a proxy count as one.
``PBEM_IMAP_URL``
    A mailbox to fetch from: ``imaps://user:password@host/folder``.
``PBEM_WEBHOOK_RAW``, ``_MAILGUN``, ``_POSTMARK``, ``_SENDGRID``, ``_SES``
    The secret (or what else is checked) of each way in over HTTP that is open.
``PBEM_TRUST``, ``PBEM_AUTHSERV_ID``
    How far a mail is believed (L3.3): ``token``, ``token+from`` or ``token+from+dmarc``; and whose
    Authentication-Results count.
``PBEM_DIRECTOR``
    An address that is told when mail to a player fails.
``PBEM_DKIM_SELECTOR``, ``PBEM_DKIM_KEY_FILE``
    With both, mails are signed.
``PBEM_TLS_CERT_FILE``, ``PBEM_TLS_KEY_FILE``
    The certificate and its key with which the SMTP listener offers STARTTLS; the key may be in the
    file of the certificate.
``PBEM_BROKER_URL``
    Where nudges go between processes; ``memory://`` by default, for one process.
``PBEM_LOG``
    ``console`` or ``json``.
``PBEM_ALIVE_FILE``
    A file that a process touches every few seconds while it is well, for who watches over it; the
    web under gunicorn does not.

What is secret may come from a file instead, named by ``PBEM_…_FILE``: see ``setting_files``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeVar, cast
from urllib.parse import urlsplit

from pbem.endpoints import Endpoint, Server, read_endpoint, read_mailbox, read_relay
from pbem.errors import ConfigError
from pbem.setting_files import with_files

DATABASE_FILE: Final = "pbem.sqlite3"
OFF: Final = "off"
WEBHOOKS: Final = ("raw", "mailgun", "postmark", "sendgrid", "ses")
IN_MEMORY: Final = "memory://"
MIN_SECRET: Final = 32

Trust = Literal["token", "token+from", "token+from+dmarc"]
TRUST_POLICIES: Final[tuple[Trust, ...]] = ("token", "token+from", "token+from+dmarc")
LogStyle = Literal["console", "json"]
_LOG_STYLES: Final = ("console", "json")

_DRIVERS: Final = {
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
}
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*", re.ASCII)
_SELECTOR: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*", re.ASCII | re.IGNORECASE)
_ADDRESS: Final = re.compile(r"[^\s@<>\"(),:;\[\]\\]{1,64}@[^\s@<>\"(),:;\[\]\\]{1,190}")
_BROKERS: Final = (IN_MEMORY, "redis://", "rediss://", "amqp://", "amqps://")
_MAX_NAME: Final = 60
_WEB: Final = Endpoint("127.0.0.1", 8080)

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is set. What is or may hold a secret is not shown."""

    data_dir: Path
    database_url: str = field(repr=False)
    mail_domain: str | None = None
    site_url: str | None = None
    name: str | None = None
    secret: bytes | None = field(default=None, repr=False)
    relay: Server | None = None
    listen_smtp: Endpoint | None = None
    listen_lmtp: Endpoint | None = None
    listen_http: Endpoint | None = _WEB
    listen_metrics: Endpoint | None = None
    proxies: int = 0
    """How many proxies stand before the web pages."""
    mailbox: Server | None = None
    webhooks: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What each open way in over HTTP is checked with, by its name in small letters."""
    trust: Trust = "token+from"
    authserv_id: str | None = None
    director: str | None = None
    dkim_selector: str | None = None
    dkim_key_file: Path | None = None
    tls_cert_file: Path | None = None
    tls_key_file: Path | None = None
    broker_url: str = field(default=IN_MEMORY, repr=False)
    log_style: LogStyle = "console"
    alive_file: Path | None = None
    """What is touched while all is well."""


def read_settings(
    environ: Mapping[str, str] | None = None, *, is_serving: bool = False
) -> Settings:
    """The settings of an environment, by default that of this process.

    Raises ConfigError with every fault; where ``is_serving``, also with all that a server needs
    and is not set.
    """
    settings, faults = read_leniently(environ, is_serving=is_serving)
    if faults:
        raise ConfigError("; ".join(faults))
    return settings


def read_leniently(
    environ: Mapping[str, str] | None = None, *, is_serving: bool = False
) -> tuple[Settings, list[str]]:
    """What can be read of an environment, and every fault: for who looks for faults."""
    reader = _Reader(os.environ if environ is None else environ)
    settings = reader.settings()
    return settings, reader.faults + (reader.missing(settings) if is_serving else [])


class _Reader:
    """Reads one variable after the other and keeps the faults."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ, self.faults = with_files(environ)

    def settings(self) -> Settings:
        data_dir = self._data_dir()
        url = self._read("PBEM_DATABASE_URL", full_database_url)
        trust = self._one_of("PBEM_TRUST", TRUST_POLICIES, "token+from")
        log_style = self._one_of("PBEM_LOG", _LOG_STYLES, "console")
        settings = Settings(
            data_dir=data_dir,
            database_url=url or f"sqlite:///{data_dir / DATABASE_FILE}",
            mail_domain=self._read("PBEM_MAIL_DOMAIN", _domain),
            site_url=self._read("PBEM_SITE_URL", _site_url),
            name=self._read("PBEM_NAME", _name),
            secret=self._read("PBEM_SECRET", _secret),
            relay=self._read("PBEM_SMTP_URL", read_relay),
            listen_smtp=self._endpoint("PBEM_LISTEN_SMTP"),
            listen_lmtp=self._endpoint("PBEM_LISTEN_LMTP"),
            listen_http=self._endpoint("PBEM_LISTEN_HTTP", _WEB),
            listen_metrics=self._endpoint("PBEM_LISTEN_METRICS"),
            proxies=self._read("PBEM_PROXIES", _count) or 0,
            mailbox=self._read("PBEM_IMAP_URL", read_mailbox),
            webhooks=self._webhooks(),
            trust=cast(Trust, trust),
            authserv_id=self._read("PBEM_AUTHSERV_ID", _domain),
            director=self._read("PBEM_DIRECTOR", _address),
            dkim_selector=self._read("PBEM_DKIM_SELECTOR", _selector),
            dkim_key_file=self._read("PBEM_DKIM_KEY_FILE", _file),
            tls_cert_file=self._read("PBEM_TLS_CERT_FILE", _file),
            tls_key_file=self._read("PBEM_TLS_KEY_FILE", _file),
            broker_url=self._read("PBEM_BROKER_URL", _broker) or IN_MEMORY,
            log_style=cast(LogStyle, log_style),
            alive_file=self._read("PBEM_ALIVE_FILE", _file),
        )
        if self._is_set("PBEM_DKIM_SELECTOR") != self._is_set("PBEM_DKIM_KEY_FILE"):
            self.faults.append("PBEM_DKIM_SELECTOR and PBEM_DKIM_KEY_FILE must be set together")
        if self._is_set("PBEM_TLS_KEY_FILE") and not self._is_set("PBEM_TLS_CERT_FILE"):
            self.faults.append("PBEM_TLS_KEY_FILE needs PBEM_TLS_CERT_FILE")
        if settings.trust == "token+from+dmarc" and not self._is_set("PBEM_AUTHSERV_ID"):
            self.faults.append("PBEM_TRUST token+from+dmarc needs PBEM_AUTHSERV_ID")
        return settings

    def missing(self, settings: Settings) -> list[str]:
        """What a server needs and nobody has set, one sentence each."""
        needed = {
            "PBEM_MAIL_DOMAIN": "what stands right of the @ in our addresses",
            "PBEM_SITE_URL": "where the web pages are, as in https://play.example.org",
            "PBEM_SMTP_URL": "where mail goes out, as in smtp://localhost:25",
        }
        told = [
            f"{name} is not set: {what}" for name, what in needed.items() if not self._is_set(name)
        ]
        ways_in = ("PBEM_LISTEN_SMTP", "PBEM_LISTEN_LMTP", "PBEM_IMAP_URL")
        if not settings.webhooks and not any(map(self._is_set, ways_in)):
            told.append(
                "no way in is set: PBEM_LISTEN_SMTP, PBEM_LISTEN_LMTP, PBEM_IMAP_URL or"
                " PBEM_WEBHOOK_…; PBEM_LISTEN_SMTP=off if mail comes by pbem ingest"
            )
        return told

    def _is_set(self, name: str) -> bool:
        return bool(self.environ.get(name))

    def _read(self, name: str, read: Callable[[str], Read]) -> Read | None:
        given = self.environ.get(name)
        if not given:
            return None
        try:
            return read(given)
        except ConfigError as error:
            self.faults.append(f"{name} {error}")
            return None

    def _one_of(self, name: str, allowed: tuple[str, ...], usual: str) -> str:
        given = self.environ.get(name) or usual
        if given not in allowed:
            self.faults.append(f"{name} must be one of {', '.join(allowed)}")
        return given

    def _endpoint(self, name: str, usual: Endpoint | None = None) -> Endpoint | None:
        if self.environ.get(name, "").strip().lower() == OFF:
            return None
        return self._read(name, read_endpoint) or usual

    def _webhooks(self) -> dict[str, str]:
        prefix = "PBEM_WEBHOOK_"
        found = {
            name.removeprefix(prefix).lower(): value
            for name, value in self.environ.items()
            if name.startswith(prefix) and value
        }
        for name in sorted(found.keys() - set(WEBHOOKS)):
            known = ", ".join(f"{prefix}{each.upper()}" for each in WEBHOOKS)
            self.faults.append(f"{prefix}{name.upper()} is none of {known}")
        return found

    def _data_dir(self) -> Path:
        data_dir = _default_data_dir(self.environ)
        if given := self.environ.get("PBEM_DATA_DIR"):
            data_dir = Path(given).expanduser()
            if not data_dir.is_absolute():
                self.faults.append("PBEM_DATA_DIR must be an absolute path")
        if "?" in str(data_dir):
            self.faults.append(
                "PBEM_DATA_DIR must not have a ? in it: a database's address would end there"
            )
        return data_dir


def full_database_url(url: str) -> str:
    """A database's address with the driver we use. Raises ConfigError, never showing the address.

    SQLite without a file is refused: every connection would see a database of its own.
    """
    scheme, separator, rest = url.partition("://")
    driver = _DRIVERS.get(scheme.lower()) if separator else None
    if driver is None:
        raise ConfigError("must begin with postgresql:// or sqlite:///")
    path = rest.partition("?")[0]
    if driver == "sqlite" and (not path.startswith("/") or path in ("/", "/:memory:")):
        raise ConfigError("must name a file, as in sqlite:////var/lib/pbem/pbem.sqlite3")
    if driver != "sqlite" and path.count("@") > 1:
        # The first @ would end the password, and errors would show the rest of it as the host.
        raise ConfigError("must have %40 for an @ in a user's name or password")
    return f"{driver}://{rest}"


def _domain(text: str) -> str:
    lowered = text.strip().lower().rstrip(".")
    if len(lowered) > 190 or not _DOMAIN.fullmatch(lowered):
        raise ConfigError("must be a host's name, as play.example.org (xn--… for other letters)")
    return lowered


def _site_url(text: str) -> str:
    url = text.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or parts.query or parts.fragment or "@" in parts.netloc or not _is_plain(url):
        raise ConfigError("must be the address of the web pages, as https://play.example.org")
    return url


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and not set(text) & set(" <>\"'\\")


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name.isprintable() or not 1 <= len(name) <= _MAX_NAME:
        raise ConfigError(f"must have 1 to {_MAX_NAME} characters that can be seen")
    return name


def _secret(text: str) -> bytes:
    if len(text.strip()) < MIN_SECRET:
        raise ConfigError(f"must have at least {MIN_SECRET} characters")
    return text.strip().encode("utf-8", "surrogateescape")


def _address(text: str) -> str:
    address = text.strip()
    host = address.rpartition("@")[2]
    if not _ADDRESS.fullmatch(address) or not address.isprintable() or not host.isascii():
        raise ConfigError("must be a mail address, as ann@example.org, with its host as in DNS")
    return address


def _selector(text: str) -> str:
    if not _SELECTOR.fullmatch(text.strip()):
        raise ConfigError("must be a name as in DNS")
    return text.strip()


def _count(text: str) -> int:
    if text.strip() not in tuple("0123456789"):
        raise ConfigError("must be a number from 0 to 9")
    return int(text)


def _file(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.is_absolute():
        raise ConfigError("must be an absolute path")
    return path


def _broker(text: str) -> str:
    if not text.startswith(_BROKERS):
        raise ConfigError(f"must begin with one of {', '.join(_BROKERS)}")
    return text


def _default_data_dir(environ: Mapping[str, str]) -> Path:
    home = Path(environ.get("HOME") or Path.home())
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pbem"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "pbem"
    return Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "pbem"
