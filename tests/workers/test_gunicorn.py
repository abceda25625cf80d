"""The web pages under gunicorn, as containers and systemd run them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

TOP = Path(__file__).parents[2]


def test_it_serves_and_stops(tmp_path: Path, migrated_sqlite: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    log = tmp_path / "log"
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(TOP),
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_MAIL_DOMAIN": "play.example.org",
        "PBEM_SITE_URL": "http://localhost:8080",
        "PBEM_LISTEN_HTTP": "127.0.0.1:0",
        "WEB_CONCURRENCY": "1",
    }
    with log.open("wb") as out:
        running = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn_conf.py", "wsgi:app"],
            cwd=TOP,
            env=environ,
            stdout=out,
            stderr=out,
        )
    try:
        answer = _ask(log, running)
    finally:
        running.send_signal(signal.SIGTERM)
        code = running.wait(60)
    assert answer == 200, log.read_text()
    assert code == 0, log.read_text()


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
