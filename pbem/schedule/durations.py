"""Durations as players write them: ``14d``, ``29d4h``, ``1w``, ``90m``.

    duration = number unit {number unit}        in falling order, each unit once
    unit     = "w" | "d" | "h" | "m" | "s"      weeks, days, hours, minutes, seconds

A day is 24 hours that count. Written back, there are no weeks and no unit goes over the next one:
``36h`` becomes ``1d12h``.
"""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise
from typing import Final

from pbem.schedule.errors import DurationError, Fault, shown

UNITS: Final = {"w": 7 * 86400, "d": 86400, "h": 3600, "m": 60, "s": 1}
LONGEST: Final = timedelta(days=1000)

_DURATION: Final = re.compile(r"(?:[0-9]{1,9}[wdhms])+", re.IGNORECASE)
_PART: Final = re.compile(r"([0-9]+)([a-z])", re.IGNORECASE)


def parse_duration(text: str, where: str = "duration") -> timedelta:
    """A duration of at most 1000 days, to the second. Raises DurationError."""
    if len(text) > 60 or not _DURATION.fullmatch(text.strip()):
        raise DurationError([_fault("bad_duration", where, text, "such as 14d, 36h or 1d12h")])
    parts = [(int(number), unit.lower()) for number, unit in _PART.findall(text)]
    order = ["wdhms".index(unit) for _, unit in parts]
    if any(first >= second for first, second in pairwise(order)):
        raise DurationError([_fault("units_unordered", where, text, "with the larger units first")])
    seconds = sum(number * UNITS[unit] for number, unit in parts)
    if seconds > LONGEST.total_seconds():
        raise DurationError([_fault("too_long", where, text, "of at most 1000 days")])
    return timedelta(seconds=seconds)


def _fault(code: str, where: str, text: str, expected: str) -> Fault:
    facts = {"found": shown(text), "expected": expected}
    return Fault(code, where, f"{shown(text)} must be a duration {expected}", facts)


def format_duration(duration: timedelta) -> str:
    """All of a duration, rounded down to the second: the inverse of ``parse_duration``."""
    return "".join(_parts(duration)) or "0s"


def format_time_left(duration: timedelta) -> str:
    """The two largest units, rounded down: ``29d4h``, ``3h59m``; for ``[%clk …]`` and mails.

    Rounded down, because a player may rely on what is promised.
    """
    parts = _parts(duration)
    if not parts:
        return "0s"
    next_unit = {"d": "h", "h": "m", "m": "s", "s": ""}[parts[0][-1]]
    return "".join(part for part in parts[:2] if part is parts[0] or part[-1] == next_unit)


def _parts(duration: timedelta) -> list[str]:
    seconds = max(0, duration // timedelta(seconds=1))
    parts = []
    for unit in "dhms":
        number, seconds = divmod(seconds, UNITS[unit])
        if number:
            parts.append(f"{number}{unit}")
    return parts
