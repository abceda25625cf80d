"""Calendars and instants for property tests, thick where clocks are changed."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from hypothesis import strategies as st

from pbem.schedule.calendar import MOST_QUIET, Calendar, QuietHours
from pbem.schedule.instants import Period

ZONES = (
    "UTC",
    "Europe/Amsterdam",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",  # half an hour of summer time
    "Pacific/Apia",  # left out 30 December 2011
    "America/Sao_Paulo",  # used to jump over midnight
    "Africa/Casablanca",  # four changes a year
)

CHANGES = (
    datetime(2026, 3, 29, 1, tzinfo=UTC),  # Amsterdam
    datetime(2026, 10, 25, 1, tzinfo=UTC),
    datetime(2026, 3, 8, 7, tzinfo=UTC),  # New York
    datetime(2026, 11, 1, 6, tzinfo=UTC),
    datetime(2026, 4, 4, 15, tzinfo=UTC),  # Lord Howe
    datetime(2026, 10, 3, 15, 30, tzinfo=UTC),
    datetime(2011, 12, 30, 10, tzinfo=UTC),  # Apia
    datetime(2018, 11, 4, 3, tzinfo=UTC),  # Sao Paulo
    datetime(2026, 2, 15, 2, tzinfo=UTC),  # Casablanca
    datetime(2026, 12, 31, 23, tzinfo=UTC),
)


def instants(*, days: int = 12, whole_minutes: bool = False) -> st.SearchStrategy[datetime]:
    """Instants within some days of a change of clocks somewhere."""
    unit = 60 * 10**6 if whole_minutes else 1
    span = days * 86400 * 10**6 // unit
    return st.builds(
        lambda change, shift: change + timedelta(microseconds=shift * unit),
        st.sampled_from(CHANGES),
        st.integers(-span, span),
    )


def spans(micros: int) -> st.SearchStrategy[timedelta]:
    """Durations from nothing on."""
    return st.integers(0, micros).map(lambda each: timedelta(microseconds=each))


DAYS = 86400 * 10**6


def _quiet(minutes: tuple[int, int]) -> QuietHours | None:
    begins, length = minutes
    if not length:
        return None
    ends = (begins + length) % 1440
    return QuietHours(time(*divmod(begins, 60)), time(*divmod(ends, 60)))


quiet_hours = st.tuples(
    st.integers(0, 1439), st.integers(0, MOST_QUIET // timedelta(minutes=1))
).map(_quiet)


def periods(*, open_ended: bool = False) -> st.SearchStrategy[tuple[Period, ...]]:
    """A few periods, overlapping as they like."""
    length = spans(9 * DAYS).filter(bool)
    closed = st.builds(lambda begins, each: Period(begins, begins + each), instants(), length)
    each = st.one_of(closed, instants().map(Period)) if open_ended else closed
    return st.lists(each, max_size=3).map(tuple)


def calendars(*, open_ended: bool = False) -> st.SearchStrategy[Calendar]:
    """Calendars of every kind."""
    return st.builds(
        Calendar,
        time_zone=st.sampled_from(ZONES),
        rests_on_weekends=st.booleans(),
        quiet=quiet_hours,
        leaves=periods(),
        stops=periods(open_ended=open_ended),
    )
