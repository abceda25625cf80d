"""Ortus behind the server's seam: nothing outside this package needs to know more.

Thin: options and secrets are in ``state``, reading in ``submissions``, consequences in
``progress`` and ``decrees``, records in ``chronicle``, boards in ``showing``. The last two are
loaded when they are first asked for, so that taking a submission waits for neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from pbem.games.base import (
    Accepted,
    Briefing,
    Entry,
    Event,
    Fault,
    Happening,
    Preview,
    Refused,
    Rehearsal,
    Request,
    Result,
    Start,
    Trips,
)
from pbem.games.ortus import messages
from pbem.games.ortus.decrees import carry_out_decree
from pbem.games.ortus.figures import HOUSE_NAMES
from pbem.games.ortus.options import parse_options, swap_houses
from pbem.games.ortus.progress import BY_NOBODY, Progress
from pbem.games.ortus.refusals import read_submission
from pbem.games.ortus.state import State, View, begin
from pbem.games.ortus.storage import dump_state, load_state
from pbem.tongue import ENGLISH, Tongue

if TYPE_CHECKING:
    from pbem.games.choices import Choices
    from pbem.games.scene import Scene


class LogError(ValueError):
    """A log that does not replay: ``number`` is the entry, counted from 1."""

    def __init__(self, number: int, reason: str) -> None:
        self.number = number
        super().__init__(f"entry {number}: {reason}")


_NEWS: Final = frozenset({"defended", "rules_answered", "plan_stopped", "setups_shown"})
_NEWS_OF_OTHERS: Final = frozenset({"draw_offered", "draw_declined", "bid_passed"})


class Ortus:
    """The game of Ortus; fills ``pbem.games.base.Game``. Seat 0 is Gold, seat 1 is Black."""

    name: Final = "ortus"
    seats: Final = HOUSE_NAMES

    @property
    def fault_texts(self) -> tuple[str, ...]:
        """What is wrong with options and standing rules, as it is said in English."""
        from pbem.games.ortus.expectations import EXPECTED, OPTION_FAULTS  # noqa: PLC0415

        return (*EXPECTED, *OPTION_FAULTS)

    def swap_seats(self, options: Mapping[str, object]) -> dict[str, object]:
        """The options of a rematch with Houses swapped: a handicap stays with its player."""
        return swap_houses(options)

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
        # What cannot be done in some outcome is told with its boards (N2.2); mostly all can.
        doubtful = () if submission.check is None else submission.check.doubtful()
        if not doubtful:
            return Accepted(progress.state, submission.text, tuple(progress.events))
        from pbem.games.ortus.showing import forecast_outcomes  # noqa: PLC0415

        forecasts = forecast_outcomes(doubtful, seat)
        return Accepted(progress.state, submission.text, tuple(progress.events), forecasts)

    def preview(
        self, state: State, seat: int, text: str, *, tongue: Tongue = ENGLISH
    ) -> Preview | Refused:
        """What a submission would do, seen from that seat alone (N2.5)."""
        view = state.view(seat)
        submission = read_submission(view, text)
        if isinstance(submission, Refused):
            return submission
        from pbem.games.ortus.showing import forecast  # noqa: PLC0415

        return Preview(submission.text, forecast(view, submission, tongue=tongue))

    def decree(self, state: State, text: str) -> Accepted[State]:
        """An act of the server (``decrees``). Raises DecreeError."""
        progress = carry_out_decree(state, text)
        return Accepted(progress.state, text, tuple(progress.events))

    def is_news(self, event: Event, seat: int) -> bool:
        """What befell one's own warriors, offers, and the end of one's plan; not every step."""
        if event.name in _NEWS_OF_OTHERS:
            return event.seat != seat
        return event.name in _NEWS

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
        happened = [
            Happening(entry.seat, several) for entry, several in zip(log, events, strict=True)
        ]
        return self.chronicle(state, happened, tags)

    def chronicle(
        self, state: State, happened: Iterable[Happening], tags: Mapping[str, str]
    ) -> str:
        """The record of a game from what has happened in it (N5)."""
        from pbem.games.ortus.chronicle import Chronicle  # noqa: PLC0415

        chronicle = Chronicle(is_over=state.result is not None)
        for happening in happened:
            chronicle.tell(happening)
        return chronicle.write(state, tags)

    def dump(self, state: State) -> str:
        """The changing part of a state, for the store."""
        return dump_state(state)

    def load(self, start: Start, text: str) -> State:
        """A state that was dumped. Raises ValueError."""
        return load_state(start, text)

    def scene(
        self,
        state: State,
        seat: int | None,
        *,
        tongue: Tongue = ENGLISH,
        since: tuple[State, Sequence[Event]] | None = None,
    ) -> Scene:
        """The board as a seat, or a spectator, may see it, and what has happened to it."""
        from pbem.games.ortus.showing import show_state  # noqa: PLC0415

        return show_state(state, seat, tongue=tongue, since=since)

    def speak(self, state: State, seat: int | None, *, tongue: Tongue = ENGLISH) -> str:
        """The board in words, as a seat, or a spectator, may see it."""
        from pbem.games.ortus.showing import speak_state  # noqa: PLC0415

        return speak_state(state, seat, tongue=tongue)

    def tell(
        self, before: State, events: Sequence[Event], seat: int | None, *, tongue: Tongue = ENGLISH
    ) -> tuple[str, ...]:
        """What has happened, in sentences for a seat or for everybody."""
        from pbem.games.ortus.telling import tell_events  # noqa: PLC0415

        return tell_events(before, events, seat, tongue=tongue)

    def notate(self, events: Sequence[Event], seat: int | None) -> tuple[str, ...]:
        """What has happened in the notation of records."""
        from pbem.games.ortus.notating import note_events  # noqa: PLC0415

        return note_events(events, seat)

    def choose(
        self, state: State, seat: int, path: Sequence[str], *, tongue: Tongue = ENGLISH
    ) -> Choices | None:
        """What may follow behind the first steps of a turn."""
        from pbem.games.ortus.choosing import find_choices  # noqa: PLC0415

        return find_choices(state.view(seat), path, tongue=tongue)

    def brief(self, state: State, seat: int, *, tongue: Tongue = ENGLISH) -> Briefing | None:
        """What a seat is asked for now, so that it can answer."""
        from pbem.games.ortus.briefing import brief_seat  # noqa: PLC0415

        return brief_seat(state, seat, tongue=tongue)

    def rehearse(
        self,
        moments: Sequence[tuple[State, Sequence[Event]]],
        seat: int,
        text: str | None,
        *,
        tongue: Tongue = ENGLISH,
    ) -> Rehearsal | Refused:
        """What standing rules would have answered in the game so far."""
        from pbem.games.ortus.rehearsing import rehearse_rules  # noqa: PLC0415

        return rehearse_rules(moments, seat, text, tongue=tongue)

    def describe(
        self, options: Mapping[str, object], *, tongue: Tongue = ENGLISH
    ) -> tuple[str, ...]:
        """The options of a game in words. Raises OptionsError."""
        from pbem.games.ortus.describing import describe_options  # noqa: PLC0415

        return describe_options(parse_options(options), tongue=tongue)

    def explain(self, fault: Fault, *, tongue: Tongue = ENGLISH) -> str:
        """A fault in words for the player who made it."""
        return messages.explain(fault, tongue=tongue)
