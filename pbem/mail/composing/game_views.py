"""What a mail shows of a game, as plain values for the templates.

Everything comes from the story up to one entry and is seen from one seat, so nothing later and
nothing of the other seat's secrets can get in. Words about the game are the game's own
(``pbem.games.base``); when time is over, and what that leads to, is said here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pbem.games.base import Briefing
from pbem.games.scene import Panel, Scene
from pbem.mail.composing.desk import Desk
from pbem.mail.dates import say_duration
from pbem.mail.links import replay_url
from pbem.play.model import OpenRequest
from pbem.play.story import Story
from pbem.schedule.rules import ClockRules
from pbem.tongue import N_

IMAGE: Final = "image"
TEXT: Final = "text"
SPOKEN: Final = "spoken"

MAX_PICTURES: Final = 12
"""Further boards of one mail are text boards, so that a mail about many games stays small."""

SILENCE: Final = {
    "flag": N_("If nothing comes by then, you lose the game on time."),
    "fall": N_("If nothing comes by then, whoever is attacked falls."),
    "save": N_("If nothing comes by then, whoever you can pay for is saved."),
}
WAITS_FOR: Final = {
    "setup": N_("{name} is still to send a set-up."),
    "bid": N_("{name} is to bid."),
    "turn": N_("It is {name}'s turn."),
    "defence": N_("{name} is asked to defend."),
}
WAITS_FOR_ANSWER: Final = N_("{name} is asked for an answer.")
YOU_ARE_ASKED: Final = N_("It is you who is asked now.")
ENDED: Final = {
    "won": N_("The game is over: you have won."),
    "lost": N_("The game is over: you have lost."),
    "drawn": N_("The game is over: it is drawn."),
}
STANDS_STILL: Final = N_("Your clock stands still, so there is no hurry.")


@dataclass(frozen=True, slots=True)
class Board:
    """A board as the player wants it; ``picture`` is its name in the HTML part."""

    form: str
    text: str = ""
    spoken: tuple[str, ...] = ()
    picture: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a seat is asked for, until when, and what silence leads to."""

    briefing: Briefing
    until: str | None
    left: str
    place: str
    silence: str


@dataclass(frozen=True, slots=True)
class Figures:
    """The table of figures: a column for each seat, a row for each figure, time last."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    times: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameView:
    """One game in one mail."""

    id: str
    you: str
    opponent: str
    house: str
    opponent_house: str
    ask: Ask | None
    board: Board | None
    happened: tuple[str, ...]
    figures: Figures
    seed_hash: str
    replay_url: str
    """Where it is gone through in the archive; empty while it is not over."""

    @property
    def is_over(self) -> bool:
        """Whether it was over when this mail's news happened."""
        return bool(self.replay_url)


def show_board(desk: Desk, scene: Scene, speak: Callable[[], str]) -> Board:
    """A scene in the form that the reader has chosen; ``speak`` says the board in words."""
    form, drawings = desk.player.preferences.board, desk.office.drawings
    if form == SPOKEN or drawings is None:
        spoken = tuple(line for line in speak().splitlines() if line)
        return Board(SPOKEN, spoken=spoken, title=scene.title)
    text = drawings.text(scene)
    if form == TEXT or len(desk.folder.pictures) >= MAX_PICTURES:
        return Board(TEXT, text=text, title=scene.title)
    picture = desk.folder.add_picture(scene)
    return Board(IMAGE, text=text, picture=picture, title=scene.title)


