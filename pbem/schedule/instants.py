"""Instants and periods: the points and stretches of time everything else is reckoned in.

An instant is a timezone-aware datetime, kept in UTC. Inside this package it becomes an integer of
microseconds since a Monday midnight, so that a weekly pattern is a remainder and every sum is
exact. Local time and time zones are left to ``zones``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from pbem.schedule.errors import CalendarError, Fault, InstantError, shown

MONDAY: Final = datetime(2000, 1, 3, tzinfo=UTC)
EARLIEST: Final = datetime(2000, 1, 3, tzinfo=UTC)
LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)
"""Reckoning is bounded to these years, so that every question is answered in bounded time."""

MICROSECOND: Final = timedelta(microseconds=1)
DAY: Final = 24 * 3600 * 10**6
WEEK: Final = 7 * DAY


def as_utc(at: datetime, where: str = "at") -> datetime:
    """The same instant in UTC.

    Raises InstantError if it has no time zone or lies outside the years 2000 to 2199.
    """
    if at.tzinfo is None or at.utcoffset() is None:
        raise InstantError([Fault("naive_instant", where, "an instant needs a time zone")])
    if at.tzinfo is not UTC:
        try:
            at = at.astimezone(UTC)
        except OverflowError:
            at = datetime.max.replace(tzinfo=UTC)
    if not EARLIEST <= at <= LATEST:
        raise InstantError(
            [Fault("instant_out_of_range", where, f"{at.isoformat()} is not in 2000 to 2199")]
        )
    return at


def to_micros(at: datetime, where: str = "at") -> int:
    """Microseconds since Monday 3 January 2000, 00:00 UTC."""
    return (as_utc(at, where) - MONDAY) // MICROSECOND


def from_micros(micros: int) -> datetime:
    """The instant so many microseconds after that Monday; the inverse of ``to_micros``."""
    return MONDAY + timedelta(microseconds=micros)


LATEST_MICROS: Final = to_micros(LATEST)


def format_instant(at: datetime) -> str:
    """ISO 8601 in UTC, with a ``Z``, and with microseconds only if there are any."""
    return as_utc(at).replace(tzinfo=None).isoformat() + "Z"


def parse_instant(text: str, where: str = "at") -> datetime:
    """The inverse of ``format_instant``; any offset is understood. Raises InstantError."""
    try:
        at = datetime.fromisoformat(text) if len(text) <= 40 else None
    except ValueError:
        at = None
    if at is None:
        raise InstantError(
            [Fault("bad_instant", where, f"{shown(text)} is no instant", {"found": shown(text)})]
        )
    return as_utc(at, where)


@dataclass(frozen=True, slots=True)
class Period:
    """From one instant until just before another; without ``ends`` it has no end in sight."""

    begins: datetime
    ends: datetime | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "begins", as_utc(self.begins, "begins"))
        if self.ends is not None:
            object.__setattr__(self, "ends", as_utc(self.ends, "ends"))
            if self.ends <= self.begins:
                raise CalendarError(
                    [Fault("empty_period", "ends", "a period ends after it begins")]
                )

    def holds(self, at: datetime) -> bool:
        """Whether the instant lies inside."""
        return self.begins <= at and (self.ends is None or at < self.ends)

    def overlaps(self, other: Period) -> bool:
        """Whether some instant lies in both."""
        return (other.ends is None or self.begins < other.ends) and (
            self.ends is None or other.begins < self.ends
        )
