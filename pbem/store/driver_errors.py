"""What the drivers raise, told as errors of ours.

Callers need to know only whether to try again, to call for help, or to look for a fault in the
program. The codes are SQLite's result codes and PostgreSQL's SQLSTATEs.
"""

from __future__ import annotations

import sqlite3
import sys
from types import ModuleType
from typing import Any, Final

from pbem.errors import (
    StoreBusyError,
    StoreConflictError,
    StoreError,
    StoreUnavailableError,
    UnstorableError,
)

_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: StoreBusyError,
    sqlite3.SQLITE_LOCKED: StoreBusyError,
    sqlite3.SQLITE_PERM: StoreUnavailableError,
    sqlite3.SQLITE_NOMEM: StoreUnavailableError,
    sqlite3.SQLITE_READONLY: StoreUnavailableError,
    sqlite3.SQLITE_IOERR: StoreUnavailableError,
    sqlite3.SQLITE_CORRUPT: StoreUnavailableError,
    sqlite3.SQLITE_FULL: StoreUnavailableError,
    sqlite3.SQLITE_CANTOPEN: StoreUnavailableError,
    sqlite3.SQLITE_NOTADB: StoreUnavailableError,
    sqlite3.SQLITE_CONSTRAINT: StoreConflictError,
    sqlite3.SQLITE_TOOBIG: UnstorableError,
    sqlite3.SQLITE_MISMATCH: UnstorableError,
}

_POSTGRESQL: Final = {
    "57014": StoreBusyError,  # a statement took too long
    "55P03": StoreBusyError,  # a lock took too long
    "26000": StoreBusyError,  # a prepared statement is not known any more; now it is made again
    "0A000": StoreBusyError,  # or it was prepared for tables that have changed since
    "40": StoreBusyError,  # deadlock, serialization
    "08": StoreUnavailableError,  # connection
    "28": StoreUnavailableError,  # not let in
    "3D": StoreUnavailableError,  # no such database
    "25006": StoreUnavailableError,  # reading only
    "25P03": StoreUnavailableError,  # the transaction stood idle too long
    "53": StoreUnavailableError,  # disk full, too many connections
    "57P": StoreUnavailableError,  # being shut down
    "58": StoreUnavailableError,  # the operating system
    "XX": StoreUnavailableError,  # corrupted
    "23": StoreConflictError,  # a constraint
    "22": UnstorableError,  # a value that does not fit
}


def ours(error: BaseException, *, lost: bool = False) -> StoreError:
    """The error of ours for one of a driver; ``lost`` if the connection went with it."""
    kind: type[StoreError] = StoreError
    if isinstance(error, sqlite3.Error):
        # Errors the driver finds by itself have no code: those of use are faults in the program.
        code = getattr(error, "sqlite_errorcode", 0)
        kind = _SQLITE.get(code & 0xFF, StoreError)
    elif _is_of_psycopg(error, "Error"):
        state = getattr(error, "sqlstate", None) or ""
        kind = next(
            (_POSTGRESQL[p] for p in (state, state[:3], state[:2]) if p in _POSTGRESQL), kind
        )
        if _is_of_psycopg(error, "DataError"):
            kind = UnstorableError
        if not state and _is_of_psycopg(error, "OperationalError"):
            kind = StoreUnavailableError
    elif isinstance(error, (OverflowError, UnicodeError)):
        kind = UnstorableError
    if lost and kind is StoreError:
        kind = StoreUnavailableError
    return kind(_told(error) or type(error).__name__)


def _told(error: BaseException) -> str:
    """What the driver says, without the row at fault: that may hold what nobody is to read."""
    diagnosis: Any = getattr(error, "diag", None) if _is_of_psycopg(error, "Error") else None
    said = None if diagnosis is None else diagnosis.message_primary
    return (said or str(error)).strip()


def _is_of_psycopg(error: BaseException, kind: str) -> bool:
    """Whether PostgreSQL's driver has raised it, which is loaded only where there is PostgreSQL."""
    psycopg: ModuleType | None = sys.modules.get("psycopg")
    return psycopg is not None and isinstance(error, getattr(psycopg, kind))
