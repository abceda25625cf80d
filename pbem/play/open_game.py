"""A game under lock: the one place where log entries are made.

Holds a stored game inside a unit, appends entries to its log, and lets happen what happens by
itself: flags fall, defaults answer, held submissions are released, each at its own instant and
in the order of time, however late anybody looks (R9.3, L1.6).
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Final

from pbem.games.base import Refused, Request
from pbem.games.registry import get_game
from pbem.play.course import Course, Followed, expiry_text, follow, latest_of, resumed
from pbem.play.errors import NoSuchGameError
from pbem.play.log import GENESIS, SALT_BYTES, LogEntry, sealed
from pbem.play.model import Held, Notice, OpenRequest, StoredGame
from pbem.play.notices import HELD_DROPPED, REMINDER, notices_of
from pbem.play.ports import Surroundings, Unit
from pbem.play.terms import Terms, parse_terms
from pbem.schedule.clock import Clock

CACHED_COURSES: Final = 512
_courses: OrderedDict[tuple[str, str, str], Course] = OrderedDict()
"""Courses by game, head of the log and clock: what a log comes to never changes."""


class OpenGame:
    """A game that this unit has locked."""

    def __init__(self, around: Surroundings, unit: Unit, stored: StoredGame) -> None:
        self.stored = stored
        self.course = load_course(stored)
        self.terms: Terms = parse_terms(stored.terms)
        self._around = around
        self._unit = unit

    @classmethod
    def lock(cls, around: Surroundings, unit: Unit, game_id: str) -> OpenGame:
        """The game, kept from all other units. Raises NoSuchGameError."""
        stored = unit.lock_game(game_id)
        if stored is None:
            raise NoSuchGameError(game=game_id)
        return cls(around, unit, stored)

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
        return self.write(seat, done, at=at, arrived=arrived, key=key), done

    def write(
        self,
        seat: int | None,
        done: Followed,
        *,
        at: datetime,
        arrived: datetime,
        key: str | None = None,
    ) -> LogEntry:
        """Keep an entry that has been followed: log, requests, notices."""
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
        for notice in notices_of(stored, entry, done, opened):
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
            row = rows.pop(_identity(request))
            self._unit.save_request(
                replace(row, closed_by=entry.number, closed_at=entry.at, deadline=None)
            )
        opened = {}
        for request in done.opened:
            row = OpenRequest(
                id=0,
                game_id=self.stored.id,
                seat=request.seat,
                kind=request.kind,
                mark=request.mark,
                opened_by=entry.number,
                opened_at=entry.at,
                deadline=self._deadline(request.seat),
            )
            rows[_identity(request)] = opened[request.seat] = self._unit.open_request(row)
        return opened

    @cached_property
    def requests(self) -> dict[tuple[int, str, str], OpenRequest]:
        """The open requests by seat, kind and mark."""
        rows = self._unit.requests_of(self.stored.id)
        return {(row.seat, row.kind, row.mark): row for row in rows}

    def mend_requests(self, entry: LogEntry) -> None:
        """Make the open requests those of the course again."""
        wanted = {_identity(request): request for request in self.course.requests}
        extra = [identity for identity in self.requests if identity not in wanted]
        closed = tuple(Request(*identity) for identity in extra)
        opened = tuple(
            request for identity, request in wanted.items() if identity not in self.requests
        )
        self._ask(Followed(self.course, "", (), closed, opened), entry)

    def _deadline(self, seat: int) -> datetime | None:
        deadline = self.course.clock.deadline(seat)
        return None if deadline is None else deadline.at

    # -- what happens by itself -----------------------------------------------------------------

    def catch_up(self, now: datetime) -> None:
        """Let everything happen whose instant has come, in the order of time."""
        while not self.stored.is_over:
            held = min(self.stored.held, key=lambda held: held.until, default=None)
            deadlines = self.course.clock.deadlines()
            due = deadlines[0] if deadlines and deadlines[0][1].at <= now else None
            if held is not None and held.until <= now and (due is None or held.until < due[1].at):
                self._release(held)
            elif due is not None:
                seat, deadline = due
                text = expiry_text(seat, deadline, self.terms.clock)
                self._decree(text, self.not_before(deadline.at))
            else:
                return

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
        clock = self.course.clock
        stretch = clock.seats[held.seat].stretch
        if stretch is not None:
            clock = clock.suspend(held.seat, max(held.arrived, latest_of(stretch)))
        self.course = replace(self.course, clock=clock)
        self.stored = replace(self.stored, held=(*self.stored.held, held))

    def drop(self, held: Held) -> None:
        """Undo a held submission: the clock goes on as if it had never stopped (L6)."""
        self.course = replace(self.course, clock=resumed(self.course.clock, held.seat))
        rest = tuple(other for other in self.stored.held if other != held)
        self.stored = replace(self.stored, held=rest)

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
            due = self.course.clock.reminders_due(row.seat, now)
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
        # Whoever saves may look past a reminder, and no sweep would find it any more.
        self.remind(now)
        course = self.course
        clock_text = dump_clock(course.clock)
        self.stored = replace(
            self.stored,
            state=course.play.dump(course.state),
            clock=clock_text,
            turns=course.turns,
            trips=course.trips,
            due=self._next_due(now),
        )
        for identity, row in self.requests.items():
            deadline = self._deadline(row.seat)
            if deadline != row.deadline:
                self.requests[identity] = replace(row, deadline=deadline)
                self._unit.save_request(self.requests[identity])
        self._unit.save_game(self.stored)
        _remember(self.stored, course)

    def _next_due(self, now: datetime) -> datetime | None:
        if self.stored.is_over:
            return None
        clock = self.course.clock
        instants = [held.until for held in self.stored.held]
        instants += [deadline.at for _, deadline in clock.deadlines()]
        for seat in range(len(clock.seats)):
            instants += [each.at for each in clock.reminders(seat) if each.at > now]
        return min(instants, default=None)


def _identity(request: Request) -> tuple[int, str, str]:
    return request.seat, request.kind, request.mark


def dump_clock(clock: Clock) -> str:
    """A clock as text for the store."""
    return json.dumps(clock.to_plain(), sort_keys=True, separators=(",", ":"))


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
