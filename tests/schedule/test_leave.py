"""Leave: notice, allowance, overlap, cutting short, and what it does to a clock."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.schedule.calendar import Calendar
from pbem.schedule.clock import Clock
from pbem.schedule.errors import LeaveError
from pbem.schedule.instants import Period
from pbem.schedule.leave import (
    Leave,
    LeaveRules,
    days_left,
    end_early,
    format_leave,
    parse_leave,
    plan_leave,
    preview_leave,
)
from pbem.schedule.rules import ClockRules
from pbem.schedule.zones import get_zone

AMSTERDAM = "Europe/Amsterdam"
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
RULES = LeaveRules(days_per_year=30, notice=timedelta(days=2))


def local(text: str, zone: str = AMSTERDAM) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=get_zone(zone)).astimezone(UTC)


def planned(text: str, *existing: Leave, zone: str = AMSTERDAM, now: datetime = NOW) -> Leave:
    first, last = parse_leave(text)
    return plan_leave(existing, first, last, now=now, time_zone=zone, rules=RULES).leave


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-12-20 2027-01-05", date(2026, 12, 20), date(2027, 1, 5)),
        ("leave 2026-12-20 2027-1-5", date(2026, 12, 20), date(2027, 1, 5)),
        (" LEAVE  2026-12-20 ", date(2026, 12, 20), date(2026, 12, 20)),
    ],
)
def test_leave_as_written(text: str, first: date, last: date) -> None:
    assert parse_leave(text) == (first, last)
    assert parse_leave(format_leave(first, last)) == (first, last)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ("bad_leave",)),
        ("leave", ("bad_leave",)),
        ("2026-12-20 2026-12-21 2026-12-22", ("bad_leave",)),
        ("2026-02-30 tomorrow", ("no_such_date", "bad_date")),
        ("20-12-2026", ("bad_date",)),
        ("2026-12-20 2026-12-19", ("ends_before_begins",)),
        pytest.param("2026-12-20 " * 10**5, ("bad_leave",), id="long"),
        ("0000-01-01", ("no_such_date",)),
    ],
)
def test_what_is_no_leave(text: str, codes: tuple[str, ...]) -> None:
    with pytest.raises(LeaveError) as caught:
        parse_leave(text)
    assert caught.value.codes == codes


def test_a_leave_is_whole_local_days() -> None:
    plan = plan_leave(
        (), date(2026, 12, 20), date(2027, 1, 5), now=NOW, time_zone=AMSTERDAM, rules=RULES
    )
    assert plan.leave.period == Period(local("2026-12-20 00:00"), local("2027-01-06 00:00"))
    assert plan.days_left == {2026: 18, 2027: 25}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("2026-12-03", ("too_soon",)),
        ("2026-11-05 2026-12-08", ("too_soon", "over_allowance")),
        ("2026-12-10 2026-12-12", ("overlap",)),
        ("2026-12-05 2026-12-10", ("overlap",)),
        ("2026-12-01 2026-12-31", ("too_soon", "overlap", "over_allowance")),
        ("2027-06-01 2027-07-01", ("over_allowance",)),
        ("2028-12-31 2029-01-01", ("too_far",)),
        ("0001-01-01 9999-12-31", ("too_far",)),
        ("0001-01-01", ("too_far",)),
    ],
)
def test_every_fault_of_a_plan_is_listed(text: str, codes: tuple[str, ...]) -> None:
    existing = planned("2026-12-10 2026-12-14")
    with pytest.raises(LeaveError) as caught:
        planned(text, existing)
    assert caught.value.codes == codes


def test_the_earliest_day_is_named_and_works() -> None:
    with pytest.raises(LeaveError) as caught:
        planned("2026-12-03")
    earliest = caught.value.faults[0].facts["earliest"]
    assert earliest == date(2026, 12, 4)
    assert planned("2026-12-04").first == earliest


def test_days_next_to_each_other_do_not_overlap() -> None:
    first = planned("2026-12-10 2026-12-14")
    second = planned("2026-12-15 2026-12-16", first)
    assert first.period.ends == second.period.begins


def test_the_allowance_is_counted_by_calendar_year() -> None:
    new_year = planned("2026-12-20 2027-01-05")
    with pytest.raises(LeaveError) as caught:
        planned("2027-06-01 2027-06-26", new_year)
    assert caught.value.faults[0].facts == {"year": 2027, "over": 1, "allowance": 30}
    summer = planned("2027-06-01 2027-06-25", new_year)
    assert days_left((new_year, summer), RULES, years=(2026, 2027, 2028)) == {
        2026: 18,
        2027: 0,
        2028: 30,
    }


def test_a_leave_cut_short_gives_back_the_days_to_come() -> None:
    leave = planned("2026-12-20 2026-12-30")
    now = local("2026-12-22 15:00")
    short = end_early(leave, now=now, time_zone=AMSTERDAM)
    assert short == Leave(date(2026, 12, 20), date(2026, 12, 22), Period(leave.period.begins, now))
    assert days_left((short,), RULES, years=(2026,)) == {2026: 27}


def test_a_leave_not_yet_begun_is_dropped_and_one_that_is_over_stays() -> None:
    leave = planned("2026-12-20 2026-12-30")
    assert end_early(leave, now=leave.period.begins, time_zone=AMSTERDAM) is None
    assert leave.period.ends is not None
    with pytest.raises(LeaveError) as caught:
        end_early(leave, now=leave.period.ends, time_zone=AMSTERDAM)
    assert caught.value.codes == ("leave_is_over",)


def test_two_leaves_on_one_day_take_it_once() -> None:
    now = local("2026-12-22 15:00")
    short = end_early(planned("2026-12-20 2026-12-30"), now=now, time_zone=AMSTERDAM)
    assert short is not None
    again = Leave(date(2026, 12, 22), date(2026, 12, 23), Period(now, local("2026-12-24 00:00")))
    assert days_left((short, again), RULES, years=(2026,)) == {2026: 26}


def test_moving_to_another_zone_moves_no_leave() -> None:
    leave = planned("2026-12-20 2026-12-20")
    now = leave.period.begins + timedelta(hours=1)  # the 19th in New York
    short = end_early(leave, now=now, time_zone="America/New_York")
    assert short is not None
    assert (short.first, short.last) == (date(2026, 12, 20), date(2026, 12, 20))


def test_a_day_the_zone_left_out_cannot_be_taken_off() -> None:
    now = datetime(2011, 12, 1, tzinfo=UTC)
    with pytest.raises(LeaveError) as caught:
        planned("2011-12-30", zone="Pacific/Apia", now=now)
    assert caught.value.codes == ("no_such_date",)
    around = planned("2011-12-29 2011-12-31", zone="Pacific/Apia", now=now)
    assert around.period.ends == around.period.begins + timedelta(days=2)


@pytest.mark.parametrize(
    ("leave", "before", "after"),
    [
        ("2026-12-10 2026-12-11", "2026-12-15 13:00", "2026-12-17 13:00"),
        ("2026-12-14 2026-12-20", "2026-12-15 13:00", "2026-12-22 13:00"),
        ("2026-12-16 2026-12-20", "2026-12-15 13:00", "2026-12-15 13:00"),
    ],
)
def test_the_effect_is_shown_before(leave: str, before: str, after: str) -> None:
    clock = Clock.start(ClockRules(timedelta(days=14)), [Calendar(AMSTERDAM)] * 2)
    clock = clock.begin(0, "decision", NOW)
    effect = preview_leave(clock, 0, planned(leave), now=NOW + timedelta(hours=3))
    assert effect.before is not None
    assert effect.after is not None
    assert (effect.before.at, effect.after.at) == (local(before), local(after))


def test_a_clock_that_does_not_run_has_no_effect_to_show() -> None:
    clock = Clock.start(ClockRules(timedelta(days=14)), [Calendar(AMSTERDAM)])
    effect = preview_leave(clock, 0, planned("2026-12-10"), now=NOW)
    assert (effect.before, effect.after) == (None, None)


def test_rules_of_leave_are_checked() -> None:
    with pytest.raises(LeaveError) as caught:
        LeaveRules(days_per_year=-1, notice=timedelta(days=-1))
    assert caught.value.codes == ("bad_allowance", "bad_notice")


def test_a_leave_survives_json() -> None:
    leave = planned("2026-12-20 2027-01-05")
    assert Leave.from_plain(json.loads(json.dumps(leave.to_plain()))) == leave
    for broken in (None, {}, {"days": [1, 2], "period": []}, {"days": ["2026-12-20"] * 3}):
        with pytest.raises(LeaveError):
            Leave.from_plain(broken)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(
    st.sampled_from([AMSTERDAM, "America/New_York", "Pacific/Apia", "Australia/Lord_Howe"]),
    st.lists(st.tuples(st.integers(-5, 500), st.integers(0, 40)), max_size=8),
)
def test_whatever_is_planned_the_allowance_holds(zone: str, wishes: list[tuple[int, int]]) -> None:
    taken: list[Leave] = []
    for start, length in wishes:
        first = NOW.date() + timedelta(days=start)
        last = first + timedelta(days=length)
        try:
            plan = plan_leave(taken, first, last, now=NOW, time_zone=zone, rules=RULES)
        except LeaveError:
            continue
        assert plan.leave.period.begins >= NOW + RULES.notice
        assert not any(plan.leave.period.overlaps(other.period) for other in taken)
        taken.append(plan.leave)
        assert plan.days_left == days_left(taken, RULES, years=plan.days_left)
    years = {day.year: 0 for leave in taken for day in leave.days()}
    for leave in taken:
        for day in leave.days():
            years[day.year] += 1
    assert all(number <= RULES.days_per_year for number in years.values())


def test_notice_given_to_the_minute_is_enough() -> None:
    begins = local("2026-12-20 00:00")
    assert planned("2026-12-20", now=begins - RULES.notice).period.begins == begins
    with pytest.raises(LeaveError):
        planned("2026-12-20", now=begins - RULES.notice + timedelta(microseconds=1))
