"""A process that only takes mail: what it needs, what it answers, and how others know of it."""

from __future__ import annotations

import os
import shutil
import smtplib
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.bootstrap import open_surroundings
from pbem.cli import main
from pbem.config import Settings, read_settings
from pbem.endpoints import Server
from pbem.errors import ConfigError, SchemaError, StoreUnavailableError
from pbem.play.ports import Surroundings
from pbem.store.database import make_engine
from tests.functional.sink import Sink
from workers import listening as listening_module
from workers.celery import open_worker_desk
from workers.desk import utc_now
from workers.jobs import pulse
from workers.listeners import Listeners, is_somebody_listening
from workers.listening import Listening

DOMAIN = "play.example.org"
NO_BROKER = "redis://127.0.0.1:1/0"
MAIL = (
    f"From: Ann <ann@example.org>\r\nTo: help@{DOMAIN}\r\nSubject: help\r\n"
    "Message-ID: <first@example.org>\r\n\r\nhelp\r\n"
).encode()


@pytest.fixture
def environment(
    tmp_path: Path, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    set_ = {
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_MAIL_DOMAIN": DOMAIN,
        "PBEM_SITE_URL": "http://localhost:8080",
        "PBEM_LISTEN_LMTP": "127.0.0.1:0",
        "PBEM_BROKER_URL": NO_BROKER,
    }
    for name, value in set_.items():
        monkeypatch.setenv(name, value)
    return set_


@pytest.fixture
def settings(environment: dict[str, str]) -> Settings:
    return read_settings(environment)


def hand_in(listening: Listening) -> tuple[int, bytes]:
    """What is answered to a mail: code and text."""
    endpoint = listening.endpoints["lmtp"]
    with smtplib.LMTP(endpoint.host, endpoint.port, local_hostname="client.example.org") as client:
        client.ehlo_or_helo_if_needed()
        client.mail("ann@example.org")
        client.rcpt(f"help@{DOMAIN}")
        return client.data(MAIL)


def test_mail_is_stored_also_without_the_broker(settings: Settings) -> None:
    with Listening(settings) as listening:
        assert hand_in(listening)[0] == 250
        assert listening.find_fault() is None
    with open_surroundings(settings) as around, around.store.read() as unit:
        assert unit.oldest_unread() is not None


def test_what_is_missing_is_told_at_once(environment: dict[str, str]) -> None:
    bare = read_settings({"PBEM_DATA_DIR": environment["PBEM_DATA_DIR"]})
    with pytest.raises(ConfigError) as caught, Listening(bare):
        pass
    for name in ("PBEM_MAIL_DOMAIN", "PBEM_SITE_URL", "PBEM_LISTEN_LMTP", "PBEM_BROKER_URL"):
        assert name in str(caught.value)


def test_the_command_refuses_half_a_configuration(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBEM_BROKER_URL")
    told = CliRunner().invoke(main, ["listen"])
    assert told.exit_code == 1
    assert "PBEM_BROKER_URL is not set" in told.output


def test_a_database_that_starts_beside_it_is_waited_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [StoreUnavailableError("starting up")] * 2

    @contextmanager
    def open_late(settings: Settings) -> Iterator[Surroundings]:
        if faults:
            raise faults.pop()
        with open_surroundings(settings) as around:
            yield around

    monkeypatch.setattr(listening_module, "open_surroundings", open_late)
    with Listening(settings) as listening:
        assert hand_in(listening)[0] == 250


def test_a_listener_that_cannot_tell_of_itself_any_more_is_said_to_have_ended(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clocks would stand for good: whoever watches over it had better start it again."""
    monkeypatch.setattr(Listeners, "note", lambda self: 1 // 0)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with Listening(settings) as listening:
        until = time.monotonic() + 60
        while listening.find_fault() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert listening.find_fault() == "notes"


def test_tables_that_do_not_fit_are_refused(settings: Settings) -> None:
    link = sqlite3.connect(settings.data_dir / "pbem.sqlite3", isolation_level=None)
    link.execute("UPDATE alembic_version SET version_num = '0001'")
    link.close()
    with pytest.raises(SchemaError, match="pbem db upgrade"), Listening(settings):
        pass


def test_while_the_tables_are_changed_it_says_try_later(
    settings: Settings, database_url: str
) -> None:
    """An upgrade loses no mail: who brings one keeps it until the tables fit again (L1.1)."""
    engine = make_engine(database_url)
    newer = "inbound_of_a_newer_program"
    with Listening(replace(settings, database_url=database_url)) as listening:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"ALTER TABLE inbound RENAME TO {newer}")
        code, text = hand_in(listening)
        with engine.begin() as connection:
            connection.exec_driver_sql(f"ALTER TABLE {newer} RENAME TO inbound")
        assert (code, text[:5]) == (451, b"4.3.0")
        assert hand_in(listening)[0] == 250
    engine.dispose()


class TestPulse:
    """Clocks stand while no mail can come in, whichever process takes it (L1.6)."""

    def test_a_listener_is_known_by_its_note(self, settings: Settings) -> None:
        with open_surroundings(settings) as around:
            assert not is_somebody_listening(around, utc_now())
            with Listening(settings):
                pass  # the note is made before it ends
            assert is_somebody_listening(around, utc_now())
            assert not is_somebody_listening(around, utc_now() + timedelta(minutes=3))

    def test_workers_look_for_it(self, settings: Settings) -> None:
        with Sink() as sink, ExitStack() as stack:
            relay = Server("smtp", "127.0.0.1", sink.port, "none")
            desk = open_worker_desk(stack, replace(settings, relay=relay))
            pulse(desk)
            assert self._last_beat(settings) is None
            with desk.around.store.begin() as unit:
                unit.note_listening(desk.clock())
            pulse(desk)
            assert self._last_beat(settings) is not None

    def test_without_listeners_nobody_is_missed(self, settings: Settings) -> None:
        relay = Server("smtp", "127.0.0.1", 1, "none")
        with ExitStack() as stack:
            desk = open_worker_desk(stack, replace(settings, relay=relay, listen_lmtp=None))
            assert desk.is_receiving()

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process choose")
    def test_a_worker_is_on_one_processor_while_it_stays(self, settings: Settings) -> None:
        relay = Server("smtp", "127.0.0.1", 1, "none")
        with ExitStack() as stack:
            desk = open_worker_desk(stack, replace(settings, relay=relay, listen_lmtp=None))
            before = os.sched_getaffinity(0)
            with desk.staying():
                assert len(os.sched_getaffinity(0)) == 1
            assert os.sched_getaffinity(0) == before

    def _last_beat(self, settings: Settings) -> object:
        with open_surroundings(settings) as around, around.store.read() as unit:
            return unit.find_pulse()
