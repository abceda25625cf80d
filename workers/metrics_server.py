"""Where a process tells how it fares: a small HTTP server of its own, for those who watch over it.

Every kind of process has one where ``PBEM_LISTEN_METRICS`` is set: the server in one process, each
worker, the beat, each process of the web. It has its own connection to the database, so that it
answers while all others are in use, and also while there is no database at all.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

import structlog

from pbem.config import Settings
from pbem.endpoints import Endpoint
from pbem.errors import ConfigError
from pbem.play.backlog import Backlog
from pbem.readiness import Readiness
from pbem.store.database import SqlStore, open_store
from workers.desk import utc_now

MOST_PROCESSES: Final = 32
"""So many ports are tried: processes on one machine take the next that is free."""

_PATIENCE: Final = 10.0
_log: Final = structlog.get_logger("workers")


@contextmanager
def serving_metrics(
    settings: Settings,
    *,
    stopping: threading.Event | None = None,
    clock: Callable[[], datetime] = utc_now,
) -> Iterator[Endpoint | None]:
    """Tell how this process fares while the block runs; where, or None if that is not wanted.

    Raises ConfigError if there is no port to be had.
    """
    if settings.listen_metrics is None:
        yield None
        return
    watch = _Watch(settings, stopping or threading.Event(), clock)
    server = _listen(settings.listen_metrics, watch)
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield Endpoint(settings.listen_metrics.host, server.server_port)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        watch.close()


class _Watch:
    """What there is to ask of this process; opens the store when it is first needed and there."""

    def __init__(
        self, settings: Settings, stopping: threading.Event, clock: Callable[[], datetime]
    ) -> None:
        self._url = settings.database_url
        self._clock = clock
        self._lock = threading.Lock()
        self._store: SqlStore | None = None
        from workers.metrics import make_registry  # noqa: PLC0415 - only where somebody scrapes

        self._registry = make_registry(self.find_backlog)
        self._readiness = Readiness(self.get_store, settings.broker_url, stopping=stopping)

    def get_store(self) -> SqlStore:
        """Raises PbemError."""
        with self._lock:
            if self._store is None:
                self._store = open_store(self._url, pool_size=1)
            return self._store

    def find_backlog(self, counts_games: bool) -> Backlog:
        """Raises PbemError."""
        with self.get_store().read() as unit:
            return unit.find_backlog(self._clock(), counts_games=counts_games)

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """Code, type and body."""
        from prometheus_client.exposition import (  # noqa: PLC0415
            CONTENT_TYPE_PLAIN_0_0_4,
            generate_latest,
        )

        match path.partition("?")[0]:
            case "/metrics":
                return 200, CONTENT_TYPE_PLAIN_0_0_4, generate_latest(self._registry)
            case "/health/live":
                return 200, "application/json", b'{"status": "ok"}'
            case "/health/ready":
                parts = self._readiness.look()
                is_ready = all(told == "ok" for told in parts.values())
                body = json.dumps({"status": "ok" if is_ready else "not ready", **parts})
                return 200 if is_ready else 503, "application/json", body.encode()
        return 404, "text/plain", b"/metrics, /health/live, /health/ready\n"

    def close(self) -> None:
        """Close the store."""
        with self._lock:
            if self._store is not None:
                self._store.dispose()
                self._store = None


def _listen(wanted: Endpoint, watch: _Watch) -> ThreadingHTTPServer:
    family = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET

    class Server(ThreadingHTTPServer):
        address_family = family
        daemon_threads = True

        def server_bind(self) -> None:
            # The usual way asks the name server who we are, which may take long.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.socket.bind(self.server_address)
            self.server_port = self.socket.getsockname()[1]

    class Handler(BaseHTTPRequestHandler):
        timeout = _PATIENCE
        server_version, sys_version = "pbem", ""

        def do_GET(self) -> None:
            code, type_, body = watch.answer(self.path)
            self.send_response(code)
            self.send_header("Content-Type", type_)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody wants to read that somebody has looked."""

    last: OSError | None = None
    for step in range(MOST_PROCESSES if wanted.port else 1):
        try:
            return Server((wanted.host, wanted.port + step), Handler)
        except (OSError, OverflowError) as error:
            last = error if isinstance(error, OSError) else last
    raise ConfigError(f"PBEM_LISTEN_METRICS: nothing can listen at {wanted} or behind it: {last}")
