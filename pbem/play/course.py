"""The course of a game: what its log comes to, entry by entry. Pure, so that ``verify`` and real
play are the same code.

A course joins the game's own state with what the server keeps beside it: clocks, open requests,
turns, round trips. Acts of the server that are the clock's business (``calendar …``, ``stood …``)
are read here; all others are the game's decrees.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from pbem.games.base import Accepted, Event, Forecast, Game, Refused, Request, Start, Trips
from pbem.games.registry import get_game
from pbem.play.log import LogEntry, instant_text
from pbem.play.terms import Terms
from pbem.schedule.calendar import Calendar
from pbem.schedule.clock import Clock, Deadline, Kind, Stretch
from pbem.schedule.instants import parse_instant
from pbem.schedule.rules import ClockRules
from pbem.schedule.zones import zone_data_version

CALENDAR: Final = "calendar "
STOOD: Final = "stood "
EVERY_SEAT: Final = "all"
CLOCK_ACTS: Final = (CALENDAR, STOOD)
"""How the acts of the server begin that are none of the game's business."""

TIME: Final = "time "
DEFAULT: Final = "default "


@dataclass(frozen=True, slots=True)
class Course:
    """Where a game stands. ``state`` is the game's own."""

    start: Start
    game: str
    state: Any
    clock: Clock
    requests: tuple[Request, ...]
    turns: int = 0
    trips: Trips = Trips()
    is_corrected: bool = False
    """Whether submissions are held for correction before they are played (L6)."""

    @property
    def play(self) -> Game[Any]:
        """The rules of the game."""
        return get_game(self.game)


