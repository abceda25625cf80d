"""The story of a game up to an entry of its log: what a mail about that entry may tell.

A mail is made from the log as it was, never from what came later, so it says the same whenever it
is written. Games are replayed from their logs, as far as they are not known (``chapters``), so that
each mail and page costs only its own entries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pbem.games.base import Event, Game, Refused, Request
from pbem.play.chapters import keep_chapters, kept_chapters
from pbem.play.course import Chapter, Course, follow
from pbem.play.games import get_stored
from pbem.play.log import ChainError, LogEntry
from pbem.play.model import StoredGame
from pbem.play.ports import Unit
from pbem.play.verification import first_course


@dataclass(frozen=True, slots=True)
class Story:
    """A game as it stood behind the last of its ``chapters``; ``new`` of them are to be told.

    ``stored`` is the game as it is now: only what never changes is to be taken from it.
    """

    stored: StoredGame
    chapters: tuple[Chapter, ...]
    new: int

    @property
    def play(self) -> Game[Any]:
        """The rules of the game."""
        return self.course.play

    @property
    def course(self) -> Course:
        """Where the game stood."""
        return self.chapters[-1].course

    @property
    def entry(self) -> LogEntry:
        """The last entry."""
        return self.chapters[-1].entry

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.course.state

    @property
    def before(self) -> Any:
        """The state from which on something is to be told."""
        return self.chapters[max(len(self.chapters) - self.new, 1) - 1].course.state

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened since ``before``."""
        told = self.chapters[len(self.chapters) - self.new :] if self.new else ()
        return tuple(event for chapter in told for event in chapter.events)

    def since(self, entry: int) -> Story:
        """The same story, new from behind an entry on."""
        last = self.entry.number
        return replace(self, new=last - min(max(entry, 0), last))

    def find_request(self, seat: int) -> Request | None:
        """What a seat was asked for."""
        return next((asked for asked in self.course.requests if asked.seat == seat), None)

    def request_id(self, seat: int) -> str | None:
        """The id of what a seat was asked for: it names the entry that opened it."""
        asked = self.find_request(seat)
        opened = None
        for chapter in reversed(self.chapters):
            if asked is None or asked not in chapter.course.requests:
                break
            opened = chapter.entry.number
        return None if opened is None else f"{self.stored.id}.{opened}.{seat}"


def load_story(unit: Unit, game_id: str, *, upto: int | None = None, since: int = -1) -> Story:
    """The story behind entry ``upto`` (None: the last one), new from behind ``since`` on.

    Raises NoSuchGameError, and ChainError for a log that does not replay.
    """
    return tell_story(unit, get_stored(unit, game_id), upto=upto, since=since)


def tell_story(
    unit: Unit, stored: StoredGame, *, upto: int | None = None, since: int = -1
) -> Story:
    """The story of a game that was found already."""
    last = stored.entries - 1 if upto is None else min(upto, stored.entries - 1)
    chapters = _replay(unit, stored, last)[: last + 1]
    return Story(stored, chapters, 0).since(since)


def _replay(unit: Unit, stored: StoredGame, last: int) -> tuple[Chapter, ...]:
    known = kept_chapters(stored.id)
    # The hash of an entry vouches for all before it.
    count = stored.entries
    if 0 < count <= len(known) and known[count - 1].entry.hash == stored.head:
        return known
    at = max(min(len(known) - 1, last), 0)
    entries = unit.entries(stored.id, since=at)
    if known and (not entries or entries[0].hash != known[at].entry.hash):
        known, entries = (), unit.entries(stored.id)
    if len(known) > last:
        return known
    chapters = list(known)
    for entry in entries[1:] if known else entries:
        if entry.number > last:
            break
        chapters.append(_next(stored, chapters, entry))
    told = tuple(chapters)
    keep_chapters(stored.id, told)
    return told


def _next(stored: StoredGame, chapters: list[Chapter], entry: LogEntry) -> Chapter:
    if not chapters:
        return Chapter(entry, (), first_course(stored.start.seed, entry))
    course = chapters[-1].course
    done = follow(course, entry.seat, entry.text, arrived=entry.arrived, at=entry.at)
    if isinstance(done, Refused):
        raise ChainError(entry.number, "the rules refuse it")
    return Chapter(entry, done.events, done.course, done.forecasts)
