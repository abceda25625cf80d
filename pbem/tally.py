"""What this process has done since it started, counted in memory: mails, refusals, jobs.

Whoever does something counts it where it happens, in one line, and knows of nobody who reads it.
``workers.metrics`` shows the tally to Prometheus. Labels are words of ours, never what somebody
wrote; should there be too many of them all the same, the others are counted together.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

Topic = Literal["mails_read", "mails_sent", "bounces", "refusals", "sweeps", "job_failures"]

BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Seconds between which the times of jobs are told apart."""

MOST_LABELS: Final = 200
OTHER: Final = "other"


@dataclass(frozen=True, slots=True)
class Times:
    """How long the runs of a job took: how many took no longer than each bound, and the sum."""

    within: tuple[int, ...] = (0,) * len(BOUNDS)
    count: int = 0
    seconds: float = 0.0

    def plus(self, seconds: float) -> Times:
        """With one more run."""
        within = tuple(
            number + (seconds <= bound) for number, bound in zip(self.within, BOUNDS, strict=True)
        )
        return replace(
            self, within=within, count=self.count + 1, seconds=self.seconds + max(seconds, 0.0)
        )


class Tally:
    """Counts from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[Topic, Counter[str]] = {}
        self._times: dict[str, Times] = {}

    def add(self, topic: Topic, label: str = "", number: int = 1) -> None:
        """So many more."""
        with self._lock:
            counts = self._counts.setdefault(topic, Counter())
            if label not in counts and len(counts) >= MOST_LABELS:
                label = OTHER
            counts[label] += number

    def add_all(self, topic: Topic, numbers: Mapping[Any, int]) -> None:
        """So many more of each label."""
        for label, number in numbers.items():
            self.add(topic, str(label), number)

    def time(self, job: str, seconds: float) -> None:
        """A job took so long."""
        with self._lock:
            self._times[job] = self._times.get(job, Times()).plus(seconds)

    def counts(self, topic: Topic) -> Mapping[str, int]:
        """How many there were, by label."""
        with self._lock:
            return dict(self._counts.get(topic, {}))

    def times(self) -> Iterator[tuple[str, Times]]:
        """How long the jobs took, by name."""
        with self._lock:
            return iter(sorted(self._times.items()))


TALLY: Final = Tally()
"""The tally of this process."""
