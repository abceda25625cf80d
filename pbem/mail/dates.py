"""Instants, days and lengths of time in a player's zone and language.

The names of days and months come from babel; the order of the parts is ours, so that a mail looks
the same whichever release of the tables is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from babel.dates import format_date

from pbem.schedule.zones import get_zone
from pbem.tongue import N_, Tongue

DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)

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
        day = _format(local.date(), "d MMM", self.tongue.language)
        return self.tongue.say(N_("{day}, {time}"), day=day, time=f"{local:%H:%M}")

    def day(self, day: date) -> str:
        """*Thursday 19 November*, with the year where it is another."""
        this_year = self.now.astimezone(get_zone(self.time_zone)).year
        form = "EEEE d MMMM" if day.year == this_year else "EEEE d MMMM y"
        return _format(day, form, self.tongue.language)

    @property
    def place(self) -> str:
        """Whose time it is: the city of the zone, as *Amsterdam*."""
        return self.time_zone.rpartition("/")[2].replace("_", " ")

    def left(self, until: datetime) -> str:
        """How long it is until an instant."""
        return say_duration(max(until - self.now, timedelta()), self.tongue)


@lru_cache(maxsize=1024)  # most days are told again and again, and babel takes its time
def _format(day: date, form: str, language: str) -> str:
    return format_date(day, form, locale=language)


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
