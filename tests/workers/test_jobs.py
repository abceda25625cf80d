"""Every job finds its work in the database; run twice, the second run changes nothing (L1.3)."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.config import Settings
from pbem.endpoints import Server
from pbem.errors import ConfigError, StoreBusyError, StoreUnavailableError
from pbem.mail import reading
from pbem.mail.imap import ImapError
from pbem.mail.parts import read_message
from pbem.mail.receive import receive
from pbem.mail.transport import Delivered, Failed, RelayDownError
from pbem.play.events import running
from pbem.play.library import search
from pbem.play.ports import Unit
from pbem.play.post import NEW, QUARANTINED
from tests.mail.post import DOMAIN, make_office
from tests.play.club import NOON, Club, Match, at
from tests.play.conftest import club, postgresql_store, sqlite_store, store  # noqa: F401
from tests.play.events.festival import Festival
from tests.workers.environment import TOP, open_no_desk
from workers import app as workers_app
from workers import jobs
from workers.app import make_app, task_name
from workers.desk import Desk
from workers.jobs import JOBS, LANES, Job


@dataclass
class Way:
    """A way out that takes everything, or is down."""

    sent: list[str] = field(default_factory=list)
    is_down: bool = False

    full: tuple[str, ...] = ()
    """Mailboxes that take nothing for now."""

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Delivered | Failed:
        self.check()
        if recipient in self.full:
            return Failed(False, 452, "4.2.2 mailbox full")
        self.sent.append(recipient)
        return Delivered()

    def check(self) -> None:
        if self.is_down:
            raise RelayDownError("refused")

    def close(self) -> None: ...


@dataclass
class Clock:
    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Office:
    """A desk, with a game that has just begun, and mails of its players."""

    match: Match
    desk: Desk
    way: Way
    clock: Clock

    def write(self, name: str, text: str, *, to: str = "play") -> None:
        """A mail of Gold's comes in."""
        address = "player1@example.org"
        raw = (
            f"From: <{address}>\r\nTo: <{to}@{DOMAIN}>\r\nSubject: x\r\n"
            f"Message-ID: <{name}@example.org>\r\n\r\n{text}\r\n"
        )
        receive(
            self.desk.around,
            self.desk.office,
            [f"{to}@{DOMAIN}"],
            raw.encode(),
            sender=address,
            via="smtp",
            now=self.clock(),
        )


@pytest.fixture
def office(club: Club) -> Office:  # noqa: F811
    match = club.start(clock="3d")
    way, clock = Way(), Clock()
    settings = Settings(data_dir=Path("/nowhere"), database_url="")
    desk = Desk(settings, club.around, make_office(), way, clock=clock)
    return Office(match, desk, way, clock)


def test_a_mail_that_was_taken_shows_that_not_all_fail(office: Office) -> None:
    """Also if another was noted a moment ago, and nothing is noted often."""
    jobs.send(office.desk)
    assert office.way.sent
    for number in range(4):
        office.match.club.start()
        office.clock.now = at(minutes=number)
    office.way.full = ("player3@example.org", "player5@example.org")
    jobs.send(office.desk)
    with office.desk.around.store.read() as unit:
        backlog = unit.find_backlog(at(minutes=20))
    assert backlog.failed.length >= 2
    assert backlog.all_fail_since is None


def test_who_starts_does_all_that_is_missed_soon() -> None:
    assert set(jobs.AT_START) == {*jobs.RHYTHMS, "sweep"}


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_the_second_run_changes_nothing(office: Office, job: Job) -> None:
    if job.name != "sweep":  # nothing falls due while the server has no pulse
        jobs.pulse(office.desk)
    office.write("one", "status")
    office.write("two", "nonsense that nobody understands")
    if job.name != "read":
        jobs.read(office.desk)
    if job.name in ("archive", "rate"):
        office.match.send("gold", "resign", 0)
    if job.name in ("events", "directors"):
        festival = Festival(office.match.club, 4, format="swiss", starts_at=NOON.isoformat())
        if job.name == "directors":
            festival.start()
    # Long enough for flags to fall, for reminders, and for forgetting what was handled.
    later = {"sweep": at(24 * 5), "directors": at(24 * 8), "forget": at(24 * 400), "pulse": at(24)}
    office.clock.now = later.get(job.name, at(0.1))
    before = office.match.club.contents()
    job.run(office.desk)
    once = office.match.club.contents()
    sent = list(office.way.sent)
    assert job.run(office.desk) in ((), ("send",))
    assert office.match.club.contents() == once
    assert office.way.sent == sent
    assert (once != before) is (job.name != "fetch")


