"""An event as it stands: entrants, rounds, encounters, results. Plain and frozen.

What it came from is ``acts``; what follows from it (pairings, standings) is in modules of its own.
Points are halves: a win is 2, a draw 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from pbem.tournaments.charter import ByeWorth, Charter

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0
BYE_POINTS: Final[dict[ByeWorth, int]] = {"win": WIN, "draw": DRAW, "nothing": LOSS}

Phase = Literal["draft", "open", "running", "paused", "over", "cancelled"]
Standing = Literal["waiting", "in", "withdrawn", "disqualified"]
"""How an entrant takes part: on the waiting list, in, or not any more."""
Ending = Literal["played", "forfeit", "adjudicated", "corrected", "void"]
"""How a game came to its result: over the board, also by resigning or on time; without having been
played, because somebody left or never began; by a director's ruling; by a correction of what it had
been; or not at all, and nobody has points of it."""

Answer = Literal["open", "accepted", "declined", "excused", "lapsed", "withdrawn"]
"""What became of a challenge: not answered yet; played; declined, which costs the place, or with a
reason, which does not; not answered in time, which costs the place; or one of the two left."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has had a place, and from which act on: results before that are their predecessor's."""

    player_id: int
    since: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """A place in an event. ``number`` counts from 1 in the order of entering and never changes."""

    number: int
    holders: tuple[Holder, ...]
    rating: int = 1500
    """When they entered, for seeding."""
    standing: Standing = "in"
    is_checked_in: bool = False
    first_round: int = 1
    """The first round they can be paired in: more for who came late."""
    team: str = ""
    board: int = 0
    """In a team, from 1."""
    warnings: int = 0
    active_at: datetime | None = None
    """When they last entered, challenged, answered, played or slipped in a ladder."""

    @property
    def player_id(self) -> int:
        """Who has the place now."""
        return self.holders[-1].player_id

    @property
    def is_in(self) -> bool:
        """Whether they can be paired."""
        return self.standing == "in"


@dataclass(frozen=True, slots=True)
class Result:
    """What a game brought each side, in halves, and how it came to it; ``at`` is when it ended."""

    gold: int
    black: int
    ending: Ending = "played"
    at: datetime | None = None
    starter: Literal["gold", "black"] = "gold"
    """Who had the first turn."""


@dataclass(frozen=True, slots=True)
class EventGame:
    """One game of an encounter: who sits where, and how it ended, None while it goes on."""

    gold: int
    black: int
    result: Result | None = None

    def points_of(self, number: int) -> int | None:
        """What it brought an entrant of it, in halves; None while it goes on."""
        if self.result is None:
            return None
        return self.result.gold if number == self.gold else self.result.black


@dataclass(frozen=True, slots=True)
class Why:
    """One reason for a pairing: a code and what it is about.

    The sentences are in ``pbem.play.events.saying_why``.
    """

    code: str
    facts: dict[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Encounter:
    """Who meets whom. ``number`` counts over the whole event from 1; ``away`` None is a bye.

    ``stage`` tells tables apart that are counted by themselves: groups (``A``, ``B``), ``final``,
    divisions (``1``, ``2``); empty where there is one table.
    """

    number: int
    round: int
    home: int
    away: int | None
    games: tuple[EventGame, ...] = ()
    stage: str = ""
    board: int = 0
    """In a team match the board, in a knock-out the place in its round of the bracket; from 1."""
    why: tuple[Why, ...] = ()
    has_bid: bool = False
    """Whether its game has a bid for the first turn although the charter's have none."""

    @property
    def is_bye(self) -> bool:
        """Whether somebody has no opponent."""
        return self.away is None

    @property
    def is_over(self) -> bool:
        """Whether every game of it has a result; a bye has none to wait for."""
        return all(game.result is not None for game in self.games)

    @property
    def entrants(self) -> tuple[int, ...]:
        """The one or two who are in it."""
        return (self.home,) if self.away is None else (self.home, self.away)

    def opponent_of(self, number: int) -> int | None:
        """The other of the two; None in a bye."""
        return self.away if number == self.home else self.home

    def points_of(self, number: int) -> int:
        """What its games have brought an entrant so far, in halves."""
        return sum(game.points_of(number) or 0 for game in self.games)


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge in a ladder. ``number`` counts from 1; an answer comes once (``ladder``)."""

    number: int
    challenger: int
    challenged: int
    at: datetime
    answer: Answer = "open"
    answered_at: datetime | None = None
    encounter: int | None = None
    """The number of what is played for it, if it was accepted."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody who was asked to take over a place, and has not answered."""

    entrant: int
    player_id: int


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it stands. ``acts`` is the length of its log."""

    id: str
    charter: Charter
    directors: tuple[int, ...] = ()
    """Player numbers; the first made it."""
    phase: Phase = "draft"
    entrants: tuple[Entrant, ...] = ()
    """In the order of their numbers."""
    encounters: tuple[Encounter, ...] = ()
    """In the order of their numbers."""
    round: int = 0
    """The last round that has begun; 0 before the first. Encounters of later rounds may be paired
    already: their games do not begin before their round does (``progress``)."""
    round_began: datetime | None = None
    extra_days: int = 0
    """By how much a director has prolonged the present round."""
    paused_at: datetime | None = None
    """Since when it is paused (``pausing``)."""
    is_closed: bool = False
    """Whether entering has ended."""
    check_in_asked: bool = False
    """Whether entrants have been asked to say that they are there."""
    ladder: tuple[int, ...] = ()
    """Entrant numbers from the top, in a ladder."""
    teams: tuple[str, ...] = ()
    """The teams of a team match, in the order of its table (``teams.begun``)."""
    challenges: tuple[Challenge, ...] = ()
    """In the order of their numbers, in a ladder."""
    asked: tuple[Asked, ...] = ()
    """Who was asked to take over a place."""
    acts: int = 0

    def entrant(self, number: int) -> Entrant:
        """The place of this number."""
        return self.entrants[number - 1]

    def find_entrant(self, player_id: int) -> Entrant | None:
        """The place that a player holds now; of several, as of somebody who left and came back,
        the last one."""
        held = (each for each in reversed(self.entrants) if each.player_id == player_id)
        return next(held, None)

    def encounter(self, number: int) -> Encounter:
        """The encounter of this number."""
        return self.encounters[number - 1]

    def of_round(self, number: int) -> Iterator[Encounter]:
        """The encounters of a round."""
        return (each for each in self.encounters if each.round == number)

    def of_entrant(self, number: int) -> Iterator[Encounter]:
        """The encounters of an entrant, in order."""
        return (each for each in self.encounters if number in each.entrants)

    def bye_points(self) -> int:
        """What a bye is worth here, in halves."""
        return BYE_POINTS[self.charter.bye_worth] * self.charter.games


def show_points(halves: int) -> str:
    """Points as people write them: ``3½``."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)
