"""A game under lock: the one place where log entries are made.

Holds a stored game inside a unit, appends entries to its log, and lets happen what happens by
itself: flags fall, defaults answer, held submissions are released, each at its own instant and
in the order of time, however late anybody looks (R9.3). Nothing happens by itself behind the
oldest mail that nobody has read yet, and clocks stand while the server is not well (L1.6).

Long, because what makes entries and what decides when they are due must see the same clock.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from pbem.errors import StoreConflictError
from pbem.games.base import Refused, Request
from pbem.games.registry import get_game
from pbem.play.chapters import add_chapter
from pbem.play.course import (
    Chapter,
    Course,
    Followed,
    expiry_text,
    follow,
    latest_of,
    resumed,
    stood_text,
)
from pbem.play.errors import NoSuchGameError
from pbem.play.log import GENESIS, SALT_BYTES, LogEntry, sealed
from pbem.play.model import Held, LockedGame, Notice, OpenRequest, StoredGame
from pbem.play.notices import HELD_DROPPED, REMINDER, notices_of
from pbem.play.ports import Surroundings, Unit
from pbem.play.terms import Terms, parse_terms
from pbem.schedule.clock import Clock, Deadline, Reminder

CACHED_COURSES: Final = 512
_encode: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
NOBODY_IN_TIME: Final = "ruling draw"
"""What happens when all flags fall at one instant: nobody sent a set-up, nobody wins."""

LONGEST_SILENCE: Final = timedelta(minutes=10)
"""How long the server may be without a pulse before clocks stand (L1.6)."""

_courses: OrderedDict[tuple[str, str, str], Course] = OrderedDict()
"""Courses by game, head of the log and clock: what a log comes to never changes."""


class OpenGame:
    """A game that this unit has locked."""

    def __init__(self, around: Surroundings, unit: Unit, locked: LockedGame) -> None:
        self.stored = locked.game
        self.course = load_course(locked.game)
        self.terms = terms_of(locked.game)
        self.known = locked.known
        self.requests = {(row.seat, row.kind, row.mark): row for row in locked.requests}
        """The open requests by seat, kind and mark."""
        self.told: tuple[Notice, ...] = ()
        """The mails that the last entry led to which tells anybody."""
        self._pulse = locked.pulse
        self._around = around
        self._unit = unit
        self._instants = _Instants(self.course.clock)
        self._clock_before = self.course.clock

    @classmethod
    def lock(
        cls, around: Surroundings, unit: Unit, game_id: str, *, key: str | None = None
    ) -> OpenGame:
        """The game, kept from all other units. Raises NoSuchGameError."""
        locked = unit.lock_game(game_id, key)
        if locked is None:
            raise NoSuchGameError(game=game_id)
        return cls(around, unit, locked)

    # -- entries --------------------------------------------------------------------------------

    def append(
        self,
        seat: int | None,
        text: str,
        *,
        at: datetime,
        arrived: datetime | None = None,
        key: str | None = None,
    ) -> tuple[LogEntry, Followed] | Refused:
        """Play one more entry, with all that follows from it, or refuse it and change nothing."""
        arrived = at if arrived is None else arrived
        done = follow(self.course, seat, text, arrived=arrived, at=at)
        if isinstance(done, Refused):
            return done
        head, is_as_logged = self.stored.head or GENESIS, not self.stored.held
        entry = self.write(seat, done, at=at, arrived=arrived, key=key)
        # What is held stops clocks here, and is in no log. Of words that were put differently it
        # is not certain that they say no more.
        if is_as_logged and entry.text == text:
            chapter = Chapter(entry, done.events, done.course, done.forecasts)
            add_chapter(self.stored.id, head, chapter)
        return entry, done

    def write(
        self,
        seat: int | None,
        done: Followed,
        *,
        at: datetime,
        arrived: datetime,
        key: str | None = None,
        tells: bool = True,
    ) -> LogEntry:
        """Keep an entry that has been followed: log, requests and, if it ``tells``, notices."""
        stored = self.stored
        entry = sealed(
            stored.head or GENESIS,
            LogEntry(
                number=stored.entries,
                seat=seat,
                text=done.text,
                arrived=arrived,
                at=at,
                salt=self._around.entropy(SALT_BYTES),
                hash="",
                key=key,
                turns=done.course.turns,
            ),
        )
        self.course = done.course
        self._unit.add_entry(stored.id, entry)
        self.stored = stored = replace(
            stored, entries=stored.entries + 1, head=entry.hash, last_at=at
        )
        opened = self._ask(done, entry)
        if tells:
            self.told = tuple(notices_of(stored, entry, done, opened))
            for notice in self.told:
                self._unit.add_notice(notice)
        result = self.course.play.find_result(self.course.state)
        if result is not None and not stored.is_over:
            self.stored = replace(
                stored,
                winner=result.winner,
                termination=result.termination,
                ended_at=at,
                held=(),
            )
        return entry

    def _ask(self, done: Followed, entry: LogEntry) -> dict[int, OpenRequest]:
        """Close the requests that are answered and open the new ones."""
        rows = self.requests
        for request in done.closed:
            row = rows.pop(_identity(request), None)
            if row is None:
                raise StoreConflictError(
                    f"a request of game {self.stored.id} is gone; run: pbem verify {self.stored.id}"
                )
            self._unit.save_request(
                replace(row, closed_by=entry.number, closed_at=entry.at, deadline=None)
            )
        opened = {}
        for request in done.opened:
            row = self._asked(request, entry)
            self._unit.open_request(row)
            rows[_identity(request)] = opened[request.seat] = row
        return opened

    def _asked(self, request: Request, entry: LogEntry) -> OpenRequest:
        return OpenRequest(
            game_id=self.stored.id,
            seat=request.seat,
            kind=request.kind,
            mark=request.mark,
            opened_by=entry.number,
            opened_at=entry.at,
            deadline=self._deadline(request.seat),
        )

    def mend_requests(self, entry: LogEntry) -> None:
        """Make the open requests those of the course again."""
        wanted = {_identity(request): request for request in self.course.requests}
        for identity in [known for known in self.requests if known not in wanted]:
            self._unit.remove_request(self.requests.pop(identity))
        for identity, request in wanted.items():
            if identity not in self.requests:
                row = self._asked(request, entry)
                self._unit.put_request(row)
                self.requests[identity] = row

    def _deadline(self, seat: int) -> datetime | None:
        deadline = self._now_instants().deadline(seat)
        return None if deadline is None else deadline.at

    def _now_instants(self) -> _Instants:
        """The instants of the clock as it is; each is worked out once."""
        if self._instants.clock is not self.course.clock:
            self._instants = _Instants(self.course.clock)
        return self._instants

    # -- what happens by itself -----------------------------------------------------------------

    def catch_up(self, now: datetime, *, seat: int | None = None) -> None:
        """Let everything happen whose instant has come, in the order of time.

        ``seat`` is whose mail or form is being read: it has sent in nothing older, so its own time
        may run out up to now. What others sent in may wait to be read, and beats their flags.
        """
        for begins, ends in self._silences(now):
            self._let_happen(begins, seat)
            self.stand(begins, min(ends, now))
        self._let_happen(now, seat)

    def _silences(self, now: datetime) -> Sequence[tuple[datetime, datetime]]:
        """The times before now in which the server was not well, as far as is known."""
        pulse = self._pulse
        if pulse is None:
            return ()
        found = [period for period in pulse.outages if period[0] < now]
        if now - pulse.last > LONGEST_SILENCE:
            found.append((pulse.last, now))
        return found

    def _let_happen(self, now: datetime, seat: int | None) -> None:
        if self.stored.due is not None and now < self.stored.due:
            return
        unread = self._unit.oldest_unread()
        certain = now if unread is None else min(now, unread)

        def has_come(at: datetime, whose: int) -> bool:
            return at <= (now if whose == seat else certain)

        while not self.stored.is_over:
            held = min(
                (held for held in self.stored.held if has_come(held.until, held.seat)),
                key=lambda held: held.until,
                default=None,
            )
            deadlines = [
                each for each in self.course.clock.deadlines() if has_come(each[1].at, each[0])
            ]
            if held is not None and (not deadlines or held.until < deadlines[0][1].at):
                self._release(held)
            elif deadlines:
                whose, deadline = deadlines[0]
                text = expiry_text(whose, deadline, self.terms.clock)
                if len(deadlines) > 1 and deadlines[1][1] == deadline:
                    text = NOBODY_IN_TIME
                self._decree(text, self.not_before(deadline.at))
            else:
                return

    def stand(self, begins: datetime, ends: datetime, *, seat: int | None = None) -> None:
        """Clocks stood, one seat's or all, as far as that is not settled; again changes nothing.

        What is held for correction is in no log, so the clocks are those of the log.
        """
        if self.stored.is_over or begins >= ends:
            return
        logged = self.course
        for held in self.stored.held:
            logged = replace(logged, clock=resumed(logged.clock, held.seat))
        at = self.not_before(ends)
        text = stood_text(seat, begins, ends)
        done = follow(logged, None, text, arrived=at, at=at)
        assert not isinstance(done, Refused), "an act of the server is not refused"
        if done.course.clock == logged.clock:
            return
        self.write(None, done, at=at, arrived=at)
        for held in self.stored.held:
            self._suspend(held)
        # A question that was about to be over may have time again, and one in between too.
        self.stored = replace(self.stored, due=None)

    def not_before(self, at: datetime) -> datetime:
        """Time never runs backwards in a log."""
        last = self.stored.last_at
        return at if last is None or at >= last else last

    def _decree(self, text: str, at: datetime) -> None:
        done = self.append(None, text, at=at)
        assert not isinstance(done, Refused), "an act of the server is not refused"

    def decree(self, text: str, at: datetime) -> None:
        """An act of the server, now. Raises ValueError if it does not fit."""
        self._decree(text, self.not_before(at))

    def hold(self, held: Held) -> None:
        """Keep a submission for its correction window; its author's clock stands (L6)."""
        self._suspend(held)
        # Nobody need be asked to send something in; then no clock tells when to look again.
        self.stored = replace(self.stored, held=(*self.stored.held, held), due=None)

    def _suspend(self, held: Held) -> None:
        clock = self.course.clock
        stretch = clock.seats[held.seat].stretch
        if stretch is not None:
            clock = clock.suspend(held.seat, max(held.arrived, latest_of(stretch)))
            self.course = replace(self.course, clock=clock)

    def drop(self, held: Held) -> None:
        """Undo a held submission: the clock goes on as if it had never stopped (L6)."""
        self.course = replace(self.course, clock=resumed(self.course.clock, held.seat))
        rest = tuple(other for other in self.stored.held if other != held)
        # The time may be over already: nothing is known of when to look again.
        self.stored = replace(self.stored, held=rest, due=None)

    def _release(self, held: Held) -> None:
        """The window is over: play what was held, as it came in."""
        self.drop(held)
        at = self.not_before(held.until)
        done = self.append(held.seat, held.text, at=at, arrived=held.arrived, key=held.key)
        if isinstance(done, Refused):
            # The game has gone another way meanwhile; the author is told, the clock runs on.
            self._unit.add_notice(
                Notice(
                    f"{self.stored.id}/held/{held.arrived.timestamp():.6f}",
                    self.stored.players[held.seat],
                    HELD_DROPPED,
                    held.until,
                    self.stored.id,
                    {"seat": held.seat, "text": held.text},
                )
            )

    # -- keeping --------------------------------------------------------------------------------

    def remind(self, now: datetime) -> None:
        """Write down the latest reminder that is due for each open request, once."""
        if self.stored.is_over:
            return
        for row in self.requests.values():
            due, _ = self._now_instants().reminders(row.seat, now)
            if due and due[-1].at >= row.opened_at:
                facts = {"seat": row.seat, "request": row.id, "percent": due[-1].percent}
                self._unit.add_notice(
                    Notice(
                        f"request/{row.id}/{due[-1].percent}",
                        self.stored.players[row.seat],
                        REMINDER,
                        due[-1].at,
                        self.stored.id,
                        facts,
                    )
                )

    def save(self, now: datetime) -> None:
        """Keep the game: caches, deadlines, and when to look again."""
        course = self.course
        clock, due = self.stored.clock, self.stored.due
        # With the clock as it was and nothing due, all its instants are as they were.
        if course.clock is not self._clock_before or due is None or due <= now:
            # Whoever saves may look past a reminder, and no sweep would find it any more.
            self.remind(now)
            clock, due = dump_clock(course.clock), self._next_due(now)
            self._save_deadlines()
        self.stored = replace(
            self.stored,
            state=course.play.dump(course.state),
            clock=clock,
            turns=course.turns,
            trips=course.trips,
            due=due,
        )
        self._unit.save_game(self.stored)
        _remember(self.stored, course)

    def _save_deadlines(self) -> None:
        for identity, row in self.requests.items():
            deadline = self._deadline(row.seat)
            if deadline != row.deadline:
                self.requests[identity] = replace(row, deadline=deadline)
                self._unit.save_request(self.requests[identity])

    def _next_due(self, now: datetime) -> datetime | None:
        if self.stored.is_over:
            return None
        known = self._now_instants()
        instants = [held.until for held in self.stored.held]
        for seat in range(len(known.clock.seats)):
            deadline = known.deadline(seat)
            if deadline is not None:
                instants.append(deadline.at)
            _, following = known.reminders(seat, now)
            if following is not None:
                instants.append(following.at)
        return min(instants, default=None)


