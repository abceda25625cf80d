"""A post room on both databases, emptied for each test, and a game in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.play.model import Player
from tests.databases import BOTH
from tests.mail.acting.room import Room
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Match
from tests.play.hasty_store import HastyStore


@pytest.fixture(scope="session")
def sqlite_store(
    migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HastyStore]:
    file = tmp_path_factory.mktemp("room") / "pbem.sqlite3"
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
def room(request: pytest.FixtureRequest) -> Room:
    store: HastyStore = request.getfixturevalue(f"{request.param}_store")
    store.empty()
    return Room(store)


@pytest.fixture
def ann(room: Room) -> Player:
    return room.join("Ann")


@pytest.fixture
def bob(room: Room) -> Player:
    return room.join("Bob")


@pytest.fixture
def match(room: Room, ann: Player, bob: Player) -> Match:
    """Ann's turn; W1 and F2 can each shoot at I4. Ten hours for everything."""
    return room.study(TWO_ARCHERS, gold=ann, black=bob, clock="10h")
