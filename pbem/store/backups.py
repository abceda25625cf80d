"""Copies of the whole store, made while it is in use, and stores made from copies.

A copy is one file, as of one instant: of SQLite a database, of PostgreSQL what ``pg_dump`` writes.
It is named only when it is whole, and replaces nothing. It holds addresses and what is secret in
games, but not the server's secret (PBEM_SECRET).
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Engine, inspect

from pbem.errors import ConfigError, StoreConflictError, StoreError, StoreUnavailableError
from pbem.store.database import file_of
from pbem.store.driver_errors import ours
from pbem.store.revisions import find_revision

_SQLITE_MARK: Final = b"SQLite format 3\x00"
_POSTGRES_MARK: Final = b"PGDMP"
_SIDE_FILES: Final = ("-wal", "-shm", "-journal")
_PASSED_OVER: Final = 100_000
"""Numbers that are not given after a restore: players who joined since the copy was made had some
of them, and their links must not lead to others."""


def back_up(engine: Engine, file: Path) -> None:
    """Copy a store to a new file. Raises StoreError, ConfigError."""
    if file.exists():
        raise StoreConflictError(f"{file} is there already")
    if find_revision(engine) is None:
        raise StoreUnavailableError("there is nothing to back up: the database has no tables")
    source = file_of(engine.url)
    with _made_whole(file) as made:
        if source is not None:
            _copy_sqlite(source, made)
            _check_sqlite(made)
        else:
            _run("pg_dump", engine.url, "--format=custom", f"--file={made}")
            # It reads the copy through to its end.
            _run("pg_restore", None, "--format=custom", f"--file={os.devnull}", str(made))


def restore(engine: Engine, file: Path) -> None:
    """Fill an empty store from a copy, all of it or nothing. Raises StoreError, ConfigError."""
    mark, target = _read_mark(file), file_of(engine.url)
    wanted = _POSTGRES_MARK if target is None else _SQLITE_MARK
    if not mark.startswith(wanted):
        raise StoreConflictError(f"{file} is not a copy of such a database")
    _check_empty(engine, target)
    if target is None:
        options = ("--single-transaction", "--exit-on-error")
        _run("pg_restore", engine.url, *options, str(file))
        with engine.begin() as connection:
            connection.exec_driver_sql(
                "SELECT setval("
                "(quote_ident(schemaname) || '.' || quote_ident(sequencename))::regclass,"
                f" coalesce(last_value, 0) + {_PASSED_OVER})"
                " FROM pg_sequences WHERE schemaname = current_schema()"
            )
        return
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailableError(f"{target.parent}: {error.strerror}") from None
    target.unlink(missing_ok=True)  # it has no tables
    with _made_whole(target) as made:
        _copy_sqlite(file, made)
        _check_sqlite(made)
        with _opened(made) as link:
            link.execute("UPDATE sqlite_sequence SET seq = seq + ?", (_PASSED_OVER,))
            link.commit()


def _read_mark(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(len(_SQLITE_MARK))
    except OSError as error:
        raise StoreUnavailableError(f"{file}: {error.strerror}") from None


def _check_empty(engine: Engine, target: Path | None) -> None:
    """Raises StoreConflictError if there is anything that a restore would mix with or replace."""
    if target is None or target.exists():
        with engine.connect() as connection:
            tables = inspect(connection).get_table_names()
        if tables:
            raise StoreConflictError(
                f"the database is not empty ({len(tables)} tables): restore into a new one"
            )
        engine.dispose()
    if target is not None:
        beside = [f"{target}{end}" for end in _SIDE_FILES if os.path.exists(f"{target}{end}")]
        if beside:
            # SQLite would write them into whatever is put in the old file's place.
            raise StoreConflictError(f"{', '.join(beside)} belongs to another database: move it")


@contextmanager
def _made_whole(file: Path) -> Iterator[Path]:
    """A place to write to, for nobody else to read; it gets its name when it is written and on the
    disk, unless another has that name meanwhile."""
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
        os.close(handle)
    except OSError as error:
        raise StoreUnavailableError(f"{file.parent}: {error.strerror}") from None
    made = Path(name)
    try:
        yield made
        _sync(made)
        os.link(made, file)
        _sync(file.parent)
    except FileExistsError:
        raise StoreConflictError(f"{file} is there already") from None
    except OSError as error:
        raise StoreUnavailableError(f"{file}: {error.strerror}") from None
    finally:
        for end in ("", *_SIDE_FILES):
            Path(f"{made}{end}").unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(file, timeout=30.0)) as link:
            yield link
    except sqlite3.Error as error:
        raise ours(error) from error


def _copy_sqlite(source: Path, target: Path) -> None:
    """All pages in one step: as of one instant, while others go on writing."""
    with _opened(source) as from_, _opened(target) as to:
        from_.backup(to)
        to.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it


def _check_sqlite(file: Path) -> None:
    with _opened(file) as link:
        told = [row[0] for row in link.execute("PRAGMA integrity_check(1)")]
    if told != ["ok"]:
        raise StoreError(f"the copy is damaged: {told[0]}")


def _run(name: str, url: URL | None, *options: str) -> None:
    """Run one of PostgreSQL's programs. Its password is in nobody's list of processes."""
    program = shutil.which(name)
    if program is None:
        raise ConfigError(f"{name} is not installed: it comes with PostgreSQL's client programs")
    command = [program, "--no-owner", "--no-privileges", *options]
    environ = dict(os.environ)
    if url is not None:
        bare = url.set(drivername="postgresql", password=None)
        command += [f"--dbname={bare.render_as_string(hide_password=False)}", "--no-password"]
        if url.password is not None:
            environ["PGPASSWORD"] = url.password
    done = subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise StoreUnavailableError(f"{name}: {said[0] if said else done.returncode}")


def forget_old(directory: Path, pattern: str, keep: int) -> list[Path]:
    """Remove all but the newest copies of a directory, by their names; those that were removed."""
    old = sorted(directory.glob(pattern))[:-keep]
    for file in old:
        with suppress(FileNotFoundError):
            file.unlink()
    return old
