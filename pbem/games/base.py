"""The seam between the server and its games.

The server knows seats, log entries, open requests and results; what a seat is called, what stands
on the board and what is paid for it is the game's own business. A game is pure: it reads no clock
and draws no random number; whatever is random follows from the seed it is given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from pbem.tongue import ENGLISH, Tongue

if TYPE_CHECKING:  # pictures are drawn far less often than games are played
    from pbem.games.choices import Choices
    from pbem.games.scene import Scene

State = TypeVar("State")
Facts = Mapping[str, object]


class OptionsError(ValueError):
    """Options that do not make a game; ``faults`` maps the name of an option to what is wrong."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        self.faults = dict(faults)
        super().__init__("; ".join(f"{name}: {fault}" for name, fault in self.faults.items()))


@dataclass(frozen=True, slots=True)
class Request:
    """Somebody is asked for something; ``kind`` is the game's word for it.

    ``mark`` differs whenever it is another question: a request is open as long as the same seat is
    asked for the same kind with the same mark.
    """

    seat: int
    kind: str
    mark: str = ""
    is_reply: bool = False
    """Whether it is asked in the middle of somebody else's turn."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has happened, named in the past tense. ``only_for`` keeps it to one seat.

    Every game says ``turn_ended`` with the seat whose turn it was, and ``game_ended`` with the
    seat that won (None for a draw).
    """

    name: str
    seat: int | None = None
    facts: Facts = field(default_factory=dict)
    only_for: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a submission: a stable code, the clause, the place, and the facts."""

    code: str
    clause: str
    facts: Facts = field(default_factory=dict)
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A legal order near the one refused, and the whole submission with it in place."""

    order: str
    submission: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was done. ``suggestions`` mend the first fault; they are numbered from 1."""

    faults: tuple[Fault, ...]
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True)
class Forecast:
    """One way things can go on: the steps on the way there, the board, and what would stop it."""

    steps: tuple[str, ...]
    scene: Scene
    fault: Fault | None = None
    asks: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a submission would do: its canonical text and every way it can go."""

    text: str
    forecasts: tuple[Forecast, ...]


