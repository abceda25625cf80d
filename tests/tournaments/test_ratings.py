"""Which games count, and that the figures follow from the games alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments.glicko import NEW, Figure, after_period
from pbem.tournaments.ratings import (
    ENOUGH_TURNS,
    MOST_OF_A_PAIR,
    RatedGame,
    Rating,
    begin_of,
    judged,
    period_of,
    period_text,
    rate,
    why_unrated,
)

FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def played(day: float, gold: int, black: int, points: int = 2, *, name: str = "") -> RatedGame:
    ended = FIRST + timedelta(days=day)
    return RatedGame(name or f"g{day}-{gold}-{black}", ended, gold, black, points)


@st.composite
def many_games(draw: st.DrawFn) -> list[RatedGame]:
    rng = draw(st.randoms(use_true_random=False))
    count = draw(st.integers(1, 40))
    games = []
    for number in range(count):
        gold, black = rng.sample(range(1, 7), 2)
        games.append(played(rng.uniform(0, 150), gold, black, rng.randrange(3), name=f"g{number}"))
    return games


def last(games: list[RatedGame]) -> dict[int, Rating]:
    return {rating.player_id: rating for rating in rate(games)}


def test_months_are_those_of_utc() -> None:
    end = datetime(2026, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert period_text(period_of(end)) == "2026-12"
    assert period_of(end + timedelta(microseconds=1)) == period_of(end) + 1
    assert begin_of(period_of(end) + 1) == datetime(2027, 1, 1, tzinfo=UTC)
    elsewhere = datetime.fromisoformat("2027-01-01T00:30:00+01:00")
    assert period_text(period_of(elsewhere)) == "2026-12"


def test_games_of_a_month_count_together_against_those_who_began_it() -> None:
    ratings = last([played(1, 1, 2), played(2, 2, 3), played(3, 1, 3)])
    assert ratings[1].figure == after_period(NEW, [(NEW, 2), (NEW, 2)])
    assert ratings[2].figure == after_period(NEW, [(NEW, 0), (NEW, 2)])
    assert ratings[3].games == 2


def test_the_next_month_begins_with_the_figures_of_the_last() -> None:
    games = [played(1, 1, 2), played(40, 1, 2)]
    first, _, second, other = rate(games)
    assert (first.games, second.games) == (1, 2)
    assert second.period == first.period + 1
    beaten = after_period(NEW, [(NEW, 0)])
    assert second.figure == after_period(first.figure, [(beaten, 2)])
    assert other.figure == after_period(beaten, [(first.figure, 0)])


def test_months_without_a_game_make_less_sure() -> None:
    games = [played(1, 1, 2), played(1, 3, 2, name="x"), played(100, 1, 3)]
    first = next(rate(games[:2]))
    again = last(games)[1]
    rested = first.at(again.period)
    assert rested.figure.deviation > first.figure.deviation
    assert rested.figure.rating == first.figure.rating
    assert first.at(first.period) == first
    assert first.at(first.period + 1) == first
    other = last(games[:2])[3].at(again.period)
    assert again.figure == after_period(rested.figure, [(other.figure, 2)])


@given(many_games(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(games: list[RatedGame], rng: Random) -> None:
    shuffled = list(games)
    rng.shuffle(shuffled)
    assert list(rate(shuffled)) == list(rate(games))


@settings(max_examples=40)
@given(many_games(), st.integers(0, 5))
def test_going_on_from_any_month_gives_the_same(games: list[RatedGame], month: int) -> None:
    whole = list(rate(games))
    begin = period_of(FIRST) + month
    before = {rating.player_id: rating for rating in whole if rating.period < begin}
    later = [game for game in games if game.period >= begin]
    assert list(rate(later, before)) == [each for each in whole if each.period >= begin]


def test_of_one_pair_only_some_games_count_in_a_month() -> None:
    often = [played(day, 1 + day % 2, 2 - day % 2) for day in range(MOST_OF_A_PAIR + 2)]
    games = [*often, played(3, 1, 3), played(35, 1, 2)]
    found = judged(reversed(games))
    assert [game.why_not for game in found if game.pair == {1, 2}] == [
        *[""] * MOST_OF_A_PAIR,
        "often",
        "often",
        "",
    ]
    assert last(games) == last([*often[:MOST_OF_A_PAIR], *games[-2:]])
    # Of two that change places by when they ended, the other is left out: the last.
    assert judged(found) == found


def test_what_does_not_count_leaves_room_for_what_does() -> None:
    friendly = [replace(played(day, 1, 2), why_not="friendly") for day in range(MOST_OF_A_PAIR)]
    counted = played(9, 1, 2)
    assert judged([*friendly, counted])[-1].why_not == ""
    assert last([*friendly, counted])[1].games == 1


def test_nobody_is_rated_by_games_against_oneself() -> None:
    [game] = judged([played(1, 5, 5)])
    assert game.why_not == "self"
    assert list(rate([game])) == []


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, ""),
        ({"ending": "resignation"}, ""),
        ({"ending": "time"}, ""),
        ({"ending": "agreement"}, ""),
        ({"is_agreed": False}, "friendly"),
        ({"has_position": True}, "position"),
        ({"has_handicap": True}, "handicap"),
        ({"ending": "ruling"}, "ruling"),
        ({"ending": "ruling", "turns": 0}, "ruling"),
        ({"ending": "resignation", "turns": ENOUGH_TURNS - 1}, "forfeit"),
        ({"ending": "time", "turns": 0}, "forfeit"),
        ({"ending": "agreement", "turns": ENOUGH_TURNS - 1}, "short"),
    ],
)
def test_why_a_game_does_not_count(changed: dict[str, object], why: str) -> None:
    facts: dict[str, object] = {
        "is_agreed": True,
        "has_position": False,
        "has_handicap": False,
        "ending": "guide",
        "turns": ENOUGH_TURNS,
    }
    assert why_unrated(**facts | changed) == why  # type: ignore[arg-type]


def test_a_rating_is_provisional_until_enough_is_known() -> None:
    sure = Rating(1, 24312, Figure(1600, 100), 5)
    assert not sure.is_provisional
    assert replace(sure, games=4).is_provisional
    assert replace(sure, figure=Figure(1600, 110.1)).is_provisional
    assert sure.at(sure.period + 40).is_provisional, "nothing has been heard for years"
