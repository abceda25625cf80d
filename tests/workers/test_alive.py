"""The file by which whoever watches over a process knows that it lives."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from tests.workers.environment import BROKER, OFFICE, TOP, environ, open_no_desk
from workers.alive import EVERY, AliveScheduler, AliveStep, touch
from workers.app import make_app


@pytest.mark.parametrize("part", ["worker", "beat"])
def test_workers_and_beat_show_it_while_the_broker_is_away(
    tmp_path: Path, migrated_sqlite: Path, part: str
) -> None:
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    file = folder / "alive"
    database = shutil.copy(migrated_sqlite, elsewhere / "pbem.sqlite3")
    store = {"PBEM_DATABASE_URL": f"sqlite:///{database}"}
    command = [sys.executable, "-m", "celery", "-A", "workers", part]
    running = subprocess.Popen(
        command + (["--pool", "solo"] if part == "worker" else []),
        cwd=TOP,
        env=environ(folder, **BROKER, **OFFICE, **store, PBEM_ALIVE_FILE=str(file)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 60
        while not file.exists() and time.monotonic() < until and running.poll() is None:
            time.sleep(0.05)
        assert file.exists()
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert sorted(each.name for each in folder.iterdir()) == ["alive"]


def test_a_beat_without_a_broker_tells_of_it_now_and_then() -> None:
    app = make_app(open_no_desk, lambda: "redis://127.0.0.1:1")
    is_gone = True

    def send(*_: object, **__: object) -> None:
        if is_gone:
            raise ConnectionError("nobody answers")

    beat = AliveScheduler(app, lazy=True)
    beat.send_task = send
    app.tasks.clear()
    entry = beat.Entry(name="send", task="pbem.send", schedule=1, app=app)
    with capture_logs() as told:
        for _ in range(5):
            beat.apply_entry(entry)
        assert [each["event"] for each in told] == ["nudge_lost"]
        assert "nobody answers" in told[0]["reason"]
        is_gone = False
        beat.apply_entry(entry)
        is_gone = True
        beat.apply_entry(entry)
    assert len(told) == 2, "it is told at once when it goes away again"


def test_a_worker_touches_it_again_and_again_until_it_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_ALIVE_FILE", str(tmp_path / "alive"))
    planned: list[tuple[float, Callable[..., None], tuple[object, ...]]] = []
    cancelled: list[bool] = []

    def plan(*what: object) -> SimpleNamespace:
        planned.append(what)  # type: ignore[arg-type]
        return SimpleNamespace(cancel=lambda: cancelled.append(True))

    worker = SimpleNamespace(timer=SimpleNamespace(call_repeatedly=plan))
    step = AliveStep(worker)
    step.start(worker)
    file = tmp_path / "alive"
    os.utime(file, (0, 0))
    [(every, what, arguments)] = planned
    what(*arguments)
    assert every == EVERY
    assert file.stat().st_mtime > 0
    step.stop(worker)
    assert cancelled == [True]


def test_a_file_that_cannot_be_touched_harms_nobody(tmp_path: Path) -> None:
    touch(tmp_path / "no" / "such" / "place")
    touch(None)