def test_reading_tells_that_there_is_something_to_send(office: Office) -> None:
    assert jobs.read(office.desk) == ()
    office.write("one", "status")
    assert jobs.read(office.desk) == ("send",)
    office.way.sent.clear()
    jobs.send(office.desk)
    assert "player1@example.org" in office.way.sent


def test_telling_of_a_games_end_tells_that_there_is_something_to_archive(office: Office) -> None:
    jobs.send(office.desk)
    office.match.send("gold", "resign", 0)
    office.clock.now = at(0.1)
    assert jobs.send(office.desk) == ("archive",)
    assert jobs.send(office.desk) == ()


def test_what_is_due_in_an_event_is_told_behind_every_change(office: Office) -> None:
    festival = Festival(office.match.club, 2, format="round_robin", meeting="single")
    jobs.send(office.desk)
    office.clock.now = at(0.1)
    assert jobs.send(office.desk) == ()
    running.start(festival.around, festival.id, festival.director.id, now=office.clock.now)
    assert jobs.send(office.desk) == ("events",)
    assert jobs.events(office.desk) == ("send",)
    jobs.send(office.desk)
    assert jobs.send(office.desk) == ()
    festival.now = office.clock.now
    festival.resign(festival.running()[0], 0)
    assert jobs.send(office.desk) == ("archive", "events")
    assert jobs.events(office.desk) == ("send",)
    assert festival.event.phase == "over"


