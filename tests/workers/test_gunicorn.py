"""The web pages under gunicorn, as containers and systemd run them."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn_conf.py", "wsgi:app"]


def environ(folder: Path, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(TOP),
        "PBEM_DATA_DIR": str(folder),
        "PBEM_MAIL_DOMAIN": "play.example.org",
        "PBEM_SITE_URL": "http://localhost:8080",
        "PBEM_LISTEN_HTTP": "127.0.0.1:0",
        "WEB_CONCURRENCY": "1",
        **more,
    }


def test_it_serves_and_stops(tmp_path: Path, migrated_sqlite: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    log = tmp_path / "log"
    with log.open("wb") as out:
        running = subprocess.Popen(COMMAND, cwd=TOP, env=environ(tmp_path), stdout=out, stderr=out)
    try:
        answer = _ask(log, running)
    finally:
        running.send_signal(signal.SIGTERM)
        code = running.wait(60)
    assert answer == 200, log.read_text()
    assert code == 0, log.read_text()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"PBEM_PROXIES": "x"}, "PBEM_PROXIES must be a number from 0 to 9"),
        ({"PBEM_LISTEN_HTTP": "off"}, "PBEM_LISTEN_HTTP is off"),
        ({"PBEM_MAIL_DOMAIN": ""}, "PBEM_MAIL_DOMAIN must be set"),
    ],
)
def test_what_is_set_wrongly_is_one_line(tmp_path: Path, wrong: dict[str, str], told: str) -> None:
    code, said = _fail(environ(tmp_path, **wrong))
    assert code == 1
    assert said.startswith(f"Error: {told}")
    assert said.count("\n") == 1, said


def test_tables_that_do_not_fit_end_it_with_a_line(tmp_path: Path, migrated_sqlite: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    with closing(sqlite3.connect(tmp_path / "pbem.sqlite3")) as database:
        database.execute("UPDATE alembic_version SET version_num = '0001'")
        database.commit()
    code, said = _fail(environ(tmp_path))
    assert code == 3
    lines = [line for line in said.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1, "another process is not started again and again"
    assert lines[0].startswith("Error: The database is at revision 0001 and this program needs")
    assert "Traceback" not in said


def _fail(given: dict[str, str]) -> tuple[int, str]:
    """With which code it ends, and all that it says."""
    done = subprocess.run(
        COMMAND,
        cwd=TOP,
        env=given,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout


def _ask(log: Path, running: subprocess.Popen[bytes]) -> int | None:
    """What is answered to who asks whether it is ready, once somebody answers."""
    until = time.monotonic() + 60
    while time.monotonic() < until and running.poll() is None:
        said = log.read_text().partition("Listening at: ")[2].split()
        if said:
            try:
                with urllib.request.urlopen(f"{said[0]}/health/ready", timeout=30) as answer:
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                error.close()  # it is not ready yet
            except OSError:
                pass
        time.sleep(0.1)
    return None
