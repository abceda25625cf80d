"""What somebody may see of a game: the one place where that is decided for pages and programs.

A player sees the own seat's side, with own notes and the messages; everybody else is a spectator
and sees what the terms allow: all of it, or some turns late until the game is over, or nothing at
any time. Whatever is shown is made from what this returns, never from the stored game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbem.games.base import Briefing, Event, Game, Preview, Refused, Rehearsal, Trips
from pbem.games.choices import Choices
from pbem.games.registry import get_game
from pbem.games.scene import Scene
from pbem.play.course import Chapter, Course
from pbem.play.errors import NoSuchGameError
from pbem.play.log import LogEntry
from pbem.play.model import Held, Message, Note, OpenRequest, Player, SeenGame, StoredGame
from pbem.play.open_game import terms_of
from pbem.play.ports import Unit
from pbem.play.story import Story, tell_story
from pbem.play.terms import Terms
from pbem.tongue import Tongue


@dataclass(frozen=True, slots=True)
class Step:
    """One entry as it may be seen: who, when, and what happened, in notation."""

    number: int
    seat: int | None
    at: datetime
    round_turns: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatClock:
    """How much time a seat has: ``left`` as of the instant asked about, running or not."""

    left: timedelta
    is_running: bool
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as one viewer may see it at one entry. ``seat`` is None for spectators.

    ``story`` ends at the entry looked at; ``newest`` is the last one the viewer may see. Secrets of
    other seats are in none of the fields; ``story`` itself holds everything and is not for pages.
    """

    game_id: str
    seat: int | None
    names: tuple[str, ...]
    player_ids: tuple[int, ...]
    terms: Terms
    newest: int
    at: int
    clocks: tuple[SeatClock, ...]
    asked: tuple[tuple[int, str], ...]
    """Who is asked for what, by seat and kind, as of the newest entry."""
    request: OpenRequest | None
    """What the viewer is asked for."""
    held: Held | None
    messages: tuple[Message, ...]
    notes: tuple[Note, ...]
    trips: Trips
    is_over: bool
    winner: int | None
    termination: str | None
    ended_at: datetime | None
    created_at: datetime
    _story: Story
    _visible: tuple[Chapter, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """What has happened, entry by entry, up to the newest that may be seen."""
        return tuple(_steps(self._visible, self.seat))

    @property
    def version(self) -> str:
        """The hash of the newest entry that may be seen; it vouches for all before it."""
        return self._visible[-1].entry.hash

    @property
    def seed_hash(self) -> str:
        """What everybody may know of the seed while it is secret (R9.5)."""
        return self._story.course.start.seed_hash

    @property
    def is_newest(self) -> bool:
        """Whether the entry looked at is the last one that may be seen."""
        return self.at == self.newest

    @property
    def play(self) -> Game[Any]:
        """The rules of the game."""
        return self._story.play

    def scene(self, tongue: Tongue) -> Scene:
        """The board at the entry looked at, with what that entry did."""
        story = self._story
        since = (story.before, self._seen(story.events))
        return self.play.scene(story.state, self.seat, tongue=tongue, since=since)

    def told(self, tongue: Tongue) -> tuple[str, ...]:
        """What the entry looked at did, in sentences."""
        story = self._story
        return self.play.tell(story.before, self._seen(story.events), self.seat, tongue=tongue)

    def spoken(self, tongue: Tongue) -> str:
        """The board in words."""
        return self.play.speak(self._story.state, self.seat, tongue=tongue)

    def briefing(self, tongue: Tongue) -> Briefing | None:
        """What the viewer is asked for, explained; only at the newest entry."""
        if self.seat is None or not self.is_newest:
            return None
        return self.play.brief(self._story.state, self.seat, tongue=tongue)

    def choose(self, seat: int, path: Sequence[str], tongue: Tongue) -> Choices | None:
        """What may follow behind the first steps of a turn of the viewer's own seat."""
        if seat != self.seat or self.is_over:
            return None
        return self.play.choose(self._story.state, seat, path, tongue=tongue)

    def preview(self, text: str, tongue: Tongue) -> Preview | Refused | None:
        """What a submission of the viewer's own seat would do; None for spectators."""
        if self.seat is None:
            return None
        return self.play.preview(self._story.state, self.seat, text, tongue=tongue)

    def rehearse(self, text: str | None, tongue: Tongue) -> Rehearsal | Refused | None:
        """What standing rules would have answered so far for the viewer's own seat; without a text
        those that hold now. None for spectators. The numbers are those of entries."""
        if self.seat is None:
            return None
        chapters = self._story.chapters
        states = [chapter.course.state for chapter in chapters]
        moments = list(zip(states, (chapter.events for chapter in chapters[1:]), strict=False))
        return self.play.rehearse([*moments, (states[-1], ())], self.seat, text, tongue=tongue)

    def _seen(self, events: Sequence[Event]) -> tuple[Event, ...]:
        return tuple(event for event in events if event.only_for in (None, self.seat))


def look(
    unit: Unit,
    game_id: str,
    viewer: Player | None,
    *,
    now: datetime,
    at: int | None = None,
    is_present: bool = False,
) -> GameView | None:
    """A game for a viewer, at an entry (None: the newest); None if it may not be seen at all.

    ``is_present`` is for whoever rules on a game: a spectator who does not lag behind.

    Raises NoSuchGameError.
    """
    seen = unit.see_game(game_id, None if viewer is None else viewer.id)
    if seen is None:
        raise NoSuchGameError(game=game_id)
    stored = seen.game
    story = tell_story(unit, stored)
    seat = None if viewer is None else stored.find_seat(viewer.id)
    newest = len(story.chapters) - 1 if is_present else _newest_visible(story, seat)
    if newest is None:
        return None
    shown = newest if at is None else max(0, min(at, newest))
    chapters = story.chapters[: newest + 1]
    terms = terms_of(stored)
    is_live = newest == len(story.chapters) - 1
    request = held = None
    messages: tuple[Message, ...] = ()
    notes: tuple[Note, ...] = ()
    if seat is not None:
        request = next((row for row in seen.requests if row.seat == seat), None)
        held = next((held for held in stored.held if held.seat == seat), None)
        messages = seen.messages
        notes = tuple(note for note in seen.notes if note.seat == seat)
    last = chapters[-1].course
    return GameView(
        game_id=game_id,
        seat=seat,
        names=seen.names,
        player_ids=stored.players,
        terms=terms,
        newest=newest,
        at=shown,
        clocks=tuple(_clocks(last, seen, seat, now)) if is_live else (),
        asked=tuple((request.seat, request.kind) for request in last.requests),
        request=request,
        held=held,
        messages=messages,
        notes=notes,
        trips=last.trips,
        is_over=stored.is_over,
        winner=stored.winner,
        termination=stored.termination,
        ended_at=stored.ended_at,
        created_at=stored.created_at,
        _story=Story(stored, story.chapters[: shown + 1], 1 if shown else 0),
        _visible=chapters,
    )


def open_turns(stored: StoredGame) -> int | None:
    """How many turns of a game everybody may know of; None if it is nobody else's to see."""
    last = _last_open_turn(stored)
    return None if last is None else max(0, last)


def _last_open_turn(stored: StoredGame) -> int | None:
    """The last turn that everybody may see, below 0 for none but the beginning; None if nothing."""
    delay = terms_of(stored).delay
    if delay is None:
        return None
    return stored.turns - (0 if stored.is_over else delay)


def _newest_visible(story: Story, seat: int | None) -> int | None:
    """How far a viewer may look: players to the end, others as the terms say."""
    if seat is not None:
        return len(story.chapters) - 1
    last = _last_open_turn(story.stored)
    if last is None:
        return None
    if story.stored.is_over:
        return len(story.chapters) - 1
    visible = [chapter.entry.number for chapter in story.chapters if chapter.entry.turns <= last]
    return max(visible, default=0)


def _steps(chapters: Sequence[Chapter], seat: int | None) -> list[Step]:
    play = get_game(chapters[0].course.game)
    return [
        Step(
            chapter.entry.number,
            chapter.entry.seat,
            chapter.entry.at,
            chapter.entry.turns,
            play.notate(chapter.events, seat),
        )
        for chapter in chapters
        if _is_step(chapter.entry, chapter.events, seat)
    ]


def _is_step(entry: LogEntry, events: Sequence[Event], seat: int | None) -> bool:
    """Whether an entry is anything to a viewer; affairs of clocks and secrets of others are not."""
    return entry.number == 0 or any(event.only_for in (None, seat) for event in events)


def _clocks(course: Course, seen: SeenGame, seat: int | None, now: datetime) -> Iterator[SeatClock]:
    deadlines = {row.seat: row.deadline for row in seen.requests}
    for held in seen.game.held:
        # It stops the clock, which would tell others that something was sent.
        if held.seat != seat and held.seat in deadlines:
            due = course.clock.deadline(held.seat)
            deadlines[held.seat] = None if due is None else due.at
    for each in range(len(course.clock.seats)):
        yield SeatClock(course.clock.left(each, now), each in deadlines, deadlines.get(each))
