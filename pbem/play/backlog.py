"""What waits, what went wrong and who was seen lately: what an operator watches.

Plain and frozen, like ``model``; the store fills it with queries whose cost does not grow with the
games, but for the number of those that run. Also owns the limits beyond which somebody should look
(``find_alarms``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

MOST_COUNTED: Final = 10_000
"""No queue is counted further than that: the number then says "so many or more"."""

SEEN_JOB: Final = "job/"
SEEN_WORKER: Final = "worker/"
"""How the names begin of what was seen: jobs that came to their end, processes that did them."""
SEEN_SENT: Final = "sent"
"""The name of what was seen when a server took a mail of ours."""

LATE_READING: Final = timedelta(minutes=2)
LATE_SENDING: Final = timedelta(minutes=5)
LATE_SWEEP: Final = timedelta(minutes=3)
LATE_PULSE: Final = timedelta(minutes=5)
LATE_ALL_FAIL: Final = timedelta(minutes=10)
LATE_PERIODS: Final = 5
"""A job that is so many of its periods behind, and as long as it may take, is done by nobody."""


@dataclass(frozen=True, slots=True)
class Queue:
    """What is due and not done: how much, and since when the oldest of it."""

    length: int = 0
    oldest: datetime | None = None


@dataclass(frozen=True, slots=True)
class Backlog:
    """How things stand at one instant."""

    at: datetime
    read: Queue = Queue()
    send: Queue = Queue()
    unanswered: datetime | None = None
    """When the oldest mail came in that is not read, or what it led to was written down and is not
    sent; mails that failed and wait for another try are not in it."""
    dead: int = 0
    quarantined: int = 0
    held: int = 0
    suspended: int = 0
    """Addresses to which nothing is sent, because mail to them failed for good."""
    failed: Queue = Queue()
    """Mails that failed and wait for another try; since when the first was tried."""
    all_fail_since: datetime | None = None
    """When a mail was first tried after which all have failed, of two players at least: one player
    may have a full mailbox. Who has no address that takes mail does not count. None if it is not
    so."""
    running: int | None = None
    """Games that are not over; None if nobody has counted them."""
    pulse: datetime | None = None
    """When the server last could receive and send."""
    listener: datetime | None = None
    """When a listener that has a process of its own last could take mail."""
    seen: Mapping[str, datetime] = field(default_factory=dict)
    """When a job last came to its end, or a worker did one, by name."""

    @property
    def queues(self) -> Mapping[str, Queue]:
        """By lane."""
        return {"read": self.read, "send": self.send}

    @property
    def swept(self) -> datetime | None:
        """When games were last looked after."""
        return self.seen.get(f"{SEEN_JOB}sweep")

    @property
    def is_untouched(self) -> bool:
        """Whether no server has run yet on this store."""
        return self.pulse is None and self.listener is None and not self.seen

    def age(self, instant: datetime | None) -> timedelta:
        """How long ago that was; nothing for what there is none of."""
        return timedelta(0) if instant is None else max(timedelta(0), self.at - instant)


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that somebody should look at now, and where to begin."""

    what: str
    advice: str


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often a job is done, and how long it may take."""

    every: timedelta
    longest: timedelta

    @property
    def latest(self) -> timedelta:
        """How long ago it may have come to its end while somebody does it."""
        return LATE_PERIODS * self.every + self.longest


def find_alarms(backlog: Backlog, jobs: Mapping[str, Rhythm]) -> Iterator[Alarm]:
    """What is past its limit. A server that never ran has none."""
    if backlog.age(backlog.read.oldest) > LATE_READING:
        yield Alarm("mail that came in is not read", "see whether pbem serve or workers run")
    if backlog.age(backlog.send.oldest) > LATE_SENDING:
        yield Alarm("mail does not go out", "pbem mail waiting shows why")
    if backlog.age(backlog.all_fail_since) > LATE_ALL_FAIL:
        yield Alarm(
            "every mail fails",
            "pbem mail waiting shows why; when it is mended, pbem mail hurry",
        )
    if backlog.age(backlog.swept) > LATE_SWEEP:
        yield Alarm("no sweep for long", "see whether pbem serve, or workers and a beat run")
    late = sorted(
        name
        for name, rhythm in jobs.items()
        if backlog.age(backlog.seen.get(f"{SEEN_JOB}{name}")) > rhythm.latest
    )
    if late:
        yield Alarm(
            f"not done for long: {', '.join(late)}", "see whether a worker has the queues for it"
        )
    if backlog.age(backlog.pulse) > LATE_PULSE:
        yield Alarm("no pulse for long: clocks stand", "pbem doctor looks at both ways of the mail")
    if backlog.quarantined:
        yield Alarm("mails crashed their reader", "pbem mail quarantine shows them")
