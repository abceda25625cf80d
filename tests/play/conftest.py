"""What the tests of the use cases share: a club with the store behind it, on both databases.

One store for each database and process, emptied for each test: opening one takes longer than most
tests do.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import BOTH
from tests.play.club import Club
from tests.play.hasty_store import HastyStore


@pytest.fixture(scope="session")
def sqlite_store(
    migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HastyStore]:
    file = tmp_path_factory.mktemp("play") / "pbem.sqlite3"
    shutil.copy(migrated_sqlite, file)
    opened = HastyStore.open(f"sqlite:///{file}")
    yield opened
    opened.dispose()


@pytest.fixture(scope="session")
def postgresql_store(migrated_postgres: str) -> Iterator[HastyStore]:
    opened = HastyStore.open(migrated_postgres)
    yield opened
    opened.dispose()


@pytest.fixture(params=BOTH)
def store(request: pytest.FixtureRequest) -> HastyStore:
    opened: HastyStore = request.getfixturevalue(f"{request.param}_store")
    opened.empty()
    return opened


@pytest.fixture
def club(store: HastyStore) -> Club:
    return Club(store)
