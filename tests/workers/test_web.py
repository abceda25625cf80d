"""The web for a WSGI server, and the server's own thread for it."""

from __future__ import annotations

import importlib
import logging
import shutil
import socket
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from pbem.endpoints import Endpoint
from workers.web_server import WebServer


@pytest.fixture
def logging_restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.usefixtures("logging_restored")
def test_wsgi(tmp_path: Path, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_MAIL_DOMAIN", "play.example.org")
    monkeypatch.setenv("PBEM_SITE_URL", "https://play.example.org")
    monkeypatch.delitem(sys.modules, "wsgi", raising=False)
    app = importlib.import_module("wsgi").app
    assert app.test_client().get("/no-such-page").status_code == 404


class TestServer:
    def start(self, application: Callable[..., Iterable[bytes]]) -> WebServer:
        server = WebServer(application, Endpoint("127.0.0.1", 0))
        server.start()
        return server

    def test_a_request_under_way_is_answered_when_it_stops(self) -> None:
        is_asked, may_answer = threading.Event(), threading.Event()

        def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
            is_asked.set()
            may_answer.wait(60)
            start("200 OK", [("Content-Type", "text/plain")])
            return [b"done"]

        server = self.start(application)
        answers: list[bytes] = []

        def ask() -> None:
            with urllib.request.urlopen(f"http://{server.endpoint}/", timeout=60) as answer:
                answers.append(answer.read())

        asking = threading.Thread(target=ask)
        asking.start()
        assert is_asked.wait(60)
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        may_answer.set()
        asking.join(60)
        stopping.join(60)
        assert answers == [b"done"]
        assert not server.is_serving
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((server.endpoint.host, server.endpoint.port), timeout=60)

    def test_headers_of_proxies_that_nobody_trusts_do_not_count(self) -> None:
        seen: dict[str, Any] = {}

        def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
            seen.update(environ)
            start("200 OK", [])
            return [b""]

        server = self.start(application)
        asked = urllib.request.Request(
            f"http://{server.endpoint}/", headers={"X-Forwarded-For": "192.0.2.1"}
        )
        urllib.request.urlopen(asked, timeout=60).close()
        server.stop()
        assert seen["REMOTE_ADDR"] == "127.0.0.1"
        assert "HTTP_X_FORWARDED_FOR" not in seen
