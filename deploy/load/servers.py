"""The server under load, as real processes: how they are started, watched and ended.

``OneProcess`` is ``pbem serve`` on SQLite. Every process is a child of this one, with its own log,
and is ended by its own number.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deploy.load.sink import HOST

ROOT = Path(__file__).resolve().parents[2]
DOMAIN = "play.example.org"
SECRET = "only for a load that is gone in a minute"
STARTING = 60.0
STOPPING = 30.0
_TICKS = os.sysconf("SC_CLK_TCK")
_PBEM = (sys.executable, "-c", "from pbem.cli import main; main()")


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
        self.starts = 0
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

    def start(self) -> None:
        """Start it, or start it again."""
        self.starts += 1
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

    def stop(self) -> None:
        """End it as an operator does; with force if that takes too long."""
        if self._process is None:
            return
        self._spent += self.usage().cpu if self.is_running else 0.0
        if self.is_running:
            self._process.terminate()
        try:
            self._process.wait(STOPPING)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once with all its children (SIGKILL)."""
        assert self._process is not None
        for pid in tree(self._process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()

    def usage(self) -> Usage:
        """What it takes at the moment, with its children."""
        cpu, rss, peak = self._spent, 0, 0
        for pid in tree(self.pid):
            try:
                cpu += _cpu(pid)
                sizes = _sizes(pid)
            except (FileNotFoundError, ProcessLookupError):
                continue
            rss += sizes["VmRSS"]
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
    return (int(fields[11]) + int(fields[12])) / _TICKS


def machine_cpu() -> float:
    """CPU seconds that all programs of this machine have taken."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    idle = int(fields[4]) + int(fields[5])
    return (sum(map(int, fields[1:9])) - idle) / _TICKS


def _sizes(pid: int) -> dict[str, int]:
    """VmRSS and VmHWM in bytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    found = dict.fromkeys(("VmRSS", "VmHWM"), 0)
    for line in lines:
        name, _, value = line.partition(":")
        if name in found:
            found[name] = int(value.split()[0]) * 1024
    return found


def environment(folder: Path, database_url: str, sink_port: int) -> dict[str, str]:
    """The settings that all processes of one server share."""
    return {
        "PBEM_DATA_DIR": str(folder),
        "PBEM_DATABASE_URL": database_url,
        "PBEM_MAIL_DOMAIN": DOMAIN,
        "PBEM_SITE_URL": f"https://{DOMAIN}",
        "PBEM_SECRET": SECRET,
        "PBEM_SMTP_URL": f"smtp://{HOST}:{sink_port}?tls=none",
        "PBEM_LISTEN_SMTP": f"{HOST}:0",
        "PBEM_LISTEN_HTTP": f"{HOST}:0",
        "PBEM_LOG": "json",
    }


class OneProcess:
    """``pbem serve``: everything in one process."""

    name = "one process"

    def __init__(self, environ: Mapping[str, str], folder: Path) -> None:
        self.children = [Child("serve", [*_PBEM, "serve"], environ, folder)]

    def start(self) -> int:
        """Start it; the port at which mail is taken. Raises DiedError."""
        (serve,) = self.children
        serve.start()
        said = serve.wait_for("ready\n")
        line = next(each for each in said.splitlines() if each.startswith("listening smtp"))
        return int(line.rpartition(":")[2])

    def stop(self) -> None:
        """End it."""
        for child in self.children:
            child.stop()
