"""What Prometheus is told: names, values before and after a game by mail, and nothing secret."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from deploy.load.ports import free_port
from pbem.config import Settings, read_settings
from pbem.endpoints import Endpoint
from pbem.errors import ConfigError, StoreUnavailableError
from pbem.play.backlog import Backlog
from pbem.store.database import SqlStore
from pbem.tally import MOST_LABELS, OTHER, Tally
from tests.functional.house import House, open_house
from tests.functional.sink import Sink
from tests.functional.story import Story
from tests.play.club import NOON
from workers import jobs
from workers.embedded import Embedded
from workers.metrics import make_registry
from workers.metrics_server import serving_metrics
from workers.watching import note_done, note_ended, watched

AGREED = {
    "pbem_queue_age_seconds",
    "pbem_queue_length",
    "pbem_oldest_unanswered_mail_seconds",
    "pbem_mails_sent_total",
    "pbem_mails_read_total",
    "pbem_bounces_total",
    "pbem_sweeps_total",
    "pbem_last_sweep_age_seconds",
    "pbem_last_pulse_age_seconds",
    "pbem_task_seconds_bucket",
    "pbem_task_seconds_sum",
    "pbem_task_seconds_count",
    "pbem_task_failures_total",
    "pbem_dead_letters",
    "pbem_failed_mails",
    "pbem_all_mails_fail_seconds",
    "pbem_quarantined",
    "pbem_suspended_addresses",
    "pbem_games_running",
    "pbem_database_up",
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
}
"""Names that are there from the first run of the jobs on; boards are drawn with them."""

Values = dict[tuple[str, str], float]


def read_values(text: str) -> Values:
    """By name and the value of the one label, empty where there is none."""
    found: Values = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = [value for name, value in sample.labels.items() if name != "le"]
            found[sample.name, "".join(labels)] = sample.value
    return found


def text_of(house: House) -> str:
    def find_backlog(counts_games: bool) -> Backlog:
        with house.around.store.read() as unit:
            return unit.find_backlog(house.clock(), counts_games=counts_games)

    return generate_latest(make_registry(find_backlog)).decode()


class Watch:
    """The values, and by how much they have grown."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.before: Values = {}
        self.now: Values = {}
        self.look()

    def look(self) -> None:
        self.before, self.now = self.now, read_values(text_of(self.house))

    def grown(self, name: str, label: str = "") -> float:
        return self.now.get((name, label), 0) - self.before.get((name, label), 0)


@pytest.fixture
def house(request: pytest.FixtureRequest, store: SqlStore) -> Iterator[House]:
    with Sink() as sink, open_house(store, sink, seed=request.node.name) as opened:
        yield opened


def test_a_game_by_mail(house: House) -> None:
    watch = Watch(house)
    assert watch.now["pbem_games_running", ""] == 0
    story = Story(house)
    story.sign_up()
    story.second_address()
    story.invite()
    story.set_up()
    watch.look()
    assert watch.now["pbem_games_running", ""] == 1
    assert watch.grown("pbem_mails_sent_total", "sent") == len(house.sink.all_mails())
    assert watch.grown("pbem_mails_read_total", "handled") == house.arrivals.count
    assert watch.grown("pbem_sweeps_total") > 0
    assert watch.grown("pbem_mails_read_total", "repeated") == 0
    refused = sum(value for (name, _), value in watch.now.items() if "refusals_total" in name)

    story.refusal_mended_by_number()
    story.duplicate()
    watch.look()
    codes = {label: value for (name, label), value in watch.now.items() if "refusals_t" in name}
    assert sum(codes.values()) == refused + 2
    assert all(label.replace("_", "").isalpha() for label in codes), codes
    assert watch.grown("pbem_mails_read_total", "repeated") == 1

    story.rules_message_and_note()
    story.out_of_office()
    watch.look()
    assert watch.grown("pbem_mails_read_total", "held") == 1
    assert watch.now["pbem_queue_length", "read"] == watch.now["pbem_queue_length", "send"] == 0
    said = text_of(house)
    for token in house.tokens:
        assert token not in said
    for words in (story.ann.address, story.beau.address, story.game_id, "example", "kite"):
        assert words not in said


