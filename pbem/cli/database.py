"""``pbem db``: the tables of the database. What is in them is other commands' work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from pbem.cli.inputs import showing_errors
from pbem.config import read_settings

if TYPE_CHECKING:
    from sqlalchemy import Engine

# The store is imported where it is used: every other command would wait for it.


@click.group()
def db() -> None:
    """The database: its tables and their health.

    It is a file in PBEM_DATA_DIR, or what PBEM_DATABASE_URL names.
    """


@db.command()
def upgrade() -> None:
    """Bring the tables to what this program needs. All of it happens, or nothing."""
    from pbem.store import schema  # noqa: PLC0415

    with _engine() as engine:
        before = schema.find_revision(engine)
        schema.upgrade(engine)
        after = schema.find_revision(engine)
        if before == after:
            click.echo(f"The database is at revision {after} already.")
        else:
            click.echo(f"The database went from {before or 'nothing'} to revision {after}.")


@db.command()
def current() -> None:
    """Show the revision of the tables; exit code 1 if it is not the one needed."""
    from pbem.store import schema  # noqa: PLC0415

    with _engine() as engine:
        click.echo(schema.find_revision(engine) or "no tables yet")
        schema.check_schema(engine)


@db.command()
def check() -> None:
    """Compare every table with what this program needs, and look for damage."""
    from pbem.store import schema  # noqa: PLC0415

    with _engine() as engine:
        schema.check_schema(engine)
        faults = schema.find_differences(engine) + schema.find_damage(engine)
        for fault in faults:
            click.echo(fault)
        if faults:
            raise click.ClickException(f"{len(faults)} faults.")
        click.echo(f"All tables of revision {schema.newest_revision()} are as they should be.")


@contextmanager
def _engine() -> Iterator[Engine]:
    from pbem.store.database import make_engine  # noqa: PLC0415

    with showing_errors():
        engine = make_engine(read_settings().database_url)
        try:
            yield engine
        finally:
            engine.dispose()