def test_games_that_are_over_are_archived_a_few_at_a_time(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH", 2)
    monkeypatch.setattr(jobs, "STINT", -1.0)
    for _ in range(3):
        match = office.match.club.start()
        match.send("black", "resign", 0)
    assert jobs.archive(office.desk) == ("archive",)
    assert jobs.archive(office.desk) == ()
    games = search(office.desk.around, viewer=None).games
    assert len(games) == 3
    assert {game.facts.site for game in games} == {office.desk.office.site_url}


def test_games_that_are_over_are_rated_a_few_at_a_time(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH", 2)
    monkeypatch.setattr(jobs, "STINT", -1.0)
    for _ in range(3):
        match = office.match.club.start()
        match.send("black", "resign", 0)
    assert jobs.rate(office.desk) == ("rate",)
    assert jobs.rate(office.desk) == ()
    assert len(office.match.club.contents()["rated_games"]) == 3


def test_sender_after_sender_each_mail_once(office: Office) -> None:
    for number in range(25):
        office.write(f"m{number}", "status")
    jobs.read(office.desk)
    jobs.send(office.desk)
    # 25 answers and two requests; the invitation has been accepted.
    assert len(office.way.sent) == 27


def test_who_has_much_to_do_hands_over(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a worker under load would neither tell senders nor come to an end when it is to stop."""
    monkeypatch.setattr(jobs, "STINT", 0.0)
    monkeypatch.setattr(jobs, "BATCH", 12)  # fewer than wait
    for number in range(25):
        office.write(f"m{number}", "status")
    told = [jobs.read(office.desk) for _ in range(26)]  # one of a sender at a time
    assert told == [("send", "read")] * 25 + [()]
    told = [jobs.send(office.desk) for _ in range(4)]
    assert told == [("send",)] * 3 + [()]
    assert len(office.way.sent) == 27


def test_mails_are_read_and_handed_over_in_threads_of_their_own(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is slow to take mail keeps nobody from reading."""
    seen: dict[str, set[str]] = {"read": set(), "send": set()}
    read_claimed, send = reading.read_claimed, office.way.send

    def read_here(*given: Any) -> bool:
        seen["read"].add(threading.current_thread().name)
        return read_claimed(*given)

    def send_here(*given: Any) -> Any:
        seen["send"].add(threading.current_thread().name)
        return send(*given)

    monkeypatch.setattr(reading, "read_claimed", read_here)
    monkeypatch.setattr(office.way, "send", send_here)
    office.write("one", "status")
    with ThreadPoolExecutor(1, "reader") as readers, ThreadPoolExecutor(1, "courier") as couriers:
        desk = replace(office.desk, readers=readers, couriers=couriers)
        jobs.read(desk)
        jobs.send(desk)
    assert seen == {"read": {"reader_0"}, "send": {"courier_0"}}


def test_who_reads_or_sends_stays_where_it_is_meanwhile(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    read_claimed, send = reading.read_claimed, office.way.send

    @contextmanager
    def staying() -> Iterator[None]:
        events.append("stay")
        yield
        events.append("go")

    def read_here(*given: Any) -> bool:
        events.append("read")
        return read_claimed(*given)

    def send_here(*given: Any) -> Any:
        events.append("send")
        return send(*given)

    monkeypatch.setattr(reading, "read_claimed", read_here)
    monkeypatch.setattr(office.way, "send", send_here)
    office.write("one", "status")
    with ThreadPoolExecutor(1) as couriers:
        desk = replace(office.desk, staying=staying, couriers=couriers)
        jobs.read(desk)
        jobs.send(desk)
    told = [event for event, _ in itertools.groupby(events)]
    assert told == ["stay", "read", "go", "stay", "send", "go"]


def test_who_is_told_to_stop_begins_nothing(office: Office) -> None:
    office.write("one", "status")
    office.desk.stopping.set()
    before = office.match.club.contents()
    assert jobs.read(office.desk) == ()
    jobs.send(office.desk)
    assert office.match.club.contents() == before


class TestDatabaseThatGoesAway:
    """Whoever has mails in hand waits for it: none waits for the end of a lease, or goes twice."""

    def test_while_mails_are_read(self, office: Office) -> None:
        for number in range(3):
            office.write(f"m{number}", "status")
        jobs.read(without_database(office.desk, range(1, 6)))
        with office.desk.around.store.read() as unit:
            assert unit.inbound_in_state(NEW) == []
        jobs.send(office.desk)
        assert len(office.way.sent) == 3 + 2

    def test_while_mails_are_sent(self, office: Office) -> None:
        for number in range(3):
            office.write(f"m{number}", "status")
        jobs.read(office.desk)
        # From the note behind the first mail on.
        jobs.send(without_database(office.desk, range(2, 7)))
        with office.desk.around.store.read() as unit:
            assert unit.notices_in_state(NEW) == []
        assert len(office.way.sent) == 3 + 2


def without_database(desk: Desk, away: range) -> Desk:
    """The same desk, whose database fails to do these units that write, counted from 0."""
    real = desk.around.store
    begun = itertools.count()

    class Store:
        def read(self) -> AbstractContextManager[Unit]:
            return real.read()

        @contextmanager
        def begin(self) -> Iterator[Unit]:
            number = next(begun)
            with real.begin() as unit:
                yield unit
                if number in away:
                    raise StoreUnavailableError("the server closed the connection")

    return replace(desk, around=replace(desk.around, store=Store()))


class TestPulse:
    def find_last(self, office: Office) -> datetime | None:
        with office.desk.around.store.read() as unit:
            pulse = unit.find_pulse()
        return None if pulse is None else pulse.last

    def test_it_beats_while_mail_goes_both_ways(self, office: Office) -> None:
        jobs.pulse(office.desk)
        assert self.find_last(office) == NOON
        office.clock.now = at(1)
        office.way.is_down = True
        jobs.pulse(office.desk)
        assert self.find_last(office) == NOON
        office.way.is_down = False
        deaf = Desk(
            office.desk.settings,
            office.desk.around,
            office.desk.office,
            office.way,
            clock=office.clock,
            is_receiving=lambda: False,
        )
        jobs.pulse(deaf)
        assert self.find_last(office) == NOON
        jobs.pulse(office.desk)
        assert self.find_last(office) == at(1)

    def test_no_clock_runs_while_nothing_can_be_sent(self, office: Office) -> None:
        office.match.set_up(0)
        for minutes in range(0, 10):
            office.clock.now = at(minutes=minutes)
            jobs.pulse(office.desk)
        before = office.match.request().deadline
        assert before is not None
        office.way.is_down = True
        for hours in range(1, 24 * 30, 24):
            office.clock.now = at(hours)
            jobs.pulse(office.desk)
            jobs.sweep(office.desk)
        assert not office.match.stored.is_over
        office.way.is_down = False
        jobs.pulse(office.desk)
        jobs.sweep(office.desk)
        after = office.match.request().deadline
        assert after is not None
        assert after - before > timedelta(days=28)
        office.match.verify()


class TestFetching:
    def test_a_mailbox_that_cannot_be_used_is_told(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise ImapError("OSError")

        monkeypatch.setattr(jobs, "fetch_mail", fail)
        settings = Settings(
            data_dir=Path("/nowhere"),
            database_url="",
            mailbox=Server("imap", "mail.example.org", 993, "implicit", "me", "hunter2"),
        )
        desk = Desk(settings, office.desk.around, office.desk.office, office.way)
        assert jobs.fetch(desk) == ()


class TestTasks:
    """What Celery runs."""

    def run(self, desk: Desk | Callable[[], Desk], name: str) -> list[str]:
        """Run a task as a worker would; which nudges it sent."""
        sent: list[str] = []
        get_desk = desk if callable(desk) else lambda: desk
        app = make_app(get_desk, lambda: "memory://localhost", prefix="test")
        app.finalize()
        app.send_task = lambda task, **_: sent.append(task)
        app.tasks[task_name(name)].run()
        return sent

    def test_a_task_does_its_job_and_nudges_the_next(self, office: Office) -> None:
        office.write("one", "status")
        assert self.run(office.desk, "read") == ["pbem.send"]
        assert self.run(office.desk, "read") == []
        assert self.run(office.desk, "send") == []
        assert "player1@example.org" in office.way.sent

    def test_a_busy_database_or_a_fault_ends_no_worker(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(workers_app, "_WAITING", 0.2)
        tries: Counter[type[Exception]] = Counter()
        for error in (StoreBusyError("locked"), ConfigError("no relay"), ZeroDivisionError()):

            def fail(error: Exception = error) -> Desk:
                tries[type(error)] += 1
                raise error

            assert self.run(fail, "read") == []
        # Only what may be over in a moment is tried again.
        assert tries[StoreBusyError] > 1
        assert tries[ConfigError] == tries[ZeroDivisionError] == 1

    def test_a_job_waits_for_the_database_and_sends_no_message_for_that(
        self, office: Office
    ) -> None:
        office.write("one", "status")
        faults = [StoreUnavailableError("starting up")] * 3

        def get_desk() -> Desk:
            if faults:
                raise faults.pop()
            return office.desk

        assert self.run(get_desk, "read") == ["pbem.send"]
        assert not faults

    def test_a_broker_that_is_back_is_told_again_soon(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        app = make_app(lambda: office.desk, lambda: "redis://127.0.0.1:1")
        now, is_back = [100.0], [False]
        tried: list[float] = []

        def send(task: str, **_: object) -> None:
            tried.append(now[0])
            if not is_back[0]:
                raise ConnectionError("no broker")

        app.send_task = send
        monkeypatch.setattr(workers_app, "time", SimpleNamespace(monotonic=lambda: now[0]))
        nudges = workers_app.Nudges(app)

        def pass_time(seconds: int) -> list[float]:
            tried.clear()
            for _ in range(10 * seconds):
                nudges("read")
                now[0] += 0.1
            return list(tried)

        assert len(pass_time(1)) >= 2
        assert len(pass_time(100)) <= 30  # it is left alone for longer and longer
        is_back[0] = True
        assert len(pass_time(20)) >= 100
        is_back[0] = False
        assert len(pass_time(1)) >= 2

    def test_every_job_has_a_queue_and_a_beat(self) -> None:
        app = make_app(open_no_desk, lambda: "redis://example.org")
        conf = app.conf
        assert set(conf.task_queues) == {f"pbem.{lane}" for lane in LANES}
        for job in JOBS:
            name = task_name(job.name)
            assert conf.task_routes[name] == {"queue": f"pbem.{job.lane}"}
            assert conf.beat_schedule[job.name]["task"] == name
            assert conf.beat_schedule[job.name]["schedule"] == job.every
        assert conf.task_acks_late
        assert conf.accept_content == ["json"]

    def test_a_lost_nudge_is_no_fault_and_the_broker_is_left_alone(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        app = make_app(lambda: office.desk, lambda: "redis://127.0.0.1:1")
        tried = []

        def fail(task: str, **_: object) -> None:
            tried.append(task)
            raise ConnectionError("no broker")

        app.send_task = fail
        nudges = workers_app.Nudges(app)
        for _ in range(5):
            nudges.mails_stored([1, 2, 3])
        assert tried == ["pbem.read"]

    @pytest.mark.parametrize(
        ("code", "is_read"),
        [
            ("import workers.celery", False),
            ("from workers.celery import app; app.conf.tasks", True),
        ],
    )
    def test_nothing_is_read_from_the_environment_at_import(self, code: str, is_read: bool) -> None:
        # In a process of its own: here the module is there already, and others hold parts of it.
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=TOP,
            env={**os.environ, "PBEM_TRUST": "nobody"},
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert ("PBEM_TRUST" in done.stderr) is is_read, done.stderr
        assert bool(done.returncode) is is_read


def test_a_mail_that_crashes_its_reader_is_quarantined_and_the_queue_goes_on(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.mail import reading

    def read(raw: bytes) -> object:
        if b"poison" in raw:
            raise ZeroDivisionError
        return read_message(raw)

    monkeypatch.setattr(reading, "read_message", read)
    office.write("poison", "poison")
    for minutes in (0, 4, 8, 12):
        office.clock.now = at(minutes=minutes)
        jobs.read(office.desk)
    office.write("fine", "status")
    jobs.read(office.desk)
    with office.desk.around.store.read() as unit:
        (bad,) = unit.inbound_in_state(QUARANTINED)
        assert unit.inbound_in_state(NEW) == []
    assert bad.reason == "ZeroDivisionError"
