"""What is still open in a table: encounters without all results, and how each can end.

An end is what it brings both sides, and in how many ways its games can bring that. A game is taken
to end by play: a win, a draw or a loss; with a bid, either side may come to have the first turn.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from pbem.tournaments.event import WIN, Encounter, Event


class End(NamedTuple):
    """How the open games of an encounter can end, for the side at home and for the other one."""

    points: tuple[int, int]
    wins: tuple[int, int]
    seconds: tuple[int, int]
    """In how many games each did not have the first turn."""
    ways: int


@dataclass(frozen=True, slots=True)
class Open:
    """An encounter that has open games."""

    encounter: int
    sides: tuple[int, int]
    games: int
    ends: tuple[End, ...]
    """From the worst for the side at home to the best."""

    @property
    def top(self) -> int:
        """The most that a side can still get of it, in halves."""
        return WIN * self.games

    def side_of(self, number: int) -> int | None:
        """0 if an entrant is at home, 1 if away; None if they are not in it."""
        return self.sides.index(number) if number in self.sides else None


def open_encounters(event: Event, stage: str = "") -> tuple[Open, ...]:
    """Those of a table, in order."""
    is_knockout = event.charter.format == "knockout"
    return tuple(
        _opened(event, each)
        for each in event.encounters
        if (each.stage == stage or is_knockout) and each.away is not None and not each.is_over
    )


def _opened(event: Event, each: Encounter) -> Open:
    is_bid = event.charter.meeting == "bid" or each.has_bid
    choices = []
    for game in each.games:
        if game.result is None:
            home = 0 if game.gold == each.home else 1
            starters = (0, 1) if is_bid else (home,)
            choices.append([(points, starter) for points in range(3) for starter in starters])
    found: Counter[tuple[tuple[int, int], tuple[int, int], tuple[int, int]]] = Counter()
    for games in product(*choices):
        points = sum(own for own, _ in games)
        won = sum(own == WIN for own, _ in games)
        lost = sum(own == 0 for own, _ in games)
        seconds = sum(starter == 1 for _, starter in games)
        found[
            (points, WIN * len(games) - points), (won, lost), (seconds, len(games) - seconds)
        ] += 1
    assert each.away is not None
    return Open(
        encounter=each.number,
        sides=(each.home, each.away),
        games=len(choices),
        ends=tuple(End(*end, ways) for end, ways in sorted(found.items())),
    )
