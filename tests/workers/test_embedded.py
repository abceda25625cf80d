"""The whole server in one process, with real sockets: mail comes in, is read, and is answered."""

from __future__ import annotations

import shutil
import smtplib
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from celery.worker import state

from deploy.load.ports import free_port
from pbem.bootstrap import open_surroundings
from pbem.config import Settings, read_settings
from pbem.endpoints import Endpoint
from pbem.errors import ConfigError
from pbem.play import invitations, players
from pbem.play.backlog import SEEN_WORKER
from pbem.play.post import HANDLED, NEW, SENT
from tests.functional.sink import Delivered, Sink
from workers.desk import utc_now
from workers.embedded import Embedded

DOMAIN = "play.example.org"


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as opened:
        yield opened


@pytest.fixture
def settings(tmp_path: Path, migrated_sqlite: Path, sink: Sink) -> Settings:
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    return read_settings(
        {
            "PBEM_DATA_DIR": str(tmp_path),
            "PBEM_MAIL_DOMAIN": DOMAIN,
            "PBEM_SITE_URL": "http://localhost:8080",
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{sink.port}",
            "PBEM_LISTEN_SMTP": "127.0.0.1:0",
            "PBEM_LISTEN_LMTP": "127.0.0.1:0",
            "PBEM_LISTEN_HTTP": "127.0.0.1:0",
        },
        is_serving=True,
    )


def hand_in(server: Embedded, protocol: str, raw: bytes, to: str = f"help@{DOMAIN}") -> None:
    endpoint = server.endpoints[protocol]
    kind = smtplib.LMTP if protocol == "lmtp" else smtplib.SMTP
    with kind(endpoint.host, endpoint.port, local_hostname="client.example.org") as client:
        client.sendmail("ann@example.org", [to], raw)


def mail(name: str) -> bytes:
    return (
        f"From: Ann <ann@example.org>\r\nTo: help@{DOMAIN}\r\nSubject: help\r\n"
        f"Message-ID: <{name}@example.org>\r\n\r\nhelp\r\n"
    ).encode()


def join(settings: Settings, name: str, address: str) -> int:
    with open_surroundings(settings) as around:
        return players.join(around, name, address, now=utc_now(), verified=True).id


def has_more(count: int, mails: list[Delivered]) -> bool:
    return len(mails) > count


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_a_mail_is_taken_read_and_answered(settings: Settings, sink: Sink, protocol: str) -> None:
    join(settings, "Ann", "ann@example.org")
    with Embedded(settings) as server:
        hand_in(server, protocol, mail("first"))
        sink.wait_for(lambda mails: len(mails) == 1, "the answer")
        hand_in(server, protocol, mail("first"))
        sink.wait_for(lambda mails: len(mails) == 2, "the same answer")
    first, second = sink.mails_to("ann@example.org")
    assert header(first.raw, b"message-id") == header(second.raw, b"message-id")
    assert first.sender.startswith("bounce.")
    with open_surroundings(settings) as around, around.store.read() as unit:
        inbound = unit.find_inbound(1)
        assert inbound is not None
        assert (inbound.state, inbound.repeats) == (HANDLED, 1)
        assert unit.find_inbound(2) is None


def header(raw: bytes, name: bytes) -> bytes:
    (found,) = [line for line in raw.split(b"\r\n") if line.lower().startswith(name + b":")]
    return found


def test_what_was_left_is_done_when_it_starts(settings: Settings, sink: Sink) -> None:
    with open_surroundings(settings) as around:
        ann, ben = (
            players.join(around, name, f"{name}@example.org", now=utc_now(), verified=True).id
            for name in ("ann", "ben")
        )
        invitation = invitations.invite(around, ann, ben, {}, now=utc_now())
        invitations.accept(around, ben, invitation.id, now=utc_now())
        with around.store.read() as unit:
            requests = [row for row in unit.notices_in_state(NEW) if row[0].notice.game_id]
    assert len(requests) == 2
    with Embedded(settings):
        sink.wait_for(lambda mails: len(mails) == 2, "the mails of a new game")
    assert {each.recipient for each in sink.all_mails()} == {"ann@example.org", "ben@example.org"}
    with open_surroundings(settings) as around, around.store.read() as unit:
        assert len(unit.notices_in_state(SENT)) == 2
        assert unit.find_pulse() is not None
        seen = unit.find_backlog(utc_now()).seen
    assert "job/send" in seen
    assert not [name for name in seen if name.startswith(SEEN_WORKER)], "it has ended"