def test_what_waits_has_an_age(house: House) -> None:
    story = Story(house)
    story.sign_up()
    house.clock.now += timedelta(minutes=1)
    raw = b"From: <ann@example.org>\r\nMessage-ID: <late@x>\r\n\r\nstatus\r\n"
    house.deliver("ann@example.org", [f"play@{house.office.domain}"], raw)
    house.clock.now += timedelta(minutes=7)
    values = read_values(text_of(house))
    assert values["pbem_queue_length", "read"] == 1
    assert values["pbem_queue_age_seconds", "read"] == 7 * 60
    assert values["pbem_oldest_unanswered_mail_seconds", ""] == 7 * 60

    # It is read, but nobody takes the answer: tries that put it off do not make it younger.
    jobs.read(house.desk)
    closed = free_port()
    house.send_through(closed)
    read_at = house.clock.now
    for _ in range(3):
        house.clock.now += timedelta(minutes=2)
        jobs.send(house.desk)
    values = read_values(text_of(house))
    assert values["pbem_queue_age_seconds", "read"] == 0
    assert values["pbem_queue_length", "send"] == 1
    age = (house.clock.now - read_at).total_seconds()
    assert age - 120 <= values["pbem_queue_age_seconds", "send"] <= age
    assert values["pbem_oldest_unanswered_mail_seconds", ""] == age
    house.clock.now += timedelta(minutes=2)
    house.send_through(house.sink.port)
    house.work()
    values = read_values(text_of(house))
    assert values["pbem_queue_length", "send"] == values["pbem_queue_age_seconds", "send"] == 0


def test_a_mail_for_later_is_not_due(house: House) -> None:
    Story(house).sign_up()
    with house.around.store.begin() as unit:
        found = unit.find_address("ann@example.org")
        assert found is not None
        ((row, _), *_) = unit.notices_in_state("sent")
        unit.requeue_notice(row.notice.cause, row.notice.player_id, row.notice.kind, house.clock())
        later = house.clock() + timedelta(hours=5)
        unit.retry_notice(row.id, later, is_counted=True, reason="451 busy")
    values = read_values(text_of(house))
    assert values["pbem_queue_length", "send"] == 0
    house.clock.now += timedelta(hours=5, seconds=30)
    values = read_values(text_of(house))
    assert values["pbem_queue_age_seconds", "send"] == 30
    assert values["pbem_oldest_unanswered_mail_seconds", ""] == 0, "it is their server that waits"


def test_bounces_dead_letters_and_addresses(house: House) -> None:
    story = Story(house)
    story.sign_up()
    watch = Watch(house)
    house.sink.refuse(story.ann.address, "550 5.1.1 no such user")
    story.ann.write(f"play@{house.office.domain}", "status")
    watch.look()
    assert watch.grown("pbem_bounces_total", "refused") == 1
    assert watch.grown("pbem_mails_sent_total", "dead") == 1
    assert watch.now["pbem_dead_letters", ""] == 1
    assert watch.now["pbem_suspended_addresses", ""] == 1
    with house.around.store.read() as unit:
        assert unit.failed_since(house.clock() - timedelta(days=1)) == (1, 0)
        assert unit.failed_since(house.clock() + timedelta(seconds=1)) == (0, 0)


def test_jobs_are_watched(house: House) -> None:
    watch = Watch(house)
    assert ("pbem_last_sweep_age_seconds", "") not in watch.now
    with watched("sweep"):
        jobs.sweep(house.desk)
    note_done(house.desk, "sweep")
    with pytest.raises(StoreUnavailableError), watched("sweep"):
        raise StoreUnavailableError("gone")
    jobs.pulse(house.desk)
    house.clock.now += timedelta(seconds=40)
    note_done(house.desk, "sweep")  # too soon after the last to be noted again
    watch.look()
    assert watch.grown("pbem_task_seconds_count", "sweep") == 2
    assert watch.grown("pbem_task_failures_total", "sweep") == 1
    assert watch.now["pbem_last_sweep_age_seconds", ""] == 40
    assert watch.now["pbem_last_pulse_age_seconds", ""] == 40
    with house.around.store.read() as unit:
        seen = unit.find_backlog(house.clock()).seen
    assert set(seen) == {"job/sweep", f"worker/{socket.gethostname()}/{os.getpid()}"}
    # Who ends as it was told to is not missed.
    note_ended(house.desk)
    with house.around.store.read() as unit:
        assert set(unit.find_backlog(house.clock()).seen) == {"job/sweep"}
    with house.around.store.begin() as unit:
        unit.note_seen(["worker/oak/17"], house.clock())
    # Workers that are long gone are forgotten, the pulse and the jobs never.
    with house.around.store.begin() as unit:
        unit.forget_post(house.clock() + timedelta(days=1))
    with house.around.store.read() as unit:
        backlog = unit.find_backlog(house.clock())
    assert (set(backlog.seen), backlog.pulse is not None) == ({"job/sweep"}, True)


def test_the_database_is_asked_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    instant = 1000.0

    def find_backlog(counts_games: bool) -> Backlog:
        asked.append(counts_games)
        return Backlog(NOON, running=len(asked) if counts_games else None)

    monkeypatch.setattr("workers.metrics.time.monotonic", lambda: instant)
    registry = make_registry(find_backlog)
    running = []
    for _ in range(30):
        running.append(registry.get_sample_value("pbem_games_running"))
        instant += 2.5
    assert len(asked) == 15
    assert [number for number, counts in enumerate(asked) if counts] == [0, 12]
    assert set(running) == {1, 13}


