"""``pbem status``: the table and the JSON, on a store where something waits or went wrong."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.cli.status import say_span
from pbem.play import players
from pbem.play.backlog import SEEN_SENT
from pbem.play.model import Notice, Outage
from pbem.play.ports import Surroundings
from pbem.play.post import DEAD, NEW, NO_ADDRESS, QUARANTINED, AddressHealth, Arrival
from pbem.store.database import SqlStore

Run = Callable[..., Result]


@pytest.fixture
def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def around(store: SqlStore) -> Surroundings:
    return Surroundings(store, os.urandom)


@pytest.fixture
def run(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in list(os.environ):
        if name.startswith("PBEM_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: str) -> Result:
        return CliRunner().invoke(main, words)

    return call


def told(run: Run, exit_code: int) -> dict[str, object]:
    done = run("status", "--json")
    assert done.exit_code == exit_code, done.output
    found: dict[str, object] = json.loads(done.output)
    return found


def last_line(done: Result) -> str:
    return done.output.splitlines()[-1]


def pulse_line(done: Result) -> str:
    return next(line for line in done.output.splitlines() if "last pulse" in line)


def advised(found: dict[str, object]) -> list[str]:
    alarms = found["alarms"]
    assert isinstance(alarms, list)
    return [alarm["advice"] for alarm in alarms]


def add_notice(around: Surroundings, at: datetime) -> int:
    player = players.join(around, "Ann", "ann@example.org", now=at, verified=True)
    with around.store.begin() as unit:
        unit.add_notice(Notice("a/1", player.id, "news", at))
    with around.store.read() as unit:
        rows = unit.notices_in_state(NEW)
    return next(row.id for row, _ in rows if row.notice.cause == "a/1")


def test_a_store_that_nobody_has_used(run: Run) -> None:
    done = run("status")
    assert done.exit_code == 0
    assert "no server has run yet → start pbem serve, or workers and a beat" in last_line(done)
    assert "All is well" not in done.output
    assert "never" in pulse_line(done)
    assert "mail could come and go" not in done.output
    found = told(run, 0)
    assert [hint["what"] for hint in found["hints"]] == ["no server has run yet"]  # type: ignore[attr-defined]
    assert found["queues"] == {
        "read": {"length": 0, "oldest": None},
        "send": {"length": 0, "oldest": None},
    }
    assert found["pulse"] is None


def test_nobody_does_jobs(run: Run, around: Surroundings, now: datetime) -> None:
    with around.store.begin() as unit:
        unit.beat(now)
        unit.note_seen(["job/sweep", "worker/oak/17"], now)
    done = run("status")
    assert (done.exit_code, last_line(done)) == (0, "All is well.")
    assert "mail could come and go" in pulse_line(done)
    assert told(run, 0)["hints"] == []

    with around.store.begin() as unit:
        unit.drop_seen("worker/oak/17")
    add_notice(around, now)
    done = run("status")
    wanted = "no process does jobs → start pbem serve, or workers and a beat"
    assert (done.exit_code, last_line(done)) == (0, wanted), "nothing has waited for long"
    assert "All is well" not in done.output


def test_what_waits_for_long_is_told_beside_that_nobody_does_it(
    run: Run, around: Surroundings, now: datetime
) -> None:
    with around.store.begin() as unit:
        unit.beat(now)
        unit.note_seen(["job/sweep"], now)
    add_notice(around, now - timedelta(minutes=10))
    done = run("status")
    assert done.exit_code == 1
    assert "mail does not go out → pbem mail waiting shows why" in done.output
    assert last_line(done).startswith("no process does jobs → ")


def test_only_a_listener_has_run(run: Run, around: Surroundings, now: datetime) -> None:
    with around.store.begin() as unit:
        unit.note_listening(now)
    done = run("status")
    assert done.exit_code == 0
    assert last_line(done).startswith("no process does jobs → ")
    assert pulse_line(done).split() == ["last", "pulse", "never"]


def test_jobs_are_done_but_mail_could_never_come_and_go(
    run: Run, around: Surroundings, now: datetime
) -> None:
    with around.store.begin() as unit:
        unit.note_seen(["job/sweep", "worker/oak/17"], now)
    done = run("status")
    assert done.exit_code == 0
    assert last_line(done) == "no pulse yet → pbem doctor looks at both ways of the mail"


def test_dead_mails_are_shown_and_sent_again(run: Run, around: Surroundings, now: datetime) -> None:
    number = add_notice(around, now)
    with around.store.begin() as unit:
        unit.end_notice(number, DEAD, "550 no such user")
        unit.save_health(AddressHealth("ann@example.org", bounced_at=now))
        unit.save_health(AddressHealth("old@example.org", bounced_at=now - timedelta(days=3)))
        unit.save_health(AddressHealth("busy@example.org", soft_score=1, soft_at=now))
    done = run("status")
    assert done.exit_code == 0, "one mail that did not arrive needs nobody at night"
    line = next(line for line in done.output.splitlines() if "dead mails" in line)
    assert "1" in line.split()
    assert "pbem mail replay" in line
    assert "within a day 1 for good, 1 for now" in done.output
    assert "example.org" not in done.output
    found = told(run, 0)
    assert (found["dead"], found["suspended"]) == (1, 2)

    assert run("mail", "replay").exit_code == 2
    assert run("mail", "replay", "--all", "1").exit_code == 2
    assert run("mail", "replay", "--all").output == "1 mail is sent again.\n"
    assert run("mail", "replay", "--all").output == "No mail was given up.\n"
    found = told(run, 0)
    assert (found["dead"], found["queues"]["send"]["length"]) == (0, 1)  # type: ignore[index]


def test_many_dead_mails_are_sent_again(run: Run, around: Surroundings, now: datetime) -> None:
    player = players.join(around, "Ann", "ann@example.org", now=now, verified=True)
    with around.store.begin() as unit:
        for number in range(250):
            unit.add_notice(Notice(f"a/{number}", player.id, "news", now))
    with around.store.begin() as unit:
        for row, _ in unit.notices_in_state(NEW, limit=300):
            unit.end_notice(row.id, DEAD, "x")
    assert told(run, 0)["dead"] == 250
    assert run("mail", "replay", "--all").output == "250 mails are sent again.\n"
    assert told(run, 0)["dead"] == 0


def test_what_is_late_is_an_alarm(run: Run, around: Surroundings, now: datetime) -> None:
    long_ago = now - timedelta(minutes=10)
    add_notice(around, long_ago)
    arrival = Arrival("k", "service/join", "ann@example.org", "", b"", long_ago, "smtp")
    with around.store.begin() as unit:
        unit.add_inbound(arrival)
        unit.note_seen(["job/sweep", "worker/oak/17"], long_ago)
        unit.note_seen(["worker/elm/4"], now - timedelta(days=2))
        unit.beat(long_ago)
    found = told(run, 1)
    assert len(advised(found)) == 4
    assert found["workers"].keys() == {"oak/17"}  # type: ignore[attr-defined]
    shown = run("status")
    assert shown.exit_code == 1
    assert "mail that came in is not read → see whether pbem serve or workers run" in shown.output
    assert "All is well" not in shown.output
    assert "10 min" in shown.output


def fail(
    around: Surroundings, name: str, at: datetime, reason: str = "554 5.7.1 relay access denied"
) -> None:
    """Let a mail to a player fail, so that it waits for another try."""
    player = players.join(around, name, f"{name}@example.org", now=at, verified=True)
    with around.store.begin() as unit:
        unit.add_notice(Notice(f"to/{name}", player.id, "news", at))
    with around.store.begin() as unit:
        for row in unit.claim_notices(at, lease=timedelta(minutes=3), limit=10):
            again = at + timedelta(hours=6)
            unit.retry_notice(row.id, again, is_counted=True, reason=reason)


ALL_FAIL = "every mail fails → pbem mail waiting shows why"


def test_a_relay_that_refuses_every_mail_is_an_alarm(
    run: Run, around: Surroundings, now: datetime
) -> None:
    fail(around, "ann", now - timedelta(minutes=20))
    assert run("status").exit_code == 0, "one player may have a full mailbox"
    fail(around, "ben", now - timedelta(minutes=15))
    with around.store.begin() as unit:
        unit.note_seen([SEEN_SENT], now - timedelta(minutes=30))
    done = run("status")
    assert done.exit_code == 1
    assert ALL_FAIL in done.output
    line = next(line for line in done.output.splitlines() if "mails that failed" in line)
    assert line.split()[5:8] == ["2", "20", "min"]
    with around.store.begin() as unit:
        unit.note_seen([SEEN_SENT], now - timedelta(minutes=18))
    assert run("status").exit_code == 0, "a server has taken one since, and one fails"
    found = told(run, 0)
    assert found["failed"]["length"] == 2  # type: ignore[index]
    assert found["all_fail"] is None


def test_mails_that_failed_a_moment_ago_are_none(
    run: Run, around: Surroundings, now: datetime
) -> None:
    for name in ("ann", "ben"):
        fail(around, name, now - timedelta(minutes=2))
    assert run("status").exit_code == 0


def test_players_whom_no_mail_can_reach_are_none(
    run: Run, around: Surroundings, now: datetime
) -> None:
    for name in ("ann", "ben"):
        fail(around, name, now - timedelta(minutes=20), NO_ADDRESS)
    assert told(run, 0)["all_fail"] is None


def test_mails_that_failed_are_hurried(run: Run, around: Surroundings, now: datetime) -> None:
    fail(around, "ann", now)
    fail(around, "ben", now)
    with around.store.begin() as unit:
        player = unit.find_address("ann@example.org")
        assert player is not None
        unit.add_notice(Notice("new", player.player_id, "news", now + timedelta(hours=1)))
    later = now + timedelta(minutes=1)
    with around.store.begin() as unit:
        assert unit.claim_notices(later, lease=timedelta(minutes=3), limit=10) == []
    assert run("mail", "hurry").output == "2 mails are tried now.\n"
    with around.store.begin() as unit:
        claimed = unit.claim_notices(later, lease=timedelta(minutes=3), limit=10)
        assert {row.notice.cause for row in claimed} == {"to/ann", "to/ben"}
    run("mail", "hurry")
    with around.store.begin() as unit:
        assert unit.claim_notices(later, lease=timedelta(minutes=3), limit=10) == [], "in hand"


def test_when_nothing_has_failed_nothing_is_hurried(run: Run) -> None:
    assert run("mail", "hurry").output == "No mail has failed and waits.\n"


def test_a_job_that_nobody_does_is_an_alarm(run: Run, around: Surroundings, now: datetime) -> None:
    with around.store.begin() as unit:
        unit.beat(now)
        unit.note_seen(["job/sweep", "job/read", "worker/oak/17"], now)
        unit.note_seen(["job/archive", "job/rate"], now - timedelta(minutes=8))
        unit.note_seen(["job/forget", "job/directors"], now - timedelta(days=1))
    done = run("status")
    assert done.exit_code == 1
    wanted = "not done for long: archive, rate → see whether a worker has the queues for it"
    assert last_line(done) == wanted


def test_quarantine_and_outages(run: Run, around: Surroundings, now: datetime) -> None:
    arrival = Arrival("k", "service/join", "ann@example.org", "", b"", now, "smtp")
    with around.store.begin() as unit:
        stored = unit.lock_inbound(unit.add_inbound(arrival))
        assert stored is not None
        unit.save_inbound(replace(stored, state=QUARANTINED, reason="KeyError"))
        unit.save_outage(Outage(now - timedelta(hours=3), now))
    found = told(run, 1)
    assert advised(found) == ["pbem mail quarantine shows them"]
    assert len(found["outages"]) == 1  # type: ignore[arg-type]
    assert "3 h 0 min" in run("status").output


def test_spans() -> None:
    spans = {0: "0 s", 59: "59 s", 60: "1 min 0 s", 3600 * 5 + 61: "5 h 1 min", 90000: "1 d 1 h"}
    assert {say_span(timedelta(seconds=each)): each for each in spans} == {
        said: each for each, said in spans.items()
    }


def test_without_a_database(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:////nowhere/pbem.sqlite3")
    done = run("status")
    assert done.exit_code == 1
    assert "pbem db upgrade" in done.output
