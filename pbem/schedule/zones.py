"""Time zones: which there are, when their clocks are changed, and when a local day begins.

The data come from the ``tzdata`` package and never from the machine, so that a log replays to the
same numbers on every server with the same packages. What a zone's offset means for a player is
left to ``calendar``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from importlib import metadata, resources
from typing import Final
from zoneinfo import ZoneInfo

from pbem.schedule.errors import CalendarError, Fault, shown
from pbem.schedule.instants import DAY, LATEST_MICROS, MICROSECOND, from_micros, to_micros

PROBE_DAYS: Final = 4
"""No zone has changed its offset twice within so few days since 2000 (a test looks at all)."""

SECOND: Final = 10**6


@lru_cache(maxsize=1)
def zone_names() -> dict[str, str]:
    """All zones, by their name without regard to case."""
    listed = resources.files("tzdata").joinpath("zones").read_text("ascii").split()
    return {name.casefold(): name for name in listed if name != "Factory"}


def find_zone_name(text: str) -> str | None:
    """The proper spelling of a zone: ``europe/amsterdam`` is Europe/Amsterdam."""
    return zone_names().get("_".join(text.split()).casefold())


def zone_data_version() -> str:
    """Which edition of the time zone data is in use, to be named beside a log that is checked."""
    return metadata.version("tzdata")


@lru_cache(maxsize=1024)
def get_zone(name: str) -> ZoneInfo:
    """A zone by its proper name. Raises CalendarError if there is none."""
    if zone_names().get(name.casefold()) != name:
        facts = {"found": shown(name)}
        raise CalendarError(
            [Fault("unknown_zone", "time_zone", f"there is no time zone {shown(name)}", facts)]
        )
    with resources.files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as data:
        return ZoneInfo.from_file(data, key=name)


def _offset(zone: ZoneInfo, micros: int) -> int:
    offset = from_micros(micros).astimezone(zone).utcoffset()
    assert offset is not None
    return offset // MICROSECOND


def _changes(zone: ZoneInfo, begins: int, ends: int) -> Iterator[int]:
    """The instants after ``begins`` and up to ``ends`` from which another offset holds."""
    if _offset(zone, begins) == _offset(zone, ends):
        return
    if ends - begins <= SECOND:
        yield ends
        return
    middle = begins + (ends - begins) // 2 // SECOND * SECOND
    yield from _changes(zone, begins, middle)
    yield from _changes(zone, middle, ends)


@lru_cache(maxsize=4096)
def _year_of_offsets(name: str, year: int) -> tuple[tuple[int, int, int], ...]:
    """One year of UTC cut where the zone's offset changes: (begins, ends, offset)."""
    zone = get_zone(name)
    begins, ends = _new_year(year), _new_year(year + 1)
    cuts = [begins]
    for probe in range(begins, ends, PROBE_DAYS * DAY):
        cuts += _changes(zone, probe, min(probe + PROBE_DAYS * DAY, ends))
    return tuple(
        (cut, after, _offset(zone, cut))
        for cut, after in zip(cuts, [*cuts[1:], ends], strict=True)
        if cut < after
    )


def _new_year(year: int) -> int:
    # 2000 begins before the Monday from which instants are counted; nothing asks for those days.
    return max(0, to_micros(datetime(year, 1, 1, tzinfo=UTC))) if year > 2000 else 0


def offsets(name: str, begins: int, ends: int) -> Iterator[tuple[int, int, int]]:
    """The stretch cut where the zone's offset changes, in order: (begins, ends, offset)."""
    ends = min(ends, LATEST_MICROS)
    if begins >= ends:
        return
    for year in range(from_micros(begins).year, from_micros(ends - 1).year + 1):
        for first, after, offset in _year_of_offsets(name, year):
            if first < ends and after > begins:
                yield max(first, begins), min(after, ends), offset


def local_day(at: datetime, name: str) -> date:
    """The date on the player's wall."""
    return at.astimezone(get_zone(name)).date()


def first_instant(day: date, name: str) -> datetime:
    """When a local day begins: at midnight, or after it where the clocks jump over midnight.

    A day that a zone has skipped begins together with the next one.
    """
    # fold=0 reads a midnight that does not exist with the offset before the jump, which is the
    # instant of the jump, and a midnight that comes twice as the first of the two.
    return datetime.combine(day, time(0), tzinfo=get_zone(name)).astimezone(UTC)


def day_after(day: date) -> date:
    """The next date."""
    return day + timedelta(days=1)
