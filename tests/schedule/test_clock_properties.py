"""Whatever is done to clocks in whatever order, the sums are right and nothing runs backwards."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.schedule.calendar import Calendar
from pbem.schedule.clock import Clock
from pbem.schedule.errors import ClockError
from pbem.schedule.instants import Period
from pbem.schedule.rules import ClockRules, parse_clock_rules
from pbem.schedule.timeline import Timeline
from tests.schedule.strategies import DAYS, calendars, instants, spans

modest = settings(derandomize=True, deadline=None, max_examples=120)

RULES = st.sampled_from(
    [
        "14d",
        "3d+1d",
        "30d+12h cap 40d longest 5d",
        "14d defence 2d",
        "6h+1h cap 8h longest 2h defence 30m save",
    ]
).map(parse_clock_rules)

LONG_AGO = Period(datetime(2001, 1, 1, tzinfo=UTC), datetime(2001, 1, 2, tzinfo=UTC))


def another_of_the_same_effect(calendar: Calendar, number: int) -> Calendar:
    """A calendar that differs but rests at the same instants from 2002 on."""
    more = replace(LONG_AGO, begins=LONG_AGO.begins + timedelta(minutes=number))
    return calendar.with_stop(more)


@modest
@given(
    calendars(open_ended=True),
    RULES,
    instants(),
    st.lists(spans(5 * DAYS), max_size=6),
    st.lists(st.sampled_from(["change", "undo", "both"]), min_size=6, max_size=6),
)
def test_splitting_a_stretch_changes_nothing(
    calendar: Calendar,
    rules: ClockRules,
    since: datetime,
    gaps: list[timedelta],
    how: list[str],
) -> None:
    plain = Clock.start(rules, [calendar]).begin(0, "decision", since)
    split, at = plain, since
    for number, (gap, what) in enumerate(zip(gaps, how, strict=False)):
        at += gap
        over = plain.deadline(0)
        held = what != "change" and (over is None or at < over.at)
        if held:
            split = split.suspend(0, at)
        if what != "undo":
            other = another_of_the_same_effect(calendar, number)
            split = split.change_calendar(0, other, at + gap / 2 if held else at)
        at += gap
        if held:
            split = split.resume_as_if_never_stopped(0, at)
    assert split.deadline(0) == plain.deadline(0)
    assert tuple(split.reminders(0)) == tuple(plain.reminders(0))
    for later in (since, at, at + timedelta(days=3)):
        assert split.left(0, later) == plain.left(0, later)


@modest
@given(calendars(open_ended=True), calendars(), instants(), spans(9 * DAYS), spans(9 * DAYS))
def test_the_past_keeps_its_calendar(
    first: Calendar, second: Calendar, since: datetime, one: timedelta, two: timedelta
) -> None:
    change = since + one
    timeline = Timeline.of(first).changed(second, change)
    until = change + two
    counted = first.running(since, change) + second.running(change, until)
    assert timeline.running(since, until) == counted
    deadline = timeline.deadline(since, counted)
    assert deadline is not None
    assert timeline.running(since, deadline) == counted
    if deadline > since:
        assert timeline.running(since, deadline - timedelta(microseconds=1)) < counted
    assert Timeline.from_plain(timeline.to_plain()) == timeline
    assert timeline.is_resting(until) == second.is_resting(until)


@modest
@given(st.lists(calendars(), min_size=3, max_size=3), instants(), spans(4 * DAYS).filter(bool))
def test_forgetting_the_past_changes_no_later_answer(
    three: list[Calendar], since: datetime, gap: timedelta
) -> None:
    timeline = Timeline.of(three[0])
    for number, calendar in enumerate(three[1:]):
        timeline = timeline.changed(calendar, since + (number + 1) * gap)
    for number in range(4):
        begins = since + number * gap
        short = timeline.without_past(begins)
        assert len(short.spells) <= max(1, 3 - number)
        assert short.running(begins, begins + 5 * gap) == timeline.running(begins, begins + 5 * gap)


Step = tuple[str, int, timedelta]
steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["begin", "defend", "end", "end_turn", "hold", "resume", "undo", "change", "expire"]
        ),
        st.integers(0, 1),
        spans(2 * DAYS),
    ),
    max_size=30,
)


def take(own: Clock, step: Step, at: datetime, calendar: Calendar) -> Clock:
    """One operation; as it was, if it does not fit."""
    what, seat, _ = step
    operations = {
        "begin": lambda: own.begin(seat, "decision", at),
        "defend": lambda: own.begin(seat, "defence", at),
        "end": lambda: own.end(seat, at),
        "end_turn": lambda: own.end(seat, at, turn_ended=True),
        "hold": lambda: own.suspend(seat, at),
        "resume": lambda: own.resume(seat, at),
        "undo": lambda: own.resume_as_if_never_stopped(seat, at),
        "change": lambda: own.change_calendar(seat, calendar, at),
        "expire": lambda: own.expire(seat, at),
    }
    try:
        return operations[what]()
    except ClockError:
        return own


@settings(modest, max_examples=150)
@given(st.lists(calendars(), min_size=2, max_size=2), RULES, instants(), steps)
def test_any_order_of_operations(
    pair: list[Calendar], rules: ClockRules, since: datetime, taken: list[Step]
) -> None:
    game = Clock.start(rules, pair)
    at = since
    for step in taken:
        at += step[2]
        seat = step[1]
        before, game = game, take(game, step, at, pair[1 - seat])
        assert game.seats[1 - seat] == before.seats[1 - seat]
        assert take(game, ("expire", seat, timedelta(0)), at, pair[0]) == take(
            take(game, ("expire", seat, timedelta(0)), at, pair[0]),
            ("expire", seat, timedelta(0)),
            at,
            pair[0],
        )
        own = game.seats[seat]
        assert own.bank >= timedelta(0)
        if game.rules.cap is not None:
            assert own.bank <= game.rules.cap
        assert Clock.from_plain(game.to_plain()) == game
        # Time that is left never grows while nothing happens.
        left = [game.left(seat, at + timedelta(hours=hours)) for hours in (0, 5, 50)]
        assert left == sorted(left, reverse=True)
        deadline = game.deadline(seat)
        if deadline is not None:
            assert game.left_to_decide(seat, deadline.at) == timedelta(0)
            assert game.left_to_decide(seat, deadline.at - timedelta(microseconds=1)) <= timedelta(
                microseconds=1
            )
            reminders = [reminder.at for reminder in game.reminders(seat)]
            assert reminders == sorted(reminders)
            assert all(reminder <= deadline.at for reminder in reminders)
    replayed, at = Clock.start(rules, pair), since
    for step in taken:
        at += step[2]
        replayed = take(replayed, step, at, pair[1 - step[1]])
    assert replayed == game


@modest
@given(calendars(), instants(), st.lists(st.tuples(spans(DAYS), spans(DAYS)), max_size=12))
def test_all_that_was_used_is_all_that_ran(
    calendar: Calendar, at: datetime, turns: list[tuple[timedelta, timedelta]]
) -> None:
    game = Clock.start(parse_clock_rules("100d"), [calendar])
    ran = timedelta(0)
    for awaited, between in turns:
        game = game.begin(0, "decision", at)
        ran += calendar.running(at, at + awaited)
        game = game.end(0, at + awaited)
        at += awaited + between
    assert game.rules.bank - game.seats[0].bank == ran
