"""How statements reach a database: on SQLite one after the other, on PostgreSQL together.

A line belongs to one connection of a driver and is kept with it. It does without what SQLAlchemy
and the drivers do for any statement of anybody: ours are few, and known (``prepared``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import Connection

from pbem.store.prepared import Prepared

_LINE: Final = "pbem_line"
"""In the ``info`` of a connection: its line."""

COMMIT: Final = "COMMIT"
"""The end of a transaction, as a statement."""

Statement = tuple[Prepared, Sequence[Any]]
"""With its values, in their order."""


class Ran(NamedTuple):
    """What a statement has brought."""

    rows: list[tuple[Any, ...]]
    changed: int
    """How many rows it has written."""


class Line(Protocol):
    """The way to a database."""

    @property
    def driver(self) -> object:
        """Whose connection it is."""

    @property
    def is_idle(self) -> bool:
        """Whether no transaction is under way."""

    @property
    def is_lost(self) -> bool:
        """Whether nothing more can be asked."""

    def run(self, statements: Sequence[Statement]) -> list[Ran]:
        """Run statements in their order, within the transaction. Raises the driver's errors, and
        then none behind the one that failed was run."""


class SqliteLine:
    """The way to a file."""

    def __init__(self, driver: sqlite3.Connection) -> None:
        self.driver = driver

    @property
    def is_idle(self) -> bool:
        """Whether no transaction is under way."""
        return not self.driver.in_transaction

    @property
    def is_lost(self) -> bool:
        """Whether nothing more can be asked."""
        return False

    def run(self, statements: Sequence[Statement]) -> list[Ran]:
        """Each is read to its end: before that it cannot be used again."""
        ran = []
        for prepared, values in statements:
            cursor = self.driver.execute(prepared.text, values)
            ran.append(Ran(cursor.fetchall(), cursor.rowcount))
        return ran


def line_of(connection: Connection) -> Line:
    """The line of a connection; the same one each time."""
    driver: Any = connection.connection.driver_connection
    line: Line | None = connection.info.get(_LINE)
    if line is None or line.driver is not driver:
        line = connection.info[_LINE] = _lay(driver)
    return line


def _lay(driver: Any) -> Line:
    if isinstance(driver, sqlite3.Connection):
        return SqliteLine(driver)
    # PostgreSQL's driver is loaded only where there is PostgreSQL.
    from pbem.store.pipeline import Pipeline  # noqa: PLC0415

    return Pipeline(driver)