class _Instants:
    """When the times of one clock are over; a clock never changes, so each is found once."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._deadlines: dict[int, Deadline | None] = {}
        self._reminders: dict[tuple[int, datetime], tuple[list[Reminder], Reminder | None]] = {}

    def deadline(self, seat: int) -> Deadline | None:
        """When the time of a seat is over."""
        if seat not in self._deadlines:
            self._deadlines[seat] = self.clock.deadline(seat)
        return self._deadlines[seat]

    def reminders(self, seat: int, now: datetime) -> tuple[list[Reminder], Reminder | None]:
        """The reminders of a seat that are due, and the next one to come."""
        if (seat, now) not in self._reminders:
            due: list[Reminder] = []
            following = None
            for reminder in self.clock.reminders(seat):
                if reminder.at > now:
                    following = reminder
                    break
                due.append(reminder)
            self._reminders[seat, now] = due, following
        return self._reminders[seat, now]


def terms_of(stored: StoredGame) -> Terms:
    """The terms of a stored game."""
    return _terms(tuple(sorted(stored.terms.items())))


@lru_cache(maxsize=1024)
def _terms(items: tuple[tuple[str, object], ...]) -> Terms:
    return parse_terms(dict(items))


def _identity(request: Request) -> tuple[int, str, str]:
    return request.seat, request.kind, request.mark


def dump_clock(clock: Clock) -> str:
    """A clock as text for the store."""
    return _encode(clock.to_plain())


def load_course(stored: StoredGame) -> Course:
    """The course of a stored game, from its caches."""
    key = (stored.id, stored.head, stored.clock)
    course = _courses.get(key)
    if course is None:
        play = get_game(stored.game)
        state = play.load(stored.start, stored.state)
        course = Course(
            stored.start,
            stored.game,
            state,
            Clock.from_plain(json.loads(stored.clock)),
            play.requests(state),
            stored.turns,
            stored.trips,
            is_corrected=bool(stored.terms.get("correction")),
        )
    return course


def _remember(stored: StoredGame, course: Course) -> None:
    _courses[stored.id, stored.head, stored.clock] = course
    while len(_courses) > CACHED_COURSES:
        _courses.popitem(last=False)
