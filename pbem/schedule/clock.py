"""The clocks of one game: what runs, what is left, and when it is over (R9.3).

A clock never ticks. It keeps since when a player's answer is awaited, and everything else follows
from that, the rules and the player's calendars, whenever it is asked. So a sweep that runs late,
twice or not at all changes no number.

Rulings:

- The instant of a deadline is already too late; one microsecond before it is in time. What counts
  is when an answer was stored, not when it was read (L1.6): ``at`` is that instant, and a seat's
  answer may be entered long after it.
- A defence clock is separate and leaves the bank alone. When it is over the game goes on by a
  default; when the bank or the longest time for a decision is over, the flag falls.
- While a submission is held for correction its author's clock stands. Played at last, it has cost
  the time until it was sent in; undone, the clock goes on as if it had never stopped, and may be
  found to have run out in between (L6).

Who is asked and what a deadline leads to is left to the use cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from pbem.schedule.calendar import Calendar
from pbem.schedule.errors import ClockError, Fault
from pbem.schedule.instants import MICROSECOND, Period, as_utc, format_instant
from pbem.schedule.plain import PlainReader, plain_duration, plain_instant, plain_period
from pbem.schedule.rules import ClockRules
from pbem.schedule.timeline import Timeline

Kind = Literal["decision", "defence"]
Consequence = Literal["flag", "default"]

KINDS: Final = ("decision", "defence")
MOST_SEATS: Final = 64
NOTHING: Final = timedelta(0)


@dataclass(frozen=True, slots=True)
class Deadline:
    """The instant from which an answer is too late, and what that leads to."""

    at: datetime
    consequence: Consequence


@dataclass(frozen=True, slots=True)
class Reminder:
    """The instant at which so many per cent of the time for a decision have run."""

    at: datetime
    percent: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """One answer that is awaited. The last of ``holds`` is open while a submission is held."""

    kind: Kind
    since: datetime
    holds: tuple[Period, ...] = ()

    @property
    def held_since(self) -> datetime | None:
        """When the submission came in that is held now."""
        return self.holds[-1].begins if self.holds and self.holds[-1].ends is None else None


@dataclass(frozen=True, slots=True)
class SeatClock:
    """One seat: the bank as it was when the present stretch began, the calendars, what runs."""

    bank: timedelta
    timeline: Timeline
    stretch: Stretch | None = None
    ended: datetime | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """All seats of a game. Every operation gives a new clock or raises ClockError."""

    rules: ClockRules
    seats: tuple[SeatClock, ...]

    @classmethod
    def start(cls, rules: ClockRules, calendars: Sequence[Calendar]) -> Clock:
        """Full banks, nothing running."""
        return cls(rules, tuple(SeatClock(rules.bank, Timeline.of(each)) for each in calendars))

    # Asking

    def left(self, seat: int, at: datetime) -> timedelta:
        """What is left of the bank at an instant; a defence with a clock of its own uses none.

        Before an answer is awaited nothing of its time has run.
        """
        own, at = self._get(seat), as_utc(at)
        if own.stretch is None or not self._uses_bank(own.stretch):
            return own.bank
        return max(NOTHING, own.bank - self._used(own, at))

    def left_to_decide(self, seat: int, at: datetime) -> timedelta:
        """How much time that counts is left for the answer that is awaited."""
        own, at = self._get(seat), as_utc(at)
        self._get_stretch(seat)
        return max(NOTHING, self._budget(own) - self._used(own, at))

    def deadline(self, seat: int) -> Deadline | None:
        """When the time of a seat is over; None if it does not run, stands, or never ends."""
        own = self._get(seat)
        if own.stretch is None:
            return None
        at = own.timeline.deadline(own.stretch.since, self._budget(own), without=own.stretch.holds)
        if at is None:
            return None
        return Deadline(at, "flag" if self._uses_bank(own.stretch) else "default")

    def deadlines(self) -> tuple[tuple[int, Deadline], ...]:
        """All deadlines with their seats, the first to come first, equal ones by seat."""
        found = ((seat, self.deadline(seat)) for seat in range(len(self.seats)))
        known = [(seat, deadline) for seat, deadline in found if deadline is not None]
        return tuple(sorted(known, key=lambda each: (each[1].at, each[0])))

    def reminders(self, seat: int) -> Iterator[Reminder]:
        """The reminders of the answer that is awaited, past and to come, first ones first.

        Each is worked out when it is taken: whoever wants the next one need not pay for all.
        """
        own = self._get(seat)
        if own.stretch is None:
            return
        budget = self._budget(own) // MICROSECOND
        for percent in self.rules.reminders:
            share = timedelta(microseconds=-(-budget * percent // 100))
            at = own.timeline.deadline(own.stretch.since, share, without=own.stretch.holds)
            if at is None:
                return  # a larger share comes later, if at all
            yield Reminder(at, percent)

    # Changing

    def begin(self, seat: int, kind: Kind, at: datetime) -> Clock:
        """An answer is awaited from now on."""
        own, at = self._get(seat), as_utc(at)
        if kind not in KINDS:
            raise _error("unknown_kind", seat, "a clock runs for a decision or a defence")
        if own.stretch is not None:
            raise _error("already_running", seat, "an answer is awaited already")
        if own.ended is not None and at < own.ended:
            raise _backwards(seat, own.ended)
        return self._with(
            seat, replace(own, timeline=own.timeline.without_past(at), stretch=Stretch(kind, at))
        )

    def end(self, seat: int, at: datetime, *, turn_ended: bool = False) -> Clock:
        """The answer is in. Held, it has cost the time until it was held."""
        own, at = self._get(seat), as_utc(at)
        stretch = self._get_stretch(seat)
        self._in_order(seat, at)
        if stretch.held_since is None:
            self._in_time(seat, at)
        if turn_ended and stretch.kind == "defence":
            raise _error("defence_ends_no_turn", seat, "a defence does not end one's own turn")
        ended = self._with(seat, self._settled(own, at))
        return ended.credit_turn(seat) if turn_ended else ended

    def credit_turn(self, seat: int) -> Clock:
        """The increment for a turn that ended while no answer was awaited (a plan ran on)."""
        own = self._get(seat)
        if own.stretch is not None:
            raise _error("already_running", seat, "an answer is awaited: end it with the turn")
        bank = own.bank + self.rules.increment
        if self.rules.cap is not None:
            bank = min(bank, self.rules.cap)
        return self._with(seat, replace(own, bank=bank))

    def expire(self, seat: int, at: datetime) -> Clock:
        """What runs ends at its own deadline, however much later that is noticed."""
        self._get_stretch(seat)
        own, deadline = self._get(seat), self.deadline(seat)
        if deadline is None or deadline.at > as_utc(at):
            raise _error("not_over", seat, "there is time left")
        return self._with(seat, self._settled(own, deadline.at))

    def suspend(self, seat: int, at: datetime) -> Clock:
        """A submission is held: its author's clock stands."""
        own, at = self._get(seat), as_utc(at)
        stretch = self._get_stretch(seat)
        if stretch.held_since is not None:
            raise _error("already_held", seat, "a submission is held already")
        self._in_order(seat, at)
        self._in_time(seat, at)
        return self._with(seat, _with_holds(own, (*stretch.holds, Period(at))))

    def resume(self, seat: int, at: datetime) -> Clock:
        """The clock goes on from now, and the time in between is not counted."""
        own, at = self._get(seat), as_utc(at)
        holds = self._get_held(seat, at).holds
        begins = holds[-1].begins
        closed = () if at == begins else (Period(begins, at),)
        return self._with(seat, _with_holds(own, (*holds[:-1], *closed)))

    def resume_as_if_never_stopped(self, seat: int, at: datetime) -> Clock:
        """The submission is undone: the time in between counts (L6)."""
        own = self._get(seat)
        return self._with(seat, _with_holds(own, self._get_held(seat, as_utc(at)).holds[:-1]))

    def without_later_holds(self, seat: int, at: datetime) -> Clock:
        """The clock as it was at an instant, for an answer that came in then and is entered only
        now: what has stood since does not count."""
        own, at = self._get(seat), as_utc(at)
        before = [hold for hold in self._get_stretch(seat).holds if hold.begins < at]
        if before and (before[-1].ends is None or before[-1].ends > at):
            before[-1] = Period(before[-1].begins, at)
        return self._with(seat, _with_holds(own, tuple(before)))

    def change_calendar(self, seat: int, calendar: Calendar, at: datetime) -> Clock:
        """Another calendar from an instant on; what has run before it stays as it was."""
        own = self._get(seat)
        return self._with(seat, replace(own, timeline=own.timeline.changed(calendar, at)))

    # Inside

    def _get(self, seat: int) -> SeatClock:
        if not 0 <= seat < len(self.seats):
            raise _error("no_such_seat", seat, f"there are {len(self.seats)} seats")
        return self.seats[seat]

    def _get_stretch(self, seat: int) -> Stretch:
        stretch = self._get(seat).stretch
        if stretch is None:
            raise _error("not_running", seat, "no answer is awaited")
        return stretch

    def _get_held(self, seat: int, at: datetime) -> Stretch:
        stretch = self._get_stretch(seat)
        if stretch.held_since is None:
            raise _error("not_held", seat, "no submission is held")
        if at < stretch.held_since:
            raise _backwards(seat, stretch.held_since)
        return stretch

    def _with(self, seat: int, own: SeatClock) -> Clock:
        return replace(self, seats=(*self.seats[:seat], own, *self.seats[seat + 1 :]))

    def _uses_bank(self, stretch: Stretch) -> bool:
        return stretch.kind == "decision" or self.rules.defence is None

    def _budget(self, own: SeatClock) -> timedelta:
        """The time for the answer that is awaited."""
        if own.stretch is not None and not self._uses_bank(own.stretch):
            return self.rules.defence or NOTHING
        return own.bank if self.rules.longest is None else min(own.bank, self.rules.longest)

    def _used(self, own: SeatClock, at: datetime) -> timedelta:
        if own.stretch is None:
            return NOTHING
        return own.timeline.running(own.stretch.since, at, without=own.stretch.holds)

    def _settled(self, own: SeatClock, at: datetime) -> SeatClock:
        bank = own.bank
        if own.stretch is not None and self._uses_bank(own.stretch):
            bank = max(NOTHING, bank - self._used(own, at))
        return replace(own, bank=bank, stretch=None, ended=at)

    def _in_order(self, seat: int, at: datetime) -> None:
        """Raises ClockError if the seat has got beyond the instant."""
        stretch = self._get_stretch(seat)
        latest = stretch.since
        if stretch.holds:
            latest = stretch.holds[-1].ends or stretch.holds[-1].begins
        if at < latest:
            raise _backwards(seat, latest)

    def _in_time(self, seat: int, at: datetime) -> None:
        deadline = self.deadline(seat)
        if deadline is not None and at >= deadline.at:
            facts = {"deadline": deadline.at, "consequence": deadline.consequence}
            text = f"time was up at {format_instant(deadline.at)}"
            raise ClockError([Fault("time_is_up", f"seat {seat}", text, facts)])

    # As data

    def to_plain(self) -> dict[str, object]:
        """As JSON-shaped data."""
        return {
            "rules": self.rules.to_plain(),
            "seats": [_plain_seat(own) for own in self.seats],
        }

    @classmethod
    def from_plain(cls, plain: object) -> Clock:
        """The inverse of ``to_plain``. Raises ClockError with every fault listed."""
        reader = PlainReader(plain, ("rules", "seats"))
        rules = reader.attempt(lambda: ClockRules.from_plain(reader.get("rules")), "rules")
        seats = [
            _read_seat(item, f"seats[{index}]", reader.faults)
            for index, item in enumerate(reader.items("seats", at_most=MOST_SEATS))
        ]
        if rules is None or reader.faults:
            raise ClockError(reader.faults)
        return cls(rules, tuple(own for own in seats if own is not None))


