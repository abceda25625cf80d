"""The file by which whoever watches over a process knows that it lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from workers.alive import EVERY, AliveStep, touch


@pytest.mark.parametrize("part", ["worker", "beat"])
def test_workers_and_beat_show_it_while_the_broker_is_away(tmp_path: Path, part: str) -> None:
    file = tmp_path / "alive"
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "HOME": str(tmp_path),
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_BROKER_URL": "redis://127.0.0.1:1/0",
        "PBEM_ALIVE_FILE": str(file),
    }
    command = [sys.executable, "-m", "celery", "-A", "workers", part]
    running = subprocess.Popen(
        command + (["--pool", "solo"] if part == "worker" else []),
        cwd=Path(__file__).parents[2],
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 20
        while not file.exists() and time.monotonic() < until and running.poll() is None:
            time.sleep(0.05)
        assert file.exists()
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["alive"]


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
