"""Settings that are secret may come from files: ``PBEM_SECRET_FILE`` names one that holds what
``PBEM_SECRET`` would.

That is how containers and systemd hand secrets over: what is in the environment of a process is
seen by more people than a file for it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pbem.errors import ConfigError

SECRETS: Final = (
    "PBEM_SECRET",
    "PBEM_DATABASE_URL",
    "PBEM_SMTP_URL",
    "PBEM_IMAP_URL",
    "PBEM_BROKER_URL",
    "PBEM_WEBHOOK_RAW",
    "PBEM_WEBHOOK_MAILGUN",
    "PBEM_WEBHOOK_POSTMARK",
    "PBEM_WEBHOOK_SENDGRID",
    "PBEM_WEBHOOK_SES",
)
"""What may be set by a file: all that is secret, or may have a password in it."""

_SUFFIX: Final = "_FILE"
_MOST: Final = 64 << 10


def with_files(environ: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """An environment with the contents of all such files in it, and every fault.

    A fault names the variable and never shows what was read.
    """
    found, faults = dict(environ), []
    for name in SECRETS:
        given = found.pop(name + _SUFFIX, "")
        if not given:
            continue
        if found.get(name):
            faults.append(f"{name} and {name}{_SUFFIX} must not both be set")
            continue
        try:
            found[name] = _read(Path(given))
        except ConfigError as error:
            faults.append(f"{name}{_SUFFIX} {error}")
    return found, faults


def _read(file: Path) -> str:
    """What is in a file, without the white space around it. Raises ConfigError."""
    if not file.is_absolute():
        raise ConfigError("must be an absolute path")
    try:
        with file.open("rb") as opened:
            text = opened.read(_MOST + 1).decode("utf-8").strip()
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError("must name a file of text") from None
    if not text or len(text) > _MOST:
        raise ConfigError("must name a file that is neither empty nor long")
    return text
