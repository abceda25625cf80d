"""Processes under load: started as children, with a log each, watched, and ended by number."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTING = 60.0
STOPPING = 30.0
_TICKS = os.sysconf("SC_CLK_TCK")


class DiedError(Exception):
    """A process has ended that should run; says the end of its log."""


@dataclass(frozen=True)
class Usage:
    """CPU seconds and resident memory, of a process with all its children."""

    cpu: float
    rss: int
    peak: int


class Child:
    """One process and its log."""

    def __init__(
        self, name: str, command: Sequence[str], environ: Mapping[str, str], folder: Path
    ) -> None:
        self.name = name
        self.is_wanted = False
        """Whether it should run; if it does not, it has ended by itself."""
        self._command = list(command)
        self._environ = {**os.environ, **environ, "PYTHONPATH": str(ROOT)}
        self._log = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0
        self._spent = 0.0

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """With which it has ended, if it has."""
        return None if self._process is None else self._process.returncode

    def start(self) -> None:
        """Start it, or start it again."""
        self._began = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=self._environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.is_wanted = True  # only now: who watches over it would start it, too

    def wait_for(self, words: str) -> str:
        """Until it says so in its log; all it has said. Raises DiedError."""
        until = time.monotonic() + STARTING
        while time.monotonic() < until:
            said = self.log
            if words in said:
                return said
            if not self.is_running:
                break
            time.sleep(0.05)
        raise DiedError(f"{self.name} did not say {words!r}:\n{self.log[-3000:]}")

    @property
    def log(self) -> str:
        """What it has said since it was last started."""
        with self._log.open("rb") as log:
            log.seek(self._began)
            return log.read().decode("utf-8", "replace")

    @property
    def log_size(self) -> int:
        """Bytes that it has said, since it was first started."""
        return self._log.stat().st_size

    def ask_to_stop(self) -> None:
        """Tell it to end, as an operator does."""
        self.is_wanted = False
        if self._process is not None and self.is_running:
            self._spent += self.usage().cpu
            self._process.terminate()

    def stop(self) -> None:
        """End it as an operator does; with force if that takes too long."""
        if self.is_wanted:
            self.ask_to_stop()
        if self._process is None:
            return
        try:
            self._process.wait(STOPPING)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once with all its children (SIGKILL)."""
        assert self._process is not None
        self.is_wanted = False
        for pid in tree(self._process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()

    def usage(self) -> Usage:
        """What it takes at the moment, with its children."""
        used = usage_of(self.pid)
        return Usage(self._spent + used.cpu, used.rss, used.peak)


def clean_up_when_told() -> None:
    """Have SIGTERM, as of ``timeout``, end this process with everything that it has started."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


def usage_of(root: int) -> Usage:
    """What a process and all that it has started take at the moment."""
    pids = tree(root)
    cpu, rss, peak = 0.0, 0, 0
    for pid in pids:
        try:
            cpu += _cpu(pid)
            sizes = _sizes(pid)
            rss += sizes["VmRSS"] if len(pids) == 1 else _share(pid) or sizes["VmRSS"]
        except (FileNotFoundError, ProcessLookupError):
            continue
        peak += sizes["VmHWM"]
    return Usage(cpu, rss, peak)


def tree(pid: int) -> list[int]:
    """A process and all that it has started."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return [pid]
    return [pid, *(each for child in text.split() for each in tree(int(child)))]


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    # Its own, and that of children which have ended.
    return sum(map(int, fields[11:15])) / _TICKS


def _share(pid: int) -> int:
    """What is resident, with what several processes share divided among them; 0 if not told."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except PermissionError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def machine_cpu() -> tuple[float, float]:
    """CPU seconds that all programs of this machine have taken, and those that they wanted and the
    machine was not given: what runs beside it on the same processors had them."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    user, nice, system, _, _, irq, soft, stolen = map(int, fields[1:9])
    return (user + nice + system + irq + soft) / _TICKS, stolen / _TICKS


def _sizes(pid: int) -> dict[str, int]:
    """VmRSS and VmHWM in bytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    found = dict.fromkeys(("VmRSS", "VmHWM"), 0)
    for line in lines:
        name, _, value = line.partition(":")
        if name in found:
            found[name] = int(value.split()[0]) * 1024
    return found
