"""Glicko-2 gives the published figures, wherever on the scale the players are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.tournaments.glicko import (
    NEW,
    START_DEVIATION,
    Figure,
    after_period,
    after_rest,
    expected,
)

# Mark E. Glickman, "Example of the Glicko-2 system", Boston University, 22 March 2022, section
# "Example calculation": a player of 1500 wins against the first and loses to the others.
OPPONENTS = ((1400.0, 30.0, 2), (1550.0, 100.0, 0), (1700.0, 300.0, 0))

figures = st.builds(
    Figure,
    rating=st.floats(400, 3000),
    deviation=st.floats(30, 350),
    volatility=st.floats(0.03, 0.12),
)


def worked_example(shift: float = 0) -> Figure:
    played = [(Figure(rating + shift, spread), points) for rating, spread, points in OPPONENTS]
    return after_period(Figure(1500 + shift, 200), played)


def test_the_worked_example_of_the_paper() -> None:
    found = worked_example()
    # The paper goes on with rounded figures, so its last one is a hundredth off.
    assert found.rating == pytest.approx(1464.06, abs=0.011)
    assert found.deviation == pytest.approx(151.52, abs=0.005)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


@pytest.mark.parametrize("shift", [-900, -300, 300, 900])
def test_only_differences_of_ratings_matter(shift: float) -> None:
    here, there = worked_example(), worked_example(shift)
    assert there.rating - shift == pytest.approx(here.rating, abs=1e-5)
    assert (there.deviation, there.volatility) == (here.deviation, here.volatility)


def test_a_period_without_games_only_makes_less_sure() -> None:
    rested = after_period(Figure(1700, 80), ())
    assert (rested.rating, rested.volatility) == (1700, 0.06)
    # sqrt(80² + (0.06 · 173.7178)²)
    assert rested.deviation == pytest.approx(80.6762, abs=1e-4)
    assert after_rest(Figure(1700, 80), 0) == Figure(1700, 80)
    assert after_rest(Figure(1700, 80), 2) == after_period(rested, ())


def test_nobody_is_less_known_than_somebody_new() -> None:
    assert after_rest(Figure(1700, 349), 100).deviation == START_DEVIATION
    assert after_period(NEW, ()).deviation == START_DEVIATION


@given(figures, figures, st.integers(0, 2))
def test_results_move_the_rating_their_way(player: Figure, opponent: Figure, points: int) -> None:
    after = after_period(player, [(opponent, points)])
    if points == 2:
        assert after.rating > player.rating
    if points == 0:
        assert after.rating < player.rating
    assert 0 < after.deviation <= START_DEVIATION


@given(st.lists(st.tuples(figures, st.integers(0, 2)), min_size=1, max_size=8), figures)
def test_the_order_of_games_hardly_shows(games: list[tuple[Figure, int]], player: Figure) -> None:
    forth, back = after_period(player, games), after_period(player, games[::-1])
    assert forth.rating == pytest.approx(back.rating, abs=1e-4)


@given(figures, figures)
def test_what_may_be_expected_of_two_is_one(player: Figure, opponent: Figure) -> None:
    assert expected(player, opponent) + expected(opponent, player) == pytest.approx(1)
    if player.rating > opponent.rating:
        assert expected(player, opponent) > 0.5