def _error(code: str, seat: int, text: str) -> ClockError:
    return ClockError([Fault(code, f"seat {seat}", text)])


def _backwards(seat: int, latest: datetime) -> ClockError:
    text = f"this seat has got as far as {format_instant(latest)}"
    return ClockError([Fault("time_runs_backwards", f"seat {seat}", text, {"latest": latest})])


def _with_holds(own: SeatClock, holds: tuple[Period, ...]) -> SeatClock:
    if own.stretch is None:
        return own
    return replace(own, stretch=replace(own.stretch, holds=holds))


def _plain_seat(own: SeatClock) -> dict[str, object]:
    stretch = own.stretch
    return {
        "bank": plain_duration(own.bank),
        "timeline": own.timeline.to_plain(),
        "ended": plain_instant(own.ended),
        "stretch": None
        if stretch is None
        else {
            "kind": stretch.kind,
            "since": plain_instant(stretch.since),
            "holds": [plain_period(hold) for hold in stretch.holds],
        },
    }


def _read_seat(plain: object, where: str, faults: list[Fault]) -> SeatClock | None:
    reader = PlainReader(
        plain, ("bank", "timeline", "ended", "stretch"), where=where, faults=faults
    )
    bank, ended = reader.duration("bank"), reader.find_instant("ended")
    timeline = reader.attempt(lambda: Timeline.from_plain(reader.get("timeline")), "timeline")
    stretch = None
    if reader.get("stretch") is not None:
        stretch = _read_stretch(reader.get("stretch"), f"{where}.stretch", faults)
    return None if timeline is None else SeatClock(bank, timeline, stretch, ended)


def _read_stretch(plain: object, where: str, faults: list[Fault]) -> Stretch | None:
    reader = PlainReader(plain, ("kind", "since", "holds"), where=where, faults=faults)
    kind, since, holds = reader.text("kind"), reader.find_instant("since"), reader.periods("holds")
    if kind not in KINDS:
        faults.append(Fault("unknown_kind", reader.place("kind"), "must be decision or defence"))
    if since is None:
        faults.append(Fault("missing", reader.place("since"), "must be an instant"))
        return None
    ends = [since, *(end for hold in holds for end in (hold.begins, hold.ends))]
    known = [end for end in ends if end is not None]
    if None in ends[:-1] or known != sorted(known):
        faults.append(Fault("holds_unordered", reader.place("holds"), "must be in order of time"))
    return Stretch("defence" if kind == "defence" else "decision", since, holds)
