"""What the operator sets, read from the environment once and passed on as one plain value.

``PBEM_DATA_DIR``
    Where the server keeps its files. By default the user's own data directory.
``PBEM_DATABASE_URL``
    ``postgresql://…`` or ``sqlite:///…``. By default a SQLite file in the data directory.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem.errors import ConfigError

DATABASE_FILE: Final = "pbem.sqlite3"
_DRIVERS: Final = {
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is set. The database's address may hold a password, so it is not shown."""

    data_dir: Path
    database_url: str = field(repr=False)


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of an environment, by default that of this process. Raises ConfigError."""
    environ = os.environ if environ is None else environ
    faults = []
    data_dir = _default_data_dir(environ)
    if given := environ.get("PBEM_DATA_DIR"):
        data_dir = Path(given).expanduser()
        if not data_dir.is_absolute():
            faults.append("PBEM_DATA_DIR must be an absolute path")
    if "?" in str(data_dir):
        faults.append("PBEM_DATA_DIR must not have a ? in it: a database's address would end there")
    database_url = f"sqlite:///{data_dir / DATABASE_FILE}"
    if given := environ.get("PBEM_DATABASE_URL"):
        try:
            database_url = full_database_url(given)
        except ConfigError as error:
            faults.append(f"PBEM_DATABASE_URL {error}")
    if faults:
        raise ConfigError("; ".join(faults))
    return Settings(data_dir=data_dir, database_url=database_url)


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


def _default_data_dir(environ: Mapping[str, str]) -> Path:
    home = Path(environ.get("HOME") or Path.home())
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pbem"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "pbem"
    return Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "pbem"
