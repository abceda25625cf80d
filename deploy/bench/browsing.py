"""A browser that costs next to nothing: kept connections, raw requests, several at once.

It only looks for the status and the length of an answer, so that the server is what is measured.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle

_CHUNK = 1 << 18
_HEAD_ENDS = b"\r\n\r\n"
_LENGTH = b"content-length:"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    head: str
    body: bytes

    def cookies(self) -> dict[str, str]:
        """The cookies it sets."""
        lines = (line.partition(":") for line in self.head.split("\r\n"))
        set_ones = (value.strip() for name, _, value in lines if name.lower() == "set-cookie")
        pairs = (each.partition(";")[0].partition("=") for each in set_ones)
        return {name: value for name, _, value in pairs}


def request(
    path: str, *, cookies: Mapping[str, str] | None = None, visitor: str = "", **more: str
) -> bytes:
    """A request for a page; ``more`` are other headers, with _ for -."""
    lines = [f"GET {path} HTTP/1.1", "Host: play.example.org", "Accept: text/html"]
    return _close(lines, cookies, visitor, more)


def posted(
    path: str, body: bytes, *, cookies: Mapping[str, str], visitor: str = "", **more: str
) -> bytes:
    """JSON as the page's script sends it."""
    lines = [f"POST {path} HTTP/1.1", "Host: play.example.org", "Content-Type: application/json"]
    more["Content_Length"] = str(len(body))
    return _close(lines, cookies, visitor, more) + body


def _close(
    lines: list[str], cookies: Mapping[str, str] | None, visitor: str, more: Mapping[str, str]
) -> bytes:
    if cookies:
        lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in cookies.items()))
    if visitor:
        lines.append(f"X-Forwarded-For: {visitor}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
    return "\r\n".join([*lines, "", ""]).encode()


@dataclass
class _Line:
    """One connection: what has come in of the answer that it waits for."""

    socket: socket.socket
    received: bytearray = field(default_factory=bytearray)

    def take(self) -> Answer | None:
        """Read what is there; the answer once it is whole."""
        chunk = self.socket.recv(_CHUNK)
        if not chunk:
            raise ConnectionError("the server has hung up")
        self.received += chunk
        head_ends = self.received.find(_HEAD_ENDS)
        if head_ends < 0:
            return None
        head = bytes(self.received[:head_ends])
        at = head.lower().index(_LENGTH) + len(_LENGTH)
        length = int(head[at : at + 20].partition(b"\r\n")[0])
        begin = head_ends + len(_HEAD_ENDS)
        if len(self.received) < begin + length:
            return None
        answer = Answer(int(head[9:12]), head.decode("latin-1"), bytes(self.received[begin:]))
        self.received.clear()
        return answer


class Browser:
    """Some kept connections to one server."""

    def __init__(self, port: int, *, connections: int) -> None:
        self._lines = []
        for _ in range(connections):
            opened = socket.create_connection(("127.0.0.1", port), timeout=30)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._lines.append(_Line(opened))

    def close(self) -> None:
        """Hang up."""
        for line in self._lines:
            line.socket.close()

    def ask(self, wanted: bytes) -> Answer:
        """One answer."""
        line = self._lines[0]
        line.socket.sendall(wanted)
        while (answer := line.take()) is None:
            pass
        return answer

    def timed(self, wanted: bytes) -> float:
        """How many milliseconds an answer takes; it must be a good one."""
        began = time.perf_counter()
        answer = self.ask(wanted)
        took = time.perf_counter() - began
        _check(answer)
        return took * 1000

    def load(self, wanted: Sequence[bytes], count: int) -> int:
        """Have ``count`` requests answered, one waiting on each connection at any time."""
        requests = cycle(wanted)
        left = count
        with selectors.DefaultSelector() as selector:
            for line in self._lines:
                selector.register(line.socket, selectors.EVENT_READ, line)
                left -= _send(line, requests)
            waiting = len(self._lines)
            while waiting:
                for key, _ in selector.select(30):
                    answer = key.data.take()
                    if answer is None:
                        continue
                    _check(answer)
                    if left > 0:
                        left -= _send(key.data, requests)
                    else:
                        waiting -= 1
        return count


def _send(line: _Line, requests: Iterator[bytes]) -> int:
    line.socket.sendall(next(requests))
    return 1


def _check(answer: Answer) -> None:
    if answer.status != 200:
        raise AssertionError(f"{answer.head}\n{answer.body[:2000]!r}")
