"""What the tests of mails share: a stage with a new store, so that all numbers begin at one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.stage import Stage
from tests.play.hasty_store import HastyStore


@pytest.fixture
def new_store(migrated_sqlite: Path, tmp_path: Path) -> Iterator[HastyStore]:
    """A store in which nothing has happened."""
    file = tmp_path / "stage.sqlite3"
    shutil.copy(migrated_sqlite, file)
    opened = HastyStore.open(f"sqlite:///{file}")
    yield opened
    opened.dispose()


@pytest.fixture
def stage(new_store: HastyStore) -> Stage:
    """Ann and Ben, who have not played yet."""
    return Stage(new_store)
