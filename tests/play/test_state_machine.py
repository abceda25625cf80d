"""Whatever happens in whatever order, what must hold of a game holds after every step.

One game is played by two players who send legal and illegal orders, old and repeated ones, go on
leave, change their minds, write to each other and bounce; mails are read late, the server is away
for a while, and the sweep comes whenever it likes.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext, suppress
from datetime import datetime, timedelta
from random import Random
from typing import Any, ClassVar

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pbem.games.base import Entry
from pbem.games.ortus.sampling import random_entry
from pbem.play import games, leave, outages
from pbem.play.errors import NotAllowedError
from pbem.play.verification import verify
from pbem.schedule.errors import ScheduleError
from tests.ortus.games import SIX, TWO_ARCHERS, WAVE, line
from tests.play.club import NOON, RULES, Club, Match
from tests.play.hasty_store import HastyStore

CLOCKS = (
    "3d+12h cap 4d defence 1d fall",
    "2d longest 1d defence 6h save remind 50",
    "30h+6h",
)
PLANS = ("{order} [-: end | +: draw?]", "{order} [-: {order}; end | *: end]; end", "{order}; end")
VERBS = ("rng", "str", "chg", "wave", "six", "drg")
STANDING = ("standing: block all <=3", "standing: fall all", "standing: off", "standing: ask all")

seats = st.sampled_from((0, 1))
waits = st.sampled_from((0, 0, 1, 60, 3600, 5 * 3600, 20 * 3600, 70 * 3600)).map(
    lambda seconds: timedelta(seconds=seconds)
)
late = st.sampled_from((0, 0, 0, 1, 1800, 7200)).map(lambda seconds: timedelta(seconds=seconds))
numbers = st.integers(0, 2**16)


class Games(RuleBasedStateMachine):
    """The use cases over one game."""

    store: ClassVar[HastyStore]

    def __init__(self) -> None:
        super().__init__()
        self.store.empty()
        self.club = Club(self.store, seed="machine")
        self.now: datetime = NOON
        self.keys: list[tuple[int, str, str]] = []
        self.old_requests: list[tuple[int, str]] = []
        self.seen: dict[str, Any] = {"ends": {}, "banks": None, "turns": 0, "entries": 0}

    @initialize(
        number=numbers,
        clock=st.sampled_from(CLOCKS),
        correction=st.sampled_from(("", "", "1h", "1d")),
        place=st.sampled_from((None, TWO_ARCHERS, SIX, WAVE)),
        dice=st.sampled_from(("clean", "dicey")),
        zone=st.sampled_from(("UTC", "Europe/Amsterdam")),
        weekends=st.booleans(),
    )
    def begin(
        self,
        number: int,
        clock: str,
        correction: str,
        place: dict[str, Any] | None,
        dice: str,
        zone: str,
        weekends: bool,
    ) -> None:
        agreed: dict[str, Any] = {"clock": clock, "correction": correction, "dice": dice}
        if place is None:
            agreed |= {"level": "master", "bid": bool(number % 2)}
        else:
            agreed["position"] = line(**place)
        gold = self.club.join(time_zone=zone, rests_on_weekends=weekends)
        black = self.club.join(messages_stop_plans=weekends)
        self.match: Match = self.club.start(gold=gold, black=black, **agreed)
        self.rng = Random(number)

    # -- what may happen ------------------------------------------------------------------------

    def _pass(self, wait: timedelta) -> None:
        """Time goes by, and all is well."""
        self.now += wait
        with self.store.begin() as unit:
            unit.beat(self.now)

    def _submit(
        self, seat: int, text: str, ago: timedelta, request: str | None = None
    ) -> games.Submitted:
        key = f"key {len(self.keys)}"
        done = games.submit(
            self.match.around,
            self.match.id,
            seat,
            text,
            arrived=max(NOON, self.now - ago),
            key=key,
            request_id=request,
        )
        if isinstance(done, games.Taken) or (isinstance(done, games.Kept) and done.is_new):
            self.keys.append((seat, key, text))
        return done

    def _order(self) -> Entry:
        return random_entry(self.rng, RULES, self.match.state)

    @rule(wait=waits, ago=late, plan=st.sampled_from((None, None, *PLANS)))
    @precondition(lambda self: not self.match.stored.is_over)
    def play(self, wait: timedelta, ago: timedelta, plan: str | None) -> None:
        self._pass(wait)
        entry = self._order()
        is_attack = any(
            verb in entry.text for verb in (" rng ", " str ", " chg ", " wave ", " six ")
        )
        text = plan.format(order=entry.text) if plan and is_attack else entry.text
        open_now = [row.id for row in self.match.requests() if row.seat == entry.seat]
        self.old_requests += [(entry.seat or 0, row) for row in open_now]
        self._submit(entry.seat or 0, text, ago, open_now[0])

    @rule(wait=waits, seat=seats, number=numbers)
    def play_by_hand(self, wait: timedelta, seat: int, number: int) -> None:
        """Submissions of a seat that may not be asked, or asks too much."""
        self._pass(wait)
        texts = ("end", "G4+", "block all", "fall all", "bid 3", "pass", "setup WFEAAEFW", "W1>A1")
        self._submit(seat, texts[number % len(texts)], timedelta(0))

    @rule(wait=waits, seat=seats, ago=late, text=st.sampled_from(("draw?", "draw-", *STANDING)))
    def say(self, wait: timedelta, seat: int, ago: timedelta, text: str) -> None:
        self._pass(wait)
        self._submit(seat, text, ago)

    @rule(seat=seats, number=numbers, text=st.sampled_from(("resign", "draw+", "claim draw")))
    def give_up(self, seat: int, number: int, text: str) -> None:
        if number % 4 == 0:
            self._submit(seat, text, timedelta(0))

    @rule(number=numbers)
    @precondition(lambda self: self.keys)
    def repeat(self, number: int) -> None:
        seat, key, text = self.keys[number % len(self.keys)]
        is_known, entries = self._is_known(key), self.match.texts()
        before = self.club.contents()
        done = None
        with suppress(NotAllowedError) if not is_known else nullcontext():
            done = games.submit(
                self.match.around, self.match.id, seat, text, arrived=self.now, key=key
            )
        if is_known:
            assert isinstance(done, games.Repeated | games.Kept)
            assert self.club.contents() == before
        else:
            assert (seat, text) not in self.match.texts()[len(entries) :], "it was undone"

    def _is_known(self, key: str) -> bool:
        held = [held.key for held in self.match.stored.held]
        return key in held or any(entry.key == key for entry in self.match.entries())

    @rule(number=numbers)
    @precondition(lambda self: self.old_requests)
    def answer_again(self, number: int) -> None:
        seat, request = self.old_requests[number % len(self.old_requests)]
        with self.store.read() as unit:
            row = unit.find_request(request)
        assert row is not None
        if row.closed_by is not None:
            done = self._submit(seat, "end", timedelta(0), request)
            assert isinstance(done, games.TooLate)
            assert done.since[0].number == row.closed_by

    @rule(wait=waits, seat=seats)
    def undo(self, wait: timedelta, seat: int) -> None:
        self._pass(wait)
        games.undo(self.match.around, self.match.id, seat, now=self.now)

    @rule(wait=waits)
    def sweep(self, wait: timedelta) -> None:
        self._pass(wait)
        self.club.sweep(self.now)
        outages.tell_games(self.match.around)
        once = self.club.contents()
        assert self.club.sweep(self.now) == 0
        games.look_after(self.match.around, self.match.id, self.now)
        assert self.club.contents() == once

    @rule(wait=waits, limit=st.sampled_from((0, 1)))
    def fail(self, wait: timedelta, limit: int) -> None:
        """The server is away; its games are told at once, or when something happens in them."""
        self.now += wait
        outages.note_pulse(self.match.around, self.now, is_well=True, limit=limit)

    @rule(seat=seats, ago=late)
    def owe(self, seat: int, ago: timedelta) -> None:
        arrived = max(NOON, self.now - ago)
        outages.owe_answer(self.match.around, self.match.id, seat, arrived=arrived, now=self.now)

    @rule(seat=seats, days=st.integers(1, 4), length=st.integers(0, 5))
    def take_leave(self, seat: int, days: int, length: int) -> None:
        first = self.now.date() + timedelta(days=days)
        player = self.match.players[seat].id
        with suppress(ScheduleError):
            leave.take_leave(
                self.match.around, player, first, first + timedelta(days=length), now=self.now
            )

    @rule(wait=waits, seat=seats, bounces=st.booleans())
    def bounce(self, wait: timedelta, seat: int, bounces: bool) -> None:
        self._pass(wait)
        change = leave.stop_clocks if bounces else leave.resume_clocks
        change(self.match.around, self.match.players[seat].id, now=self.now)

    @rule(wait=waits, seat=seats)
    def write(self, wait: timedelta, seat: int) -> None:
        self._pass(wait)
        games.write_message(self.match.around, self.match.id, seat, "Hello.", now=self.now)

    @rule(number=numbers)
    def rule_on_it(self, number: int) -> None:
        if number % 16 == 0:
            with suppress(NotAllowedError):
                games.rule(self.match.around, self.match.id, None, now=self.now)

    # -- what must hold -------------------------------------------------------------------------

    @invariant()
    def the_game_is_what_its_log_says(self) -> None:
        verified = verify(self.match.around, self.match.id, now=self.now, repair=False)
        assert not verified.differences, verified.differences

    @invariant()
    def requests_are_those_of_the_game(self) -> None:
        state, rows = self.match.state, self.match.requests(only_open=False)
        wanted = {(r.seat, r.kind, r.mark) for r in RULES.requests(state)}
        is_open = [row for row in rows if row.closed_by is None]
        assert sorted((r.seat, r.kind, r.mark) for r in is_open) == sorted(wanted)
        assert sum(row.kind in ("turn", "defence", "bid") for row in is_open) <= 1
        ends = {row.id: (row.closed_by, row.closed_at) for row in rows if row.closed_by is not None}
        for request, end in self.seen["ends"].items():
            assert ends[request] == end, "a request ends once"
        self.seen["ends"] = ends
        answered = {(row.seat, row.closed_by) for row in rows if row.closed_by is not None}
        assert len(answered) == len(ends), "an entry answers one request of a seat"

    @invariant()
    def energy_is_never_negative(self) -> None:
        position = self.match.state.position
        assert position is None or min(position.energy) >= 0

    @invariant()
    def time_runs_forward(self) -> None:
        entries = self.match.entries()
        times = [entry.at for entry in entries]
        assert times == sorted(times)
        assert all(entry.arrived <= entry.at <= max(self.now, entry.at) for entry in entries)
        assert len(entries) >= self.seen["entries"]
        self.seen["entries"] = len(entries)

    @invariant()
    def banks_only_shrink_but_for_increments(self) -> None:
        stored, clock = self.match.stored, self.match.clock
        turns = stored.turns
        banks = [clock.left(seat, self.now) for seat in (0, 1)]
        before = self.seen["banks"]
        if before is not None:
            bonus = clock.rules.increment * (turns - self.seen["turns"])
            for old, new in zip(before, banks, strict=True):
                assert new <= old + bonus
                assert new >= timedelta(0)
        # What is held may be played as of when it came in: only then is less used than it seemed.
        self.seen["banks"] = [clock.seats[seat].bank for seat in (0, 1)]
        self.seen["turns"] = turns

    @invariant()
    def one_notice_for_each_cause(self) -> None:
        rows = self.club.contents()["notices"]
        with self.store.read() as unit:
            causes = [f"{self.match.id}/{entry.number}" for entry in self.match.entries()]
            for cause in causes:
                found = [(n.player_id, n.kind) for n in unit.notices_for(cause)]
                assert max(Counter(player for player, _ in found).values(), default=1) == 1
        assert len({row[1:4] for row in rows}) == len(rows)

    @invariant()
    def nothing_is_overdue_after_a_sweep(self) -> None:
        stored = self.match.stored
        if stored.is_over:
            assert stored.due is None
            assert not stored.held
            assert not self.match.requests()


def _run(store: HastyStore, *, examples: int, steps: int) -> None:
    Games.store = store
    # Not shrunk: that would take minutes, and the steps of a failure can be read as they are.
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
    )
    run_state_machine_as_test(Games, settings=chosen)


def test_any_order_on_sqlite(sqlite_store: HastyStore) -> None:
    _run(sqlite_store, examples=18, steps=25)


def test_any_order_on_postgresql(postgresql_store: HastyStore) -> None:
    _run(postgresql_store, examples=5, steps=20)
