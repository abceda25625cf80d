"""Where all time counts, the short way of reckoning and the long one come to the same."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.schedule.calendar import HORIZON, Calendar
from pbem.schedule.instants import EARLIEST, LATEST, MICROSECOND, Period
from pbem.schedule.timeline import Timeline
from tests.schedule.strategies import DAYS, ZONES, instants, spans

modest = settings(derandomize=True, deadline=None, max_examples=150)
TEN_YEARS = HORIZON * MICROSECOND


@modest
@given(st.sampled_from(ZONES), instants(), instants())
def test_all_time_between_two_instants_counts(zone: str, since: datetime, until: datetime) -> None:
    calendar = Calendar(zone)
    assert Timeline.of(calendar).running(since, until) == calendar.running(since, until)


@modest
@given(
    st.sampled_from(ZONES),
    st.one_of(instants(), st.sampled_from([EARLIEST, LATEST, LATEST - timedelta(days=30)])),
    st.one_of(spans(40 * DAYS), st.sampled_from([TEN_YEARS, TEN_YEARS + MICROSECOND])),
)
def test_a_budget_runs_without_a_rest(zone: str, since: datetime, budget: timedelta) -> None:
    calendar = Calendar(zone)
    assert Timeline.of(calendar).deadline(since, budget) == calendar.deadline(since, budget)


def test_a_budget_that_is_longer_than_any_calendar_never_runs_out() -> None:
    assert Timeline.of(Calendar()).deadline(EARLIEST, timedelta.max) is None


@pytest.mark.parametrize("calendar", [Calendar(), Calendar(rests_on_weekends=True)])
def test_periods_that_are_left_out_do_not_count(calendar: Calendar) -> None:
    since = datetime.fromisoformat("2026-11-16T12:00Z")  # a Monday
    hold = Period(since + timedelta(hours=1), since + timedelta(hours=3))
    timeline, until = Timeline.of(calendar), since + timedelta(hours=5)
    assert timeline.running(since, until, without=[hold]) == timedelta(hours=3)
    assert timeline.deadline(since, timedelta(hours=3), without=[hold]) == until
