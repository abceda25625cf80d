"""Glicko-2, as Mark Glickman published it, by the library ``glicko2``: one player, one period.

Owns the figures of a player and how a period changes them. Which games count and when a period
ends is ``ratings``' to say. What comes out is rounded, so that machines whose logarithms differ in
the last place come to the same figures, and counting again gives exactly what was kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from glicko2 import Player

START_RATING: Final = 1500.0
START_DEVIATION: Final = 350.0
"""Also the most there can be: nobody is less known than somebody new."""
START_VOLATILITY: Final = 0.06
TAU: Final = 0.5
"""How much the volatility may change; Glickman names 0.3 to 1.2."""

SCALE: Final = 173.7178
"""So many points of a rating are one on the scale of Glicko-2, where volatilities are."""

_PLACES: Final = 6
_PLACES_OF_VOLATILITY: Final = 9


@dataclass(frozen=True, slots=True)
class Figure:
    """How strong a player is taken to be, how sure that is, and how steady their results are."""

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY

    @property
    def shown(self) -> int:
        """The rating as it is written."""
        return round(self.rating)


NEW: Final = Figure()
"""Somebody of whom nothing is known."""


def after_period(before: Figure, games: Sequence[tuple[Figure, int]]) -> Figure:
    """The figure after a period with these games: the opponents as they were when the period began,
    and the points in halves. Without games only the deviation grows."""
    player = _Player(before.rating, before.deviation, before.volatility)
    if games:
        opponents = [opponent for opponent, _ in games]
        player.update_player(
            [opponent.rating for opponent in opponents],
            [opponent.deviation for opponent in opponents],
            [points / 2 for _, points in games],
        )
    else:
        player.did_not_compete()
    return Figure(
        round(player.rating, _PLACES),
        round(min(player.rd, START_DEVIATION), _PLACES),
        round(player.vol, _PLACES_OF_VOLATILITY),
    )


def after_rest(before: Figure, periods: int) -> Figure:
    """The figure after so many periods without a game."""
    for _ in range(periods):
        if before.deviation >= START_DEVIATION:
            break
        before = after_period(before, ())
    return before


def expected(player: Figure, opponent: Figure) -> float:
    """The share of the points that a player may expect, with both deviations reckoned in."""
    spread = math.hypot(player.deviation, opponent.deviation) / SCALE
    weight = 1 / math.sqrt(1 + 3 * spread**2 / math.pi**2)
    return 1 / (1 + math.exp(-weight * (player.rating - opponent.rating) / SCALE))


class _Player(Player):  # type: ignore[misc]
    """The library's player, with one formula as it was published.

    In the search for the new volatility (step 5.1) the library has the square of the rating where
    the paper has the square of the deviation: for a rating of 1500 that is nearly the same, but far
    from it results would count for less and less in the volatility.
    """

    _tau = TAU

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        square: float = (self.rd / SCALE) ** 2
        grown = math.exp(x)
        above = grown * (delta**2 - square - v - grown)
        below = 2 * (square + v + grown) ** 2
        return above / below - (x - a) / self._tau**2
