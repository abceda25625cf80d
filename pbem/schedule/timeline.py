"""How calendars follow each other: a change holds from an instant on and never before it.

The past keeps the calendar it had, so nothing is settled when a player changes one: an answer
that arrived before the change, but is read after it, is still judged by the calendar of then
(L1.6). What the time is used for is left to ``clock``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Final

from pbem.schedule.calendar import HORIZON, Calendar
from pbem.schedule.errors import CalendarError, ClockError, Fault
from pbem.schedule.instants import (
    LATEST,
    MICROSECOND,
    Period,
    as_utc,
    format_instant,
)
from pbem.schedule.plain import PlainReader, plain_instant

MOST_CHANGES: Final = 1000
_HORIZON: Final = HORIZON * MICROSECOND


@dataclass(frozen=True, slots=True)
class Spell:
    """One calendar and the instant from which it holds; None for since ever."""

    since: datetime | None
    calendar: Calendar


@dataclass(frozen=True, slots=True)
class Timeline:
    """The calendars of one player, in the order in which they hold."""

    spells: tuple[Spell, ...]

    def __post_init__(self) -> None:
        starts = [spell.since for spell in self.spells]
        later = [start for start in starts[1:] if start is not None]
        if not starts or starts[0] is not None or len(later) != len(starts) - 1:
            raise CalendarError(
                [Fault("no_first_calendar", "spells", "only the first has no beginning")]
            )
        if any(first >= second for first, second in pairwise(later)):
            raise CalendarError([Fault("spells_unordered", "spells", "must be in order of time")])

    @classmethod
    def of(cls, calendar: Calendar) -> Timeline:
        """One calendar, since ever."""
        return cls((Spell(None, calendar),))

    @property
    def current(self) -> Calendar:
        """The calendar that holds last."""
        return self.spells[-1].calendar

    @property
    def since(self) -> datetime | None:
        """When the current calendar began to hold."""
        return self.spells[-1].since

    def changed(self, calendar: Calendar, at: datetime) -> Timeline:
        """Another calendar from an instant on. Raises ClockError before the last change."""
        at = as_utc(at)
        if calendar == self.current:
            return self
        if self.since is not None and at < self.since:
            text = f"the calendar was last changed at {format_instant(self.since)}"
            raise ClockError([Fault("time_runs_backwards", "at", text)])
        spells = self.spells[:-1] if self.since == at else self.spells
        if len(spells) >= MOST_CHANGES:
            raise ClockError([Fault("too_many_changes", "at", "the calendar changed too often")])
        return Timeline((*spells, Spell(at, calendar)))

    def without_past(self, before: datetime) -> Timeline:
        """Only what is needed for instants from ``before`` on."""
        kept = [
            spell
            for spell, after in pairwise(self.spells)
            if after.since is not None and after.since > before
        ]
        spells = [*kept, self.spells[-1]]
        return Timeline((Spell(None, spells[0].calendar), *spells[1:]))

    def running(
        self, since: datetime, until: datetime, *, without: Sequence[Period] = ()
    ) -> timedelta:
        """How much of the time counts, leaving out the periods given (which are in order)."""
        since, until = as_utc(since, "since"), as_utc(until, "until")
        if self._never_rests and not without:
            return max(timedelta(0), until - since)
        pieces = self._pieces(since, until, without)
        return sum(
            (calendar.running(first, last) for first, last, calendar in pieces), timedelta(0)
        )

    def deadline(
        self, since: datetime, budget: timedelta, *, without: Sequence[Period] = ()
    ) -> datetime | None:
        """The first instant by which the budget has run; None if not within ten years."""
        since = as_utc(since, "since")
        if budget <= timedelta(0):
            return since
        horizon = min(since + _HORIZON, LATEST)
        if self._never_rests and not without:
            return since + budget if budget <= horizon - since else None
        for first, last, calendar in self._pieces(since, horizon, without):
            found = calendar.deadline(first, budget, horizon=last)
            if found is not None:
                return found
            budget -= calendar.running(first, last)
        return None

    @property
    def _never_rests(self) -> bool:
        return len(self.spells) == 1 and self.current.never_rests

    def is_resting(self, at: datetime) -> bool:
        """Whether time stands still at an instant."""
        at = as_utc(at)
        held = [spell for spell in self.spells if spell.since is None or spell.since <= at]
        return held[-1].calendar.is_resting(at)

    def _pieces(
        self, since: datetime, until: datetime, without: Sequence[Period]
    ) -> Iterator[tuple[datetime, datetime, Calendar]]:
        """The stretch without the periods, cut where another calendar begins to hold."""
        ends = [*(spell.since or LATEST for spell in self.spells[1:]), LATEST]
        for first, last in _gaps(since, until, without):
            for spell, end in zip(self.spells, ends, strict=True):
                begin = first if spell.since is None else max(first, spell.since)
                if begin < min(last, end):
                    yield begin, min(last, end), spell.calendar

    def to_plain(self) -> list[dict[str, object]]:
        """As JSON-shaped data."""
        return [
            {"since": plain_instant(spell.since), "calendar": spell.calendar.to_plain()}
            for spell in self.spells
        ]

    @classmethod
    def from_plain(cls, plain: object) -> Timeline:
        """The inverse of ``to_plain``. Raises CalendarError with every fault listed."""
        outer = PlainReader({"spells": plain}, ("spells",))
        spells = []
        for index, item in enumerate(outer.items("spells", at_most=MOST_CHANGES)):
            reader = PlainReader(
                item, ("since", "calendar"), where=f"spells[{index}]", faults=outer.faults
            )
            since = reader.find_instant("since")
            calendar = reader.attempt(
                partial(Calendar.from_plain, reader.get("calendar")), "calendar"
            )
            if calendar is not None:
                spells.append(Spell(since, calendar))
        if outer.faults:
            raise CalendarError(outer.faults)
        return cls(tuple(spells))


def _gaps(
    since: datetime, until: datetime, without: Sequence[Period]
) -> Iterator[tuple[datetime, datetime]]:
    """What is left of a stretch when periods, which are in order, are taken out."""
    for period in without:
        if since < min(period.begins, until):
            yield since, min(period.begins, until)
        since = max(since, period.ends or until)
    if since < until:
        yield since, until
