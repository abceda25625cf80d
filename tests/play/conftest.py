"""What the tests of the use cases share: a club with the store behind it, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.play.club import Club
from tests.play.hasty_store import HastyStore


@pytest.fixture
def store(database_url: str) -> Iterator[HastyStore]:
    opened = HastyStore.open(database_url)
    yield opened
    opened.dispose()


@pytest.fixture
def club(store: HastyStore) -> Club:
    return Club(store)
