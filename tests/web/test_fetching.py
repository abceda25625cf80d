"""Fetching over HTTPS, from a real server: only what was asked for, and not too much of it."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from pbem.web.fetching import FetchError, fetch_https
from tests.mail.certificates import make_certificate


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/file")
            self.end_headers()
            return
        self.send_response({"/none": 404, "/broken": 500}.get(self.path, 200))
        self.end_headers()
        self.wfile.write(b"x" * 70_000 if self.path == "/large" else b"content")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    certificate = make_certificate(tmp_path, "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"https://localhost:{server.server_port}", certificate
        server.shutdown()
        thread.join()


def test_what_is_fetched(site: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    url, certificate = site
    with pytest.raises(FetchError):
        fetch_https(f"{url}/file")  # nobody vouches for it
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert fetch_https(f"{url}/file") == b"content"
    for path in ("moved", "none", "broken", "large"):
        with pytest.raises(FetchError):
            fetch_https(f"{url}/{path}")


@pytest.mark.parametrize("url", ["http://localhost/", "file:///etc/passwd", "https://localhost:1/"])
def test_what_is_not(url: str) -> None:
    with pytest.raises(FetchError):
        fetch_https(url)