def test_labels_are_bounded() -> None:
    tally = Tally()
    for number in range(MOST_LABELS + 50):
        tally.add("refusals", f"code{number}")
    counts = tally.counts("refusals")
    assert len(counts) == MOST_LABELS + 1
    assert counts[OTHER] == 50


# -- the listener -------------------------------------------------------------------------------


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    return replace(
        read_settings(
            {
                "PBEM_DATA_DIR": str(tmp_path),
                "PBEM_MAIL_DOMAIN": "play.example.org",
                "PBEM_SITE_URL": "http://localhost:8080",
                "PBEM_SMTP_URL": "smtp://me:hunter2@127.0.0.1:9",
                "PBEM_LISTEN_SMTP": "127.0.0.1:0",
                "PBEM_LISTEN_HTTP": "127.0.0.1:0",
                "PBEM_LISTEN_METRICS": "127.0.0.1:0",
                "PBEM_SECRET": "a secret of at least 32 characters",
            },
            is_serving=True,
        ),
        database_url=database_url,
    )


def ask(endpoint: Endpoint | None, path: str) -> tuple[int, str]:
    assert endpoint is not None
    try:
        with urllib.request.urlopen(f"http://{endpoint}{path}", timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_one_process_tells_of_itself(settings: Settings) -> None:
    with Embedded(settings) as server:
        where = server.endpoints["metrics"]
        deadline = time.monotonic() + 60
        while True:
            code, text = ask(where, "/metrics")
            values = read_values(text)
            if "pbem_last_sweep_age_seconds" in text or time.monotonic() > deadline:
                break
            time.sleep(0.2)
        assert code == 200
        # Nobody takes mail at port 9, so there was no pulse.
        assert AGREED - {name for name, _ in values} == {"pbem_last_pulse_age_seconds"}
        assert values["pbem_task_seconds_count", "sweep"] >= 1
        assert values["pbem_database_up", ""] == 1
        assert values["process_resident_memory_bytes", ""] > 1 << 20
        code, ready = ask(where, "/health/ready")
        assert (code, json.loads(ready)["status"]) == (200, "ok")
        assert ask(where, "/health/live")[0] == 200
        assert ask(where, "/")[0] == 404
        for said in ("hunter2", "a secret of", settings.database_url):
            assert said not in text + ready
        # The pages tell nobody.
        assert ask(server.endpoints["http"], "/metrics")[0] == 404


def test_the_next_process_takes_the_next_port(settings: Settings) -> None:
    with serving_metrics(settings) as first:
        assert first is not None
        with serving_metrics(replace(settings, listen_metrics=first)) as second:
            assert second is not None
            assert first.port < second.port <= first.port + 31
            assert ask(second, "/metrics")[0] == 200
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((first.host, first.port), timeout=60)
    elsewhere = replace(settings, listen_metrics=Endpoint("192.0.2.1", 9464))
    with pytest.raises(ConfigError, match="PBEM_LISTEN_METRICS"), serving_metrics(elsewhere):
        pass


def test_without_a_database_and_a_broker(settings: Settings, tmp_path: Path) -> None:
    alone = replace(
        settings,
        database_url=f"sqlite:///{tmp_path / 'none' / 'pbem.sqlite3'}",
        broker_url="redis://:hunter2@127.0.0.1:9/0",
    )
    with serving_metrics(alone) as where:
        code, text = ask(where, "/metrics")
        assert (code, read_values(text)["pbem_database_up", ""]) == (200, 0)
        assert "pbem_queue_length" not in text
        assert "pbem_mails_sent_total" in text
        code, ready = ask(where, "/health/ready")
        told = json.loads(ready)
        assert (code, told["database"], told["broker"]) == (503, "SchemaError", "ConnectionError")
        assert "hunter2" not in ready


def test_who_is_about_to_stop_is_not_ready(settings: Settings) -> None:
    stopping = threading.Event()
    with serving_metrics(settings, stopping=stopping) as where:
        assert ask(where, "/health/ready")[0] == 200
        stopping.set()
        code, ready = ask(where, "/health/ready")
        assert (code, json.loads(ready)["process"]) == (503, "stopping")
        assert ask(where, "/health/live")[0] == 200


def test_the_beat_tells_of_itself(tmp_path: Path, migrated_sqlite: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    port = free_port()
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PBEM_")},
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_BROKER_URL": "redis://127.0.0.1:9/0",
        "PBEM_LISTEN_METRICS": f"127.0.0.1:{port}",
    }
    command = [sys.executable, "-m", "celery", "-A", "workers", "beat"]
    process = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        told = next(line for line in process.stderr if "protocol" in line)
        assert f"127.0.0.1:{port}" in told
        assert "process_cpu_seconds_total" in ask(Endpoint("127.0.0.1", port), "/metrics")[1]
        process.terminate()
        process.communicate(timeout=60)  # it ends, though its listener has a thread of its own
    finally:
        process.kill()
        process.communicate()
