"""Forecasts: slower players and leaves never make an end earlier, and all is told of that looms."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments.forecast import USUAL_LENGTHS, EventForecast, forecast, leave_effect
from pbem.tournaments.habits import USUAL, Habit
from pbem.tournaments.walking import Ends, Running, Seat, forecast_game

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAY = timedelta(days=1)
A_SECOND = timedelta(seconds=2)
"""Ends of events are found to a second."""

habits = st.builds(
    Habit,
    median=st.timedeltas(timedelta(hours=1), timedelta(days=9)),
    spread=st.floats(0.3, 1.5),
)
away = st.builds(
    lambda begin, days: (NOW + begin, NOW + begin + days),
    st.timedeltas(timedelta(), timedelta(days=90)),
    st.timedeltas(timedelta(hours=1), timedelta(days=30)),
)


@st.composite
def running(draw: st.DrawFn, number: int = 0) -> Running:
    asked = draw(st.none() | st.timedeltas(timedelta(), timedelta(days=20)))
    mover = draw(st.integers(0, 1))
    seats = [
        Seat(
            10 * number + side,
            draw(habits),
            tuple(draw(st.lists(away, max_size=1))),
            asked_at=None if asked is None or side != mover else NOW - asked,
        )
        for side in (0, 1)
    ]
    return Running(
        f"g{number}", (seats[0], seats[1]), turns=draw(st.integers(0, 80)), to_move=mover
    )


def ends(game: Running) -> Ends:
    return forecast_game(game, lengths=USUAL_LENGTHS, now=NOW).ends


def changed(game: Running, side: int, **facts: object) -> Running:
    seats = list(game.seats)
    seats[side] = replace(seats[side], **facts)  # type: ignore[arg-type]
    return replace(game, seats=(seats[0], seats[1]))


def a_game(*, turns: int = 0, **facts: object) -> Running:
    return changed(Running("g", (Seat(1), Seat(2)), turns), 0, **facts)


@given(running(), st.integers(0, 1), st.floats(1, 5))
def test_a_slower_player_makes_no_end_earlier(game: Running, side: int, factor: float) -> None:
    habit = game.seats[side].habit
    slow = changed(game, side, habit=replace(habit, median=habit.median * factor))
    before, after = ends(game), ends(slow)
    assert after.median >= before.median
    assert after.ninety >= before.ninety - timedelta(milliseconds=1)
    assert NOW < before.median <= before.ninety


@given(running(), st.integers(0, 1), away)
def test_a_leave_makes_no_end_earlier(
    game: Running, side: int, leave: tuple[datetime, datetime]
) -> None:
    free = changed(game, side, leaves=())
    before, after = ends(free), ends(changed(game, side, leaves=(leave,)))
    assert after.median >= before.median
    assert after.ninety >= before.ninety - timedelta(milliseconds=1)


def test_a_leave_in_the_middle_of_a_game_costs_about_its_length() -> None:
    leave = (NOW + 5 * DAY, NOW + 19 * DAY)
    later = ends(a_game(leaves=(leave,))).median - ends(a_game()).median
    assert 10 * DAY < later <= 14 * DAY


def test_the_further_a_game_is_the_sooner_it_ends() -> None:
    told = [ends(a_game(turns=turns)).median for turns in (0, 10, 20, 30)]
    assert told == sorted(told, reverse=True)
    assert ends(a_game(turns=500)).median > NOW, "longer than any before, it still goes on"


@settings(max_examples=40)
@given(st.lists(st.integers(0, 9).flatmap(running), min_size=1, max_size=5), running(99))
def test_an_event_ends_with_its_last_game(games: list[Running], more: Running) -> None:
    few, many = forecast(games, now=NOW), forecast([*games, more], now=NOW)
    assert few.event is not None
    assert many.event is not None
    assert few.event.median >= max(game.ends.median for game in few.games) - A_SECOND
    assert many.event.median >= few.event.median - A_SECOND
    assert few.event.ninety >= few.event.median


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 9).flatmap(running), min_size=1, max_size=4),
    away,
    st.integers(0, 3),
    st.sampled_from([0, 30]),
)
def test_a_leave_makes_no_event_end_earlier(
    games: list[Running], leave: tuple[datetime, datetime], rounds: int, days: int
) -> None:
    def told(leaves: tuple[tuple[datetime, datetime], ...]) -> EventForecast:
        first = changed(games[0], 0, leaves=leaves)
        present = [first, *games[1:]]
        fresh = [replace(each, turns=0) for each in present]
        return forecast(
            present, now=NOW, to_come=fresh, rounds_left=rounds, round_days=days,
            round_ends=NOW + 40 * DAY,
        )  # fmt: skip

    before, after = told(()), told((leave,))
    for one, other in ((before.round, after.round), (before.event, after.event)):
        assert one is not None
        assert other is not None
        assert other.median >= one.median - A_SECOND
        assert other.ninety >= one.ninety - A_SECOND


def test_rounds_to_come_take_their_time_and_no_more_than_they_may() -> None:
    fresh = [a_game(), replace(a_game(), game_id="h")]
    by_rounds = [
        forecast(fresh, now=NOW, to_come=fresh, rounds_left=left).event for left in (0, 1, 3)
    ]
    medians = [each.median for each in by_rounds if each is not None]
    assert medians == sorted(set(medians))
    short = forecast(
        fresh, now=NOW, to_come=fresh, rounds_left=3, round_days=10, round_ends=NOW + 10 * DAY
    )
    assert short.round == Ends(NOW + 10 * DAY, NOW + 10 * DAY)
    assert short.event is not None
    assert short.event.median < medians[-1]
    assert forecast([], now=NOW) == EventForecast((), None, None)


def test_whose_flag_is_likely_to_fall() -> None:
    silent = a_game(asked_at=NOW - 9 * DAY, deadline=NOW + DAY, bank=DAY)
    [late] = forecast_game(silent, lengths=USUAL_LENGTHS, now=NOW).time_outs
    assert (late.player_id, late.at, late.why) == (1, NOW + DAY, "now")
    assert late.chance is not None
    assert late.chance > 0.5
    awake = a_game(asked_at=NOW - timedelta(hours=1), deadline=NOW + 30 * DAY, bank=30 * DAY)
    assert forecast_game(awake, lengths=USUAL_LENGTHS, now=NOW).time_outs == ()


def test_who_plays_slower_than_the_clock_allows() -> None:
    slow = replace(USUAL, median=2 * DAY)
    game = a_game(habit=slow, bank=10 * DAY)
    [out] = forecast_game(game, lengths=USUAL_LENGTHS, now=NOW).time_outs
    assert (out.player_id, out.why, out.chance) == (1, "pace", None)
    assert NOW + 10 * DAY < out.at < ends(game).median
    enough = replace(game, increment=5 * DAY)
    assert forecast_game(enough, lengths=USUAL_LENGTHS, now=NOW).time_outs == ()


def test_a_leave_that_is_on_is_no_silence() -> None:
    silent = a_game(asked_at=NOW - 9 * DAY, deadline=NOW + 2 * DAY)
    away_now = changed(silent, 0, leaves=((NOW - 8 * DAY, NOW + DAY),))
    [out] = forecast_game(silent, lengths=USUAL_LENGTHS, now=NOW).time_outs
    outs = forecast_game(away_now, lengths=USUAL_LENGTHS, now=NOW).time_outs
    assert out.chance is not None
    assert all(each.chance is None or each.chance < out.chance for each in outs)


def test_what_a_leave_does_to_an_event() -> None:
    games = [
        Running("a", (Seat(1), Seat(2))),
        Running("b", (Seat(3), Seat(1))),
        Running("c", (Seat(2), Seat(3))),
    ]
    leave = (NOW + DAY, NOW + 20 * DAY)
    off = [changed(games[0], 0, leaves=(leave,)), changed(games[1], 1, leaves=(leave,)), games[2]]
    effect = leave_effect(forecast(games, now=NOW), forecast(off, now=NOW), 1)
    assert effect.waiting == (2, 3)
    assert effect.round_later == effect.event_later
    assert 7 * DAY < effect.event_later < 20 * DAY
    none = leave_effect(forecast(games, now=NOW), forecast(games, now=NOW), 1)
    assert (none.round_later, none.event_later, none.waiting) == (timedelta(), timedelta(), ())


@pytest.mark.parametrize("lengths", [(), (10,), (30, 20, 40)])
def test_lengths_may_be_few_or_none(lengths: tuple[int, ...]) -> None:
    told = forecast([a_game()], now=NOW, lengths=lengths)
    assert told == forecast([a_game()], now=NOW, lengths=lengths)
    assert told.event is not None
    assert told.event.median > NOW