@dataclass(frozen=True, slots=True)
class Accepted(Generic[State]):
    """Done. ``text`` is what was understood, canonical; ``forecasts`` are outcomes still open in
    which a part of it could not be done."""

    state: State
    text: str
    events: tuple[Event, ...]
    forecasts: tuple[Forecast, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to answer a request that has only a few: what to write, and what it leads to."""

    text: str
    """What to send, as short as the game reads it, as ``+`` or ``block G4, fall G5``."""
    label: str
    """What it means, for a button: *Save Fire 2 on G4*."""
    leads_to: tuple[str, ...] = ()
    """Sentences: what it costs, what is left, what stands on the board then."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a seat is asked for now, said so that it can be answered without looking anything up.

    ``headline`` is for subjects (*Save Fire 2 on G4? Power 5*), ``lines`` explain the question,
    ``answers`` are the answers to choose from (all of them, or the most useful if they are many),
    ``examples`` show how one may be written where nobody could list them. What silence leads to is
    the server's to say, from the clock.
    """

    kind: str
    headline: str
    lines: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """One question of the game so far, and what other rules would have answered to it.

    ``number`` is that of the moment it was put, as the caller counts them; ``attack`` is what was
    done, in notation. The rest is by victim and in words: ``victims`` who, where and what saving
    costs, ``then`` what came of it, ``would`` what the rules say, ``rules`` the rule that says so
    (empty where none does).
    """

    number: int
    attack: str
    victims: tuple[str, ...]
    then: tuple[str, ...]
    would: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Standing rules tried on the game so far: the rules as understood, each with its meaning,
    and every question there was, oldest first."""

    text: str
    meanings: tuple[tuple[str, str], ...]
    general: tuple[tuple[str, str], ...]
    """Rules for all games, tried after these."""
    attacks: tuple[Rehearsed, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the seat that won (None for a draw) and the word for how."""

    winner: int | None
    termination: str


@dataclass(frozen=True, slots=True)
class Trips:
    """Mail round trips: questions asked, and those that were not needed."""

    asked: int = 0
    unaffordable: int = 0
    by_rules: int = 0
    by_plans: int = 0

    def __add__(self, other: Trips) -> Trips:
        return Trips(
            self.asked + other.asked,
            self.unaffordable + other.unaffordable,
            self.by_rules + other.by_rules,
            self.by_plans + other.by_plans,
        )

    @property
    def saved(self) -> int:
        """All the questions nobody had to be asked."""
        return self.unaffordable + self.by_rules + self.by_plans


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's log: an accepted submission, or an act of the server (seat None)."""

    seat: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Happening:
    """What one entry of a log did, for the record: whose it was, the events, and the time.

    ``left`` is what each seat's clock had left behind it, by seat, and ``answered`` what was left
    for the question that it answered in somebody else's turn; both as ``29d4h``, and empty where
    there is nothing to tell.
    """

    seat: int | None
    events: Sequence[Event]
    left: tuple[str, ...] = ()
    answered: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """What a game began with; with the entries behind it, it is the whole game."""

    game_id: str
    options: Facts
    seed: bytes

    @property
    def seed_hash(self) -> str:
        """What all players are given when the game is made, so that the seed cannot be changed."""
        return hashlib.sha256(self.seed).hexdigest()


class Game(Protocol[State]):
    """What the server asks of a game."""

    @property
    def name(self) -> str:
        """The word for the game in options and file names."""

    @property
    def seats(self) -> Sequence[str]:
        """The word for each seat, by its number."""

    @property
    def fault_texts(self) -> Sequence[str]:
        """What an OptionsError of this game may say, in English with braces for its facts."""

    def swap_seats(self, options: Facts) -> dict[str, object]:
        """The options of a rematch: what belonged to one player goes along to the other seat."""

    def start(self, start: Start) -> State:
        """A new game. Raises OptionsError with every fault listed."""

    def requests(self, state: State) -> tuple[Request, ...]:
        """Who is asked for what now; empty when the game is over."""

    def find_result(self, state: State) -> Result | None:
        """How the game ended, if it has."""

    def submit(self, state: State, seat: int, text: str) -> Accepted[State] | Refused:
        """Take a submission, all or nothing."""

    def preview(
        self, state: State, seat: int, text: str, *, tongue: Tongue = ENGLISH
    ) -> Preview | Refused:
        """What a submission would do, without the seed and without other seats' secrets."""

    def is_news(self, event: Event, seat: int) -> bool:
        """Whether a seat that is not asked for anything wants to hear of an event at once."""

    def trips(self, events: Sequence[Event], author: int | None) -> Trips:
        """The mail round trips that the events of one entry needed and saved."""

    def decree(self, state: State, text: str) -> Accepted[State]:
        """An act of the server: time, a ruling, a default. Raises ValueError if it does not fit."""

    def replay(self, start: Start, log: Sequence[Entry]) -> tuple[State, list[tuple[Event, ...]]]:
        """The state at the end of a log and the events of each entry. Raises ValueError."""

    def dump(self, state: State) -> str:
        """The changing part of a state as text, for the store."""

    def load(self, start: Start, text: str) -> State:
        """A state that was dumped. Raises ValueError for text that is none."""

    def record(self, start: Start, log: Sequence[Entry], tags: Mapping[str, str]) -> str:
        """The record of a game from its log."""

    def chronicle(
        self, state: State, happened: Iterable[Happening], tags: Mapping[str, str]
    ) -> str:
        """The record of a game from what has happened in it, up to ``state``. While the game runs
        it holds what everybody has seen; once it is over, also what was secret till then."""

    def scene(
        self,
        state: State,
        seat: int | None,
        *,
        tongue: Tongue = ENGLISH,
        since: tuple[State, Sequence[Event]] | None = None,
    ) -> Scene:
        """The board as a seat (or a spectator) may see it. With ``since``, an earlier state and
        what has happened from then on, the picture shows that too (arrows, who fell where)."""

    def speak(self, state: State, seat: int | None, *, tongue: Tongue = ENGLISH) -> str:
        """The board in words, one short sentence to a line, as that seat may see it."""

    def tell(
        self, before: State, events: Sequence[Event], seat: int | None, *, tongue: Tongue = ENGLISH
    ) -> tuple[str, ...]:
        """What has happened from a state on, in sentences for a seat (None: for everybody)."""

    def notate(self, events: Sequence[Event], seat: int | None) -> tuple[str, ...]:
        """What has happened in the notation of records, as far as a seat may see it."""

    def brief(self, state: State, seat: int, *, tongue: Tongue = ENGLISH) -> Briefing | None:
        """What a seat is asked for now; None if nothing."""

    def choose(
        self, state: State, seat: int, path: Sequence[str], *, tongue: Tongue = ENGLISH
    ) -> Choices | None:
        """What may follow behind the first steps of a turn; None if the seat is not on turn."""

    def rehearse(
        self,
        moments: Sequence[tuple[State, Sequence[Event]]],
        seat: int,
        text: str | None,
        *,
        tongue: Tongue = ENGLISH,
    ) -> Rehearsal | Refused:
        """What standing rules would have answered for a seat. ``moments`` are the states of a game
        with what followed each; the last one is the present and nothing has followed it. Without a
        text the rules that hold now are tried. Refused if the text cannot be set as rules."""

    def describe(self, options: Facts, *, tongue: Tongue = ENGLISH) -> tuple[str, ...]:
        """The options of a game in words, for an invitation."""

    def explain(self, fault: Fault, *, tongue: Tongue = ENGLISH) -> str:
        """A fault in words for the player who made it."""
