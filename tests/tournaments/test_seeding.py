"""Seeding, groups there and back, and lots."""

from __future__ import annotations

from collections import Counter

from pbem.tournaments.seeding import drawn, lot, seeded, serpentine
from tests.tournaments.events import made


def test_the_higher_rating_is_seeded_first_then_who_entered_earlier() -> None:
    assert [each.number for each in seeded(made([1500, 1800, 1500, 1900]).entrants)] == [4, 2, 1, 3]


def test_groups_are_filled_there_and_back() -> None:
    assert serpentine([1, 2, 3, 4, 5, 6, 7], 3) == ((1, 6, 7), (2, 5), (3, 4))
    assert serpentine([1, 2], 1) == ((1, 2),)


def test_a_lot_is_the_same_for_the_same_seed_and_words_and_no_other() -> None:
    assert lot(b"seed", "start", 1) == lot(b"seed", "start", 1)
    others = {lot(b"seed", "start", 2), lot(b"other", "start", 1), lot(b"seed", "start1")}
    assert lot(b"seed", "start", 1) not in others
    assert lot(b"x" * 200, "any") >= 0


def test_an_order_by_lot_has_everybody_and_favours_nobody() -> None:
    firsts = Counter(drawn(range(1, 5), bytes([seed]), "places")[0] for seed in range(200))
    assert set(firsts) == {1, 2, 3, 4}
    assert min(firsts.values()) > 25
    assert sorted(drawn(range(1, 9), b"seed")) == list(range(1, 9))
