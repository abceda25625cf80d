"""The real store on either database, but without waiting for the disk.

What must be on the disk when is tested with the store; for the use cases a commit only has to be
one.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import event, text

from pbem.store.columns import Row
from pbem.store.database import SqlStore, open_store
from tests.databases import emptying

Contents = dict[str, list[tuple[Any, ...]]]


class HastyStore(SqlStore):
    """A store whose commits do not wait, and which can be looked into as a whole."""

    @classmethod
    def open(cls, url: str) -> HastyStore:
        opened = open_store(url)
        opened.dispose()
        event.listen(opened._engine, "connect", _hurry)
        return cls(opened._engine, opened._reading)

    def contents(self) -> Contents:
        """Everything that is stored, by table."""
        with self._reading.connect() as connection:
            return {
                table.name: sorted(map(tuple, connection.execute(table.select())), key=repr)
                for table in Row.metadata.sorted_tables
            }

    def empty(self) -> None:
        """Forget everything."""
        with self._engine.begin() as connection:
            for statement in emptying(connection.dialect.name):
                connection.execute(text(statement))

    def change(self, statement: Any) -> int:
        """Change rows behind the back of the use cases; how many there were."""
        with self._engine.begin() as connection:
            return connection.execute(statement).rowcount


def _hurry(driver: Any, record: object) -> None:
    if hasattr(driver, "cursor_factory"):
        with driver.cursor() as cursor:
            cursor.execute("SET synchronous_commit = off")
        driver.commit()
    else:
        driver.execute("PRAGMA synchronous = OFF")
