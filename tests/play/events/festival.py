"""An event for tests: made, entered and played by the clock through the use cases.

Times are days after ``NOON``. Players end their games as the test has it: by resigning, by agreeing
on a draw, by letting the clock run out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from pbem.play import games
from pbem.play.events import advancing, entering, making, open_event, running
from pbem.play.events.open_event import get_event
from pbem.play.events.ports import GameOfEvent, KeptAct
from pbem.play.model import Notice, Player
from pbem.play.ports import Surroundings
from pbem.tournaments.acts import fold
from pbem.tournaments.event import Event
from tests.play.club import NOON, Club

TERMS: dict[str, Any] = {"clock": "3d+1d", "level": "apprentice"}


def day(days: float) -> datetime:
    """An instant so many days after noon."""
    return NOON + timedelta(days=days)


class Festival:
    """One event of a club."""

    def __init__(self, club: Club, count: int, *, opens: bool = True, **charter: Any) -> None:
        self.club = club
        self.now = NOON
        self.director = club.join("Dora")
        raw = {"title": "Autumn", "agreement": TERMS, **charter}
        if raw.get("format") == "round_robin" and not raw.get("group_size"):
            raw.setdefault("max_entrants", max(count, 2))
        self.id = making.make(club.around, self.director.id, raw, now=NOON).id
        self.players: list[Player] = []
        if opens:
            making.open_entries(club.around, self.id, self.director.id, now=NOON)
            for _ in range(count):
                self.enter()

    @property
    def around(self) -> Surroundings:
        return self.club.around

    def enter(self, player: Player | None = None, **more: Any) -> Player:
        player = player or self.club.join()
        if self.event.charter.format == "teams":
            more.setdefault("team", f"Team {len(self.players) % 2 + 1}")
        entering.enter(self.around, self.id, player.id, now=self.now, **more)
        self.players.append(player)
        return player

    def start(self) -> None:
        running.start(self.around, self.id, self.director.id, now=self.now)
        self.advance()

    def advance(self, days: float = 0) -> advancing.Advanced:
        """Let happen what is due, so many days later; again changes nothing."""
        self.now += timedelta(days=days)
        done = advancing.advance_due(self.around, self.now)
        assert done.failed == {}
        return done

    # -- what is there --------------------------------------------------------------------------

    @property
    def event(self) -> Event:
        with self.club.store.read() as unit:
            return get_event(unit, self.id)

    def rows(self) -> Sequence[GameOfEvent]:
        with self.club.store.read() as unit:
            return unit.games_of_event(self.id)

    def log(self) -> Sequence[KeptAct]:
        with self.club.store.read() as unit:
            return unit.acts_of(self.id)

    def names(self) -> list[str]:
        return [kept.act.name for kept in self.log()]

    def running(self) -> list[GameOfEvent]:
        return [row for row in self.rows() if row.game_id is not None and not row.is_over]

    def notices(self, kind: str) -> list[Notice]:
        found = []
        for row in self.club.contents()["notices"]:
            notice = dict(zip(_COLUMNS, row, strict=True))
            if notice["kind"] == kind and notice["facts"].get("event") == self.id:
                found.append(
                    Notice(
                        notice["cause"],
                        notice["player_id"],
                        kind,
                        notice["created_at"],
                        facts=notice["facts"],
                    )
                )
        return found

    # -- how games end --------------------------------------------------------------------------

    def resign(self, row: GameOfEvent, seat: int) -> None:
        assert row.game_id is not None
        done = games.submit(self.around, row.game_id, seat, "resign", arrived=self.now)
        assert isinstance(done, games.Taken), done

    def agree(self, row: GameOfEvent) -> None:
        assert row.game_id is not None
        for seat, text in enumerate(("draw?", "draw+")):
            done = games.submit(self.around, row.game_id, seat, text, arrived=self.now)
            assert isinstance(done, games.Taken), done

    def play_out(self, decide: Callable[[GameOfEvent], int | None], *, days: float = 1) -> None:
        """Play until the event is over: each game ends by the seat that resigns, or in a draw."""
        for _ in range(200):
            if self.event.phase == "over":
                return
            going = self.running()
            for row in going:
                seat = decide(row)
                if seat is None:
                    self.agree(row)
                else:
                    self.resign(row, seat)
            self.advance(days)
        raise AssertionError("it comes to no end")

    def check(self) -> None:
        """The log comes to what is shown, each game was begun once, and nobody was mailed twice."""
        log = [kept.act for kept in self.log()]
        folded = fold(self.id, log)
        open_event._kept.clear()
        assert folded == self.event
        with self.club.store.read() as unit:
            stored = unit.find_event(self.id)
        assert stored is not None
        assert folded is not None
        assert (stored.acts, stored.phase, stored.round) == (
            len(log),
            folded.phase,
            folded.round,
        )
        begun = Counter(row.game_id for row in self.rows() if row.game_id is not None)
        assert all(count == 1 for count in begun.values())
        assert len(self.club.contents()["games"]) == len(begun)
        wanted = {
            (each.number, index) for each in folded.encounters for index in range(len(each.games))
        }
        assert {(row.encounter, row.game) for row in self.rows()} == wanted
        told = Counter((each.cause, each.player_id) for each in self.notices("event_paired"))
        assert all(count == 1 for count in told.values())


def _columns() -> list[str]:
    from pbem.store.columns import Row

    return [column.name for column in Row.metadata.tables["notices"].c]


_COLUMNS = _columns()
