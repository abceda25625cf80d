"""A whole game by mail, over real SMTP at both ends, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.store.database import SqlStore
from tests.functional.house import House, open_house
from tests.functional.sink import Sink
from tests.functional.story import Story


@pytest.fixture
def house(request: pytest.FixtureRequest, store: SqlStore) -> Iterator[House]:
    seed = request.node.name  # no two games of a process are the same
    with Sink() as sink, open_house(store, sink, seed=seed) as opened:
        yield opened


def test_from_invitation_to_archive(house: House) -> None:
    Story(house).tell()
