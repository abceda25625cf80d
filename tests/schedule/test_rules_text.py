"""Clocks and durations as players write them, and as they are written back."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.schedule.durations import format_duration, format_time_left, parse_duration
from pbem.schedule.errors import ClockRulesError, DurationError
from pbem.schedule.rules import ClockRules, format_clock_rules, parse_clock_rules

modest = settings(derandomize=True, deadline=None, max_examples=150)

seconds = st.integers(1, 1000 * 86400).map(lambda each: timedelta(seconds=each))


def days(number: float) -> timedelta:
    return timedelta(days=number)


@pytest.mark.parametrize(
    ("text", "duration", "canonical"),
    [
        ("14d", days(14), "14d"),
        ("2w", days(14), "14d"),
        ("36h", days(1.5), "1d12h"),
        ("1W2D", days(9), "9d"),
        (" 29d4h ", timedelta(days=29, hours=4), "29d4h"),
        ("90m", timedelta(minutes=90), "1h30m"),
        ("1d1s", timedelta(days=1, seconds=1), "1d1s"),
        ("20m", timedelta(minutes=20), "20m"),
        ("0d", timedelta(0), "0s"),
        ("1000d", days(1000), "1000d"),
    ],
)
def test_durations(text: str, duration: timedelta, canonical: str) -> None:
    assert parse_duration(text) == duration
    assert format_duration(duration) == canonical


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_duration"),
        ("d", "bad_duration"),
        ("14", "bad_duration"),
        ("14 d", "bad_duration"),
        ("-3d", "bad_duration"),
        ("1.5d", "bad_duration"),
        ("1y", "bad_duration"),
        ("٣d", "bad_duration"),
        pytest.param("9" * 10**6 + "d", "bad_duration", id="long"),
        ("4h1d", "units_unordered"),
        ("1d1d", "units_unordered"),
        ("1001d", "too_long"),
        ("1000d1s", "too_long"),
        ("999999999w", "too_long"),
    ],
)
def test_what_is_no_duration(text: str, code: str) -> None:
    with pytest.raises(DurationError) as caught:
        parse_duration(text)
    assert caught.value.codes == (code,)


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        (timedelta(days=29, hours=4, minutes=59), "29d4h"),
        (timedelta(days=29, minutes=59), "29d"),
        (timedelta(hours=3, minutes=59, seconds=59), "3h59m"),
        (timedelta(minutes=3, seconds=7, microseconds=999999), "3m7s"),
        (timedelta(microseconds=999999), "0s"),
        (timedelta(days=-1), "0s"),
    ],
)
def test_time_left_never_promises_too_much(left: timedelta, shown: str) -> None:
    assert format_time_left(left) == shown
    assert parse_duration(shown) <= max(left, timedelta(0))


@modest
@given(seconds)
def test_durations_and_back(duration: timedelta) -> None:
    assert parse_duration(format_duration(duration)) == duration


@pytest.mark.parametrize(
    ("text", "rules", "canonical"),
    [
        ("14d", ClockRules(days(14)), "14d"),
        ("10d+1d", ClockRules(days(10), days(1)), "10d+1d"),
        (
            "30d+12h/60d",
            ClockRules(days(30), days(0.5), cap=days(60)),
            "30d+12h cap 60d",
        ),
        ("14D defence 3D", ClockRules(days(14), defence=days(3)), "14d defence 3d fall"),
        (
            "14d defense 3d save",
            ClockRules(days(14), defence=days(3), defence_default="save"),
            "14d defence 3d save",
        ),
        (
            "30d + 12h  defence 3d fall longest 14d cap 60d",
            ClockRules(days(30), days(0.5), days(60), days(14), days(3)),
            "30d+12h cap 60d longest 14d defence 3d fall",
        ),
        ("14d remind 50,80,95", ClockRules(days(14)), "14d"),
        ("14d remind 90%", ClockRules(days(14), reminders=(90,)), "14d remind 90"),
        ("14d remind never", ClockRules(days(14), reminders=()), "14d remind never"),
        ("20m", ClockRules(timedelta(minutes=20)), "20m"),
    ],
)
def test_clock_rules(text: str, rules: ClockRules, canonical: str) -> None:
    assert parse_clock_rules(text) == rules
    assert format_clock_rules(rules) == canonical
    assert parse_clock_rules(canonical) == rules


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", [("bad_duration", "column 1")]),
        ("soon", [("bad_duration", "column 1")]),
        ("14d+", [("bad_duration", "column 5")]),
        ("14d cap", [("bad_duration", "column 8")]),
        ("14d quickly", [("unknown_word", "column 5")]),
        ("14d fall", [("unknown_word", "column 5")]),
        ("14d 3d", [("unknown_word", "column 5")]),
        ("14d/10d", [("cap_below_bank", "cap")]),
        ("14d defence 15d", [("defence_over_bank", "defence")]),
        ("14d+1d+2d", [("said_twice", "column 8")]),
        ("14d longest 0d", [("not_positive", "longest")]),
        ("0d", [("not_positive", "bank")]),
        ("2000d", [("too_long", "column 1")]),
        ("14d remind 0", [("bad_percent", "reminders")]),
        ("14d remind 100", [("bad_percent", "reminders")]),
        ("14d remind 80,50", [("reminders_unordered", "reminders")]),
        ("14d remind 1,2,3,4,5,6,7,8,9,10,11", [("too_many_reminders", "reminders")]),
        ("14d remind soon", [("bad_percent", "column 12")]),
        ("14d remind", [("bad_percent", "column 11")]),
        pytest.param("14d " * 10**5, [("text_too_long", "column 1")], id="long"),
        (
            "x cap 4q longest 2d2d remind 80,50",
            [
                ("bad_duration", "column 1"),
                ("bad_duration", "column 7"),
                ("units_unordered", "column 18"),
                ("reminders_unordered", "reminders"),
            ],
        ),
    ],
)
def test_every_fault_of_a_text_is_listed_with_its_place(
    text: str, faults: list[tuple[str, str]]
) -> None:
    with pytest.raises(ClockRulesError) as caught:
        parse_clock_rules(text)
    assert [(fault.code, fault.where) for fault in caught.value.faults] == faults


def test_rules_that_contradict_each_other() -> None:
    with pytest.raises(ClockRulesError) as caught:
        ClockRules(
            timedelta(microseconds=1),
            increment=days(-1),
            cap=days(1001),
            longest=days(0),
            defence_default="save",
        )
    assert caught.value.codes == (
        "not_whole_seconds",
        "not_positive",
        "too_long",
        "not_positive",
        "default_without_defence",
    )


@st.composite
def clock_rules(draw: st.DrawFn) -> ClockRules:
    bank = draw(seconds)
    defence = draw(st.none() | seconds.map(lambda each: min(each, bank)))
    return ClockRules(
        bank,
        increment=draw(st.just(timedelta(0)) | seconds),
        cap=draw(st.none() | seconds.map(lambda each: max(each, bank))),
        longest=draw(st.none() | seconds),
        defence=defence,
        defence_default="fall" if defence is None else draw(st.sampled_from(["fall", "save"])),
        reminders=tuple(sorted(draw(st.sets(st.integers(1, 99), max_size=10)))),
    )


@modest
@given(clock_rules())
def test_rules_and_back(rules: ClockRules) -> None:
    assert parse_clock_rules(format_clock_rules(rules)) == rules
    assert ClockRules.from_plain(json.loads(json.dumps(rules.to_plain()))) == rules


@modest
@given(st.text(alphabet="0123456789dhmsw+/,% capdefnlogtrim\n\x00é", max_size=60))
def test_any_text_is_rules_or_one_of_our_errors(text: str) -> None:
    try:
        rules = parse_clock_rules(text)
    except ClockRulesError as error:
        faults = error.faults
    else:
        assert parse_clock_rules(format_clock_rules(rules)) == rules
        return
    assert all(fault.code and fault.where and fault.text for fault in faults)
    assert faults


def test_rules_from_other_data() -> None:
    plain = ClockRules(days(14)).to_plain()
    with pytest.raises(ClockRulesError) as caught:
        ClockRules.from_plain(
            plain | {"bank": True, "cap": -1, "reminders": ["x"], "defence_default": "run"}
        )
    assert [fault.where for fault in caught.value.faults] == [
        "reminders",
        "defence_default",
        "bank",
        "cap",
        "bank",
    ]
