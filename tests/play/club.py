"""A club for tests: a store with players in it, who play each other through the use cases.

Times are hours after ``NOON``, a Monday; ``Match`` says what one game of the club looks like.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from pbem.games.ortus.game import Ortus
from pbem.games.ortus.state import State
from pbem.play import games, invitations, players
from pbem.play.log import LogEntry
from pbem.play.model import Notice, OpenRequest, Player, Preferences, StoredGame
from pbem.play.ports import Surroundings
from pbem.play.verification import Verified, verify
from pbem.schedule.clock import Clock
from tests.ortus.drawing import DEFAULT_SETUP, HOUSES
from tests.ortus.games import line
from tests.play.hasty_store import Contents, HastyStore

NOON: Final = datetime(2026, 11, 16, 12, tzinfo=UTC)
TICK: Final = timedelta(microseconds=1)
RULES: Final = Ortus()


def at(hours: float = 0, **more: float) -> datetime:
    """An instant so many hours after noon."""
    return NOON + timedelta(hours=hours, **more)


class Club:
    """Players and games in one store. What is random follows from ``seed``."""

    def __init__(self, store: HastyStore, seed: int | str = 0) -> None:
        self.store = store
        self.around = Surroundings(store, Random(seed).randbytes)
        self._joined = 0

    def join(self, name: str = "", **chosen: Any) -> Player:
        self._joined += 1
        return players.join(
            self.around,
            name or f"Player {self._joined}",
            f"player{self._joined}@example.org",
            now=NOON,
            preferences=Preferences(**chosen),
            verified=True,
        )

    def start(
        self, *, gold: Player | None = None, black: Player | None = None, **agreement: Any
    ) -> Match:
        """A game that has just begun at noon."""
        gold, black = gold or self.join(), black or self.join()
        invitation = invitations.invite(
            self.around, gold.id, black.id, agreement, now=NOON, host_seat=0
        )
        stored = invitations.accept(self.around, black.id, invitation.id, now=NOON)
        return Match(self, stored.id, (gold, black))

    def study(
        self,
        place: dict[str, Any],
        *,
        gold: Player | None = None,
        black: Player | None = None,
        **agreement: Any,
    ) -> Match:
        """A game that begins from a position, made of the arguments of ``line``."""
        return self.start(gold=gold, black=black, position=line(**place), **agreement)

    def sweep(self, now: datetime) -> int:
        """How many games were due; all of them could be looked after."""
        swept = games.sweep(self.around, now)
        assert swept.failed == {}
        return swept.games

    def contents(self) -> Contents:
        """Everything that is stored."""
        return self.store.contents()


@dataclass
class Match:
    """One game. Houses are named; what is sent arrives and is read at the same instant."""

    club: Club
    id: str
    players: tuple[Player, Player]

    @property
    def around(self) -> Surroundings:
        return self.club.around

    def submit(
        self, house: str, text: str, hours: float | datetime = 0, **more: Any
    ) -> games.Submitted:
        arrived = hours if isinstance(hours, datetime) else at(hours)
        return games.submit(
            self.around, self.id, HOUSES.index(house), text, arrived=arrived, **more
        )

    def send(self, house: str, text: str, hours: float | datetime = 0, **more: Any) -> games.Taken:
        """A submission that is played."""
        done = self.submit(house, text, hours, **more)
        assert isinstance(done, games.Taken), f"{text}: {done}"
        return done

    def hold(self, house: str, text: str, hours: float | datetime = 0, **more: Any) -> games.Kept:
        """A submission that is held for correction."""
        done = self.submit(house, text, hours, **more)
        assert isinstance(done, games.Kept), f"{text}: {done}"
        return done

    def refused(self, house: str, text: str, hours: float | datetime = 0, **more: Any) -> str:
        """The code of the first fault of a refused submission."""
        done = self.submit(house, text, hours, **more)
        assert isinstance(done, games.TurnedDown), f"{text}: {done}"
        return done.refused.faults[0].code

    def set_up(self, hours: float = 0) -> None:
        for house in HOUSES:
            self.send(house, f"setup {DEFAULT_SETUP}", hours)

    def undo(self, house: str, hours: float) -> Any:
        return games.undo(self.around, self.id, HOUSES.index(house), now=at(hours))

    def sweep(self, now: datetime) -> StoredGame:
        """Let happen what is due, and see that looking again changes nothing."""
        self.club.sweep(now)
        once = self.club.contents()
        games.look_after(self.around, self.id, now)
        self.club.sweep(now)
        assert self.club.contents() == once
        return self.stored

    # -- what is there --------------------------------------------------------------------------

    @property
    def stored(self) -> StoredGame:
        with self.club.store.read() as unit:
            return games.get_stored(unit, self.id)

    @property
    def state(self) -> State:
        stored = self.stored
        return RULES.load(stored.start, stored.state)

    @property
    def clock(self) -> Clock:
        return Clock.from_plain(json.loads(self.stored.clock))

    def entries(self, since: int = 0) -> Sequence[LogEntry]:
        with self.club.store.read() as unit:
            return unit.entries(self.id, since=since)

    def texts(self, since: int = 1) -> list[tuple[int | None, str]]:
        return [(entry.seat, entry.text) for entry in self.entries(since)]

    def requests(self, *, only_open: bool = True) -> Sequence[OpenRequest]:
        with self.club.store.read() as unit:
            return unit.requests_of(self.id, only_open=only_open)

    def asked(self) -> list[tuple[str, str]]:
        """Who is asked for what."""
        return [(HOUSES[row.seat], row.kind) for row in self.requests()]

    def request(self) -> OpenRequest:
        """The only open request."""
        (row,) = self.requests()
        return row

    def deadline(self, house: str) -> datetime | None:
        """The stored deadline, which is that of the clock."""
        (row,) = [row for row in self.requests() if row.seat == HOUSES.index(house)]
        return row.deadline

    def bank(self, house: str) -> timedelta:
        """The bank as it was when the present question was asked."""
        return self.clock.seats[HOUSES.index(house)].bank

    def notices(self, entry: int) -> dict[str, str]:
        """The kinds of the notices of one entry, by House."""
        with self.club.store.read() as unit:
            found = unit.notices_for(f"{self.id}/{entry}")
        by_player = {player.id: house for player, house in zip(self.players, HOUSES, strict=True)}
        kinds = {by_player[notice.player_id]: notice.kind for notice in found}
        assert len(kinds) == len(found)
        return kinds

    def notices_for(self, cause: str) -> Sequence[Notice]:
        with self.club.store.read() as unit:
            return unit.notices_for(cause)

    def result(self) -> tuple[str | None, str | None]:
        stored = self.stored
        assert stored.is_over
        return None if stored.winner is None else HOUSES[stored.winner], stored.termination

    def verify(self) -> Verified:
        """Verify the game, which must be sound."""
        verified = verify(self.around, self.id, now=at(0), repair=False)
        assert not verified.differences
        return verified
