"""How games scored, and how sure that is. Pure arithmetic.

A score is the share of points: 1 for a win, 1/2 for a draw. Its confidence is Wilson's interval
(E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, Journal of
the American Statistical Association 22, 1927, pages 209 to 212) at 95 per cent: where the true
share lies if the games are a fair sample. Draws make a sample vary less than wins and losses do, so
with draws the interval is rather too wide than too narrow. Games without a result do not score.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

Z: Final = 1.959963984540054
"""Within so many standard deviations lie 95 per cent of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Score:
    """Games as one side saw them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    undecided: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.decided + self.undecided

    @property
    def decided(self) -> int:
        """Those with a result."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """The share of points; None without a decided game."""
        return (self.won + self.drawn / 2) / self.decided if self.decided else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Between which shares the true one lies, at 95 per cent."""
        return None if self.share is None else wilson(self.share, self.decided)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.won + other.won,
            self.drawn + other.drawn,
            self.lost + other.lost,
            self.undecided + other.undecided,
        )


def wilson(share: float, trials: int, *, z: float = Z) -> tuple[float, float]:
    """Wilson's interval for a share seen in so many trials, at least one."""
    if trials < 1:
        raise ValueError("an interval needs at least one trial")
    spread = z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
