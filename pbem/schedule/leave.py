"""Leave: which days a player may take off, how many are left, and what a leave changes (L6).

A leave is a row of local days, first and last included, weekends too. The instants at which it
begins and ends are fixed when it is planned, by the time zone the player has then: moving to
another zone later moves no leave. It is never retroactive. Resting during a leave is done by
``calendar``; asking the player whether the plan is meant is left to the use cases.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from pbem.schedule.clock import Clock, Deadline
from pbem.schedule.errors import Fault, LeaveError, shown
from pbem.schedule.instants import LATEST, Period, as_utc
from pbem.schedule.plain import PlainReader, plain_period
from pbem.schedule.zones import day_after, first_instant, local_day

FARTHEST: Final = timedelta(days=731)
"""How far ahead a leave may be planned to end; it also bounds the work of counting days."""

_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class LeaveRules:
    """How many days a calendar year may be taken off, and how long before one must say so."""

    days_per_year: int = 30
    notice: timedelta = timedelta(days=1)

    def __post_init__(self) -> None:
        faults = []
        if not 0 <= self.days_per_year <= 366:
            faults.append(Fault("bad_allowance", "days_per_year", "must be from 0 to 366"))
        if not timedelta(0) <= self.notice <= FARTHEST:
            faults.append(Fault("bad_notice", "notice", "must be from nothing to two years"))
        if faults:
            raise LeaveError(faults)


@dataclass(frozen=True, slots=True)
class Leave:
    """Days off, and the stretch of time in which no clock runs because of them."""

    first: date
    last: date
    period: Period

    def days(self) -> Iterator[date]:
        """Each local day the leave touches."""
        day = self.first
        while day <= self.last:
            yield day
            day = day_after(day)

    def to_plain(self) -> dict[str, object]:
        """As JSON-shaped data."""
        days = [self.first.isoformat(), self.last.isoformat()]
        return {"days": days, "period": plain_period(self.period)}

    @classmethod
    def from_plain(cls, plain: object) -> Leave:
        """The inverse of ``to_plain``. Raises LeaveError with every fault listed."""
        reader = PlainReader(plain, ("days", "period"))
        text = " ".join(str(day)[:20] for day in reader.items("days", at_most=2))
        days = reader.attempt(lambda: parse_leave(text))
        period = reader.period(reader.get("period"), "period")
        if days is None or period is None or reader.faults:
            raise LeaveError(reader.faults)
        return cls(*days, period)


@dataclass(frozen=True, slots=True)
class LeavePlan:
    """A leave that may be taken, with what is then left of the allowance, by year."""

    leave: Leave
    days_left: dict[int, int]


@dataclass(frozen=True, slots=True)
class LeaveEffect:
    """The deadline of a running clock without a leave and with it."""

    before: Deadline | None
    after: Deadline | None


def parse_leave(text: str) -> tuple[date, date]:
    """``2026-12-20 2027-01-05``, the first and the last day; one date is a leave of one day.

    Raises LeaveError with every fault listed.
    """
    words = text[:100].split()
    if words and words[0].lower() == "leave":
        words = words[1:]
    if len(words) not in (1, 2) or len(text) > 100:
        raise LeaveError(
            [Fault("bad_leave", "leave", "must be two dates, such as 2026-12-20 2027-01-05")]
        )
    faults: list[Fault] = []
    days = [day for word in words if (day := _find_day(word, faults)) is not None]
    if not faults and days[0] > days[-1]:
        faults.append(Fault("ends_before_begins", "leave", "must end after it begins"))
    if faults:
        raise LeaveError(faults)
    return days[0], days[-1]


def _find_day(word: str, faults: list[Fault]) -> date | None:
    facts = {"found": shown(word)}
    match = _DATE.fullmatch(word)
    if match is None:
        text = f"{shown(word)} must be year, month and day, such as 2026-12-20"
        faults.append(Fault("bad_date", "leave", text, facts))
        return None
    try:
        return date(*map(int, match.groups()))
    except ValueError:
        faults.append(Fault("no_such_date", "leave", f"there is no {shown(word)}", facts))
        return None


def format_leave(first: date, last: date) -> str:
    """The inverse of ``parse_leave``."""
    return f"{first.isoformat()} {last.isoformat()}"


def plan_leave(
    existing: Iterable[Leave],
    first: date,
    last: date,
    *,
    now: datetime,
    time_zone: str,
    rules: LeaveRules,
) -> LeavePlan:
    """The leave from one local day to another. Raises LeaveError with every fault listed."""
    now, existing = as_utc(now, "now"), tuple(existing)
    today = local_day(now, time_zone)
    # Days far off are not looked at any further: their instants and numbers have no bound.
    if last > today + FARTHEST or first < today - FARTHEST:
        raise LeaveError([Fault("too_far", "leave", "must lie within the next two years")])
    if first > last:
        raise LeaveError([Fault("ends_before_begins", "leave", "must end after it begins")])
    begins, ends = first_instant(first, time_zone), first_instant(day_after(last), time_zone)
    if begins >= ends or ends > LATEST:
        # A zone that moved over the date line has left out a day.
        raise LeaveError([Fault("no_such_date", "leave", f"{first} does not come there")])
    leave = Leave(first, last, Period(begins, ends))
    faults = []
    if begins < now + rules.notice:
        earliest = _earliest(now + rules.notice, time_zone)
        text = f"may begin on {earliest} at the earliest"
        faults.append(Fault("too_soon", "leave", text, {"earliest": earliest}))
    for other in existing:
        if other.period.overlaps(leave.period):
            days = format_leave(other.first, other.last)
            text = f"overlaps the leave {days}"
            faults.append(Fault("overlap", "leave", text, {"leave": days}))
    left = days_left((*existing, leave), rules, years=(first.year, last.year))
    for year, days_over in left.items():
        if days_over < 0:
            text = f"takes {-days_over} days more than {year} has left"
            facts = {"year": year, "over": -days_over, "allowance": rules.days_per_year}
            faults.append(Fault("over_allowance", "leave", text, facts))
    if faults:
        raise LeaveError(faults)
    return LeavePlan(leave, left)


def days_left(
    leaves: Iterable[Leave], rules: LeaveRules, *, years: Iterable[int]
) -> dict[int, int]:
    """What is left of the allowance of each year; a day touched by two leaves counts once."""
    taken = Counter(day.year for day in {day for leave in leaves for day in leave.days()})
    return {year: rules.days_per_year - taken[year] for year in sorted(set(years))}


def end_early(leave: Leave, *, now: datetime, time_zone: str) -> Leave | None:
    """The leave cut short at this instant; None if it had not begun and is simply dropped.

    Today counts as taken, the days after it do not. Raises LeaveError if the leave is over.
    """
    now = as_utc(now, "now")
    if now <= leave.period.begins:
        return None
    if not leave.period.holds(now):
        raise LeaveError([Fault("leave_is_over", "leave", "is over already")])
    # After a move to another zone the wall may show a day outside the leave as it was planned.
    today = min(max(local_day(now, time_zone), leave.first), leave.last)
    return Leave(leave.first, today, Period(leave.period.begins, now))


def preview_leave(clock: Clock, seat: int, leave: Leave, *, now: datetime) -> LeaveEffect:
    """What a leave would do to a clock, to be shown before it is confirmed (L6)."""
    calendar = clock.seats[seat].timeline.current.with_leave(leave.period)
    changed = clock.change_calendar(seat, calendar, now)
    return LeaveEffect(clock.deadline(seat), changed.deadline(seat))


def _earliest(at: datetime, time_zone: str) -> date:
    """The first local day that begins at or after an instant."""
    day = local_day(at, time_zone)
    while first_instant(day, time_zone) < at:
        day = day_after(day)
    return day
