"""What is known of a player's pace follows from their answers, and from everybody's at first."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.tournaments.habits import USUAL, habit_of

HOUR = timedelta(hours=1)
replies = st.lists(st.timedeltas(timedelta(), timedelta(days=40)), max_size=30)


def test_somebody_new_is_like_everybody() -> None:
    assert habit_of([]) == USUAL
    assert USUAL.mean > USUAL.median


def test_many_answers_tell_more_than_the_rest_of_the_world() -> None:
    quick, slow = habit_of([HOUR] * 60), habit_of([100 * HOUR] * 60)
    assert HOUR < quick.median < 1.5 * HOUR
    assert 80 * HOUR < slow.median < 100 * HOUR
    assert quick.spread < USUAL.spread
    few = habit_of([HOUR] * 2)
    assert quick.median < few.median < USUAL.median


def test_answers_at_once_do_not_make_anybody_take_no_time() -> None:
    assert habit_of([timedelta()] * 50).median > timedelta(minutes=4)


@given(replies, st.timedeltas(timedelta(), timedelta(days=40)))
def test_a_slower_answer_never_makes_quicker(had: list[timedelta], more: timedelta) -> None:
    assert habit_of([*had, more + HOUR]).median >= habit_of([*had, more]).median


@given(replies, st.timedeltas(timedelta(), timedelta(days=99)))
def test_chances_are_chances_and_silence_makes_silence_likelier(
    had: list[timedelta], elapsed: timedelta
) -> None:
    habit = habit_of(had)
    until = elapsed + 48 * HOUR
    assert 0 <= habit.chance_of_more(until) <= habit.chance_of_more(elapsed) <= 1
    assert habit.chance_of_more(until) <= habit.chance_of_silence(elapsed, until) <= 1


def test_half_of_the_answers_take_longer_than_the_median() -> None:
    assert USUAL.chance_of_more(USUAL.median) == pytest.approx(0.5)
    assert USUAL.chance_of_more(timedelta()) == 1
