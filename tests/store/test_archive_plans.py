"""Where the databases look for archived games: by date for what many are like; on PostgreSQL in an
index of its own for what hardly any is like."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, make_url

from pbem.play.archived import Filter
from pbem.store.archive_search import _branches, _first
from pbem.store.database import SqlStore, make_engine
from tests.play.club import NOON
from tests.play.shelf import new_game

GAMES: Final = 2000
RARE: Final[dict[str, dict[str, Any]]] = {
    "source": {"source": "played"},
    "result": {"result": "1/2-1/2"},
    "termination": {"termination": "claim"},
    "turns": {"min_turns": 90},
    "level": {"level": "apprentice"},
    "arena": {"arena": "nowhere"},
    "dice": {"dice": "dicey"},
    "starter": {"starter": "black"},
}
RATED: Final = {"min_rating": 2500}
COMMON: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"source": "imported", "result": "1-0"},
    {"termination": "guide", "level": "master", "arena": "origin"},
    {"dice": "clean", "starter": "gold", "min_turns": 2},
)


def test_what_hardly_any_game_is_like(store: SqlStore, database_url: str) -> None:
    with store.begin() as unit:
        figures = (
            {"turns": n % 50, "gold_rating": 900 + n, "black_rating": 2500 - n}
            for n in range(GAMES // 2)
        )
        rated = [new_game(f"rated {n}", **chosen) for n, chosen in enumerate(figures)]
        unit.add_archived([*rated, *(new_game(str(n)) for n in range(GAMES // 2))], NOON)
    is_postgresql = make_url(database_url).get_backend_name() == "postgresql"
    engine = make_engine(database_url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if is_postgresql:  # as it does by itself; SQLite is never told what is rare
            connection.exec_driver_sql("VACUUM ANALYZE")
        for wanted in COMMON:
            assert "ix_archived_games_day" in _plan(connection, wanted)
        for column, wanted in RARE.items():
            index = column if is_postgresql else "day"
            assert f"ix_archived_games_{index}" in _plan(connection, wanted)
        for house in ("gold", "black"):
            index = f"{house}_rating" if is_postgresql else "day"
            assert f"ix_archived_games_{index}" in _plan(connection, RATED)
    engine.dispose()


def _plan(connection: Connection, wanted: dict[str, Any]) -> str:
    chosen = Filter(**wanted)
    [branch] = _branches(chosen, ())
    statement = _first(branch, chosen, None, 51)
    text = statement.compile(connection, compile_kwargs={"literal_binds": True})
    explain = "EXPLAIN" if connection.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"
    return "\n".join(str(row) for row in connection.exec_driver_sql(f"{explain} {text}"))
