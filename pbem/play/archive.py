"""What is left of a game when it is over: its record (N5) and its log (N5.6).

A record follows from the log alone, but for what the log does not know: the players' names, event,
site and the like, which are given as tags. The same log and tags give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from pbem.games.base import Entry, Happening
from pbem.games.registry import get_game
from pbem.play.course import CLOCK_ACTS, Chapter, Course
from pbem.play.events.games_of import event_tags
from pbem.play.log import LogEntry, format_log
from pbem.play.model import StoredGame
from pbem.play.ports import Unit
from pbem.play.rating_seen import rating_tags
from pbem.play.story import tell_story
from pbem.schedule.durations import format_time_left
from pbem.schedule.rules import format_clock_rules

_CLOSING: Final = frozenset({"turn_ended", "game_ended"})


def game_entries(entries: Sequence[LogEntry]) -> list[Entry]:
    """The part of a log that is the game's own: without its beginning and the clock's affairs."""
    return [
        Entry(entry.seat, entry.text)
        for entry in entries[1:]
        if entry.seat is not None or not entry.text.startswith(CLOCK_ACTS)
    ]


def record_of(unit: Unit, stored: StoredGame, tags: Mapping[str, str]) -> str:
    """The record of a game that is over; ``tags`` bring event, site and the like."""
    if not stored.is_over:
        raise ValueError("a running game has no record yet")
    names = {}
    for seat, player_id in enumerate(stored.players):
        player = unit.find_player(player_id)
        names[get_game(stored.game).seats[seat].capitalize()] = player.name if player else "?"
    known = {**names, **rating_tags(unit, stored), **event_tags(unit, stored.id), **tags}
    return write_record(tell_story(unit, stored).chapters, known)


def write_record(chapters: Sequence[Chapter], tags: Mapping[str, str]) -> str:
    """The record of a game from all of its log; ``tags`` bring what the log does not know."""
    first, last = chapters[0], chapters[-1]
    course = last.course
    known = {
        "Date": f"{first.entry.at:%Y.%m.%d}",
        "Clock": format_clock_rules(course.clock.rules),
    }
    if course.play.find_result(course.state) is not None:
        known["LogHash"] = last.entry.hash
    return course.play.chronicle(course.state, _happenings(chapters), {**known, **tags})


def _happenings(chapters: Sequence[Chapter]) -> Iterator[Happening]:
    """What happened with the times to tell: at the end of a turn, and for a defence."""
    for before, chapter in pairwise(chapters):
        entry, clock = chapter.entry, chapter.course.clock
        left: tuple[str, ...] = ()
        if any(event.name in _CLOSING for event in chapter.events):
            seats = range(len(clock.seats))
            left = tuple(format_time_left(clock.left(seat, entry.at)) for seat in seats)
        yield Happening(entry.seat, chapter.events, left, _left_to_answer(before.course, chapter))


def _left_to_answer(before: Course, chapter: Chapter) -> str:
    """What was left for the question of another's turn that an entry answers; empty for none."""
    entry = chapter.entry
    for request in before.requests:
        if request.seat == entry.seat and request.is_reply:
            stretch = before.clock.seats[request.seat].stretch
            if stretch is not None and request not in chapter.course.requests:
                came = max(entry.arrived, stretch.since)
                return format_time_left(before.clock.left_to_decide(request.seat, came))
    return ""


def log_of(unit: Unit, stored: StoredGame) -> str:
    """The ``.log`` file of a game that is over, with its seed and all salts."""
    if not stored.is_over:
        raise ValueError("the log of a running game is secret")
    return format_log(stored.start.seed, unit.entries(stored.id))