def test_the_web_answers(settings: Settings) -> None:
    with Embedded(settings) as server:
        url = f"http://{server.endpoints['http']}/no-such-page"
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(url, timeout=60)
        with caught.value:
            assert caught.value.code == 404
            assert caught.value.headers["X-Content-Type-Options"] == "nosniff"
            assert caught.value.headers["Server"] is None
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(
            (server.endpoints["http"].host, server.endpoints["http"].port), timeout=5
        )


def test_it_leaves_nothing_behind_and_can_start_again(settings: Settings, sink: Sink) -> None:
    join(settings, "Ann", "ann@example.org")
    before = set(threading.enumerate())
    for name in ("first", "second"):
        count = len(sink.all_mails())
        with Embedded(settings) as server:
            hand_in(server, "smtp", mail(name))
            sink.wait_for(partial(has_more, count), "an answer")
        for endpoint in server.endpoints.values():
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((endpoint.host, endpoint.port), timeout=60)
    left = {thread for thread in threading.enumerate() if thread.is_alive()} - before
    # Those in which large mails are taken apart are the process's, and stay.
    names = {thread.name for thread in left if not thread.name.startswith("watched")}
    assert names <= {"asyncio_0"}


def test_mail_taken_while_it_stops_is_read_later(settings: Settings, sink: Sink) -> None:
    join(settings, "Ann", "ann@example.org")
    taken = 0
    with Embedded(settings) as server:
        endpoint = server.endpoints["smtp"]
        stopper = threading.Thread(target=server.stop)
        with smtplib.SMTP(endpoint.host, endpoint.port, local_hostname="c.example.org") as client:
            stopper.start()
            try:
                for number in range(1000):
                    client.sendmail("ann@example.org", [f"help@{DOMAIN}"], mail(f"n{number}"))
                    taken += 1
            except (smtplib.SMTPException, OSError):
                pass
        stopper.join(60)
        assert not stopper.is_alive()
    with open_surroundings(settings) as around, around.store.read() as unit:
        rows = [unit.find_inbound(number) for number in range(1, taken + 1)]
        assert None not in rows
    with Embedded(settings):
        sink.wait_for(lambda mails: len(mails) >= taken, "all answers")


def test_a_port_that_is_taken_is_said_and_nothing_is_left_running(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        taken = Endpoint("127.0.0.1", port)
        for impossible in (
            replace(settings, listen_smtp=taken),
            replace(settings, listen_http=taken),
        ):
            before = threading.active_count()
            with pytest.raises(ConfigError, match="nothing can listen at"):
                Embedded(impossible).start()
            assert threading.active_count() <= before


def test_no_relay_is_an_outage_not_a_crash(settings: Settings, sink: Sink) -> None:
    join(settings, "Ann", "ann@example.org")
    port = free_port()
    assert settings.relay is not None
    down = replace(settings, relay=replace(settings.relay, port=port))
    with Embedded(down) as server:
        hand_in(server, "smtp", mail("down"))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not refused(settings):
            time.sleep(0.05)
    assert refused(settings) == [0]
    with open_surroundings(settings) as around, around.store.read() as unit:
        assert unit.find_pulse() is None
        ((outgoing, _),) = unit.notices_in_state(NEW)
    with open_surroundings(settings) as around, around.store.begin() as unit:
        unit.retry_notice(outgoing.id, utc_now(), is_counted=False)
    with Embedded(settings):
        sink.wait_for(lambda mails: len(mails) == 1, "the answer")


def refused(settings: Settings) -> list[int]:
    with open_surroundings(settings) as around, around.store.read() as unit:
        return [out.attempts for out, reason in unit.notices_in_state(NEW) if "refused" in reason]


def test_a_part_that_ends_by_itself_is_noticed(settings: Settings) -> None:
    with Embedded(settings) as server:
        assert server.find_fault() is None
        state.should_stop = 1  # as if Celery gave up
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and server.find_fault() is None:
            time.sleep(0.05)
        fault = server.find_fault()
    assert fault is not None
    assert fault.startswith("worker-")


def test_what_takes_much_memory_is_loaded_with_its_first_use() -> None:
    code = "import sys, workers.embedded; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    heavy = {
        "PIL",
        "alembic",
        "cryptography",
        "fontTools",
        "fpdf",
        "psycopg",
        "redis",
        "resvg",
        "uharfbuzz",
    }
    assert not heavy & set(done.stdout.split())
