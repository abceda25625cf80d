"""Ortus behind the server's seam: nothing outside this package needs to know more.

Thin: options and secrets are in ``state``, reading in ``submissions``, consequences in
``progress`` and ``decrees``, records in ``chronicle``, pictures in ``drawing``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pbem.games.base import (
    Accepted,
    Entry,
    Event,
    Fault,
    Forecast,
    Preview,
    Refused,
    Request,
    Result,
    Start,
    Trips,
)
from pbem.games.ortus import messages
from pbem.games.ortus.chronicle import Chronicle
from pbem.games.ortus.decrees import carry_out_decree
from pbem.games.ortus.drawing import draw_position, draw_setup
from pbem.games.ortus.figures import HOUSE_NAMES
from pbem.games.ortus.hexes import hex_name
from pbem.games.ortus.plans import AttackOutcome, Outcome
from pbem.games.ortus.position import Position
from pbem.games.ortus.progress import BY_NOBODY, Progress
from pbem.games.ortus.refusals import read_submission
from pbem.games.ortus.state import BID, State, View, begin, open_play
from pbem.games.ortus.storage import dump_state, load_state
from pbem.games.ortus.submissions import Submission, fault_of
from pbem.games.ortus.turn import decide
from pbem.games.scene import Scene


class LogError(ValueError):
    """A log that does not replay: ``number`` is the entry, counted from 1."""

    def __init__(self, number: int, reason: str) -> None:
        self.number = number
        super().__init__(f"entry {number}: {reason}")


class Ortus:
    """The game of Ortus; fills ``pbem.games.base.Game``. Seat 0 is Gold, seat 1 is Black."""

    name: Final = "ortus"
    seats: Final = HOUSE_NAMES

    def start(self, start: Start) -> State:
        """A new game. Raises OptionsError with every fault listed."""
        return begin(start)

    def requests(self, state: State) -> tuple[Request, ...]:
        """Who is asked for what now."""
        return state.requests()

    def find_result(self, state: State) -> Result | None:
        """How the game ended, if it has."""
        return state.result

    def view(self, state: State, seat: int) -> View:
        """What a seat may see."""
        return state.view(seat)

    def submit(self, state: State, seat: int, text: str) -> Accepted[State] | Refused:
        """Take a submission, all or nothing (N1.7)."""
        submission = read_submission(state.view(seat), text)
        if isinstance(submission, Refused):
            return submission
        progress = Progress(state, seat)
        progress.carry_out(submission)
        return Accepted(
            progress.state, submission.text, tuple(progress.events), _doubtful(submission, seat)
        )

    def preview(self, state: State, seat: int, text: str) -> Preview | Refused:
        """What a submission would do, seen from that seat alone (N2.5)."""
        view = state.view(seat)
        submission = read_submission(view, text)
        if isinstance(submission, Refused):
            return submission
        return Preview(submission.text, _forecasts(view, submission))

    def decree(self, state: State, text: str) -> Accepted[State]:
        """An act of the server (``decrees``). Raises DecreeError."""
        progress = carry_out_decree(state, text)
        return Accepted(progress.state, text, tuple(progress.events))

    def trips(self, events: Sequence[Event], author: int | None) -> Trips:
        """Questions asked, and those saved by R6.2, by standing rules and by plans."""
        ran_on = any(event.name == "acted" and event.seat != author for event in events)
        return Trips(
            asked=sum(event.name == "defence_asked" for event in events),
            unaffordable=sum(
                event.name == "defended" and event.facts["by"] == BY_NOBODY for event in events
            ),
            by_rules=sum(event.name == "rules_answered" for event in events),
            by_plans=int(ran_on),
        )

    def apply(self, state: State, entry: Entry) -> Accepted[State] | Refused:
        """One entry of a log again."""
        if entry.seat is None:
            return self.decree(state, entry.text)
        return self.submit(state, entry.seat, entry.text)

    def replay(self, start: Start, log: Sequence[Entry]) -> tuple[State, list[tuple[Event, ...]]]:
        """The state at the end of a log and the events of each entry. Raises LogError."""
        state = self.start(start)
        events = []
        for number, entry in enumerate(log, start=1):
            if entry.seat not in (None, 0, 1):
                raise LogError(number, f"there is no seat {entry.seat}")
            try:
                done = self.apply(state, entry)
            except ValueError as error:
                raise LogError(number, str(error)) from error
            if isinstance(done, Refused):
                raise LogError(number, " ".join(self.explain(fault) for fault in done.faults))
            if done.text != entry.text:
                raise LogError(number, f"it is not canonical: {done.text[:200]!r}")
            state = done.state
            events.append(done.events)
        return state, events

    def record(self, start: Start, log: Sequence[Entry], tags: Mapping[str, str]) -> str:
        """The record of a game from its log (N5). Raises LogError."""
        state, events = self.replay(start, log)
        chronicle = Chronicle()
        for entry_events in events:
            chronicle.tell(entry_events)
        return chronicle.write(state, tags)

    def dump(self, state: State) -> str:
        """The changing part of a state, for the store."""
        return dump_state(state)

    def load(self, start: Start, text: str) -> State:
        """A state that was dumped. Raises ValueError."""
        return load_state(start, text)

    def scene(self, state: State, seat: int | None) -> Scene:
        """The board as a seat, or a spectator, may see it."""
        bottom = 0 if seat is None else seat
        if state.phase == BID:
            return _draw_bidding(state, bottom)
        if state.position is None:
            setup = None if seat is None else state.setups[seat]
            return draw_setup(state.options.arena, setup=setup, house=bottom)
        return draw_position(state.position, bottom=bottom)

    def explain(self, fault: Fault) -> str:
        """A fault in words for the player who made it."""
        return messages.explain(fault)


def _draw_bidding(state: State, bottom: int) -> Scene:
    """Both set-ups, shown while the first turn is bid for (R2.4)."""
    auction = state.auction()
    position = open_play(state).position
    assert position is not None
    leader = HOUSE_NAMES[auction.leader].capitalize()
    scene = draw_position(
        position,
        bottom=bottom,
        caption=f"{leader} would start with {auction.energy}; bids are open.",
    )
    panels = tuple(
        replace(
            panel,
            status="to bid" if panel.seat == auction.bidder else "",
            is_active=panel.seat == auction.bidder,
        )
        for panel in scene.panels
    )
    return replace(scene, panels=panels, title=f"Ortus. {scene.caption}")


def _doubtful(submission: Submission, seat: int) -> tuple[Forecast, ...]:
    """The outcomes in which a part of the plan could not be done (N2.2)."""
    if submission.check is None:
        return ()
    return tuple(
        _forecast(outcome, seat) for outcome in submission.check.outcomes if outcome.stopped
    )


def _forecasts(view: View, submission: Submission) -> tuple[Forecast, ...]:
    if submission.check is not None:
        return tuple(_forecast(outcome, view.seat) for outcome in submission.check.outcomes)
    if submission.saves and view.position is not None:
        after = decide(view.position, submission.saves)
        return (
            Forecast((submission.text,), draw_position(after, bottom=view.seat), asks=_asks(after)),
        )
    return ()


def _forecast(outcome: Outcome, seat: int) -> Forecast:
    return Forecast(
        steps=tuple(_attack_text(attack) for attack in outcome.attacks),
        scene=draw_position(outcome.position, bottom=seat),
        fault=None if outcome.stopped is None else fault_of(*outcome.stopped),
        asks=_asks(outcome.position),
    )


def _attack_text(attack: AttackOutcome) -> str:
    roll = "" if attack.roll is None else f"({'/'.join(map(str, attack.roll))})"
    if len(attack.verdicts) == 1:
        verdicts = "+" if attack.verdicts[0][1] else "-"
    else:
        verdicts = ",".join(f"{hex_}{'+' if saved else '-'}" for hex_, saved in attack.verdicts)
    return f"{attack.order}{roll}={verdicts}"


def _asks(position: Position) -> str | None:
    if position.question is None:
        return None
    return ", ".join(
        f"{hex_name(victim.hex)} ({victim.power})" for victim in position.question.victims
    )
