"""A PostgreSQL server of our own: made, started, stopped, broken and thrown away.

For loads, which must know what it costs and may break it, and for tests where no other is found.
"""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.load.ports import HOST, free_port

_PATIENCE = 60


class NoServerError(Exception):
    """There is no PostgreSQL to work with; says what was tried."""


def find_program(name: str) -> str | None:
    """One of PostgreSQL's own programs, on the path or where Debian puts them."""
    places = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), reverse=True)
    return shutil.which(name) or next(iter(places), None)


class Cluster:
    """A server in a folder of its own, at a port of its own."""

    def __init__(self, place: Path, *, is_durable: bool) -> None:
        """Make it in an empty folder, which it then owns. What is not ``is_durable`` does not wait
        for the disk. Raises NoServerError."""
        initdb, pg_ctl = find_program("initdb"), find_program("pg_ctl")
        if initdb is None or pg_ctl is None:
            raise NoServerError("initdb and pg_ctl are not installed")
        self._as_user = _unprivileged(place)
        self._data, self._log = place / "data", place / "log"
        self._pg_ctl = pg_ctl
        self._port = free_port()
        self._options = f"-p {self._port} -c listen_addresses={HOST} -c unix_socket_directories=''"
        if not is_durable:
            self._options += " -F"
        user: list[str | Path] = [
            "-A",
            "trust",
            "-U",
            "postgres",
            "-E",
            "UTF8",
            "-N",
            "-D",
            self._data,
        ]
        self._run([initdb, *user])

    @property
    def url(self) -> str:
        """The address of a database from which others can be created."""
        return f"postgresql://postgres@{HOST}:{self._port}/postgres"

    @property
    def pid(self) -> int:
        """The number of its first process."""
        return int((self._data / "postmaster.pid").read_text().split("\n", 1)[0])

    def start(self) -> None:
        """Have it take connections."""
        words: list[str | Path] = ["-D", self._data, "-w", "-l", self._log, "-o", self._options]
        self._run([self._pg_ctl, *words, "start"])

    def break_off(self) -> None:
        """End it at once, in the middle of whatever it does; it recovers at the next start."""
        self._run([self._pg_ctl, "-D", self._data, "-w", "-m", "immediate", "stop"])

    def _run(self, command: list[str | Path]) -> None:
        try:
            done = subprocess.run(
                [*self._as_user, *command],
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoServerError(f"{command}: {error}") from None
        if done.returncode:
            raise NoServerError(f"{command}: {done.stderr.decode(errors='replace')}")


@contextmanager
def running_cluster(place: Path, *, is_durable: bool) -> Iterator[Cluster]:
    """A server from now to the end of the block. Raises NoServerError."""
    cluster = Cluster(place, is_durable=is_durable)
    cluster.start()
    try:
        yield cluster
    finally:
        cluster.break_off()


def _unprivileged(place: Path) -> list[str]:
    """How to start a program that refuses to run as root, which then owns the place."""
    if os.geteuid() != 0:
        return []
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(place, user.pw_uid, user.pw_gid)
        if runuser := shutil.which("runuser"):
            return [runuser, "-u", name, "--"]
        if setpriv := shutil.which("setpriv"):
            return [setpriv, f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    raise NoServerError("PostgreSQL does not run as root, and no other user was found")
