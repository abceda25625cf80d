"""Proof of a game from its log alone: chain, rules, costs, dice and clocks (N5.6).

What the log comes to is worked out again from the first entry; a stored position that differs is
only a cache and is repaired. The same code reads a ``.log`` file far from any server.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.games.base import OptionsError, Refused, Start
from pbem.play.course import (
    DEFAULT,
    TIME,
    Chapter,
    Course,
    Followed,
    begin_course,
    expiry_text,
    follow,
    resumed,
)
from pbem.play.errors import NoSuchGameError
from pbem.play.log import ChainError, LogEntry, check_chain
from pbem.play.model import LockedGame, StoredGame
from pbem.play.open_game import OpenGame, dump_clock
from pbem.play.ports import Surroundings, Unit
from pbem.play.terms import parse_terms
from pbem.schedule.calendar import Calendar
from pbem.schedule.clock import Clock
from pbem.schedule.errors import ScheduleError
from pbem.schedule.zones import zone_data_version


@dataclass(frozen=True, slots=True)
class Verified:
    """What a sound log comes to, and the caches that did not agree with it."""

    course: Course
    head: str
    differences: tuple[str, ...] = ()


def replay_log(seed: bytes, entries: Sequence[LogEntry]) -> tuple[Course, str]:
    """The course at the end of a log, and the head of its chain.

    Raises ChainError at the first entry that is not what it should be.
    """
    head = get_head(entries)
    return replay_chapters(seed, entries)[-1].course, head


def get_head(entries: Sequence[LogEntry]) -> str:
    """The head of a log's chain. Raises ChainError at the first entry that does not fit."""
    if not entries:
        raise ChainError(0, "there is no first entry")
    return check_chain(entries)


def replay_chapters(seed: bytes, entries: Sequence[LogEntry]) -> list[Chapter]:
    """Every entry with what it led to. Raises ChainError; the chain itself is not looked at."""
    chapters = [Chapter(entries[0], (), first_course(seed, entries[0]))]
    try:
        for entry in entries[1:]:
            done = _follow(chapters[-1].course, entry)
            chapters.append(Chapter(entry, done.events, done.course))
    except ChainError as error:
        raise _with_zones(error, entries[0]) from error
    return chapters


def _with_zones(error: ChainError, first: LogEntry) -> ChainError:
    """Governments change the hours, and deadlines with them: say so where that may be the cause."""
    then, here = json.loads(first.text).get("zones"), zone_data_version()
    if then == here:
        return error
    reckoned = f"times were reckoned with zone data {str(then)[:20]}, here with {here}"
    return ChainError(error.number, f"{error.reason} ({reckoned})")


def first_course(seed: bytes, entry: LogEntry) -> Course:
    """The course behind the first entry of a log. Raises ChainError."""
    try:
        facts = json.loads(entry.text)
        start = Start(str(facts["id"]), facts["options"], seed)
        if facts["seed_hash"] != start.seed_hash:
            raise ValueError("the seed is not the one that was promised (R9.5)")
        if not (isinstance(facts["options"], dict) and isinstance(facts["terms"], dict)):
            raise TypeError("options and terms have no names")
        calendars = [Calendar.from_plain(plain) for plain in facts["calendars"]]
        course = begin_course(
            start, str(facts["game"]), parse_terms(facts["terms"]), calendars, entry.at
        )
        if len(calendars) != len(course.play.seats):
            raise ValueError("there is not one calendar for each seat")
        return course
    except (KeyError, TypeError, ValueError, OptionsError, RecursionError) as error:
        raise ChainError(0, f"not the beginning of a game: {error}") from error


def _follow(course: Course, entry: LogEntry) -> Followed:
    if entry.seat is not None and not 0 <= entry.seat < len(course.clock.seats):
        raise ChainError(entry.number, f"there is no seat {entry.seat}")
    if entry.seat is None and entry.text.startswith((TIME, DEFAULT)):
        _check_deadline(course, entry)
    try:
        done = follow(course, entry.seat, entry.text, arrived=entry.arrived, at=entry.at)
    except (ValueError, ScheduleError) as error:
        raise ChainError(entry.number, str(error)) from error
    if isinstance(done, Refused):
        reasons = " ".join(course.play.explain(fault) for fault in done.faults)
        raise ChainError(entry.number, f"the rules refuse it: {reasons}")
    if done.text != entry.text:
        raise ChainError(entry.number, f"the rules write it {done.text[:60]!r}")
    return done


