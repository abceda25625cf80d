"""SMTP by hand over a real socket, one line at a time."""

from __future__ import annotations

import socket
import ssl
from types import TracebackType

PATIENCE = 60.0


class Wire:
    """A client. ``ask`` says a line and hears the reply; a reply is its lines, joined."""

    def __init__(self, port: int, *, hello: str | None = "EHLO client.example.net") -> None:
        self.socket: socket.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._heard = b""
        self.greeting = self.hear()
        if hello is not None and self.greeting.startswith("220"):
            self.features = self.ask(hello)

    def __enter__(self) -> Wire:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def line(self) -> str:
        """One line; empty when the other side has hung up."""
        while b"\r\n" not in self._heard:
            try:
                piece = self.socket.recv(65536)
            except ConnectionError:
                piece = b""
            if not piece:
                rest, self._heard = self._heard, b""
                return rest.decode()
            self._heard += piece
        line, _, self._heard = self._heard.partition(b"\r\n")
        return line.decode()

    def hear(self) -> str:
        lines = [self.line()]
        while lines[-1][3:4] == "-":
            lines.append(self.line())
        return "\n".join(lines)

    def ask(self, line: str | bytes) -> str:
        self.send((line.encode() if isinstance(line, str) else line) + b"\r\n")
        return self.hear()

    def address(self, *recipients: str, sender: str = "ann@example.org") -> list[str]:
        """MAIL and RCPT; the replies."""
        replies = [self.ask(f"MAIL FROM:<{sender}>")]
        return replies + [self.ask(f"RCPT TO:<{recipient}>") for recipient in recipients]

    def data(self, raw: bytes) -> str:
        """DATA with bytes that are sent as they are, up to and with the end."""
        assert self.ask("DATA").startswith("354")
        self.send(raw)
        return self.hear()

    def is_over(self) -> bool:
        """Whether the other side hangs up without another word."""
        return self.line() == ""

    def start_tls(self, context: ssl.SSLContext) -> None:
        assert self.ask("STARTTLS").startswith("220")
        self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
