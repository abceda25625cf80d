"""Whole events played by the clock: what is due is done, and games end when and as chance has it.

A world is an event, a clock that jumps from one instant to the next at which something happens, and
a source of chance. It does what ``progress`` says is due, just as acts do, and lets players win,
lose, draw, run out of time, leave and come late. Tests look at what was paired each time
(``watch``) and at the event in the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from random import Random
from typing import Any, Literal

from pbem.tournaments import ladder, progress, teams
from pbem.tournaments.act_rounds import encounter_to_plain
from pbem.tournaments.charter import Charter
from pbem.tournaments.event import (
    DRAW,
    LOSS,
    WIN,
    Encounter,
    Entrant,
    Event,
    Holder,
    Result,
    Standing,
)
from pbem.tournaments.field import rounds_planned
from pbem.tournaments.steps import (
    AskCheckIn,
    Begin,
    CloseEntries,
    Finish,
    Lapse,
    MoveUp,
    OpenRound,
    PairRound,
    PutOff,
    Slip,
    Step,
    Walkover,
)

OPENED = datetime(2026, 1, 5, 12, tzinfo=UTC)
STARTS = OPENED + timedelta(days=14)
MOST_STEPS = 200_000
LARGE = 32

Watch = Callable[[Event, tuple[Encounter, ...]], None]


def entrants(count: int, *, team_size: int = 0) -> tuple[Entrant, ...]:
    """So many entrants, the first with the highest rating; in teams of so many, if they are."""
    return tuple(
        Entrant(
            number,
            (Holder(1000 + number, 1),),
            rating=2400 - 7 * number,
            team=f"Team {(number - 1) // team_size + 1}" if team_size else "",
        )
        for number in range(1, count + 1)
    )


def opened(count: int, *, team_size: int = 0, **terms: Any) -> Event:
    """An event that is open, with its entrants."""
    charter = Charter("Trial", **{"starts_at": STARTS, **terms})
    return Event("e", charter, (1,), "open", entrants(count, team_size=team_size))


def is_behind_last_pairing(event: Event) -> bool:
    """Whether a Swiss event has no round left for who comes late."""
    return event.charter.format == "swiss" and event.round >= rounds_planned(event)


@dataclass
class Chances:
    """How often what happens: each a probability for a game, or for a day of one entrant."""

    draw: float = 0.1
    time_out: float = 0.05
    leaving: float = 0.0
    late: float = 0.0
    most_days: int = 60
    first_turn: float = 0.6
    """How often who has the first turn wins, if nobody is better."""


@dataclass
class World:
    """An event, its clock, and chance."""

    event: Event
    chance: Random
    chances: Chances = field(default_factory=Chances)
    watch: Watch = lambda before, encounters: None
    now: datetime = OPENED
    until: datetime | None = None
    """When a director ends it: for events without an end."""
    steps: list[tuple[datetime, Step]] = field(default_factory=list)
    playing: list[tuple[datetime, int, int]] = field(default_factory=list)
    """Games that go on: when they end, the encounter and the place of the game in it."""

    def run(self) -> Event:
        """Everything that happens, to the end; fails if it does not come."""
        for _ in range(MOST_STEPS):
            if self.event.phase != "running" and self.event.phase != "open":
                return self.event
            step = progress.next_step(self.event, self.now)
            if step is not None:
                self.do(step)
            elif not self._wait():
                raise AssertionError(f"nothing will ever happen: round {self.event.round}")
        raise AssertionError("it has no end")

    def note(self, name: str, **facts: Any) -> None:
        """What was just done, as the act of it: for worlds that keep a log."""

    def do(self, step: Step) -> None:
        """One step, as acts do it."""
        self.steps.append((self.now, step))
        event = self.event
        self._do(step, event)
        match step:
            case MoveUp(numbers):
                for number in numbers:
                    self.note("moved_up", entrant=number)
            case CloseEntries():
                self.note("closed_entries")
            case AskCheckIn():
                self.note("check_in_asked")
            case PutOff(starts_at, found, least):
                self.note("put_off", starts_at=starts_at.isoformat(), found=found, least=least)
            case Begin(absent, moved_up):
                self.note("started", absent=absent, moved_up=moved_up)
            case OpenRound(number):
                self.note("turned_over", round=number)
            case Lapse(challenge):
                self.note("challenge_lapsed", challenge=challenge)
            case Slip(entrant):
                self.note("slipped", entrant=entrant)
            case Finish():
                self.note("finished")

    def _do(self, step: Step, event: Event) -> None:
        match step:
            case MoveUp(numbers):
                self.event = with_standing(event, numbers, "in")
            case CloseEntries():
                self.event = replace(event, is_closed=True)
            case AskCheckIn():
                self.event = replace(event, check_in_asked=True)
            case PutOff(starts_at):
                charter = replace(event.charter, starts_at=starts_at)
                asked = tuple(replace(each, is_checked_in=False) for each in event.entrants)
                self.event = replace(event, charter=charter, entrants=asked, check_in_asked=False)
            case Begin(absent, moved_up):
                event = with_standing(event, absent, "withdrawn")
                event = with_standing(event, moved_up, "in")
                event = replace(event, phase="running", is_closed=True)
                if event.charter.format == "ladder":
                    event = ladder.begun(event, self.now)
                if event.charter.format == "teams":
                    event = teams.begun(event)
                self.event = event
            case PairRound():
                self._pair()
            case OpenRound(number):
                self.event = replace(event, round=number, round_began=self.now, extra_days=0)
                self._start_games()
            case Walkover(encounter, game, result):
                self.end_game(encounter, game, replace(result, at=self.now))
            case Lapse(challenge):
                self.event = ladder.lapsed(event, challenge, self.now)
            case Slip(entrant):
                self.event = ladder.slipped(event, entrant, self.now)
            case Finish():
                self.event = replace(event, phase="over")

    def end_game(self, number: int, game: int, result: Result) -> None:
        """A game has a result."""
        self.event = with_result(self.event, number, game, result)
        encounter = self.event.encounter(number)
        if self.event.charter.format == "ladder" and encounter.is_over:
            self.event = ladder.settled(self.event, encounter, self.now)
        self.note(
            "result",
            encounter=number,
            game=game,
            gold=result.gold,
            black=result.black,
            ending=result.ending,
            starter=result.starter,
        )

    def leave(self, number: int) -> None:
        """An entrant takes part no more."""
        self.event = with_standing(self.event, (number,), "withdrawn")
        if self.event.charter.format == "ladder":
            self.event = ladder.gone(self.event, number, self.now)
        self.note("withdrew", entrant=number)

    def _pair(self) -> None:
        before = self.event
        made = progress.pair(before, seed=self.chance.randbytes(32))
        assert made, "a round was due, and nobody was paired"
        assert [each.number for each in made] == list(
            range(len(before.encounters) + 1, len(before.encounters) + len(made) + 1)
        )
        number = progress.round_after(before, made)
        began = self.now if number != before.round else before.round_began
        self.event = replace(
            before,
            encounters=(*before.encounters, *made),
            round=number,
            round_began=began,
            extra_days=0 if number != before.round else before.extra_days,
        )
        self._start_games()
        self.note("paired", round=number, encounters=[encounter_to_plain(each) for each in made])
        self.watch(before, made)

    def _start_games(self) -> None:
        """Games of rounds that have begun are played; chance says until when."""
        started = {(number, index) for _, number, index in self.playing}
        for each in self.event.encounters:
            if each.round > self.event.round:
                continue
            for index, game in enumerate(each.games):
                if game.result is None and (each.number, index) not in started:
                    ends = self.now + self._length()
                    heappush(self.playing, (ends, each.number, index))

    def _length(self) -> timedelta:
        """How long a game lasts; in large events whole days, so that many end at once."""
        if len(self.event.entrants) > LARGE:
            return timedelta(days=self.chance.randint(1, self.chances.most_days))
        return timedelta(hours=self.chance.randint(1, 24 * self.chances.most_days))

    def _wait(self) -> bool:
        """To the next instant at which something happens; whether there is one."""
        due = progress.due_at(self.event)
        instants = [] if due is None else [due]
        if self.playing:
            instants.append(self.playing[0][0])
        if self.event.charter.format == "ladder" and self.event.phase == "running":
            instants.append(self.now + timedelta(days=1))
        if not instants:
            return False
        before, self.now = self.now, max(self.now, min(instants))
        if self.until is not None and self.now >= self.until:
            self.event = replace(self.event, phase="over")
            self.note("finished")
            return True
        self._come_and_go(before)
        while self.playing and self.playing[0][0] <= self.now:
            _, number, index = heappop(self.playing)
            if self.event.encounter(number).games[index].result is None:
                self.end_game(number, index, self._result(number, index))
        if self.event.charter.format == "ladder":
            self._challenge()
        return True

    def _come_and_go(self, since: datetime) -> None:
        if self.event.phase != "running":
            return
        days = (self.now - since) / timedelta(days=1)
        for each in self.event.entrants:
            if each.is_in and self.chance.random() < self.chances.leaving * days:
                self.leave(each.number)
        comes = self.chance.random() < self.chances.late * days
        if comes and not is_behind_last_pairing(self.event):
            number = len(self.event.entrants) + 1
            new = Entrant(
                number,
                (Holder(1000 + number, self.event.acts),),
                rating=self.chance.randint(1000, 2400),
                first_round=self.event.round + 1,
            )
            self.event = replace(self.event, entrants=(*self.event.entrants, new))
            if self.event.charter.format == "ladder":
                self.event = ladder.joined(self.event, number, self.now)
            self.note("late_entry", player=1000 + number, rating=new.rating)

    def _result(self, number: int, index: int) -> Result:
        event = self.event
        encounter = event.encounter(number)
        game = encounter.games[index]
        bids = event.charter.meeting == "bid" or encounter.has_bid
        starter: Literal["gold", "black"] = "gold"
        if bids and self.chance.random() < 0.5:
            starter = "black"
        what = self.chance.random()
        if what < self.chances.draw:
            return Result(DRAW, DRAW, at=self.now, starter=starter)
        better = event.entrant(game.gold).rating - event.entrant(game.black).rating
        edge = self.chances.first_turn if starter == "gold" else 1 - self.chances.first_turn
        gold_wins = self.chance.random() < min(0.95, max(0.05, edge + better / 2000))
        timed_out = what < self.chances.draw + self.chances.time_out
        return Result(
            WIN if gold_wins else LOSS,
            LOSS if gold_wins else WIN,
            "forfeit" if timed_out else "played",
            at=self.now,
            starter=starter,
        )

    def _challenge(self) -> None:
        """Some challenge, some answer: what a day brings on a ladder."""
        for each in self.event.challenges:
            if each.answer == "open" and self.chance.random() < 0.3:
                answers = ["accepted"] * 8 + ["declined"]
                if ladder.can_excuse(self.event, each.challenged, self.now):
                    answers.append("excused")
                answer: Any = self.chance.choice(answers)
                self.event = ladder.answered(self.event, each.number, answer, self.now)
                name = "challenge_accepted" if answer == "accepted" else "challenge_declined"
                reason = "busy" if answer == "excused" else ""
                self.note(name, challenge=each.number, reason=reason)
        order = self.event.ladder
        for _ in range(len(order) // 4 + 1 if len(order) > 1 else 0):
            place = self.chance.randrange(1, len(order))
            one, other = order[place], order[max(0, place - self.chance.randint(1, 4))]
            if ladder.check_challenge(self.event, one, other, self.now) is None:
                self.event = ladder.challenged(self.event, one, other, self.now)
                self.note("challenged", entrant=one, rival=other)


def with_standing(event: Event, numbers: tuple[int, ...], standing: Standing) -> Event:
    """The event with these entrants in, waiting or out."""
    return replace(
        event,
        entrants=tuple(
            replace(each, standing=standing) if each.number in numbers else each
            for each in event.entrants
        ),
    )


def with_result(event: Event, number: int, game: int, result: Result) -> Event:
    """The event with a result of one game."""
    encounter = event.encounter(number)
    games = tuple(
        replace(each, result=result) if index == game else each
        for index, each in enumerate(encounter.games)
    )
    return replace(
        event,
        encounters=(
            *event.encounters[: number - 1],
            replace(encounter, games=games),
            *event.encounters[number:],
        ),
    )


def simulate(
    event: Event,
    seed: int,
    *,
    watch: Watch = lambda before, encounters: None,
    until: datetime | None = None,
    **chances: Any,
) -> World:
    """A whole event, to its end; what was paired each time is handed to ``watch``."""
    world = World(event, Random(seed), Chances(**chances), watch, until=until)
    world.run()
    return world