class GameSight:
    """Looks at a story from one seat."""

    def __init__(self, desk: Desk, story: Story, seat: int) -> None:
        self.desk = desk
        self.story = story
        self.seat = seat
        self.request_id = story.request_id(seat)
        self.request = self._find_open_request()

    def _find_open_request(self) -> OpenRequest | None:
        if self.request_id is None:
            return None
        asked = self.desk.unit.requests_of(self.story.stored.id)
        return next((row for row in asked if row.id == self.request_id), None)

    @property
    def is_moot(self) -> bool:
        """Whether what was asked is not asked any more."""
        return self.request is None

    def view(self, *, with_board: bool = True, with_news: bool = True) -> GameView:
        """The game as the templates show it."""
        story, seat, tongue = self.story, self.seat, self.desk.tongue
        since = (story.before, story.events) if story.events else None
        scene = story.play.scene(story.state, seat, tongue=tongue, since=since)
        happened = story.play.tell(story.before, story.events, seat, tongue=tongue)
        other = 1 - seat
        return GameView(
            id=story.stored.id,
            you=self.name(seat),
            opponent=self.name(other),
            house=self.house(seat),
            opponent_house=self.house(other),
            ask=self.ask(),
            board=self.board(scene, with_speech=True) if with_board else None,
            happened=happened if with_news else (),
            figures=self._figures(scene),
            seed_hash=story.stored.start.seed_hash,
            replay_url=replay_url(self.desk.office, story.stored.id) if self.outcome else "",
        )

    @property
    def outcome(self) -> str:
        """How the game ended for this seat: ``won``, ``lost`` or ``drawn``; empty if it has not."""
        result = self.story.play.find_result(self.story.state)
        if result is None:
            return ""
        return "drawn" if result.winner is None else "won" if result.winner == self.seat else "lost"

    def name(self, seat: int) -> str:
        """Who has a seat."""
        player = self.desk.find_player(self.story.stored.players[seat])
        return "?" if player is None else player.name

    def house(self, seat: int) -> str:
        """The word for a seat."""
        return self.desk.tongue.say(self.story.play.seats[seat].capitalize())

    def waits_for(self, *, others: bool = False) -> tuple[str, ...]:
        """Who is asked for something now, or how the game ended; with ``others`` only the other
        seats."""
        tongue = self.desk.tongue
        if self.outcome:
            return () if others else (tongue.say(ENDED[self.outcome]),)
        said = []
        for asked in self.story.course.requests:
            if asked.seat != self.seat:
                text = WAITS_FOR.get(asked.kind, WAITS_FOR_ANSWER)
                said.append(tongue.say(text, name=self.name(asked.seat)))
            elif not others:
                said.append(tongue.say(YOU_ARE_ASKED))
        return tuple(said)

    # -- what is asked --------------------------------------------------------------------------

    def ask(self) -> Ask | None:
        """What is asked, if it still is."""
        desk, story = self.desk, self.story
        is_held = any(held.seat == self.seat for held in story.stored.held)
        if self.request is None or is_held:
            return None  # it has been answered, though that can still be taken back
        briefing = story.play.brief(story.state, self.seat, tongue=desk.tongue)
        if briefing is None:
            return None
        until = self.request.deadline
        if until is None:
            stands = desk.tongue.say(STANDS_STILL)
            return Ask(briefing, None, "", desk.dates.place, stands)
        return Ask(
            briefing,
            until=desk.dates.instant(until),
            left=desk.dates.left(until),
            place=desk.dates.place,
            silence=desk.tongue.say(SILENCE[self._consequence()]),
        )

    def _consequence(self) -> str:
        """What the end of the time leads to (R9.3)."""
        asked = self.story.find_request(self.seat)
        if asked is None or not asked.is_reply:
            return "flag"  # only a defence can have another, so its end need not be found
        deadline = self.story.course.clock.deadline(self.seat)
        rules: ClockRules = self.story.course.clock.rules
        is_default = deadline is not None and deadline.consequence == "default"
        return rules.defence_default if is_default else "flag"

    # -- boards ---------------------------------------------------------------------------------

    def board(self, scene: Scene, *, with_speech: bool = False) -> Board:
        """A scene in the form that the player has chosen."""
        story = self.story

        def speak() -> str:
            if with_speech:
                return story.play.speak(story.state, self.seat, tongue=self.desk.tongue)
            return scene.description or scene.title

        return show_board(self.desk, scene, speak)

    # -- figures --------------------------------------------------------------------------------

    def _figures(self, scene: Scene) -> Figures:
        seats = sorted(range(len(self.story.stored.players)), key=lambda seat: seat != self.seat)
        panels = {panel.seat: panel for panel in scene.panels}
        facts = [dict(_facts(panels[seat])) if seat in panels else {} for seat in seats]
        labels = dict.fromkeys(label for fact in facts for label in fact)
        clock, tongue = self.story.course.clock, self.desk.tongue
        return Figures(
            names=tuple(self.name(seat) for seat in seats),
            rows=tuple((label, tuple(fact.get(label, "–") for fact in facts)) for label in labels),
            times=tuple(say_duration(clock.left(seat, self._moment()), tongue) for seat in seats),
        )

    def _moment(self) -> datetime:
        """As of when clocks are shown: now while an answer is awaited, else when it happened."""
        return self.desk.now if self.request is not None else self.story.entry.at


def _facts(panel: Panel) -> Iterator[tuple[str, str]]:
    """The figures of one seat, by their labels."""
    for track in panel.tracks:
        yield track.label, str(track.value)
    for count in panel.counts:
        yield count.label, count.value
    if panel.off_board:
        yield panel.off_board_title, " ".join(piece.label for piece in panel.off_board)
