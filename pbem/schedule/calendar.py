"""When a player's time counts: time zone, weekends, quiet hours, leave, and stops.

An instant **rests** when the player's wall clock then shows a weekend day or quiet hours, or when
it lies in a leave or a stop (bounced mail, L5; a server that cannot receive or send, L1.6). All
other instants count. Because the wall clock decides, an hour that summer time repeats is quiet
twice, and one that it skips is quiet not at all.

Counting jumps from one change of the zone's offset to the next and takes whole weeks at once; it
is exact to the microsecond. How one calendar follows another is left to ``timeline``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from pbem.schedule.errors import CalendarError, Fault, shown
from pbem.schedule.instants import (
    DAY,
    LATEST_MICROS,
    MICROSECOND,
    WEEK,
    Period,
    from_micros,
    to_micros,
)
from pbem.schedule.plain import PlainReader, plain_period
from pbem.schedule.zones import find_zone_name, offsets, zone_names

MOST_QUIET: Final = timedelta(hours=22)
"""A clock that may run less than two hours on a working day would be no clock."""

MOST_PERIODS: Final = 1000
HORIZON: Final = 3653 * DAY
"""Ten years: what has not come by then is said never to come."""

MINUTE: Final = 60 * 10**6
SATURDAY: Final = 5


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Local times of the day between which a clock rests; they may go over midnight."""

    begins: time
    ends: time

    def __post_init__(self) -> None:
        faults = []
        for name, value in (("begins", self.begins), ("ends", self.ends)):
            if value.tzinfo is not None or value.second or value.microsecond:
                faults.append(Fault("bad_time_of_day", name, "must be a local hour and minute"))
        if not faults and self.begins == self.ends:
            faults.append(Fault("quiet_hours_equal", "ends", "must differ from where they begin"))
        elif not faults and self.length > MOST_QUIET:
            text = f"{self.length} are quiet, and at most {MOST_QUIET} may be"
            faults.append(Fault("too_quiet", "ends", text, {"most_hours": 22}))
        if faults:
            raise CalendarError(faults)

    @property
    def length(self) -> timedelta:
        """How long they last on a day without a change of the clocks."""
        span = (_minutes(self.ends) - _minutes(self.begins)) % (24 * 60)
        return timedelta(minutes=span)


def parse_quiet_hours(text: str) -> QuietHours:
    """``22:00-07:00`` (or ``22-7``). Raises CalendarError."""
    ends = text.split("-") if len(text) <= 20 else []
    times = [_find_time(end.strip()) for end in ends]
    if len(times) != 2 or times[0] is None or times[1] is None:
        raise CalendarError(
            [
                Fault(
                    "bad_quiet_hours",
                    "quiet",
                    f"{shown(text)} must be two times of the day, such as 22:00-07:00",
                    {"found": shown(text)},
                )
            ]
        )
    return QuietHours(times[0], times[1])


def format_quiet_hours(quiet: QuietHours) -> str:
    """``22:00-07:00``; the inverse of ``parse_quiet_hours``."""
    return f"{quiet.begins:%H:%M}-{quiet.ends:%H:%M}"


def _find_time(text: str) -> time | None:
    hour, colon, minute = text.partition(":")
    digits = hour + (minute if colon else "0")
    if not (digits.isascii() and digits.isdecimal() and len(hour) in (1, 2)):
        return None
    if colon and len(minute) != 2:
        return None
    hours, minutes = int(hour), int(minute or 0)
    if (hours, minutes) == (24, 0):
        hours = 0  # midnight at the end of a day is the midnight at the beginning of the next
    return time(hours, minutes) if hours < 24 and minutes < 60 else None


def _minutes(at: time) -> int:
    return at.hour * 60 + at.minute


class _Week(NamedTuple):
    """The hours of a local week that count: where they begin and end, and their running total."""

    begins: tuple[int, ...]
    ends: tuple[int, ...]
    totals: tuple[int, ...]

    def counted(self, local: int) -> int:
        """What has counted from the first Monday until a local time."""
        weeks, rest = divmod(local, WEEK)
        last = bisect_right(self.begins, rest) - 1
        if last < 0:
            return weeks * self.totals[-1]
        unused = max(0, self.ends[last] - rest)
        return weeks * self.totals[-1] + self.totals[last] - unused

    def reached(self, count: int) -> int:
        """The first local time at which so much has counted."""
        weeks, rest = divmod(count - 1, self.totals[-1])
        index = bisect_left(self.totals, rest + 1)
        return weeks * WEEK + self.ends[index] - (self.totals[index] - rest - 1)

    def rests(self, local: int) -> bool:
        rest = local % WEEK
        last = bisect_right(self.begins, rest) - 1
        return last < 0 or rest >= self.ends[last]


@lru_cache(maxsize=4096)
def _week(weekends: bool, quiet: QuietHours | None) -> _Week:
    if quiet is None:
        day = [(0, DAY)]
    else:
        begins, ends = _minutes(quiet.begins) * MINUTE, _minutes(quiet.ends) * MINUTE
        day = [(0, begins), (ends, DAY)] if begins < ends else [(ends, begins)]
    hours = [
        (number * DAY + first, number * DAY + last)
        for number in range(SATURDAY if weekends else 7)
        for first, last in day
        if first < last
    ]
    return _Week(
        tuple(first for first, _ in hours),
        tuple(last for _, last in hours),
        tuple(accumulate(last - first for first, last in hours)),
    )


