"""The bench of submissions, small: it runs on both databases, with a floor beside it."""

from __future__ import annotations

from pathlib import Path

import play as bench
import pytest
from measuring import Figure


@pytest.fixture(autouse=True)
def _is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"SUBMISSIONS": 6, "ROUNDS": 2, "BASE_GAMES": 2, "MANY_GAMES": 6}
    for name, size in sizes.items():
        monkeypatch.setattr(bench, name, size)


def check(found: list[Figure], database: str) -> None:
    figures = {figure.name: figure.value for figure in found}
    assert len(figures) == len(found)
    assert figures[f"{database}: bare commits of the same rows"] > 0
    assert figures[f"{database}: durable submissions"] > 0


def test_sqlite(tmp_path: Path) -> None:
    check(bench.bench_sqlite(tmp_path), "SQLite")


def test_postgresql(postgres_server: str) -> None:
    check(bench.bench_postgresql(postgres_server), "PostgreSQL")
