"""How the world's mail server misbehaves, for a while at a time."""

from __future__ import annotations

from collections import Counter
from random import Random

from deploy.load.arranging import AWAY
from deploy.load.sink import Fault

SHARE = 0.6
"""How many mails are hit while it lasts."""


class Weather:
    """Fair, or one fault that hits many mails. Second addresses are never refused for good: who
    has none that works gets no mail, and nobody could say that one was lost."""

    def __init__(self, rng: Random) -> None:
        self.fault: Fault | None = None
        self.hits: Counter[Fault] = Counter()
        self._rng = rng

    def choose(self, recipient: str) -> Fault | None:
        """What happens to the next mail."""
        fault = self.fault
        if fault is None or self._rng.random() >= SHARE:
            return None
        if fault == "never" and recipient.endswith(AWAY):
            return None
        self.hits[fault] += 1
        return fault
