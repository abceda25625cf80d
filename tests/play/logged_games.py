"""Whole games with their logs, played without a store: what a server would have written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from random import Random
from typing import Any

from pbem.games.base import Refused, Start
from pbem.games.ortus.sampling import random_entry
from pbem.play.archive import write_record
from pbem.play.course import begin_course, first_text, follow
from pbem.play.log import GENESIS, SALT_BYTES, LogEntry, format_log, sealed
from pbem.play.terms import parse_terms
from pbem.play.verification import replay_chapters
from pbem.schedule.calendar import Calendar
from tests.play.club import NOON, RULES
from tests.play.test_whole_games import submission


@dataclass(frozen=True)
class LoggedGame:
    """A game that is over, with the files that are exported of it."""

    start: Start
    entries: tuple[LogEntry, ...]

    @property
    def log(self) -> str:
        return format_log(self.start.seed, self.entries)

    def record(self, **tags: str) -> str:
        return write_record(replay_chapters(self.start.seed, self.entries), tags)


@cache
def logged_game(number: int, *, dice: str = "clean", turns: int = 12) -> LoggedGame:
    """A game at random, with plans and rules, resigned when it has gone on for long enough."""
    return play_logged(Random(number), {"level": "master", "dice": dice}, f"game{number}", turns)


def play_logged(rng: Random, options: Mapping[str, Any], game_id: str, turns: int) -> LoggedGame:
    start = Start(game_id, dict(options), rng.randbytes(32))
    terms = parse_terms({"clock": "100d+1d defence 4d fall"})
    calendars = (Calendar(), Calendar())
    course, at = begin_course(start, "ortus", terms, calendars, NOON), NOON
    entries: list[LogEntry] = []

    def add(seat: int | None, text: str) -> None:
        previous = entries[-1].hash if entries else GENESIS
        salt = rng.randbytes(SALT_BYTES)
        entries.append(sealed(previous, LogEntry(len(entries), seat, text, at, at, salt, "")))

    add(None, first_text(start, "ortus", terms, calendars))
    while course.requests:
        at += timedelta(minutes=rng.randrange(1, 600))
        for entry in (submission(rng, course.state), random_entry(rng, RULES, course.state)):
            text = "resign" if course.turns >= turns else entry.text
            done = follow(course, entry.seat, text, arrived=at, at=at)
            if not isinstance(done, Refused):
                course = done.course
                add(entry.seat, done.text)
                break
    return LoggedGame(start, tuple(entries))