def _check_deadline(course: Course, entry: LogEntry) -> None:
    """Time may be said to be over only when it was, and with the consequence agreed on."""
    for seat, deadline in course.clock.deadlines():
        agreed = expiry_text(seat, deadline, course.clock.rules)
        if entry.text == agreed:
            if deadline.at > entry.at:
                break
            return
        if entry.text.split()[1:2] == [str(seat)] and deadline.at <= entry.at:
            raise ChainError(entry.number, f"the end of this clock is {agreed!r}")
    raise ChainError(entry.number, "the clock was not over")


def verify_game(unit: Unit, stored: StoredGame) -> Verified:
    """Replay a stored game and compare its caches. Raises ChainError."""
    entries = unit.entries(stored.id)
    head = get_head(entries)
    chapters = replay_chapters(stored.start.seed, entries)
    for number, chapter in enumerate(chapters):
        told, turns = chapter.entry.turns, chapter.course.turns
        if told != turns:
            raise ChainError(number, f"it says {told} turns, not {turns}")
    course = chapters[-1].course
    _check_row(stored, entries)
    return Verified(course, head, tuple(_differences(unit, stored, course, entries)))


def _check_row(stored: StoredGame, entries: Sequence[LogEntry]) -> None:
    """What no log can mend: entries that are gone, and an agreement that is another."""
    if len(entries) < stored.entries:
        raise ChainError(len(entries), f"it is gone: there were {stored.entries} entries")
    facts = json.loads(entries[0].text)
    agreed = (facts["game"], facts["id"], facts["options"], facts["terms"])
    if agreed != (stored.game, stored.id, dict(stored.start.options), dict(stored.terms)):
        raise ChainError(0, "the game is not stored as it was agreed")


def _differences(
    unit: Unit, stored: StoredGame, course: Course, entries: Sequence[LogEntry]
) -> list[str]:
    found = []
    last = entries[-1]
    if (stored.head, stored.entries, stored.last_at) != (last.hash, len(entries), last.at):
        found.append("head")
    if stored.state != course.play.dump(course.state):
        found.append("state")
    clock = _stored_clock(stored)
    # While a submission is held its author's clock stands, which is not in the log.
    if clock is None or _as_logged(clock) != _as_logged(course.clock):
        found.append("clock")
    result = course.play.find_result(course.state)
    if (result and (result.winner, result.termination, last.at)) != (
        (stored.winner, stored.termination, stored.ended_at) if stored.is_over else None
    ):
        found.append("result")
    if (stored.turns, stored.trips) != (course.turns, course.trips):
        found.append("counts")
    rows = unit.requests_of(stored.id)
    asked = {(row.seat, row.kind, row.mark) for row in rows}
    if asked != {(request.seat, request.kind, request.mark) for request in course.requests}:
        found.append("requests")
    elif clock is not None and "clock" not in found:
        deadlines = {seat: deadline.at for seat, deadline in clock.deadlines()}
        if any(row.deadline != deadlines.get(row.seat) for row in rows):
            found.append("deadlines")
        instants = [*deadlines.values(), *(held.until for held in stored.held)]
        # Looking too early does no harm: reminders are earlier than deadlines.
        if instants and (stored.due is None or stored.due > min(instants)):
            found.append("due")
    return found


def _stored_clock(stored: StoredGame) -> Clock | None:
    try:
        return Clock.from_plain(json.loads(stored.clock))
    except (ValueError, RecursionError):
        return None


def _as_logged(clock: Clock) -> Clock:
    for seat in range(len(clock.seats)):
        clock = resumed(clock, seat)
    return clock


def verify(around: Surroundings, game_id: str, *, now: datetime, repair: bool = True) -> Verified:
    """Verify one game and repair its caches from the log. Raises ChainError."""
    with around.store.begin() as unit:
        locked = unit.lock_game(game_id)
        if locked is None:
            raise NoSuchGameError(game=game_id)
        stored = locked.game
        verified = verify_game(unit, stored)
        if repair and verified.differences:
            _repair(around, unit, stored, verified, now)
        return verified


def _repair(
    around: Surroundings, unit: Unit, stored: StoredGame, verified: Verified, now: datetime
) -> None:
    """Put what the log says into the place of what was stored."""
    course = verified.course
    entries = unit.entries(stored.id)
    result = course.play.find_result(course.state)
    mended = replace(
        stored,
        state=course.play.dump(course.state),
        clock=dump_clock(course.clock),
        turns=course.turns,
        trips=course.trips,
        entries=len(entries),
        head=verified.head,
        last_at=entries[-1].at,
        winner=result.winner if result else None,
        termination=result.termination if result else None,
        ended_at=entries[-1].at if result else None,
        held=(),
        due=None,
    )
    game = OpenGame(around, unit, LockedGame(mended, tuple(unit.requests_of(stored.id))))
    game.mend_requests(entries[-1])
    for held in () if result else stored.held:
        game.hold(held)
    game.save(now)
