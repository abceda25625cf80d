"""What the tests of pages and of the API share: a club with its site.

On SQLite alone: what is stored, and how, is tested on both databases with the use cases.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.play.club import Club
from tests.play.hasty_store import HastyStore
from tests.web.club_site import ClubSite


@pytest.fixture(scope="session")
def club_store(
    migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HastyStore]:
    file = tmp_path_factory.mktemp("site") / "pbem.sqlite3"
    shutil.copy(migrated_sqlite, file)
    opened = HastyStore.open(f"sqlite:///{file}")
    yield opened
    opened.dispose()


@pytest.fixture
def club(club_store: HastyStore) -> Club:
    club_store.empty()
    return Club(club_store)


@pytest.fixture
def club_site(club: Club) -> ClubSite:
    return ClubSite(club)
