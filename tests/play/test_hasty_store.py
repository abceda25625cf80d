"""What is forgotten between two tests."""

from __future__ import annotations

from tests.play.club import Club


def test_an_emptied_store_numbers_from_1_again(club: Club) -> None:
    for _ in range(2):
        assert club.join("Ann").id == 1
        club.store.empty()
        assert not any(club.contents().values())
