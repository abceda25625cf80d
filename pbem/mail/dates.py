"""Instants, days and lengths of time in a player's zone and language.

The names of days and months are texts like any other: tables of all languages of the world would
take megabytes of every process, and may change with their release.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from pbem.schedule.zones import get_zone
from pbem.tongue import N_, Tongue

DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)

_DAYS: Final = (
    N_("Monday"),
    N_("Tuesday"),
    N_("Wednesday"),
    N_("Thursday"),
    N_("Friday"),
    N_("Saturday"),
    N_("Sunday"),
)
_MONTHS: Final = (
    N_("January"),
    N_("February"),
    N_("March"),
    N_("April"),
    N_("May"),
    N_("June"),
    N_("July"),
    N_("August"),
    N_("September"),
    N_("October"),
    N_("November"),
    N_("December"),
)
_SHORT_MONTHS: Final = (
    N_("Jan"),
    N_("Feb"),
    N_("Mar"),
    N_("Apr"),
    N_("May"),
    N_("Jun"),
    N_("Jul"),
    N_("Aug"),
    N_("Sep"),
    N_("Oct"),
    N_("Nov"),
    N_("Dec"),
)

_UNITS: Final[tuple[tuple[timedelta, Callable[[Tongue, int], str]], ...]] = (
    (DAY, lambda tongue, count: tongue.count("{count} day", "{count} days", count)),
    (HOUR, lambda tongue, count: tongue.count("{count} hour", "{count} hours", count)),
    (MINUTE, lambda tongue, count: tongue.count("{count} minute", "{count} minutes", count)),
)


@dataclass(frozen=True, slots=True)
class Calendar:
    """How one player is told of times; ``now`` is when the mail is written."""

    tongue: Tongue
    time_zone: str
    now: datetime

    def instant(self, at: datetime) -> str:
        """*Thursday 19 November, 14:30*, with the year where it is another."""
        local = at.astimezone(get_zone(self.time_zone))
        return self.tongue.say(
            N_("{day}, {time}"), day=self.day(local.date()), time=f"{local:%H:%M}"
        )

    def short(self, at: datetime) -> str:
        """*19 Nov, 14:30*."""
        local = at.astimezone(get_zone(self.time_zone))
        day = f"{local.day} {self.tongue.say(_SHORT_MONTHS[local.month - 1])}"
        return self.tongue.say(N_("{day}, {time}"), day=day, time=f"{local:%H:%M}")

    def day(self, day: date) -> str:
        """*Thursday 19 November*, with the year where it is another."""
        this_year = self.now.astimezone(get_zone(self.time_zone)).year
        say = self.tongue.say
        said = f"{say(_DAYS[day.weekday()])} {day.day} {say(_MONTHS[day.month - 1])}"
        return said if day.year == this_year else f"{said} {day.year}"

    @property
    def place(self) -> str:
        """Whose time it is: the city of the zone, as *Amsterdam*."""
        return self.time_zone.rpartition("/")[2].replace("_", " ")

    def left(self, until: datetime) -> str:
        """How long it is until an instant."""
        return say_duration(max(until - self.now, timedelta()), self.tongue)


def say_duration(length: timedelta, tongue: Tongue) -> str:
    """A length of time in its two largest units: *2 days 23 hours*, *40 minutes*."""
    said: list[str] = []
    rest = length
    for unit, say in _UNITS:
        count, rest = divmod(rest, unit)
        if count:
            said.append(say(tongue, count))
        elif said:
            break
        if len(said) == 2:
            break
    return " ".join(said) or tongue.say(N_("less than a minute"))
