"""The server under load, as real processes.

``OneProcess`` is ``pbem serve`` on SQLite. ``ManyProcesses`` is what docs/operations.md tells for
many machines, on this one: web, listener, two workers, beat, Redis and PostgreSQL.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen
from uuid import uuid4

import psycopg

from deploy.load.ports import HOST, free_port
from deploy.load.postgres import Cluster
from deploy.load.processes import ROOT, Child, DiedError, Usage, usage_of
from deploy.load.redis_server import make_redis, wait_for_redis

DOMAIN = "play.example.org"
SECRET = "only for a load that is gone in a minute"
_STARTING = 60.0
_PBEM = (sys.executable, "-c", "from pbem.cli import main; main()")


def environment(folder: Path, database_url: str, sink_port: int) -> dict[str, str]:
    """The settings that all processes of one server share."""
    return {
        "PBEM_DATA_DIR": str(folder),
        "PBEM_DATABASE_URL": database_url,
        "PBEM_MAIL_DOMAIN": DOMAIN,
        "PBEM_SITE_URL": f"https://{DOMAIN}",
        "PBEM_SECRET": SECRET,
        "PBEM_SMTP_URL": f"smtp://{HOST}:{sink_port}?tls=none",
        "PBEM_WEBHOOK_RAW": SECRET,
        "PBEM_LOG": "json",
    }


def verify_all(environ: Mapping[str, str]) -> tuple[int, str]:
    """How many games ``pbem verify --all`` has looked at, and what it finds wrong in chains, rules,
    dice, clocks, or in a cache as it is; empty if nothing."""
    done = subprocess.run(
        [*_PBEM, "verify", "--all", "--no-repair", "--jobs", "1"],
        cwd=ROOT,
        env={**os.environ, **environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        text=True,
    )
    told = re.search(r"^(\d+) games?, 0 with faults$", done.stdout, re.M)
    return (0, done.stdout) if done.returncode or told is None else (int(told[1]), "")


class OneProcess:
    """``pbem serve``: everything in one process."""

    def __init__(self, environ: Mapping[str, str], folder: Path) -> None:
        self._smtp, self.http = free_port(), free_port()
        own = {
            **environ,
            "PBEM_LISTEN_SMTP": f"{HOST}:{self._smtp}",
            "PBEM_LISTEN_HTTP": f"{HOST}:{self.http}",
        }
        self.serve = Child("serve", [*_PBEM, "serve"], own, folder)
        self.children = self.workers = [self.serve]

    def start(self) -> int:
        """Start it; the port at which mail is taken. Raises DiedError."""
        self.serve.start()
        self.serve.wait_for("ready\n")
        return self._smtp

    def stop(self) -> None:
        """End it."""
        for child in self.children:
            child.stop()


class Database:
    """PostgreSQL as one of the processes; it takes part in the reckoning of CPU and memory."""

    name = "postgresql"

    def __init__(self, *, is_durable: bool = True) -> None:
        self._place = Path(tempfile.mkdtemp(prefix="pbem-load-postgres-"))
        try:
            self._cluster = Cluster(self._place, is_durable=is_durable)
            self._cluster.start()
        except BaseException:
            shutil.rmtree(self._place, ignore_errors=True)
            raise
        self.log = ""

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """The address of a new database, dropped in the end."""
        name = f"load_{uuid4().hex}"
        with psycopg.connect(self._cluster.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield f"{self._cluster.url.rpartition('/')[0]}/{name}"
        finally:
            with psycopg.connect(self._cluster.url, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    @property
    def is_running(self) -> bool:
        return True

    def usage(self) -> Usage:
        """What it takes at the moment."""
        return usage_of(self._cluster.pid)

    def start(self) -> None:
        """Have it take connections."""
        self._cluster.start()

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self._cluster.break_off()

    def throw_away(self) -> None:
        """End it for good."""
        self._cluster.break_off()
        shutil.rmtree(self._place, ignore_errors=True)


class ManyProcesses:
    """Web, listener, two workers, beat and Redis, beside a PostgreSQL."""

    def __init__(self, environ: Mapping[str, str], folder: Path, database: Database) -> None:
        self.redis, self.broker_url = make_redis(folder)
        self._smtp, self.http = free_port(), free_port()
        own = {
            **environ,
            "PBEM_BROKER_URL": self.broker_url,
            "PBEM_LISTEN_SMTP": f"{HOST}:{self._smtp}",
        }
        celery = [sys.executable, "-m", "celery", "-A", "workers"]
        worker = [*celery, "worker", "--concurrency=1", "--loglevel=WARNING"]
        python = [sys.executable, "-m"]
        bind = f"--bind={HOST}:{self.http}"
        web = [*python, "gunicorn", "--threads=4", bind, "wsgi:app"]
        if find_spec("gunicorn") is None:
            web = [*python, "waitress", f"--listen={HOST}:{self.http}", "wsgi:app"]
        self.parts = {
            "web": Child("web", web, own, folder),
            "listener": Child("listener", [*_PBEM, "listen"], own, folder),
            "reader": Child("reader", [*worker, "-n", "reader@%h"], own, folder),
            "sender": Child("sender", [*worker, "-n", "sender@%h"], own, folder),
            "beat": Child("beat", [*celery, "beat", "--loglevel=WARNING"], own, folder),
        }
        self.workers = [self.parts["reader"], self.parts["sender"]]
        self.children: list[Child | Database] = [*self.parts.values(), self.redis, database]

    def start(self) -> int:
        """Start all; the port at which mail is taken. Raises DiedError."""
        self.redis.start()
        wait_for_redis(self.redis, self.broker_url)
        for part in self.parts.values():
            part.start()
        self.parts["listener"].wait_for("ready\n")
        self._wait_for_web()
        return self._smtp

    def stop(self) -> None:
        """End all but the database."""
        for part in self.parts.values():
            part.ask_to_stop()
        for part in (*self.parts.values(), self.redis):
            part.stop()

    def _wait_for_web(self) -> None:
        until = time.monotonic() + _STARTING
        while time.monotonic() < until and self.parts["web"].is_running:
            try:
                with urlopen(f"http://{HOST}:{self.http}/health/live", timeout=2):
                    return
            except URLError as error:
                if getattr(error, "code", None) is not None:
                    return  # it answers
            except OSError:
                pass
            time.sleep(0.1)
        raise DiedError(f"web does not answer:\n{self.parts['web'].log[-3000:]}")
