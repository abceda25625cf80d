"""What the queries of every topic share: the connection in its transaction, and how it is lost.

A transaction in which anything failed is *spoiled*: it can only be undone. PostgreSQL would answer
its COMMIT with success and keep nothing, and SQLite would keep the half that worked.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.dialects import postgresql, sqlite

from pbem.errors import StoreConflictError

SPOILED: Final = "pbem_spoiled"
"""Set in a connection's ``info`` once something has failed."""

Insert = postgresql.Insert | sqlite.Insert


class Transaction:
    """One open transaction of either database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name

    def _conflict(self, reason: str) -> StoreConflictError:
        """An error to raise: what was to be stored contradicts what is there."""
        self._connection.info[SPOILED] = True
        return StoreConflictError(reason)

    def _change_one(self, statement: Executable, values: dict[str, Any], what: str) -> None:
        """Change exactly one row. Raises StoreConflictError when there is none."""
        if self._connection.execute(statement, values).rowcount != 1:
            raise self._conflict(what)


def inserts(table: Table) -> dict[str, Insert]:
    """An INSERT by the name of the database, to be told what to do if the row is there already."""
    return {"postgresql": postgresql.insert(table), "sqlite": sqlite.insert(table)}
