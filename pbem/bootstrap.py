"""Puts the parts together: settings, store and true randomness become the surroundings of play,
settings and the secret become the post office.
"""

from __future__ import annotations

import ctypes
import gc
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from pbem.config import MIN_SECRET, Settings, read_settings
from pbem.diagrams.for_mail import MailDrawings
from pbem.errors import ConfigError
from pbem.mail.keys import Keys
from pbem.mail.office import Office
from pbem.play.ports import Surroundings
from pbem.store.database import open_store

SECRET_FILE: Final = "secret"
_SECRET_BYTES: Final = 32
_M_ARENA_MAX: Final = -8
_M_MMAP_THRESHOLD: Final = -3
_LARGE: Final = 256 << 10
_YOUNG: Final = 2000
"""New things after which those are looked for that only hold each other. Of ours few do: what a
mail is made of is gone with it."""


def settle_memory() -> None:
    """Tell the garbage collector that what is loaded stays: it need not look through it again.

    And the C library that threads are to share what is free: of the many we have each would keep
    some megabytes for itself, for no more speed while one lock lets only one of them run. What is
    as large as a picture goes back to the system at once, and leaves no gaps between small things.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG)
    with suppress(OSError, AttributeError):  # not glibc
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)


@contextmanager
def open_surroundings(settings: Settings | None = None) -> Iterator[Surroundings]:
    """The surroundings of this process. Raises PbemError when the store cannot be used."""
    store = open_store((settings or read_settings()).database_url)
    settle_memory()
    try:
        yield Surroundings(store, secrets.token_bytes)
    finally:
        store.dispose()


def make_office(settings: Settings) -> Office:
    """This server's post office. Raises ConfigError if its names are not set."""
    if settings.mail_domain is None or settings.site_url is None:
        names = {"PBEM_MAIL_DOMAIN": settings.mail_domain, "PBEM_SITE_URL": settings.site_url}
        missing = [name for name, value in names.items() if value is None]
        raise ConfigError(f"{' and '.join(missing)} must be set")
    office = Office(
        domain=settings.mail_domain,
        site_url=settings.site_url,
        keys=Keys(get_secret(settings)),
        trust=settings.trust,
        authserv_id=settings.authserv_id,
        director=settings.director,
        drawings=MailDrawings(),
    )
    return office if settings.name is None else replace(office, name=settings.name)


def get_secret(settings: Settings) -> bytes:
    """The secret that is set, or that of the data directory, which is made on first use.

    The file is text, so that it can be copied into PBEM_SECRET. Raises ConfigError.
    """
    if settings.secret is not None:
        return settings.secret
    file = settings.data_dir / SECRET_FILE
    try:
        if not file.exists():
            _make_secret(file)
        secret = file.read_bytes().strip()
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from None
    if len(secret) < MIN_SECRET:
        raise ConfigError(f"{file} must have at least {MIN_SECRET} characters")
    return secret


def find_secret(settings: Settings) -> bytes | None:
    """The secret, for whoever only looks: None if it has not been made yet. Raises ConfigError."""
    is_there = settings.secret is not None or os.path.exists(settings.data_dir / SECRET_FILE)
    return get_secret(settings) if is_there else None


def _make_secret(file: Path) -> None:
    """Whole or not at all; of several processes that make it at once, one wins."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{SECRET_FILE}-")  # mode 0600
    made = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(secrets.token_hex(_SECRET_BYTES) + "\n")
            opened.flush()
            os.fsync(opened.fileno())
        with suppress(FileExistsError):
            os.link(made, file)  # unlike a renaming it never replaces what is there
    finally:
        made.unlink(missing_ok=True)
