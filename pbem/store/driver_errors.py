"""What the drivers raise, told as errors of ours.

Callers need to know only whether to try again, to call for help, or to look for a fault in the
program. The codes are SQLite's result codes and PostgreSQL's SQLSTATEs.
"""

from __future__ import annotations

import sqlite3
from typing import Final

import psycopg

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
    elif isinstance(error, psycopg.Error):
        state = error.sqlstate or ""
        kind = next(
            (_POSTGRESQL[p] for p in (state, state[:3], state[:2]) if p in _POSTGRESQL), kind
        )
        if isinstance(error, psycopg.DataError):
            kind = UnstorableError
        if not state and isinstance(error, psycopg.OperationalError):
            kind = StoreUnavailableError
    elif isinstance(error, OverflowError):
        kind = UnstorableError
    if lost and kind is StoreError:
        kind = StoreUnavailableError
    return kind(_told(error) or type(error).__name__)


def _told(error: BaseException) -> str:
    """What the driver says, without the row at fault: that may hold what nobody is to read."""
    said = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    return (said or str(error)).strip()
