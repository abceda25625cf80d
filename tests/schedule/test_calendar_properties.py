"""Counting is additive, its inverse is exact, and both agree with looking at every minute."""

from __future__ import annotations

import struct
from datetime import datetime, timedelta
from importlib import resources
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbem.schedule.calendar import Calendar
from pbem.schedule.instants import from_micros, to_micros
from pbem.schedule.zones import PROBE_DAYS, get_zone, offsets, zone_names
from tests.schedule.strategies import DAYS, ZONES, calendars, instants, spans

modest = settings(derandomize=True, deadline=None, max_examples=150)


def rests_by_the_wall(calendar: Calendar, at: datetime) -> bool:
    """The definition, read off the wall clock."""
    wall = at.astimezone(get_zone(calendar.time_zone))
    if calendar.rests_on_weekends and wall.weekday() >= 5:
        return True
    if any(period.holds(at) for period in (*calendar.leaves, *calendar.stops)):
        return True
    if calendar.quiet is None:
        return False
    begins, ends, now = calendar.quiet.begins, calendar.quiet.ends, wall.time()
    return begins <= now < ends if begins < ends else now >= begins or now < ends


@modest
@given(calendars(open_ended=True), st.lists(instants(), min_size=3, max_size=3))
def test_running_is_additive_and_monotone(calendar: Calendar, points: list[datetime]) -> None:
    first, second, third = sorted(points)
    one, two = calendar.running(first, second), calendar.running(second, third)
    assert one + two == calendar.running(first, third)
    assert timedelta(0) <= one <= second - first
    assert calendar.running(third, first) == timedelta(0)


@modest
@given(calendars(open_ended=True), instants(), spans(40 * DAYS))
def test_a_deadline_is_the_first_instant_by_which_the_budget_has_run(
    calendar: Calendar, since: datetime, budget: timedelta
) -> None:
    deadline = calendar.deadline(since, budget)
    if deadline is None:
        assert calendar.running(since, since + timedelta(days=3653)) < budget
        return
    assert calendar.running(since, deadline) == budget
    if deadline > since:
        assert calendar.running(since, deadline - timedelta(microseconds=1)) < budget


@modest
@given(calendars(), instants(), spans(20 * DAYS), spans(20 * DAYS))
def test_a_deadline_in_two_parts_is_the_same(
    calendar: Calendar, since: datetime, one: timedelta, two: timedelta
) -> None:
    middle = calendar.deadline(since, one)
    assert middle is not None
    assume(two)
    assert calendar.deadline(middle, two) == calendar.deadline(since, one + two)


@modest
@given(calendars(open_ended=True), instants())
def test_resting_is_what_the_wall_clock_says(calendar: Calendar, at: datetime) -> None:
    assert calendar.is_resting(at) == rests_by_the_wall(calendar, at)


@settings(modest, max_examples=40)
@given(calendars(), instants(days=2, whole_minutes=True), st.integers(0, 3000))
def test_counting_agrees_with_looking_at_every_minute(
    calendar: Calendar, since: datetime, minutes: int
) -> None:
    rounded = Calendar(calendar.time_zone, calendar.rests_on_weekends, calendar.quiet)
    counted = sum(
        not rests_by_the_wall(rounded, since + timedelta(minutes=minute))
        for minute in range(minutes)
    )
    until = since + timedelta(minutes=minutes)
    assert rounded.running(since, until) == timedelta(minutes=counted)


@modest
@given(calendars(open_ended=True))
def test_to_plain_and_back(calendar: Calendar) -> None:
    assert Calendar.from_plain(calendar.to_plain()) == calendar


@modest
@given(instants())
def test_micros_and_back(at: datetime) -> None:
    assert from_micros(to_micros(at)) == at


def changes_in_the_data(name: str) -> list[int]:
    """The changes of offset since 2000, in seconds of Unix time, straight from the zone's file."""
    data = resources.files("tzdata").joinpath("zoneinfo", *name.split("/")).read_bytes()
    at = 0
    for width in (4, 8):  # the file holds its data twice, in short and in long numbers
        flags = struct.unpack_from(">6l", data, at + 20)
        universal, standard, leaps, count, types, letters = flags
        at += 44
        start = at
        at += count * (width + 1) + types * 6 + letters + leaps * (width + 4) + standard + universal
    times = struct.unpack_from(f">{count}q", data, start)
    kinds = data[start + 8 * count : start + 9 * count]
    shifts = [struct.unpack_from(">l", data, start + 9 * count + 6 * kind)[0] for kind in kinds]
    return [
        time
        for time, before, after in zip(times[1:], shifts, shifts[1:], strict=False)
        if before != after and time >= 946857600
    ]


def test_no_zone_changes_twice_between_two_probes() -> None:
    for name in zone_names().values():
        changes = changes_in_the_data(name)
        gaps = [after - before for before, after in pairwise(changes)]
        assert min(gaps, default=10**9) > PROBE_DAYS * 86400, name


@pytest.mark.parametrize("name", [*ZONES, "Africa/Cairo", "Asia/Gaza", "Europe/Volgograd"])
def test_all_changes_in_the_data_are_found(name: str) -> None:
    until = to_micros(datetime(2037, 1, 1, tzinfo=get_zone("UTC")))
    pieces = list(offsets(name, 0, until))
    assert pieces[0][0] == 0
    assert pieces[-1][1] == until
    found = [
        after[0] // 10**6 + 946857600 for before, after in pairwise(pieces) if before[2] != after[2]
    ]
    assert all(before[1] == after[0] for before, after in pairwise(pieces))
    # Where a zone has settled, its file leaves off and gives a rule for the years to come.
    listed = [each for each in changes_in_the_data(name) if each < until // 10**6 + 946857600]
    assert found[: len(listed)] == listed
