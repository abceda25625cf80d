"""``pbem db``: the tables of the database, and copies of all of it. What is in them is other
commands' work."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pbem.cli.inputs import showing_errors
from pbem.config import read_settings
from pbem.errors import SchemaError, StoreUnavailableError

if TYPE_CHECKING:
    from sqlalchemy import Engine

# The store is imported where it is used: every other command would wait for it.

_LOOK: Final = 2.0
"""Seconds between two looks whether the tables fit."""


@click.group()
def db() -> None:
    """The database: its tables and their health.

    It is a file in PBEM_DATA_DIR, or what PBEM_DATABASE_URL names.
    """


@db.command()
def upgrade() -> None:
    """Bring the tables to what this program needs. All of it happens, or nothing."""
    from pbem.store import revisions, schema  # noqa: PLC0415

    with _engine() as engine:
        before = revisions.find_revision(engine)
        schema.upgrade(engine)
        after = revisions.find_revision(engine)
        if before == after:
            click.echo(f"The database is at revision {after} already.")
        else:
            click.echo(f"The database went from {before or 'nothing'} to revision {after}.")


@db.command()
@click.option("--wait", type=click.IntRange(0), default=0, help="Seconds to wait until it is.")
def current(wait: int) -> None:
    """Show the revision of the tables; exit code 1 if it is not the one needed."""
    from pbem.store import revisions  # noqa: PLC0415

    with _engine() as engine:
        until = time.monotonic() + wait
        while time.monotonic() < until:
            try:
                revisions.check_schema(engine)
                break
            except (SchemaError, StoreUnavailableError):
                time.sleep(_LOOK)
        click.echo(revisions.find_revision(engine) or "no tables yet")
        revisions.check_schema(engine)


@db.command()
def check() -> None:
    """Compare every table with what this program needs, and look for damage."""
    from pbem.store import revisions, schema  # noqa: PLC0415

    with _engine() as engine:
        revisions.check_schema(engine)
        faults = schema.find_differences(engine) + schema.find_damage(engine)
        for fault in faults:
            click.echo(fault)
        if faults:
            raise click.ClickException(f"{len(faults)} faults.")
        click.echo(f"All tables of revision {revisions.newest_revision()} are as they should be.")


@db.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keep", type=click.IntRange(1), help="Of a directory, keep so many copies.")
def backup(file: Path, keep: int | None) -> None:
    """Copy everything to a new FILE while the server runs, as of one instant.

    Into a directory it gets a name with the time in it. PostgreSQL is copied by its own pg_dump.
    Keep a copy of the server's secret as well: it is not in there.
    """
    from pbem.store import backups  # noqa: PLC0415

    is_directory = file.is_dir()
    if keep is not None and not is_directory:
        advice = "Name a directory." if file.exists() else "Make it first, or name another."
        raise click.UsageError(f"{file} is no directory, and --keep needs one. {advice}")
    with _engine() as engine:
        ending = "sqlite3" if engine.dialect.name == "sqlite" else "dump"
        made = file / f"pbem-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.{ending}" if is_directory else file
        backups.back_up(engine, made)
        click.echo(f"{made}: {made.stat().st_size} bytes")
        if keep is not None:
            for old in backups.forget_old(file, f"pbem-*Z.{ending}", keep):
                click.echo(f"{old}: removed")


@db.command()
@click.argument("file", type=click.Path(path_type=Path))
def restore(file: Path) -> None:
    """Fill an empty database from a copy made by "pbem db backup".

    Nothing may be there: a store that is in use is never replaced. Then look at it with "pbem db
    check" and "pbem verify --all" before the server starts.
    """
    from pbem.store import backups, revisions  # noqa: PLC0415

    with _engine() as engine:
        backups.restore(engine, file)
        click.echo(f"Restored revision {revisions.find_revision(engine)} from {file}.")
        try:
            revisions.check_schema(engine)
        except SchemaError as error:
            click.echo(f"Note: {error}")


@contextmanager
def _engine() -> Iterator[Engine]:
    from pbem.store.database import make_engine  # noqa: PLC0415

    with showing_errors():
        engine = make_engine(read_settings().database_url)
        try:
            yield engine
        finally:
            engine.dispose()
