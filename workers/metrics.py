"""What Prometheus is told: the tally of this process, and how things stand in the database.

The names are an agreement with boards and alarms (docs/operations.md). Nothing secret and nobody's
name or address is in any label.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final, get_args

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from pbem.errors import PbemError
from pbem.mail.reading import Fate as Read
from pbem.mail.sending import Fate as Sent
from pbem.play.backlog import Backlog
from pbem.tally import BOUNDS, TALLY, Tally, Topic
from workers.jobs import JOBS

FRESH: Final = 5.0
"""Seconds for which an answer of the database is told again."""
FRESH_COUNT: Final = 60.0
"""Seconds for which the number of games is, which takes longest to find out."""

_COUNTERS: Final[tuple[tuple[Topic, str, str, str | None, tuple[str, ...]], ...]] = (
    (
        "mails_sent",
        "pbem_mails_sent",
        "Mails of ours, by what came of a try",
        "fate",
        get_args(Sent),
    ),
    ("mails_read", "pbem_mails_read", "Mails taken up, by what came of it", "fate", get_args(Read)),
    (
        "bounces",
        "pbem_bounces",
        "Mails that could not be delivered",
        "kind",
        ("hard", "soft", "refused"),
    ),
    ("refusals", "pbem_refusals", "Submissions not taken, by the first code", "code", ()),
    ("sweeps", "pbem_sweeps", "Sweeps over the games in which something is due", None, ("",)),
    (
        "job_failures",
        "pbem_task_failures",
        "Runs of a job that ended with an error",
        "job",
        tuple(job.name for job in JOBS),
    ),
)
"""Topic, name, what it is, its label, and the values that are told though nothing happened yet: a
rate can be drawn only from a counter that is there before its first step."""


def make_registry(
    find_backlog: Callable[[bool], Backlog], *, tally: Tally = TALLY
) -> CollectorRegistry:
    """All that this process tells. ``find_backlog``, with whether games are to be counted, may
    raise PbemError."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_TallyCollector(tally))
    registry.register(_BacklogCollector(find_backlog))
    return registry


class _TallyCollector(Collector):
    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def collect(self) -> Iterator[Metric]:
        for topic, name, told, label, known in _COUNTERS:
            family = CounterMetricFamily(name, told, labels=[] if label is None else [label])
            counts = dict.fromkeys(known, 0) | dict(self._tally.counts(topic))
            for value, number in sorted(counts.items()):
                family.add_metric([] if label is None else [value], number)
            yield family
        times = HistogramMetricFamily("pbem_task_seconds", "How long jobs took", labels=["job"])
        for job, taken in self._tally.times():
            buckets = [
                (str(bound), float(number))
                for bound, number in zip(BOUNDS, taken.within, strict=True)
            ]
            times.add_metric([job], [*buckets, ("+Inf", float(taken.count))], taken.seconds)
        yield times


class _BacklogCollector(Collector):
    """Asks the database, not oftener than every few seconds however many ask."""

    def __init__(self, find_backlog: Callable[[bool], Backlog]) -> None:
        self._find = find_backlog
        self._lock = threading.Lock()
        self._found: Backlog | None = None
        self._asked = -FRESH
        self._running: int | None = None
        self._counted = -FRESH_COUNT

    def collect(self) -> Iterator[Metric]:
        backlog = self._fresh()
        yield _gauge("pbem_database_up", "Whether the database answers", backlog is not None)
        if backlog is not None:
            yield from _gauges(backlog)

    def _fresh(self) -> Backlog | None:
        with self._lock:
            if time.monotonic() - self._asked >= FRESH:
                try:
                    self._found = self._ask()
                except PbemError:  # it is told as a number; why is in the log of the jobs
                    self._found = None
                self._asked = time.monotonic()
            return self._found

    def _ask(self) -> Backlog:
        counts_games = time.monotonic() - self._counted >= FRESH_COUNT
        found = self._find(counts_games)
        if counts_games:
            self._running, self._counted = found.running, time.monotonic()
        return replace(found, running=self._running)


def _gauges(backlog: Backlog) -> Iterator[Metric]:
    def age(instant: datetime | None) -> float:
        return backlog.age(instant).total_seconds()

    ages = GaugeMetricFamily(
        "pbem_queue_age_seconds", "For how long the oldest item is due", labels=["lane"]
    )
    lengths = GaugeMetricFamily(
        "pbem_queue_length", "Items that are due and not done", labels=["lane"]
    )
    for lane, queue in backlog.queues.items():
        ages.add_metric([lane], age(queue.oldest))
        lengths.add_metric([lane], queue.length)
    yield from (ages, lengths)
    yield _gauge(
        "pbem_oldest_unanswered_mail_seconds",
        "Age of the oldest mail that is not read, or what it led to not sent",
        age(backlog.unanswered),
    )
    yield _gauge("pbem_failed_mails", "Mails that failed and wait", backlog.failed.length)
    yield _gauge(
        "pbem_all_mails_fail_seconds",
        "For how long every mail fails; 0 if one was taken",
        age(backlog.all_fail_since),
    )
    yield _gauge("pbem_dead_letters", "Mails of ours that were given up", backlog.dead)
    yield _gauge("pbem_quarantined", "Mails that crashed their reader", backlog.quarantined)
    yield _gauge("pbem_suspended_addresses", "Addresses nothing is sent to", backlog.suspended)
    yield _gauge("pbem_games_running", "Games that are not over", backlog.running or 0)
    # What never was has no age: a server that has just been set up is not years behind.
    if backlog.swept is not None:
        yield _gauge("pbem_last_sweep_age_seconds", "Since the last sweep", age(backlog.swept))
    if backlog.pulse is not None:
        yield _gauge(
            "pbem_last_pulse_age_seconds", "Since mail could come and go", age(backlog.pulse)
        )


def _gauge(name: str, told: str, value: float) -> Metric:
    return GaugeMetricFamily(name, told, value=value)
