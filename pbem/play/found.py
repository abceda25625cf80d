"""What the store counts of positions and set-ups in archived games. Plain, like ``archived``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol


class Followed(NamedTuple):
    """How often an order followed a position with a result, and the newest game it did in."""

    next_order: str
    score: int
    games: int
    newest: int


class Visit(NamedTuple):
    """A game that came to a position, and at the beginning of which of its turns."""

    game: int
    ply: int


@dataclass(frozen=True, slots=True)
class SetupFilter:
    """Which set-ups are counted; what is empty may be anything. ``started`` tells whether their
    House had the first turn."""

    house: Literal["gold", "black"] = "gold"
    level: str = ""
    arena: str = ""
    dice: str = ""
    started: bool | None = None


class SetupCount(NamedTuple):
    """A set-up and how it fared."""

    setup: str
    won: int
    drawn: int
    lost: int
    undecided: int


class FindingUnit(Protocol):
    """What one transaction can tell of positions and set-ups."""

    def followed(self, keys: Sequence[int]) -> Mapping[int, Sequence[Followed]]:
        """What followed the positions with these keys in open games, by key."""

    def visits(self, key: int, *, limit: int) -> Sequence[Visit]:
        """The newest open games that came to a position."""

    def newest_visits(self, key: int, followed: Sequence[Followed]) -> Sequence[Visit]:
        """The newest open game of each order and result behind a position."""

    def private_visits(self, key: int, *, viewer: int, limit: int) -> Sequence[Visit]:
        """The newest private games of a player that came to a position."""

    def count_setups(self, wanted: SetupFilter, *, limit: int) -> Sequence[SetupCount]:
        """The set-ups of open games, the most played first."""
