"""A fair to look at: events of every format and in every phase, with those who play in them.

Dora directs all of it; Ann and Ben play in most, Cleo only watches. Made through the use cases on
any store, for browsers and for programs alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from pbem.play import games, players
from pbem.play.events import advancing, entering, making, running
from pbem.play.events.open_event import get_event
from pbem.play.events.ports import GameOfEvent
from pbem.play.model import Player, Preferences
from pbem.play.ports import Surroundings
from tests.web.town import POSITION

TERMS: Final[dict[str, Any]] = {"clock": "14d+12h cap 30d defence 2d fall"}
NAMES: Final = ("Emil", "Fenna", "Goran", "Hilde", "Ines", "Joris", "Kaya", "Lev")


@dataclass(frozen=True, slots=True)
class Fair:
    """The events and the people."""

    around: Surroundings
    now: datetime
    dora: Player
    ann: Player
    ben: Player
    cleo: Player
    others: tuple[Player, ...]

    @property
    def players(self) -> tuple[Player, ...]:
        """All who play."""
        return (self.ann, self.ben, *self.others)

    def make(self, title: str, format_: str, *, ago: int = 0, **charter: Any) -> str:
        """An event that is open for entries; one was made some days ago, for nobody makes many in
        a day."""
        raw = {"title": title, "format": format_, "agreement": TERMS, **charter}
        at = self.now - timedelta(days=ago)
        made = making.make(self.around, self.dora.id, raw, now=at)
        making.open_entries(self.around, made.id, self.dora.id, now=at)
        return made.id

    def enter(self, event_id: str, people: Sequence[Player], *, in_teams: bool = False) -> None:
        """Some enter."""
        for index, player in enumerate(people):
            team = f"Team {'AB'[index % 2]}" if in_teams else ""
            entering.enter(self.around, event_id, player.id, now=self.now, team=team)

    def start(self, event_id: str) -> None:
        """It begins, is paired, and its games begin."""
        running.start(self.around, event_id, self.dora.id, now=self.now)
        self.advance(event_id)

    def advance(self, event_id: str) -> None:
        """What is due happens."""
        advancing.advance(self.around, event_id, self.now)

    def rows(self, event_id: str) -> list[GameOfEvent]:
        """The games that go on."""
        with self.around.store.read() as unit:
            rows = unit.games_of_event(event_id)
        return [row for row in rows if row.game_id is not None and not row.is_over]

    def resign(self, row: GameOfEvent, seat: int) -> None:
        """A game ends."""
        assert row.game_id is not None
        done = games.submit(self.around, row.game_id, seat, "resign", arrived=self.now)
        assert isinstance(done, games.Taken), done

    def agree(self, row: GameOfEvent) -> None:
        """A game ends in a draw."""
        assert row.game_id is not None
        for seat, text in enumerate(("draw?", "draw+")):
            games.submit(self.around, row.game_id, seat, text, arrived=self.now)

    def play_round(self, event_id: str, *, but: int = 0) -> None:
        """The games that go on end, all but some: by resigning, each third in a draw."""
        going = self.rows(event_id)
        for row in going[: len(going) - but]:
            if row.encounter % 3 == 0:
                self.agree(row)
            else:
                self.resign(row, (row.encounter + row.game) % 2)
        self.advance(event_id)

    def phase(self, event_id: str) -> str:
        """In which phase an event is."""
        with self.around.store.read() as unit:
            return get_event(unit, event_id).phase


def build_fair(around: Surroundings, now: datetime, **chosen: Any) -> Fair:
    """The people; ``chosen`` are preferences of all."""
    names = ("Dora", "Ann", "Ben", "Cleo", *NAMES)
    joined = [
        players.join(
            around,
            name,
            f"{name.lower()}.fair@example.org",
            now=now,
            preferences=Preferences(**chosen),
            verified=True,
        )
        for name in names
    ]
    dora, ann, ben, cleo, *others = joined
    return Fair(around, now, dora, ann, ben, cleo, tuple(others))


def fill_fair(fair: Fair) -> dict[str, str]:
    """Events in every state, by what they are."""
    soon = (fair.now + timedelta(days=9)).isoformat()
    found = {"over": _over(fair)}
    found["teams"] = fair.make("North and South", "teams", ago=2, boards=3, meeting="single")
    fair.enter(found["teams"], fair.players[:6], in_teams=True)
    fair.start(found["teams"])
    fair.play_round(found["teams"], but=1)
    found["open"] = fair.make(
        "Winter cup", "knockout", max_entrants=4, starts_at=soon, about="Bring tea.\nEnjoy."
    )
    fair.enter(found["open"], fair.players[:6])
    found["swiss"] = fair.make("Autumn Swiss", "swiss", rounds=4, round_days=30)
    fair.enter(found["swiss"], fair.players[:9])
    fair.start(found["swiss"])
    fair.play_round(found["swiss"])
    fair.play_round(found["swiss"], but=3)
    found["robin"] = fair.make("Lent table", "round_robin", max_entrants=6, meeting="single")
    fair.enter(found["robin"], fair.players[:6])
    fair.start(found["robin"])
    fair.play_round(found["robin"], but=3)
    found["knockout"] = fair.make("Spring cup", "knockout", third_place=True)
    fair.enter(found["knockout"], fair.players[:7])
    fair.start(found["knockout"])
    fair.play_round(found["knockout"], but=2)
    found["ladder"] = fair.make("Ladder", "ladder", reach=3, meeting="bid")
    fair.enter(found["ladder"], tuple(reversed(fair.players[:6])))
    fair.start(found["ladder"])
    return found


def _over(fair: Fair) -> str:
    """A small event that is over."""
    event_id = fair.make(
        "Old masters",
        "round_robin",
        ago=4,
        max_entrants=4,
        meeting="single",
        agreement={**TERMS, "position": POSITION},
    )
    fair.enter(event_id, fair.players[:4])
    fair.start(event_id)
    fair.play_round(event_id)
    assert fair.phase(event_id) == "over"
    return event_id
