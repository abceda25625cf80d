"""Anything may be done to an event in any order: its log and what is kept of it agree."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from pbem.play import farewell, games
from pbem.play.errors import PlayError
from pbem.play.events import challenging, directing, entering, running, substituting
from pbem.play.events.checking import check_events
from tests.play.club import Club
from tests.play.events.festival import Festival

STEPS = 60


class Throng:
    """People who do as chance has it."""

    def __init__(self, club: Club, seed: int, format_: str) -> None:
        self.rng = Random(seed)
        more: dict[str, Any] = {"teams": {"boards": 2}, "league": {"size": 3, "movers": 1}}.get(
            format_, {}
        )
        self.festival = Festival(
            club, 6, format=format_, max_entrants=7, round_days=9, reach=3, **more
        )
        self.around, self.id = club.around, self.festival.id
        self.club = club
        self.by = self.festival.director.id
        self.deeds: list[Callable[[], object]] = [
            self.enter,
            self.leave,
            self.go_on,
            self.go_on,
            self.end_games,
            self.end_games,
            self.pause,
            self.extend,
            self.rule,
            self.correct,
            self.annul,
            self.warn,
            self.throw_out,
            self.substitute,
            self.challenge,
            self.merge,
        ]

    def somebody(self) -> int:
        return self.rng.choice(self.festival.players).id

    def place(self) -> int:
        return self.rng.randint(1, len(self.festival.event.entrants))

    def enter(self) -> None:
        self.festival.enter()

    def leave(self) -> None:
        entering.leave(self.around, self.id, self.somebody(), now=self.festival.now)

    def go_on(self) -> None:
        self.festival.advance(self.rng.choice((0, 1, 10)))
        self.club.sweep(self.festival.now)

    def end_games(self) -> None:
        for row in self.festival.running()[: self.rng.randint(1, 4)]:
            seat = self.rng.randrange(2)
            # Not all of them can: the flag may have fallen, and nobody has looked.
            games.submit(self.around, row.game_id or "", seat, "resign", arrived=self.festival.now)

    def pause(self) -> None:
        running.pause(self.around, self.id, self.by, now=self.festival.now)
        self.festival.advance(3)
        running.resume(self.around, self.id, self.by, now=self.festival.now)

    def extend(self) -> None:
        running.extend(self.around, self.id, self.by, 2, now=self.festival.now)

    def which(self) -> tuple[int, int]:
        return (self.rng.randint(1, max(1, len(self.festival.event.encounters))), 0)

    def rule(self) -> None:
        directing.adjudicate(
            self.around, self.id, self.by, self.which(), "draw", now=self.festival.now
        )

    def correct(self) -> None:
        directing.correct(
            self.around, self.id, self.by, self.which(), "gold", reason="x", now=self.festival.now
        )

    def annul(self) -> None:
        directing.annul(
            self.around, self.id, self.by, self.which(), reason="x", now=self.festival.now
        )

    def warn(self) -> None:
        directing.warn(
            self.around, self.id, self.by, self.place(), reason="x", now=self.festival.now
        )

    def throw_out(self) -> None:
        if self.rng.random() < 0.3:
            directing.disqualify(
                self.around,
                self.id,
                self.by,
                self.place(),
                reason="x",
                is_annulled=self.rng.random() < 0.5,
                now=self.festival.now,
            )

    def substitute(self) -> None:
        asked = self.club.join()
        substituting.ask_substitute(
            self.around, self.id, self.by, self.place(), asked.id, now=self.festival.now
        )
        substituting.take_place(self.around, self.id, asked.id, now=self.festival.now)
        self.festival.players.append(asked)

    def challenge(self) -> None:
        event = self.festival.event
        if event.ladder:
            rival, own = event.ladder[0], event.ladder[1]
            made = challenging.challenge(
                self.around,
                self.id,
                event.entrant(own).player_id,
                rival,
                now=self.festival.now,
            )
            challenging.accept(
                self.around,
                self.id,
                event.entrant(rival).player_id,
                made.number,
                now=self.festival.now,
            )

    def merge(self) -> None:
        if self.rng.random() < 0.3:
            kept = self.club.join()
            farewell.merge(self.around, kept.id, self.somebody(), now=self.festival.now)
            self.festival.players.append(kept)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "format_", ["swiss", "round_robin", "knockout", "league", "ladder", "teams"]
)
def test_whatever_is_done_all_follows_from_the_log(club: Club, format_: str, seed: int) -> None:
    throng = Throng(club, seed, format_)
    refusals = 0
    for step in range(STEPS):
        if step == 8:
            running.start(club.around, throng.id, throng.by, now=throng.festival.now)
        try:
            throng.rng.choice(throng.deeds)()
        except PlayError:
            refusals += 1
        if step % 10 == 9:
            throng.festival.advance()
            assert check_events(club.around) == (1, [])
    throng.festival.advance(1)
    throng.festival.check()
    assert refusals < STEPS
