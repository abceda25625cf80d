"""Whole games, part by part, through the use cases (R2, R6, R8, N1.6–N3)."""

from __future__ import annotations

from tests.play.club import Club


def test_start(club: Club) -> None:
    match = club.start()
    assert match.asked() == [("gold", "setup"), ("black", "setup")]
    match.set_up(1)
    match.verify()
