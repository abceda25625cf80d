"""Reading JSON-shaped data back, with every fault gathered instead of the first one raised.

Writing is left to each type's ``to_plain``. Durations are whole microseconds, instants ISO text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from pbem.schedule.errors import Fault, ScheduleError, shown
from pbem.schedule.instants import MICROSECOND, Period, format_instant, parse_instant

T = TypeVar("T")

LONGEST_MICROS = 10**16


def plain_duration(duration: timedelta | None) -> int | None:
    """Whole microseconds."""
    return None if duration is None else duration // MICROSECOND


def plain_instant(at: datetime | None) -> str | None:
    """ISO text in UTC."""
    return None if at is None else format_instant(at)


def plain_period(period: Period) -> list[str | None]:
    """The two ends of a period."""
    return [format_instant(period.begins), plain_instant(period.ends)]


class PlainReader:
    """One JSON object, read field by field; ``faults`` is shared with the readers of its parts."""

    def __init__(
        self,
        plain: object,
        names: Iterable[str],
        *,
        where: str = "",
        faults: list[Fault] | None = None,
    ) -> None:
        self.faults: list[Fault] = [] if faults is None else faults
        self.where = where
        self._fields: dict[str, object] = {}
        if not isinstance(plain, dict):
            self._wrong("", "an object", plain)
            return
        names = tuple(names)
        self._fields = {name: plain[name] for name in names if name in plain}
        for name in names:
            if name not in plain:
                self.faults.append(Fault("missing", self.place(name), "is missing"))
        unknown = [name for name in plain if name not in names]
        for name in unknown[:10]:
            self.faults.append(
                Fault("unknown_field", self.place(""), f"has no field {shown(name)}")
            )

    def place(self, name: str) -> str:
        """How a field of this object is called in a fault."""
        return f"{self.where}.{name}".strip(".") or "plain"

    def _wrong(self, name: str, expected: str, found: object) -> None:
        facts = {"expected": expected, "found": shown(found)}
        text = f"must be {expected}, not {shown(found)}"
        self.faults.append(Fault("wrong_type", self.place(name), text, facts))

    def get(self, name: str) -> object:
        """A field as it is; None if it is missing."""
        return self._fields.get(name)

    def text(self, name: str, default: str = "") -> str:
        """A field that is text."""
        value = self._fields.get(name, default)
        if isinstance(value, str):
            return value
        self._wrong(name, "text", value)
        return default

    def boolean(self, name: str) -> bool:
        """A field that is true or false."""
        value = self._fields.get(name, False)
        if not isinstance(value, bool):
            self._wrong(name, "true or false", value)
        return value is True

    def items(self, name: str, *, at_most: int = 1000) -> list[object]:
        """A field that is a list."""
        value = self._fields.get(name, [])
        if not isinstance(value, list) or len(value) > at_most:
            self._wrong(name, f"a list of at most {at_most}", value)
            return []
        return value

    def find_duration(self, name: str) -> timedelta | None:
        """A field that is a number of microseconds, or null."""
        value = self._fields.get(name)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LONGEST_MICROS:
            return timedelta(microseconds=value)
        self._wrong(name, "a number of microseconds", value)
        return None

    def duration(self, name: str) -> timedelta:
        """A field that is a number of microseconds."""
        if name in self._fields and self._fields[name] is None:
            self._wrong(name, "a number of microseconds", None)
        return self.find_duration(name) or timedelta(0)

    def find_instant(self, name: str) -> datetime | None:
        """A field that is an instant, or null."""
        return self.find_instant_of(self._fields.get(name), name)

    def find_instant_of(self, value: object, name: str) -> datetime | None:
        """An instant inside a field, or null."""
        if value is None:
            return None
        if isinstance(value, str):
            return self.attempt(lambda: parse_instant(value, self.place(name)))
        self._wrong(name, "an instant", value)
        return None

    def period(self, value: object, name: str) -> Period | None:
        """A pair of instants; the second may be null. None if it is faulty."""
        if not isinstance(value, list) or len(value) != 2 or value[0] is None:
            self._wrong(name, "two instants", value)
            return None
        before = len(self.faults)
        begins, ends = (self.find_instant_of(end, name) for end in value)
        if begins is None or len(self.faults) > before:
            return None
        return self.attempt(lambda: Period(begins, ends), name)

    def periods(self, name: str) -> tuple[Period, ...]:
        """A list of pairs of instants."""
        read = [
            self.period(item, f"{name}[{index}]") for index, item in enumerate(self.items(name))
        ]
        return tuple(period for period in read if period is not None)

    def attempt(self, make: Callable[[], T], name: str | None = None) -> T | None:
        """What ``make`` gives; None, with its faults kept, if it raises one of our errors."""
        try:
            return make()
        except ScheduleError as error:
            for fault in error.faults:
                where = fault.where if name is None else self.place(f"{name}.{fault.where}")
                self.faults.append(Fault(fault.code, where, fault.text, fault.facts))
            return None
