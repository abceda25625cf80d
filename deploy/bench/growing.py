"""Many stored games: a store is filled up with copies of its own, by the database itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import psycopg

TABLES = ("games", "seats", "log_entries", "requests", "notices", "letters")
"""Those in which a game has rows, each after those it refers to."""

_RENAMED = {
    "games": ("id",),
    "notices": ("game_id", "cause", "message_id"),
    "letters": ("game_id", "message_id", "token_hash"),
}
_NUMBERED = ("notices", "letters")
"""Those whose rows get a number from the database."""


def grow_sqlite(file: str, copies: int) -> None:
    """Every game in it, so many times more."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA foreign_keys=OFF")
    connection.execute("BEGIN IMMEDIATE")
    numbers = (
        "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
        f" WHERE n < {copies}) SELECT n FROM c) AS n"
    )

    def columns(table: str) -> list[str]:
        found = connection.execute(f"SELECT * FROM {table} LIMIT 0").description
        return [each[0] for each in found]

    _grow(connection.execute, columns, numbers)
    connection.execute("COMMIT")
    connection.execute("ANALYZE")
    connection.close()


def grow_postgresql(url: str, copies: int) -> None:
    """Every game in it, so many times more."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")

        def columns(table: str) -> list[str]:
            found = connection.execute(f"SELECT * FROM {table} LIMIT 0".encode()).description
            return [each.name for each in found or ()]

        _grow(
            lambda statement: connection.execute(statement.encode()),
            columns,
            f"generate_series(1, {copies}) AS n(n)",
        )
        connection.execute("VACUUM ANALYZE")


ARCHIVE_TABLES = (
    ("archived_games", "id"),
    ("archived_records", "game"),
    ("archived_positions", "game"),
    ("archived_patterns", "game"),
)
"""Those in which an archived game has rows, with the column that holds its number."""


def grow_archive(url: str, copies: int) -> None:
    """Every archived game, so many times more, by other numbers and digests."""
    if url.startswith("sqlite"):
        file = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        file.execute("PRAGMA synchronous=OFF")
        file.execute("BEGIN IMMEDIATE")
        _grow_archive(file.execute, copies)
        file.execute("COMMIT")
        file.execute("ANALYZE")
        file.close()
        return
    with psycopg.connect(url, autocommit=True) as server:
        _grow_archive(lambda statement: server.execute(statement.encode()), copies)
        server.execute("VACUUM ANALYZE")


def crowd_position(url: str, key: int) -> None:
    """Have every archived game come to one position too, with its own first order."""
    statement = (
        "INSERT INTO archived_positions (key, is_open, next_order, score, game, ply) "
        f"SELECT {key}, is_open, next_order, score, game, 0 FROM archived_positions WHERE ply = 1"
    )
    if url.startswith("sqlite"):
        file = sqlite3.connect(url.removeprefix("sqlite:///"))
        with file:
            file.execute(statement)
        file.close()
        return
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(statement.encode())
        server.execute("VACUUM ANALYZE archived_positions")


def _grow_archive(execute: Callable[[str], Any], copies: int) -> None:
    step = execute("SELECT max(id) FROM archived_games").fetchone()[0]
    for table, number in ARCHIVE_TABLES:
        names = [each[0] for each in execute(f"SELECT * FROM {table} LIMIT 0").description]
        for copy in range(1, copies + 1):
            chosen = {number: f"{number} + {copy * step}", "digest": f"digest || '-{copy}'"}
            columns = ", ".join(chosen.get(name, name) for name in names)
            execute(
                f"INSERT INTO {table} ({', '.join(names)}) "
                f"SELECT {columns} FROM {table} WHERE {number} <= {step}"
            )


def _grow(
    execute: Callable[[str], object], columns: Callable[[str], Sequence[str]], numbers: str
) -> None:
    for table in TABLES:
        kept = [name for name in columns(table) if not (table in _NUMBERED and name == "id")]
        renamed = _RENAMED.get(table, ("game_id",))
        chosen = [f"{name} || '-' || n.n" if name in renamed else name for name in kept]
        execute(
            f"INSERT INTO {table} ({', '.join(kept)}) "
            f"SELECT {', '.join(chosen)} FROM {table} CROSS JOIN {numbers}"
        )
