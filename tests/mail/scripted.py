"""A mail server that says what a test wants and keeps every byte it was sent.

Real sockets on the loopback, one thread for each connection. ``answers`` replaces its answer to a
command (``RCPT``, ``DATA``, ``.`` for the end of a mail, ``banner``); an answer of None hangs up.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType

from pbem.endpoints import Server, Tls

Answer = str | None


@dataclass
class Connection:
    """What was said over one connection, and the mails as they were on the wire."""

    commands: list[str] = field(default_factory=list)
    mails: list[bytes] = field(default_factory=list)


class ScriptedServer:
    """Runs while its ``with`` block does."""

    def __init__(
        self,
        answers: Mapping[str, Answer | Callable[[str], Answer]] | None = None,
        *,
        extensions: tuple[str, ...] = ("8BITMIME",),
        context: ssl.SSLContext | None = None,
        is_implicit: bool = False,
    ) -> None:
        self.answers = dict(answers or {})
        self.connections: list[Connection] = []
        self._extensions = extensions
        self._context = context
        self._is_implicit = is_implicit
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]

    @property
    def port(self) -> int:
        port: int = self._listening.getsockname()[1]
        return port

    def relay(self, tls: Tls = "none", host: str = "127.0.0.1", **more: str | None) -> Server:
        """Where to send to reach it."""
        return Server("smtp", host, self.port, tls, **more)  # type: ignore[arg-type]

    @property
    def mails(self) -> list[bytes]:
        return [mail for connection in self.connections for mail in connection.mails]

    @property
    def commands(self) -> list[str]:
        return [said for connection in self.connections for said in connection.commands]

    def hang_up(self) -> None:
        """Close what is open, as a server does with who has been silent for long."""
        for each in self._open:
            with suppress(OSError):  # it may have hung up itself
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def __enter__(self) -> ScriptedServer:
        self._threads[0].start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()

    def _accept(self) -> None:
        while True:
            try:
                accepted, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(accepted)
            self.connections.append(connection := Connection())
            thread = threading.Thread(target=self._serve, args=(accepted, connection))
            self._threads.append(thread)
            thread.start()

    def _serve(self, peer: socket.socket, connection: Connection) -> None:
        try:
            if self._is_implicit:
                assert self._context is not None
                peer = self._context.wrap_socket(peer, server_side=True)
            self._talk(peer, connection)
        except (OSError, ValueError):
            pass
        finally:
            peer.close()

    def _talk(
        self, peer: socket.socket, connection: Connection, *, is_greeted: bool = False
    ) -> None:
        lines = peer.makefile("rb")
        if not is_greeted and not self._say(peer, "banner", "220 scripted"):
            return
        has_recipient = False
        while line := lines.readline():
            command = line.decode("utf-8").rstrip("\r\n")
            connection.commands.append(command)
            verb = command.split(" ")[0].upper()
            if verb in ("EHLO", "LHLO"):
                offered = "\r\n".join(f"250-{each}" for each in ("scripted", *self._extensions))
                usual = f"{offered}\r\n250 HELP"
            else:
                data = "354 go on" if has_recipient else "554 5.5.1 to whom?"
                usual = {"DATA": data, "QUIT": "221 bye", "STARTTLS": "220 go on"}.get(
                    verb, "250 2.0.0 OK"
                )
            answer = self._say(peer, verb, usual, command)
            if answer is None:
                return
            if verb in ("MAIL", "RCPT", "RSET"):
                has_recipient = verb == "RCPT" and answer.startswith("25")
            if verb == "QUIT":
                return
            if verb == "STARTTLS":
                assert self._context is not None
                with self._context.wrap_socket(peer, server_side=True) as safe:
                    self._talk(safe, connection, is_greeted=True)
                return
            elif verb == "DATA" and answer.startswith("354"):
                mail = b""
                while (line := lines.readline()) != b".\r\n":
                    if not line:
                        return
                    mail += line
                connection.mails.append(mail)
                if not self._say(peer, ".", "250 2.0.0 taken"):
                    return

    def _say(self, peer: socket.socket, verb: str, usual: str, command: str = "") -> Answer:
        answer = self.answers.get(verb, usual)
        if callable(answer):
            answer = answer(command)
        if answer is not None:
            peer.sendall(answer.encode() + b"\r\n")
        return answer