@dataclass(frozen=True, slots=True)
class Calendar:
    """What rests for one player. Raises CalendarError with every fault listed."""

    time_zone: str = "UTC"
    rests_on_weekends: bool = False
    quiet: QuietHours | None = None
    leaves: tuple[Period, ...] = ()
    stops: tuple[Period, ...] = ()

    def __post_init__(self) -> None:
        faults = []
        if zone_names().get(self.time_zone.casefold()) != self.time_zone:
            near = find_zone_name(self.time_zone[:100])
            text = f"there is no time zone {shown(self.time_zone)}"
            facts = {"found": shown(self.time_zone), "near": near}
            faults.append(Fault("unknown_zone", "time_zone", text, facts))
        for name, periods in (("leaves", self.leaves), ("stops", self.stops)):
            if len(periods) > MOST_PERIODS:
                text = f"has {len(periods)} periods, and at most {MOST_PERIODS} may be kept"
                faults.append(Fault("too_many_periods", name, text, {"most": MOST_PERIODS}))
        faults += [
            Fault("endless_leave", f"leaves[{index}]", "a leave has a last day")
            for index, leave in enumerate(self.leaves)
            if leave.ends is None
        ]
        if faults:
            raise CalendarError(faults)

    @property
    def never_rests(self) -> bool:
        """Whether all time counts, as it does for most players."""
        return not (self.rests_on_weekends or self.quiet or self.leaves or self.stops)

    def running(self, since: datetime, until: datetime) -> timedelta:
        """How much of the time between two instants counts; nothing if they are in reverse."""
        begins, ends = to_micros(since, "since"), to_micros(until, "until")
        week = _week(self.rests_on_weekends, self.quiet)
        return timedelta(
            microseconds=sum(
                week.counted(last + offset) - week.counted(first + offset)
                for first, last, offset in self._pieces(begins, ends)
            )
        )

    def deadline(
        self, since: datetime, budget: timedelta, *, horizon: datetime | None = None
    ) -> datetime | None:
        """The first instant by which the budget has run; the inverse of ``running``.

        None if it does not come by the horizon, which is ten years off unless it is given.
        """
        begins, left = to_micros(since, "since"), budget // MICROSECOND
        if left <= 0:
            return from_micros(begins)
        ends = begins + HORIZON if horizon is None else to_micros(horizon, "horizon")
        week = _week(self.rests_on_weekends, self.quiet)
        for first, last, offset in self._pieces(begins, min(ends, LATEST_MICROS)):
            before = week.counted(first + offset)
            counted = week.counted(last + offset) - before
            if counted >= left:
                return from_micros(week.reached(before + left) - offset)
            left -= counted
        return None

    def is_resting(self, at: datetime) -> bool:
        """Whether time stands still at an instant."""
        micros = to_micros(at)
        for _, _, offset in self._pieces(micros, micros + 1):
            return _week(self.rests_on_weekends, self.quiet).rests(micros + offset)
        return True

    def _pieces(self, begins: int, ends: int) -> Iterator[tuple[int, int, int]]:
        """The stretch without leaves and stops, cut where the offset changes."""
        for period in sorted((*self.leaves, *self.stops), key=_beginning):
            first = to_micros(period.begins)
            if first >= ends:
                break
            if first > begins:
                yield from offsets(self.time_zone, begins, first)
            begins = max(begins, ends if period.ends is None else to_micros(period.ends))
        if begins < ends:
            yield from offsets(self.time_zone, begins, ends)

    def with_leave(self, leave: Period) -> Calendar:
        """The same with one more leave."""
        return replace(self, leaves=(*self.leaves, leave))

    def with_stop(self, stop: Period) -> Calendar:
        """The same with one more stop."""
        return replace(self, stops=(*self.stops, stop))

    def without_past(self, before: datetime) -> Calendar:
        """The same without periods that ended before an instant nobody will ask beyond."""
        return replace(
            self,
            leaves=tuple(leave for leave in self.leaves if not _is_over(leave, before)),
            stops=tuple(stop for stop in self.stops if not _is_over(stop, before)),
        )

    def to_plain(self) -> dict[str, object]:
        """As JSON-shaped data."""
        return {
            "time_zone": self.time_zone,
            "rests_on_weekends": self.rests_on_weekends,
            "quiet": None if self.quiet is None else format_quiet_hours(self.quiet),
            "leaves": [plain_period(leave) for leave in self.leaves],
            "stops": [plain_period(stop) for stop in self.stops],
        }

    @classmethod
    def from_plain(cls, plain: object) -> Calendar:
        """The inverse of ``to_plain``. Raises CalendarError with every fault listed."""
        reader = PlainReader(plain, _NAMES)
        quiet_text = None if reader.get("quiet") is None else reader.text("quiet")
        quiet = (
            None
            if quiet_text is None
            else reader.attempt(lambda: parse_quiet_hours(quiet_text), "quiet")
        )
        leaves, stops = reader.periods("leaves"), reader.periods("stops")
        calendar = reader.attempt(
            lambda: cls(
                time_zone=reader.text("time_zone", "UTC"),
                rests_on_weekends=reader.boolean("rests_on_weekends"),
                quiet=quiet,
                leaves=leaves,
                stops=stops,
            )
        )
        if calendar is None or reader.faults:
            raise CalendarError(reader.faults)
        return calendar


_NAMES: Final = ("time_zone", "rests_on_weekends", "quiet", "leaves", "stops")


def _beginning(period: Period) -> datetime:
    return period.begins


def _is_over(period: Period, before: datetime) -> bool:
    return period.ends is not None and period.ends <= before
