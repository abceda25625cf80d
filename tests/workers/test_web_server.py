"""The web server of one process answers one after the other, and nobody waits long for anybody."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from pbem.endpoints import Endpoint
from workers.web_server import WebServer

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class Waiting:
    """An application with a page that is not ready before it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go = threading.Event()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/slow":
            self.begun.set()
            self.go.wait(60)
        start_response("200 OK", [("Content-Length", "4")])
        return [b"done"]


@pytest.fixture
def waiting() -> Iterator[tuple[Waiting, str]]:
    application = Waiting()
    server = WebServer(application, Endpoint("127.0.0.1", 0), is_behind=False)
    server.start()
    try:
        yield application, f"http://127.0.0.1:{server.endpoint.port}"
    finally:
        application.go.set()
        server.stop()


def test_a_slow_answer_keeps_no_other_from_being_made(waiting: tuple[Waiting, str]) -> None:
    application, url = waiting
    answers: list[bytes] = []

    def ask() -> None:
        with urlopen(f"{url}/slow", timeout=60) as answer:
            answers.append(answer.read())

    slow = threading.Thread(target=ask)
    slow.start()
    assert application.begun.wait(60)
    for _ in range(3):
        with urlopen(f"{url}/quick", timeout=60) as answer:
            assert answer.read() == b"done"
    assert answers == []
    application.go.set()
    slow.join(60)
    assert answers == [b"done"]
