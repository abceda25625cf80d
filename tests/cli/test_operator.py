"""``pbem mail`` and ``pbem serve``, as an operator meets them."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.bootstrap import open_surroundings
from pbem.cli import main
from pbem.config import read_settings
from pbem.mail.keys import Keys
from pbem.play import players
from pbem.play.leave import stop_clocks
from pbem.play.model import Notice
from pbem.play.ports import Surroundings
from pbem.play.post import DEAD, HELD, NEW, QUARANTINED, AddressHealth, Arrival
from tests.play.club import NOON

Run = Callable[..., Result]

TOKEN = Keys(b"x" * 32).reply_token("m")
COMPLETE = {
    "PBEM_MAIL_DOMAIN": "play.example.org",
    "PBEM_SITE_URL": "http://localhost:8080",
    "PBEM_SMTP_URL": "smtp://me:hunter2@127.0.0.1:9",
    "PBEM_LISTEN_SMTP": "127.0.0.1:0",
    "PBEM_LISTEN_HTTP": "127.0.0.1:0",
}


@pytest.fixture
def environ(tmp_path: Path, migrated_sqlite: Path) -> dict[str, str]:
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return {**kept, "PBEM_DATA_DIR": str(tmp_path)}


@pytest.fixture
def around(environ: dict[str, str]) -> Iterator[Surroundings]:
    with open_surroundings(read_settings(environ)) as opened:
        yield opened


@pytest.fixture
def run(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in list(os.environ):
        if name.startswith("PBEM_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PBEM_DATA_DIR", environ["PBEM_DATA_DIR"])
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: str) -> Result:
        return CliRunner().invoke(main, ["mail", *words])

    return call


def add_dead(around: Surroundings) -> int:
    player = players.join(around, "Ann", "ann@example.org", now=NOON, verified=True)
    with around.store.begin() as unit:
        unit.add_notice(Notice("a/1", player.id, "news", NOON))
    with around.store.begin() as unit:
        ((row, _),) = unit.notices_in_state(NEW)
        unit.retry_notice(row.id, NOON, is_counted=True)
        unit.end_notice(row.id, DEAD, "550 [red]no such user[/red]")
    return row.id


def add_inbound(around: Surroundings, state: str, reason: str) -> int:
    raw = f"From: <ann@example.org>\r\nTo: <ort1.{TOKEN}@play.example.org>\r\n\r\n\xff".encode(
        "latin-1"
    )
    arrival = Arrival(state, "reply/abc", "ann@example.org", "", raw, NOON, "smtp")
    with around.store.begin() as unit:
        number = unit.add_inbound(arrival)
        stored = unit.lock_inbound(number)
        assert stored is not None
        unit.save_inbound(replace(stored, state=state, reason=reason, attempts=3))
    return number


class TestMail:
    @pytest.mark.parametrize("name", ["dead", "waiting", "quarantine", "held", "suspended"])
    def test_nothing_to_see(self, run: Run, name: str) -> None:
        done = run(name)
        assert (done.exit_code, " no " in f" {done.output}".lower()) == (0, True)
        done = run(name, "--json")
        assert (done.exit_code, done.output) == (0, "")

    def test_a_dead_mail_is_shown_and_sent_again(self, run: Run, around: Surroundings) -> None:
        number = add_dead(around)
        shown = run("dead").output
        assert "550 [red]no such user[/red]" in shown
        (row,) = map(json.loads, run("dead", "--json").output.splitlines())
        assert row == {
            "id": number,
            "made": "2026-11-16 12:00:00Z",
            "player": 1,
            "game": None,
            "kind": "news",
            "tries": 1,
            "reason": "550 [red]no such user[/red]",
        }
        assert run("replay", str(number)).exit_code == 0
        assert run("dead", "--json").output == ""
        assert json.loads(run("waiting", "--json").output)["tries"] == 0
        again = run("replay", str(number))
        assert again.exit_code == 1
        assert f"There is no dead mail {number}" in again.output

    def test_a_suspended_address_is_shown_and_gets_mail_again(
        self, run: Run, around: Surroundings
    ) -> None:
        number = add_dead(around)
        stop_clocks(around, 1, now=NOON)
        with around.store.begin() as unit:
            unit.save_health(AddressHealth("ann@example.org", bounced_at=NOON))
        assert "ann@example.org" in run("suspended").output
        (row,) = map(json.loads, run("suspended", "--json").output.splitlines())
        assert row == {
            "address": "ann@example.org",
            "since": "2026-11-16 12:00:00Z",
            "player": 1,
            "clocks stand since": "2026-11-16 12:00:00Z",
        }
        done = run("resume", " Ann@Example.org")
        assert done.exit_code == 0
        assert "ann@example.org goes out again" in done.output
        assert f"Given up before: {number}." in done.output
        with around.store.read() as unit:
            player = unit.find_player(1)
            assert player is not None
            assert player.stopped_since is None
            assert unit.find_health("ann@example.org") is None
        again = run("resume", "ann@example.org")
        assert again.exit_code == 1
        assert "is not suspended" in again.output
        assert "no mail address" in run("resume", "ann").output

    def test_a_quarantined_mail_is_shown_and_read_again(
        self, run: Run, around: Surroundings
    ) -> None:
        number = add_inbound(around, QUARANTINED, "KeyError")
        assert "KeyError" in run("quarantine").output
        assert run("release", str(number)).exit_code == 0
        with around.store.read() as unit:
            inbound = unit.find_inbound(number)
        assert inbound is not None
        assert (inbound.state, inbound.attempts, inbound.reason) == (NEW, 0, None)
        assert run("release", str(number)).exit_code == 1

    def test_held_mails_are_shown_and_not_released(self, run: Run, around: Surroundings) -> None:
        number = add_inbound(around, HELD, "auto_submitted")
        (row,) = map(json.loads, run("held", "--json").output.splitlines())
        assert (row["id"], row["from"], row["reason"]) == (
            number,
            "ann@example.org",
            "auto_submitted",
        )
        assert run("release", str(number)).exit_code == 1

    def test_the_bytes_of_a_mail_without_its_token(self, run: Run, around: Surroundings) -> None:
        number = add_inbound(around, HELD, "auto_submitted")
        shown = run("raw", str(number)).stdout_bytes
        assert shown.startswith(b"From: <ann@example.org>\r\nTo: <ort1.")
        assert shown.endswith(b"\r\n\r\n\xff")
        assert TOKEN.encode() not in shown
        assert run("raw", "99").exit_code == 1

    def test_a_token_in_base64_and_one_in_a_folded_header(
        self, run: Run, around: Surroundings
    ) -> None:
        raw = (
            f"In-Reply-To: <0123.{TOKEN[:13]}\r\n {TOKEN[13:]}@play.example.org>\r\n"
            "Content-Transfer-Encoding: base64\r\n\r\n"
        ).encode() + base64.encodebytes(f"stop/{TOKEN}".encode())
        with around.store.begin() as unit:
            number = unit.add_inbound(Arrival("k", "play", "a@b.c", "", raw, NOON, "smtp"))
        shown = run("raw", str(number)).stdout
        assert "In-Reply-To: <0123.[…]@play.example.org>\n" in shown
        assert shown.endswith("[decoded from base64]\nstop/[…]\n")


def processors_of(pid: int) -> set[str]:
    """On which processors the threads of a process may run, as far as the system tells."""
    found = set()
    for thread in Path(f"/proc/{pid}/task").glob("*/status"):
        with suppress(OSError):  # it has ended meanwhile
            found.update(re.findall(r"^Cpus_allowed_list:\s*(.*)$", thread.read_text(), re.M))
    return found


class TestServe:
    def serve(self, environ: dict[str, str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", "from pbem.cli import main; main()", "serve"],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_all_that_is_missing_is_told_at_once(self, environ: dict[str, str]) -> None:
        wrong = {**environ, "PBEM_TRUST": "everybody", "PBEM_LISTEN_HTTP": "here"}
        with self.serve(wrong) as process:
            out, error = process.communicate(timeout=60)
        assert process.returncode == 1
        assert out == ""
        for name in (
            "PBEM_MAIL_DOMAIN is not set",
            "PBEM_SITE_URL is not set",
            "PBEM_SMTP_URL is not set",
            "no way in is set",
            "PBEM_TRUST must be one of",
            "PBEM_LISTEN_HTTP must be host:port",
        ):
            assert name in error

    @pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
    def test_it_says_where_it_listens_and_stops_when_told(
        self, environ: dict[str, str], how: signal.Signals
    ) -> None:
        with self.serve({**environ, **COMPLETE, "PBEM_LOG": "json"}) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(3)]
            places = processors_of(process.pid)
            process.send_signal(how)
            out, error = process.communicate(timeout=60)
        assert process.returncode == 0, error
        assert lines[0].startswith("listening smtp 127.0.0.1:")
        assert lines[1].startswith("listening http 127.0.0.1:")
        assert lines[2] == "ready\n"
        assert out.endswith("stopped\n")
        if sys.platform == "linux":
            [place] = places
            assert place.isdigit()
        assert "hunter2" not in error
        assert "Traceback" not in error
        for line in error.splitlines():
            assert {"event", "level", "timestamp"} <= json.loads(line).keys()
        secret = Path(environ["PBEM_DATA_DIR"]) / "secret"
        assert secret.stat().st_mode & 0o777 == 0o600
        assert secret.read_text().strip() not in out + error
