"""Calendars a player would understand: what counts, what rests, and what cannot be."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta

import pytest

from pbem.schedule.calendar import (
    Calendar,
    QuietHours,
    format_quiet_hours,
    parse_quiet_hours,
)
from pbem.schedule.durations import format_duration, parse_duration
from pbem.schedule.errors import CalendarError, InstantError
from pbem.schedule.instants import Period
from pbem.schedule.zones import find_zone_name, first_instant, get_zone

NIGHT = QuietHours(time(22), time(7))
NOON_BREAK = QuietHours(time(12), time(13))
AMSTERDAM = "Europe/Amsterdam"


def local(text: str, zone: str = AMSTERDAM) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=get_zone(zone)).astimezone(UTC)


# 2026-06-01 is a Monday.
@pytest.mark.parametrize(
    ("weekends", "quiet", "since", "until", "counts"),
    [
        (False, None, "2026-06-01 09:00", "2026-06-08 09:00", "7d"),
        (True, None, "2026-06-01 09:00", "2026-06-08 09:00", "5d"),
        (True, None, "2026-06-05 18:00", "2026-06-08 06:00", "12h"),
        (True, None, "2026-06-06 10:00", "2026-06-07 22:00", "0s"),
        (False, NIGHT, "2026-06-01 09:00", "2026-06-02 09:00", "15h"),
        (False, NIGHT, "2026-06-01 21:30", "2026-06-02 07:30", "1h"),
        (False, NIGHT, "2026-06-01 23:00", "2026-06-02 06:00", "0s"),
        (False, NOON_BREAK, "2026-06-01 11:00", "2026-06-01 14:00", "2h"),
        (True, NIGHT, "2026-06-01 00:00", "2026-06-08 00:00", "3d3h"),
        # Summer time begins on Sunday 29 March 2026: 02:00 becomes 03:00.
        (False, None, "2026-03-29 00:00", "2026-03-30 00:00", "23h"),
        (False, QuietHours(time(2), time(3)), "2026-03-29 00:00", "2026-03-29 06:00", "5h"),
        (True, None, "2026-03-27 00:00", "2026-03-31 00:00", "2d"),
        # It ends on Sunday 25 October 2026: the hour from 02:00 to 03:00 comes twice.
        (False, None, "2026-10-25 00:00", "2026-10-26 00:00", "1d1h"),
        (False, QuietHours(time(2), time(3)), "2026-10-25 00:00", "2026-10-25 06:00", "5h"),
        (False, NIGHT, "2026-10-24 12:00", "2026-10-25 12:00", "15h"),
    ],
)
def test_what_counts_in_amsterdam(
    weekends: bool, quiet: QuietHours | None, since: str, until: str, counts: str
) -> None:
    calendar = Calendar(AMSTERDAM, weekends, quiet)
    assert format_duration(calendar.running(local(since), local(until))) == counts


@pytest.mark.parametrize(
    ("weekends", "quiet", "since", "budget", "deadline"),
    [
        (False, None, "2026-06-01 09:00", "14d", "2026-06-15 09:00"),
        (True, None, "2026-06-01 09:00", "14d", "2026-06-19 09:00"),
        (True, None, "2026-06-05 18:00", "6h", "2026-06-06 00:00"),
        (True, None, "2026-06-05 18:00", "7h", "2026-06-08 01:00"),
        (True, None, "2026-06-06 12:00", "1h", "2026-06-08 01:00"),
        (False, NIGHT, "2026-06-01 21:00", "1h", "2026-06-01 22:00"),
        (False, NIGHT, "2026-06-01 21:00", "1h1m", "2026-06-02 07:01"),
        (False, NIGHT, "2026-06-01 23:00", "0s", "2026-06-01 23:00"),
        (False, None, "2026-03-28 12:00", "1d", "2026-03-29 13:00"),
        (False, None, "2026-10-24 12:00", "1d", "2026-10-25 11:00"),
    ],
)
def test_deadlines_in_amsterdam(
    weekends: bool, quiet: QuietHours | None, since: str, budget: str, deadline: str
) -> None:
    calendar = Calendar(AMSTERDAM, weekends, quiet)
    assert calendar.deadline(local(since), parse_duration(budget)) == local(deadline)


@pytest.mark.parametrize(
    ("zone", "day", "counts"),
    [
        ("America/New_York", date(2026, 3, 8), "23h"),
        ("America/New_York", date(2026, 11, 1), "1d1h"),
        ("Asia/Kathmandu", date(2026, 3, 8), "1d"),
        ("Australia/Lord_Howe", date(2026, 10, 4), "23h30m"),
        ("Australia/Lord_Howe", date(2026, 4, 5), "1d30m"),
        ("Pacific/Apia", date(2011, 12, 29), "1d"),
        ("Pacific/Apia", date(2011, 12, 30), "0s"),
        ("Pacific/Apia", date(2011, 12, 31), "1d"),
        ("America/Sao_Paulo", date(2018, 11, 4), "23h"),
    ],
)
def test_the_length_of_a_local_day(zone: str, day: date, counts: str) -> None:
    begins, ends = first_instant(day, zone), first_instant(day + timedelta(days=1), zone)
    assert begins.astimezone(get_zone(zone)).date() in (day, day + timedelta(days=1))
    assert (begins - timedelta(seconds=1)).astimezone(get_zone(zone)).date() < day
    assert format_duration(Calendar(zone).running(begins, ends)) == counts


def test_a_saturday_that_never_was_rests_for_nobody() -> None:
    # Thursday 29 December 2011 was followed by Saturday the 31st.
    apia = Calendar("Pacific/Apia", rests_on_weekends=True)
    since = first_instant(date(2011, 12, 29), "Pacific/Apia")
    assert apia.deadline(since, timedelta(hours=30)) == first_instant(
        date(2012, 1, 2), "Pacific/Apia"
    ) + timedelta(hours=6)


def test_zones_five_and_three_quarter_hours_off() -> None:
    calendar = Calendar("Asia/Kathmandu", quiet=NIGHT)
    assert calendar.is_resting(datetime(2026, 6, 1, 16, 15, tzinfo=UTC))
    assert not calendar.is_resting(datetime(2026, 6, 1, 16, 14, tzinfo=UTC))


def test_leave_and_stops_rest_and_may_overlap() -> None:
    leave = Period(local("2026-06-03 00:00"), local("2026-06-05 00:00"))
    stop = Period(local("2026-06-04 12:00"), local("2026-06-05 12:00"))
    calendar = Calendar(AMSTERDAM, leaves=(leave,), stops=(stop,))
    assert calendar.running(local("2026-06-01 00:00"), local("2026-06-08 00:00")) == timedelta(
        days=4, hours=12
    )
    assert calendar.deadline(local("2026-06-02 00:00"), timedelta(hours=25)) == local(
        "2026-06-05 13:00"
    )
    assert calendar.is_resting(local("2026-06-03 00:00"))
    assert not calendar.is_resting(local("2026-06-05 12:00"))


def test_a_stop_without_end_has_no_deadline_behind_it() -> None:
    begins = local("2026-06-02 00:00")
    calendar = Calendar(AMSTERDAM).with_stop(Period(begins))
    since = local("2026-06-01 00:00")
    assert calendar.deadline(since, timedelta(days=1)) == begins
    assert calendar.deadline(since, timedelta(days=1, microseconds=1)) is None
    assert calendar.running(since, local("2030-01-01 00:00")) == timedelta(days=1)
    assert calendar.is_resting(local("2030-01-01 00:00"))


def test_what_takes_over_ten_years_never_comes() -> None:
    since = datetime(2026, 1, 1, tzinfo=UTC)
    assert Calendar().deadline(since, timedelta(days=3653)) is not None
    assert Calendar().deadline(since, timedelta(days=3653, microseconds=1)) is None
    assert Calendar().deadline(datetime(2199, 12, 31, tzinfo=UTC), timedelta(days=2)) is None


def test_forgetting_the_past_keeps_what_lasts() -> None:
    over = Period(local("2026-01-01 00:00"), local("2026-01-05 00:00"))
    lasting = Period(local("2026-01-03 00:00"), local("2026-02-05 00:00"))
    calendar = Calendar(AMSTERDAM, leaves=(over,), stops=(lasting, Period(over.begins)))
    assert calendar.without_past(local("2026-01-05 00:00")) == Calendar(
        AMSTERDAM, stops=(lasting, Period(over.begins))
    )


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("22:00-07:00", "22:00-07:00"),
        ("22-7", "22:00-07:00"),
        (" 0:30 - 6:15 ", "00:30-06:15"),
        ("21:00-24:00", "21:00-00:00"),
    ],
)
def test_quiet_hours_as_written(text: str, canonical: str) -> None:
    assert format_quiet_hours(parse_quiet_hours(text)) == canonical


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_quiet_hours"),
        ("22:00", "bad_quiet_hours"),
        ("22:00-25:00", "bad_quiet_hours"),
        ("22:60-07:00", "bad_quiet_hours"),
        ("22:0-07:00", "bad_quiet_hours"),
        ("22:-07:00", "bad_quiet_hours"),
        ("1-2-3", "bad_quiet_hours"),
        ("٢٢-7", "bad_quiet_hours"),
        pytest.param("-" * 10**6, "bad_quiet_hours", id="long"),
        ("07:00-07:00", "quiet_hours_equal"),
        ("00:00-24:00", "quiet_hours_equal"),
        ("07:00-05:01", "too_quiet"),
    ],
)
def test_quiet_hours_that_cannot_be(text: str, code: str) -> None:
    with pytest.raises(CalendarError) as caught:
        parse_quiet_hours(text)
    assert caught.value.codes == (code,)


def test_twenty_two_quiet_hours_are_allowed() -> None:
    assert parse_quiet_hours("07:00-05:00").length == timedelta(hours=22)


def test_every_fault_of_a_calendar_is_listed() -> None:
    begins, ends = "2026-06-01T00:00:00Z", "2026-05-01T00:00:00Z"
    plain = {
        "time_zone": "Mars/Olympus",
        "rests_on_weekends": "yes",
        "quiet": "07:00-07:00",
        "leaves": [[begins, ends], [begins, None], "soon"],
        "stops": [["2026-06-01T00:00:00", None], [None, ends], ["never", None]],
        "mood": "good",
    }
    with pytest.raises(CalendarError) as caught:
        Calendar.from_plain(plain)
    assert {(fault.code, fault.where) for fault in caught.value.faults} == {
        ("unknown_field", "plain"),
        ("unknown_zone", "time_zone"),
        ("wrong_type", "rests_on_weekends"),
        ("quiet_hours_equal", "quiet.ends"),
        ("empty_period", "leaves[0].ends"),
        ("endless_leave", "leaves[0]"),
        ("wrong_type", "leaves[2]"),
        ("naive_instant", "stops[0]"),
        ("wrong_type", "stops[1]"),
        ("bad_instant", "stops[2]"),
    }


@pytest.mark.parametrize("plain", [None, [], "x", 3, {}, {"time_zone": 10**5000}, {"stops": {}}])
def test_data_of_another_shape_is_refused(plain: object) -> None:
    with pytest.raises(CalendarError):
        Calendar.from_plain(plain)


def test_a_calendar_survives_json() -> None:
    calendar = Calendar(
        AMSTERDAM,
        rests_on_weekends=True,
        quiet=NIGHT,
        leaves=(Period(local("2026-06-01 00:00"), local("2026-06-05 00:00")),),
        stops=(Period(datetime(2026, 6, 1, 1, 2, 3, 4, tzinfo=UTC)),),
    )
    assert Calendar.from_plain(json.loads(json.dumps(calendar.to_plain()))) == calendar


@pytest.mark.parametrize("zone", ["", "Amsterdam", "europe/amsterdam", "../etc/passwd", "Factory"])
def test_only_zones_by_their_proper_names(zone: str) -> None:
    with pytest.raises(CalendarError) as caught:
        Calendar(zone)
    assert caught.value.codes == ("unknown_zone",)


def test_a_zone_is_found_without_regard_to_case() -> None:
    assert find_zone_name("america/new york") == "America/New_York"
    assert find_zone_name("Utopia") is None


def test_instants_without_a_zone_or_out_of_range_are_refused() -> None:
    calendar, now = Calendar(), datetime(2026, 1, 1, tzinfo=UTC)
    for at, code in (
        (datetime(2026, 1, 1), "naive_instant"),
        (datetime(1999, 1, 1, tzinfo=UTC), "instant_out_of_range"),
        (datetime.max.replace(tzinfo=UTC), "instant_out_of_range"),
        (datetime.max.replace(tzinfo=get_zone("America/New_York")), "instant_out_of_range"),
    ):
        with pytest.raises(InstantError) as caught:
            calendar.running(now, at)
        assert caught.value.codes == (code,)
