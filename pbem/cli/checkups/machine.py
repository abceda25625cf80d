"""This machine: settings, the secret, certificates, the disk, and what time it is."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from pbem.bootstrap import SECRET_FILE, get_secret
from pbem.broker import is_shared
from pbem.cli.checkups.findings import Finding, fault, ok, warning
from pbem.config import Settings
from pbem.errors import ConfigError

LITTLE_SPACE: Final = 1 << 30
NO_SPACE: Final = 200 << 20
DRIFT: Final = 2.0
"""Seconds by which clocks may differ."""
BAD_DRIFT: Final = 60.0
OLD_ZONES: Final = 2
"""Years after which rules of time zones are old."""
_SOON: Final = timedelta(days=14)


def check_settings(faults: Sequence[str]) -> Iterator[Finding]:
    """Everything that is set, and what is missing."""
    for said in faults:
        yield fault("settings", said, "docs/operations.md has all of them")
    if not faults:
        yield ok("settings", "all that a server needs is set")


def check_web(settings: Settings) -> Iterator[Finding]:
    """What the settings say about the pages, taken together."""
    site, listen = settings.site_url, settings.listen_http
    if site is None or listen is None:
        return
    if site.startswith("http://") and not _is_local(site):
        yield warning(
            "web", f"{site} has no TLS", "let a proxy do TLS, and begin PBEM_SITE_URL with https://"
        )
    elif site.startswith("https://") and not settings.proxies:
        yield warning(
            "web",
            "pages have TLS, so a proxy stands before them, but none is counted",
            "set PBEM_PROXIES=1, or all visitors share one limit",
        )
    else:
        yield ok("web", f"{site}, listening at {listen}")


def _is_local(site: str) -> bool:
    return site.startswith(("http://localhost", "http://127.", "http://[::1]"))


def check_secret(settings: Settings) -> Finding:
    """What tokens and links are made from."""
    if settings.secret is not None:
        return ok("secret", "set in the environment")
    file = settings.data_dir / SECRET_FILE
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
    except FileNotFoundError:
        return ok("secret", f"{file} will be made on first use")
    except OSError as error:
        return fault("secret", f"{file}: {error.strerror}", "let this user read it")
    if mode & 0o077:
        return fault("secret", f"others can read {file}", f"chmod 600 {file}")
    return _check_kept_secret(settings, file)


def _check_kept_secret(settings: Settings, file: Path) -> Finding:
    try:
        get_secret(settings)
    except ConfigError as error:
        return fault("secret", str(error), "restore it from a backup, or remove it for a new one")
    if is_shared(settings.broker_url):
        return warning(
            "secret", f"in {file}", "set PBEM_SECRET to it wherever a process of this server runs"
        )
    return ok("secret", f"in {file}, for nobody else to read")


def check_certificate(settings: Settings, now: datetime) -> Iterator[Finding]:
    """The certificate of the SMTP listener, if it has one."""
    from cryptography import x509  # noqa: PLC0415 - most servers have none

    file = settings.tls_cert_file
    if file is None:
        return
    try:
        until = x509.load_pem_x509_certificate(file.read_bytes()).not_valid_after_utc
    except (OSError, ValueError) as error:
        yield fault("certificate", f"{file}: {error}", "PBEM_TLS_CERT_FILE must name a PEM file")
        return
    said = f"good until {until:%Y-%m-%d}"
    if until <= now:
        yield fault("certificate", f"was {said}", "renew it")
    elif until <= now + _SOON:
        yield warning("certificate", said, "renew it")
    else:
        yield ok("certificate", said)


def check_disk(settings: Settings) -> Finding:
    """Where the server keeps its files."""
    folder = _nearest(settings.data_dir)
    if not os.access(folder, os.W_OK):
        return fault("disk", f"{folder} cannot be written", "let this user write there")
    free = shutil.disk_usage(folder).free
    room = f"{free >> 20} MiB" if free < LITTLE_SPACE else f"{free / (1 << 30):.1f} GiB"
    said = f"{room} free at {settings.data_dir}"
    if free < NO_SPACE:
        return fault("disk", said, "make room: nothing can be stored soon")
    if free < LITTLE_SPACE:
        return warning("disk", said, "make room")
    return ok("disk", said)


def _nearest(folder: Path) -> Path:
    """The folder, or the first one above that is there."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def check_times(settings: Settings, database_now: datetime | None) -> Iterator[Finding]:
    """The clock of this machine against those of the database and of the file system."""
    now = datetime.now(UTC)
    if database_now is not None:
        yield _compare("time of the database", (database_now - now).total_seconds())
    folder = _nearest(settings.data_dir)
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as made:
            written = os.stat(made.fileno()).st_mtime
            yield _compare("time of the disk", written - time.time())
    except OSError as error:
        yield warning("time of the disk", str(error), f"let this user write in {folder}")


def _compare(name: str, seconds: float) -> Finding:
    if abs(seconds) <= DRIFT:
        return ok(name, "as here")
    said = f"{abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'} this machine"
    advice = "set both clocks by NTP: deadlines and signatures follow them"
    if abs(seconds) > BAD_DRIFT:
        return fault(name, said, advice)
    return warning(name, said, advice)


def check_zones(now: datetime) -> Finding:
    """The rules of time zones, by which quiet hours and leaves are reckoned."""
    try:
        version = importlib.metadata.version("tzdata")
    except importlib.metadata.PackageNotFoundError:
        return warning("time zones", "only those of the system", "pip install tzdata")
    year = version.partition(".")[0]
    if year.isdigit() and now.year - int(year) > OLD_ZONES:
        return warning("time zones", f"rules of {version}", "pip install --upgrade tzdata")
    return ok("time zones", f"rules of {version}")