@dataclass(frozen=True, slots=True)
class Followed:
    """One entry further: the new course, what happened, and which requests that ended and began."""

    course: Course
    text: str
    events: tuple[Event, ...]
    closed: tuple[Request, ...]
    opened: tuple[Request, ...]
    forecasts: tuple[Forecast, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One entry: what was written, what happened, and where the game stood behind it."""

    entry: LogEntry
    events: tuple[Event, ...]
    course: Course
    forecasts: tuple[Forecast, ...] = ()
    """Outcomes in which a part of it cannot be done, as far as its author may know (N2.2)."""


def begin_course(
    start: Start, game: str, terms: Terms, calendars: Sequence[Calendar], at: datetime
) -> Course:
    """A new game: everybody who is asked for something has a clock running."""
    play = get_game(game)
    state = play.start(start)
    requests = play.requests(state)
    clock = Clock.start(terms.clock, calendars)
    for request in requests:
        clock = clock.begin(request.seat, _kind(request), at)
    return Course(start, game, state, clock, requests, is_corrected=bool(terms.correction))


def first_text(start: Start, game: str, terms: Terms, calendars: Sequence[Calendar]) -> str:
    """The text of a log's first entry: all that a game begins from; of the seed its hash (R9.5)."""
    return json.dumps(
        {
            "game": game,
            "id": start.game_id,
            "options": start.options,
            "seed_hash": start.seed_hash,
            "terms": terms.to_plain(),
            "calendars": [calendar.to_plain() for calendar in calendars],
            "zones": zone_data_version(),
        },
        sort_keys=True,
    )


def _kind(request: Request) -> Kind:
    return "defence" if request.is_reply else "decision"


def calendar_text(seat: int, calendar: Calendar) -> str:
    """The entry that gives a seat another calendar."""
    return f"{CALENDAR}{seat} {json.dumps(calendar.to_plain(), sort_keys=True)}"


def stood_text(seat: int | None, begins: datetime, ends: datetime) -> str:
    """The entry that tells when a seat's clock stood, or with None every clock (L1.6)."""
    whose = EVERY_SEAT if seat is None else str(seat)
    return f"{STOOD}{whose} {instant_text(begins)} {instant_text(ends)}"


def expiry_text(seat: int, deadline: Deadline, rules: ClockRules) -> str:
    """The entry that a deadline leads to: a flag, or the default for a defence (R9.3)."""
    if deadline.consequence == "flag":
        return f"{TIME}{seat}"
    return f"{DEFAULT}{seat} {rules.defence_default}"


def follow(
    course: Course, seat: int | None, text: str, *, arrived: datetime, at: datetime
) -> Followed | Refused:
    """Take one entry: a submission of a seat, or an act of the server (seat None).

    Raises ValueError for an act that does not fit.
    """
    if seat is None and text.startswith(CALENDAR):
        return _change_calendar(course, text, at)
    if seat is None and text.startswith(STOOD):
        return _stand(course, text, at)
    clock = course.clock
    done: Accepted[Any] | Refused
    if seat is None:
        done = course.play.decree(course.state, text)
        if text.startswith((TIME, DEFAULT)):
            clock = clock.expire(int(text.split()[1]), at)
    else:
        done = course.play.submit(course.state, seat, text)
    if isinstance(done, Refused):
        return done
    after = course.play.requests(done.state)
    before = course.requests
    closed = tuple(request for request in before if request not in after)
    opened = tuple(request for request in after if request not in before)
    ended = [event.seat for event in done.events if event.name == "turn_ended"]
    clock = _hand_over(clock, closed, opened, ended, author=seat, arrived=arrived, at=at)
    if seat is not None and course.is_corrected and not closed and _is_seen(done.events):
        clock = _leave_out(clock, seat, arrived, at)
    new = replace(
        course,
        state=done.state,
        clock=clock,
        requests=after,
        turns=course.turns + len(ended),
        trips=course.trips + course.play.trips(done.events, seat),
    )
    return Followed(new, done.text, done.events, closed, opened, done.forecasts)


def _hand_over(
    clock: Clock,
    closed: Sequence[Request],
    opened: Sequence[Request],
    ended: Sequence[int | None],
    *,
    author: int | None,
    arrived: datetime,
    at: datetime,
) -> Clock:
    """Stop the clocks of those who need not answer any more, start those of who must (R9.3)."""
    turns = list(ended)
    for request in closed:
        seat = request.seat
        stretch = clock.seats[seat].stretch
        if stretch is None:
            continue  # it has expired just now
        if seat == author:
            # A held submission has cost the time until it came in (L6); one that came in before
            # it was asked for, and was read late, has cost nothing.
            has_ended = seat in turns and not request.is_reply
            came = max(arrived, stretch.since)
            if stretch.holds:
                clock = clock.without_later_holds(seat, came)
            clock = clock.end(seat, came, turn_ended=has_ended)
            if has_ended:
                turns.remove(seat)
        else:
            clock = _cut_short(clock, seat, at)
    for turn in turns:
        if turn is not None and clock.seats[turn].stretch is None:
            clock = clock.credit_turn(turn)
    for request in opened:
        clock = clock.begin(request.seat, _kind(request), at)
    return clock


def latest_of(stretch: Stretch) -> datetime:
    """The instant up to which a stretch is settled: nothing of it happens before."""
    if not stretch.holds:
        return stretch.since
    return stretch.holds[-1].ends or stretch.holds[-1].begins


def resumed(clock: Clock, seat: int) -> Clock:
    """The clock as if nothing of this seat were held, as the log knows it."""
    stretch = clock.seats[seat].stretch
    if stretch is None or stretch.held_since is None:
        return clock
    return clock.resume_as_if_never_stopped(seat, stretch.held_since)


def _cut_short(clock: Clock, seat: int, at: datetime) -> Clock:
    """The game is over before this seat's answer came. What the seat had held is in no log, so
    its time counts; if it would have been over meanwhile, nothing is left."""
    clock = resumed(clock, seat)
    deadline = clock.deadline(seat)
    if deadline is not None and deadline.at <= at:
        return clock.expire(seat, at)
    return clock.end(seat, at)


def _is_seen(events: Sequence[Event]) -> bool:
    return any(event.only_for is None for event in events)


def _leave_out(clock: Clock, seat: int, arrived: datetime, at: datetime) -> Clock:
    """A part of an answer was held: its author's clock stood (L6).

    Not for what others do not see, such as standing rules: that could be sent again and again to
    keep the clock from running.
    """
    stretch = clock.seats[seat].stretch
    if stretch is None:
        return clock
    arrived = max(arrived, latest_of(stretch))
    return clock.suspend(seat, arrived).resume(seat, at) if arrived < at else clock


def _stand(course: Course, text: str, at: datetime) -> Followed:
    words = text.removeprefix(STOOD).split(" ")
    if len(words) != 3:
        raise ValueError("whose clock stood, from when and until when")
    whose, begins, ends = words[0], parse_instant(words[1]), parse_instant(words[2])
    if not begins < ends <= at:
        raise ValueError("a clock stands for a time that is over")
    clock = course.clock
    for seat in range(len(clock.seats)) if whose == EVERY_SEAT else [_seat_of(whose)]:
        clock = _stopped(clock, seat, begins, ends)
    return Followed(replace(course, clock=clock), text, (), (), ())


def _stopped(clock: Clock, seat: int, begins: datetime, ends: datetime) -> Clock:
    """The clock of a seat without a time in which it stood, as far as that is not settled.

    So the same time left out twice is left out once.
    """
    stretch = clock.seats[seat].stretch if seat < len(clock.seats) else None
    if stretch is None:
        return clock
    begins = max(begins, latest_of(stretch))
    deadline = clock.deadline(seat)
    if begins >= ends or (deadline is not None and deadline.at <= begins):
        return clock
    return clock.suspend(seat, begins).resume(seat, ends)


def _seat_of(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"not a seat: {text[:20]!r}")
    return int(text)


def _change_calendar(course: Course, text: str, at: datetime) -> Followed:
    seat, _, plain = text.removeprefix(CALENDAR).partition(" ")
    number = _seat_of(seat)
    try:
        calendar = Calendar.from_plain(json.loads(plain))
    except RecursionError:
        raise ValueError("not a calendar") from None
    clock = course.clock.change_calendar(number, calendar, at)
    return Followed(replace(course, clock=clock), text, (), (), ())
