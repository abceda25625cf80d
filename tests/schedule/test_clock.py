"""Clocks a player would understand: hand-over, increment, defence, flag, holds, reminders."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.schedule.calendar import Calendar, parse_quiet_hours
from pbem.schedule.clock import Clock, Deadline, Reminder
from pbem.schedule.durations import format_duration
from pbem.schedule.errors import CalendarError, ClockError, InstantError
from pbem.schedule.instants import Period
from pbem.schedule.rules import parse_clock_rules
from pbem.schedule.timeline import Timeline

START = datetime(2026, 6, 1, 9, tzinfo=UTC)  # a Monday
TICK = timedelta(microseconds=1)


def day(number: float) -> datetime:
    """So many days after the beginning."""
    return START + timedelta(days=number)


def clock(rules: str, *calendars: Calendar) -> Clock:
    return Clock.start(parse_clock_rules(rules), calendars or (Calendar(), Calendar()))


def banks(own: Clock, at: datetime) -> list[str]:
    return [format_duration(own.left(seat, at)) for seat in range(len(own.seats))]


def test_a_turn_with_an_attack_hands_the_clock_to_and_fro() -> None:
    game = clock("10d+1d cap 12d")
    steps: list[tuple[Callable[[Clock], Clock], float, list[str]]] = [
        (lambda own: own.begin(0, "decision", day(0)), 2, ["8d", "10d"]),
        (lambda own: own.end(0, day(2)), 2, ["8d", "10d"]),  # an attack is declared
        (lambda own: own.begin(1, "defence", day(2)), 5, ["8d", "7d"]),
        (lambda own: own.end(1, day(5)), 6, ["8d", "7d"]),
        (lambda own: own.begin(0, "decision", day(6)), 7, ["7d", "7d"]),
        (lambda own: own.end(0, day(7), turn_ended=True), 9, ["8d", "7d"]),
        (lambda own: own.begin(1, "decision", day(7)), 7, ["8d", "7d"]),
        (lambda own: own.end(1, day(7), turn_ended=True), 7, ["8d", "8d"]),
    ]
    for step, at, left in steps:
        game = step(game)
        assert banks(game, day(at)) == left


def test_the_bank_never_rises_over_the_cap() -> None:
    game = clock("10d+3d cap 12d")
    game = game.begin(0, "decision", day(0)).end(0, day(0.5), turn_ended=True)
    assert banks(game, day(1)) == ["12d", "10d"]


def test_a_plan_that_ends_the_turn_earns_the_increment_too() -> None:
    game = clock("10d+1d").credit_turn(0)
    assert banks(game, day(0)) == ["11d", "10d"]
    with pytest.raises(ClockError):
        game.begin(0, "decision", day(0)).credit_turn(0)


@pytest.mark.parametrize(
    ("rules", "kind", "deadline"),
    [
        ("14d", "decision", Deadline(day(14), "flag")),
        ("14d", "defence", Deadline(day(14), "flag")),
        ("14d longest 5d", "decision", Deadline(day(5), "flag")),
        ("14d longest 5d", "defence", Deadline(day(5), "flag")),
        ("3d longest 5d", "decision", Deadline(day(3), "flag")),
        ("14d defence 3d", "decision", Deadline(day(14), "flag")),
        ("14d defence 3d", "defence", Deadline(day(3), "default")),
        ("14d longest 2d defence 3d", "defence", Deadline(day(3), "default")),
    ],
)
def test_deadlines_and_what_they_lead_to(rules: str, kind: Any, deadline: Deadline) -> None:
    game = clock(rules).begin(0, kind, day(0))
    assert game.deadline(0) == deadline
    assert game.deadline(1) is None
    assert game.left_to_decide(0, day(1)) == deadline.at - day(1)
    assert game.left_to_decide(0, day(100)) == timedelta(0)


def test_the_instant_of_the_deadline_is_too_late() -> None:
    game = clock("14d").begin(0, "decision", day(0))
    assert game.end(0, day(14) - TICK).seats[0].bank == TICK
    for operation in (game.end, game.suspend):
        with pytest.raises(ClockError) as caught:
            operation(0, day(14))
        assert caught.value.codes == ("time_is_up",)
        assert caught.value.faults[0].facts == {"deadline": day(14), "consequence": "flag"}


def test_an_answer_stored_in_time_but_read_late_is_in_time() -> None:
    quiet = Calendar(quiet=parse_quiet_hours("0-8"))
    game = clock("14d").begin(0, "decision", day(0))
    game = game.change_calendar(0, quiet, day(15))  # the flag had fallen on day 14
    assert game.deadline(0) == Deadline(day(14), "flag")
    assert game.end(0, day(13.5)).seats[0].bank == timedelta(hours=12)


def test_a_defence_clock_leaves_the_bank_alone() -> None:
    game = clock("14d defence 3d").begin(1, "defence", day(0))
    assert banks(game, day(2)) == ["14d", "14d"]
    assert banks(game.end(1, day(2.9)), day(5)) == ["14d", "14d"]


@pytest.mark.parametrize("noticed", [3, 3.001, 50])
def test_what_is_over_ends_at_its_deadline_whenever_that_is_noticed(noticed: float) -> None:
    defence = clock("14d defence 3d").begin(1, "defence", day(0)).expire(1, day(noticed))
    assert defence == clock("14d defence 3d").begin(1, "defence", day(0)).expire(1, day(3))
    assert defence.seats[1].ended == day(3)
    assert banks(defence, day(50)) == ["14d", "14d"]
    flag = clock("3d").begin(0, "decision", day(0)).expire(0, day(noticed))
    assert banks(flag, day(50)) == ["0s", "3d"]
    longest = clock("14d longest 3d").begin(0, "decision", day(0)).expire(0, day(noticed))
    assert banks(longest, day(50)) == ["11d", "14d"]


def test_set_ups_run_for_both_and_may_be_entered_in_any_order() -> None:
    game = clock("14d").begin(0, "decision", day(0)).begin(1, "decision", day(0))
    assert game.deadlines() == ((0, Deadline(day(14), "flag")), (1, Deadline(day(14), "flag")))
    game = game.end(1, day(3))
    game = game.end(0, day(2))  # stored earlier, read later
    assert banks(game, day(9)) == ["12d", "11d"]
    assert game.deadlines() == ()


def test_deadlines_are_in_order_of_time() -> None:
    game = clock("14d", *[Calendar()] * 3)
    for seat, begun in ((0, 2), (1, 1), (2, 3)):
        game = game.begin(seat, "decision", day(begun))
    assert [seat for seat, _ in game.deadlines()] == [1, 0, 2]


def test_a_held_submission_that_is_played_costs_the_time_until_it_was_sent() -> None:
    held = clock("14d").begin(0, "decision", day(0)).suspend(0, day(3))
    assert held.deadline(0) is None
    assert banks(held, day(20)) == ["11d", "14d"]
    assert banks(held.end(0, day(20)), day(20)) == ["11d", "14d"]


def test_a_held_submission_that_is_undone_has_stopped_nothing() -> None:
    begun = clock("14d").begin(0, "decision", day(0))
    assert begun.suspend(0, day(3)).resume_as_if_never_stopped(0, day(4)) == begun
    late = begun.suspend(0, day(13.9)).resume_as_if_never_stopped(0, day(14.1))
    assert late.deadline(0) == Deadline(day(14), "flag")


def test_a_held_submission_can_be_given_back_with_the_clock_stopped_meanwhile() -> None:
    game = clock("14d").begin(0, "decision", day(0)).suspend(0, day(3)).resume(0, day(5))
    assert game.deadline(0) == Deadline(day(16), "flag")
    assert game.left(0, day(4)) == game.left(0, day(5)) == timedelta(days=11)
    assert banks(game.end(0, day(6)), day(6)) == ["10d", "14d"]


def test_a_calendar_changed_during_a_hold_counts_on_undo() -> None:
    weekends = Calendar(rests_on_weekends=True)
    game = clock("14d").begin(0, "decision", day(0)).suspend(0, day(1))
    game = game.change_calendar(0, weekends, day(2))
    undone = game.resume_as_if_never_stopped(0, day(3))
    assert undone.deadline(0) == Deadline(day(18), "flag")  # two weekends are left out


def test_a_change_of_calendar_is_not_retroactive() -> None:
    game = clock("14d").begin(0, "decision", day(0))
    saturday = day(5)
    game = game.change_calendar(0, Calendar(rests_on_weekends=True), saturday + timedelta(hours=3))
    assert game.left(0, day(30)) == timedelta(0)
    assert game.left(0, saturday + timedelta(hours=3)) == timedelta(days=8, hours=21)
    assert game.left(0, day(6)) == timedelta(days=8, hours=21)


def test_bounced_mail_stops_the_clock_for_a_stated_time() -> None:
    game = clock("14d").begin(0, "decision", day(0))
    stopped = Calendar().with_stop(Period(day(2), day(7)))
    assert game.change_calendar(0, stopped, day(2)).deadline(0) == Deadline(day(19), "flag")


def test_an_outage_is_entered_when_it_is_over_and_counts_from_its_beginning() -> None:
    game = clock("14d").begin(0, "decision", day(0))
    outage = Calendar().with_stop(Period(day(13), day(15)))
    assert game.change_calendar(0, outage, day(13)).deadline(0) == Deadline(day(16), "flag")


def test_reminders_come_at_fractions_of_the_time_that_counts() -> None:
    game = clock("10d longest 5d remind 50,80", Calendar(rests_on_weekends=True))
    assert tuple(game.reminders(0)) == ()
    game = game.begin(0, "decision", day(2))
    # Two and a half days from Wednesday 9:00 end on Friday 21:00; four days on Tuesday 9:00.
    half, most = Reminder(day(4.5), 50), Reminder(day(8), 80)
    assert tuple(game.reminders(0)) == (half, most)


def test_a_defence_has_reminders_of_its_own() -> None:
    game = clock("14d defence 3d remind 50").begin(0, "defence", day(0))
    assert tuple(game.reminders(0)) == (Reminder(day(1.5), 50),)


def test_reminders_before_a_hold_stay_and_later_ones_wait() -> None:
    game = clock("10d remind 20,80").begin(0, "decision", day(0)).suspend(0, day(4))
    assert tuple(game.reminders(0)) == (Reminder(day(2), 20),)
    resumed = game.resume(0, day(5))
    assert tuple(resumed.reminders(0)) == (Reminder(day(2), 20), Reminder(day(9), 80))


NAP: Any = "nap"


def _begun() -> Clock:
    return clock("14d").begin(0, "decision", day(1))


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (lambda: _begun().begin(0, "decision", day(2)), "already_running"),
        (lambda: _begun().begin(0, "defence", day(2)), "already_running"),
        (lambda: _begun().begin(1, NAP, day(2)), "unknown_kind"),
        (lambda: _begun().begin(2, "decision", day(2)), "no_such_seat"),
        (lambda: _begun().begin(-1, "decision", day(2)), "no_such_seat"),
        (lambda: _begun().end(1, day(2)), "not_running"),
        (lambda: _begun().end(0, day(1) - TICK), "time_runs_backwards"),
        (lambda: _begun().suspend(0, day(0)), "time_runs_backwards"),
        (lambda: _begun().suspend(1, day(2)), "not_running"),
        (lambda: _begun().resume(0, day(2)), "not_held"),
        (lambda: _begun().resume_as_if_never_stopped(0, day(2)), "not_held"),
        (lambda: _begun().suspend(0, day(3)).suspend(0, day(4)), "already_held"),
        (lambda: _begun().suspend(0, day(3)).resume(0, day(2)), "time_runs_backwards"),
        (lambda: _begun().suspend(0, day(3)).end(0, day(2)), "time_runs_backwards"),
        (
            lambda: _begun().suspend(0, day(3)).resume(0, day(5)).end(0, day(4)),
            "time_runs_backwards",
        ),
        (lambda: _begun().end(0, day(3)).begin(0, "decision", day(2)), "time_runs_backwards"),
        (lambda: _begun().expire(0, day(15) - TICK), "not_over"),
        (lambda: _begun().expire(1, day(50)), "not_running"),
        (lambda: _begun().left_to_decide(1, day(2)), "not_running"),
        (
            lambda: (
                _begun()
                .change_calendar(0, Calendar("Asia/Kathmandu"), day(3))
                .change_calendar(0, Calendar(), day(2))
            ),
            "time_runs_backwards",
        ),
        (
            lambda: clock("14d").begin(0, "defence", day(1)).end(0, day(2), turn_ended=True),
            "defence_ends_no_turn",
        ),
    ],
)
def test_what_does_not_fit_is_refused(operation: Callable[[], object], code: str) -> None:
    with pytest.raises(ClockError) as caught:
        operation()
    assert caught.value.codes == (code,)


def test_instants_need_a_time_zone() -> None:
    with pytest.raises(InstantError):
        _begun().end(0, datetime(2026, 6, 3))


def test_a_bank_with_no_end_in_sight_has_no_deadline() -> None:
    bounced = Calendar().with_stop(Period(day(3)))
    game = clock("14d", bounced).begin(0, "decision", day(0))
    assert game.deadline(0) is None
    assert game.deadlines() == ()
    assert game.end(0, day(400)).seats[0].bank == timedelta(days=11)


def test_a_clock_survives_json() -> None:
    game = clock("30d+12h cap 60d longest 14d defence 3d save remind 90")
    game = game.begin(0, "decision", day(0)).end(0, day(1) + TICK, turn_ended=True)
    game = game.begin(1, "defence", day(1.5)).suspend(1, day(2)).resume(1, day(2.5))
    game = game.suspend(1, day(3)).change_calendar(1, Calendar("Asia/Kathmandu"), day(3))
    assert Clock.from_plain(json.loads(json.dumps(game.to_plain()))) == game


def test_every_fault_of_stored_data_is_listed() -> None:
    plain: Any = _begun().suspend(0, day(3)).to_plain()
    plain["rules"]["bank"] = 0
    plain["seats"][0]["stretch"] |= {"kind": "nap", "since": "2027-01-01T00:00:00Z"}
    plain["seats"][1]["timeline"][0]["calendar"]["time_zone"] = "Mars"
    plain["seats"][1]["bank"] = "much"
    with pytest.raises(ClockError) as caught:
        Clock.from_plain(plain)
    assert [(fault.code, fault.where) for fault in caught.value.faults] == [
        ("not_positive", "rules.bank"),
        ("unknown_kind", "seats[0].stretch.kind"),
        ("holds_unordered", "seats[0].stretch.holds"),
        ("wrong_type", "seats[1].bank"),
        ("unknown_zone", "seats[1].timeline.spells[0].calendar.time_zone"),
    ]


@pytest.mark.parametrize("plain", [None, {}, {"rules": {}, "seats": 3}, {"seats": [[]]}])
def test_data_of_another_shape_is_refused(plain: object) -> None:
    with pytest.raises(ClockError):
        Clock.from_plain(plain)


def test_a_timeline_begins_with_a_calendar_and_is_in_order() -> None:
    plain: Any = _begun().to_plain()
    spell = plain["seats"][0]["timeline"][0]
    for spells in ([], [spell, spell], [spell | {"since": "2026-06-01T00:00:00Z"}]):
        plain["seats"][0]["timeline"] = spells
        with pytest.raises(ClockError) as caught:
            Clock.from_plain(plain)
        assert caught.value.codes == ("no_first_calendar",)
    assert issubclass(CalendarError, ValueError)


def test_two_changes_at_one_instant_leave_the_last() -> None:
    nepal = Calendar("Asia/Kathmandu", rests_on_weekends=True)
    game = _begun().change_calendar(0, Calendar("Asia/Tokyo"), day(2))
    game = game.change_calendar(0, nepal, day(2))
    assert game == _begun().change_calendar(0, nepal, day(2))


def test_a_hold_of_no_length_leaves_no_trace() -> None:
    assert _begun().suspend(0, day(3)).resume(0, day(3)) == _begun()


def test_a_share_of_the_time_is_rounded_up() -> None:
    second = timedelta(seconds=1)
    game = clock("1s remind 50").begin(0, "decision", day(0)).end(0, day(0) + second - 7 * TICK)
    begun = game.begin(0, "decision", day(1))
    assert tuple(begun.reminders(0)) == (Reminder(day(1) + 4 * TICK, 50),)


def test_periods_left_out_before_the_stretch_do_not_matter() -> None:
    timeline = Timeline.of(Calendar())
    over = (Period(day(0), day(1)), Period(day(5), day(6)))
    assert timeline.running(day(3), day(7), without=over) == timedelta(days=3)
    assert timeline.deadline(day(3), timedelta(days=3), without=over) == day(7)
