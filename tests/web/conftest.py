"""What the tests of pages and of the API share: a club with its site, empty or with a town in it.

On SQLite alone: what is stored, and how, is tested on both databases with the use cases.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.play.club import NOON, Club
from tests.play.hasty_store import HastyStore
from tests.web.club_site import ClubSite
from tests.web.town import Town, build_town


@pytest.fixture(scope="session")
def club_file(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("site") / "pbem.sqlite3"
    shutil.copy(migrated_sqlite, file)
    return file


@pytest.fixture(scope="session")
def club_store(club_file: Path) -> Iterator[HastyStore]:
    opened = HastyStore.open(f"sqlite:///{club_file}")
    yield opened
    opened.dispose()


@pytest.fixture
def club(club_store: HastyStore) -> Club:
    club_store.empty()
    return Club(club_store)


@pytest.fixture(scope="session")
def kept_site(club_store: HastyStore) -> ClubSite:
    return ClubSite(club_store)


@pytest.fixture
def club_site(kept_site: ClubSite, club: Club) -> ClubSite:
    kept_site.open(club)
    return kept_site


@pytest.fixture(scope="session")
def kept_town(club_store: HastyStore, club_file: Path) -> tuple[Town, Path]:
    """A town that was built once, and a copy of the database with it."""
    club_store.empty()
    town = build_town(Club(club_store, "town").around, NOON)
    copy = club_file.with_name("town.sqlite3")
    _copy(club_file, copy)
    return town, copy


@pytest.fixture
def town(kept_town: tuple[Town, Path], club_site: ClubSite, club_file: Path) -> Town:
    """The town as it was built, in the store of the site."""
    built, copy = kept_town
    _copy(copy, club_file)
    return built


def _copy(of: Path, to: Path) -> None:
    with closing(sqlite3.connect(of)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
