"""How long a player takes for an answer, from the answers they gave. Pure arithmetic.

Times of answering are taken to be spread evenly on a scale of logarithms: some come within the
hour, some after a week. Whoever has given few answers is taken to be like everybody else, the less
so the more they give. Nights, quiet hours and weekends are in the times themselves, since these are
measured by the calendar; what a leave cost is left out by whoever gathers them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from statistics import NormalDist
from typing import Final

USUAL_MEDIAN: Final = timedelta(hours=16)
USUAL_SPREAD: Final = 1.3
"""Of the logarithm: two answers of three come between a quarter and four times the median."""
PRIOR_ANSWERS: Final = 8
"""What everybody does counts as so many answers of a player."""

GONE: Final = 0.02
"""How likely it is that somebody who is asked has left without a word, and never answers. The
longer the silence, the more likely that is what it means."""

_QUICKEST: Final = timedelta(minutes=5)
"""Answers that came sooner count as this: standing rules, or somebody at the screen."""
_NARROWEST: Final = 0.3
_WIDEST: Final = 1.5
_NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class Habit:
    """How long a player takes. ``spread`` is the standard deviation of the logarithm."""

    median: timedelta = USUAL_MEDIAN
    spread: float = USUAL_SPREAD
    answers: int = 0
    """How many were looked at."""

    @property
    def mean(self) -> timedelta:
        """How long an answer takes on average: more than the median, since some take very long."""
        return self.median * math.exp(self.spread**2 / 2)

    @property
    def deviation(self) -> timedelta:
        """How far single answers are from the mean."""
        return self.mean * math.sqrt(math.exp(self.spread**2) - 1)

    def chance_of_more(self, than: timedelta) -> float:
        """How likely it is that an answer takes longer than that."""
        if than <= timedelta(0):
            return 1.0
        return 1 - _NORMAL.cdf(math.log(than / self.median) / self.spread)

    def chance_of_silence(self, elapsed: timedelta, until: timedelta) -> float:
        """How likely it is that an answer for which so much time has passed takes longer still than
        ``until``, both since it was asked for."""
        here = 1 - GONE
        return (GONE + here * self.chance_of_more(max(elapsed, until))) / (
            GONE + here * self.chance_of_more(elapsed)
        )


USUAL: Final = Habit()
"""Of somebody of whom nothing is known."""


def habit_of(replies: Iterable[timedelta]) -> Habit:
    """The habit of somebody who took so long for their last answers."""
    logs = [math.log(max(reply, _QUICKEST) / USUAL_MEDIAN) for reply in replies]
    weight = PRIOR_ANSWERS + len(logs)
    middle = math.fsum(logs) / weight
    apart = math.fsum((each - middle) ** 2 for each in logs)
    # Everybody's middle may be far from the player's own: that is no spread of the player's.
    variance = (PRIOR_ANSWERS * USUAL_SPREAD**2 + apart) / weight
    spread = min(max(math.sqrt(variance), _NARROWEST), _WIDEST)
    return Habit(USUAL_MEDIAN * math.exp(middle), spread, len(logs))
