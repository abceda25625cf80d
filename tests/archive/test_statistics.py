"""Scores and Wilson's interval, against figures worked out elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.archive.statistics import Score, wilson


@pytest.mark.parametrize(
    ("seen", "trials", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (score).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals(seen: int, trials: int, low: float, high: float) -> None:
    found = wilson(seen / trials, trials)
    assert found == pytest.approx((low, high), abs=5e-5)


def test_draws_count_half() -> None:
    score = Score(won=3, drawn=2, lost=5, undecided=4)
    assert (score.games, score.decided, score.share) == (14, 10, 0.4)
    assert score.interval == wilson(0.4, 10)


def test_nothing_played_has_no_score() -> None:
    assert Score(undecided=2).share is None
    assert Score(undecided=2).interval is None
    with pytest.raises(ValueError, match="at least one"):
        wilson(0.5, 0)


_COUNTS = st.integers(0, 10**6)


@given(_COUNTS, _COUNTS, _COUNTS)
def test_the_interval_holds_the_share_and_turns_with_the_sides(
    won: int, drawn: int, lost: int
) -> None:
    score = Score(won, drawn, lost)
    if not score.decided:
        return
    assert score.share is not None
    assert score.interval is not None
    low, high = score.interval
    assert 0 <= low <= score.share + 1e-12
    assert score.share - 1e-12 <= high <= 1
    other = Score(lost, drawn, won).interval
    assert other == pytest.approx((1 - high, 1 - low))
    doubled = (score + score).interval
    assert doubled is not None
    assert doubled[1] - doubled[0] < high - low
