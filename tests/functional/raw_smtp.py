"""SMTP by hand: bytes go over the wire as they are, which mail libraries do not allow."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence

PATIENCE = 30.0


def hand_over(port: int, sender: str, recipients: Sequence[str], raw: bytes) -> list[str]:
    """Hand over one mail, step by step; the replies to each RCPT, and to the mail if it got so far.

    The bytes are not changed but for the dots that SMTP itself doubles.
    """
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        replies = connection.makefile("rb")
        _reply(replies)
        _say(connection, b"EHLO example.net")
        _reply(replies)
        _say(connection, b"MAIL FROM:<%s>" % sender.encode())
        answers = [_reply(replies)]
        taken = 0
        for recipient in recipients:
            _say(connection, b"RCPT TO:<%s>" % recipient.encode())
            answers.append(_reply(replies))
            taken += answers[-1].startswith("2")
        if taken:
            _say(connection, b"DATA")
            answers.append(_reply(replies))
            if answers.pop().startswith("3"):
                stuffed = raw.replace(b"\r\n.", b"\r\n..")
                stuffed = b"." + stuffed if stuffed.startswith(b".") else stuffed
                end = b".\r\n" if stuffed.endswith(b"\r\n") or not stuffed else b"\r\n.\r\n"
                connection.sendall(stuffed + end)
                answers.append(_reply(replies))
        _say(connection, b"QUIT")
        replies.close()
        return answers[1:]


def talk(port: int, said: bytes) -> bytes:
    """Say everything at once, and hear all that comes until the other side has had enough."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        try:
            connection.sendall(said)
            connection.shutdown(socket.SHUT_WR)
            while chunk := connection.recv(65536):
                heard += chunk
        except OSError as error:
            if not isinstance(error, ConnectionError) and error.errno != errno.ENOTCONN:
                raise
            # else it hung up while we talked, or before we could say that we have done so
    return heard


def _say(connection: socket.socket, line: bytes) -> None:
    connection.sendall(line + b"\r\n")


def _reply(replies: object) -> str:
    """One reply, of as many lines as it has."""
    while True:
        line: bytes = replies.readline()  # type: ignore[attr-defined]
        if line[3:4] != b"-":
            return line.decode("latin-1").strip()
