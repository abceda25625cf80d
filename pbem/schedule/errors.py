"""What can be wrong with calendars, clocks and leaves.

    ScheduleError (ValueError)
    ├── InstantError       an instant without a time zone, or outside the years we count in
    ├── CalendarError      a calendar, or a part of it, that makes no sense
    ├── DurationError      text that is no duration
    ├── ClockRulesError    rules of a clock, or their text
    ├── ClockError         an operation that does not fit the state of a clock
    └── LeaveError         a leave that cannot be taken

Every error lists all its faults. ``code`` and ``facts`` are for the table from which a player is
answered; the text of the error is for developers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

SHOWN_LENGTH: Final = 40


def shown(value: object) -> str:
    """A value fit to be put into a message, however long or odd it is."""
    text = value if isinstance(value, str) else type(value).__name__
    if isinstance(value, bool | int | float | None):
        text = str(value) if not isinstance(value, int) or abs(value) < 10**18 else "a huge number"
    visible = ascii(text[: SHOWN_LENGTH + 1])
    return visible if len(visible) <= SHOWN_LENGTH else visible[: SHOWN_LENGTH - 4] + "...'"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: a stable code, where it stands, and the facts of the case."""

    code: str
    where: str
    text: str
    facts: Mapping[str, object] = field(default_factory=dict)


class ScheduleError(ValueError):
    """The root of the tree above."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{fault.where}: {fault.text}" for fault in self.faults))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all faults, in order."""
        return tuple(fault.code for fault in self.faults)


class InstantError(ScheduleError):
    """An instant that cannot be reckoned with."""


class CalendarError(ScheduleError):
    """A calendar that makes no sense."""


class DurationError(ScheduleError):
    """Text that is no duration."""


class ClockRulesError(ScheduleError):
    """Rules that make no clock, or text that cannot be read as rules."""


class ClockError(ScheduleError):
    """An operation that does not fit what the clock is doing."""


class LeaveError(ScheduleError):
    """A leave that cannot be planned, or cut short, as asked."""
