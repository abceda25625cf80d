"""Mails out: ``python deploy/bench/mail.py [--json]``.

How fast mails of the usual size are handed to a server on the loopback, over one connection and
over a new one each; what a signature costs; and how fast the outbox is emptied with all that goes
with it: claiming, composing, drawing, storing the letter, handing it over. SQLite in a temporary
folder, every commit on the disk. The server takes everything and keeps nothing.
"""

from __future__ import annotations

import base64
import secrets
import socket
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from measuring import Figure, at_least, at_most, median_ms, rates, report, shown

from pbem.bootstrap import make_office, open_surroundings
from pbem.config import read_settings
from pbem.endpoints import Server
from pbem.mail.sending import send_waiting
from pbem.mail.signing import Signer
from pbem.mail.transport import Delivered, SmtpTransport
from pbem.play import invitations, players
from pbem.store.database import make_engine
from pbem.store.schema import upgrade

MAILS = 200
BODY = 40_000
"""Bytes of a mail with a picture of the board."""
SMALL = 2_000
GAMES = 25
PATH = "bounce.1-2500-abcdefghijklmnopqrst@play.example.org"


def serve(peer: socket.socket) -> None:
    """One conversation: everything is taken."""
    with peer, peer.makefile("rwb") as lines:

        def say(text: bytes) -> None:
            lines.write(text + b"\r\n")
            lines.flush()

        say(b"220 bench")
        while line := lines.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                say(b"354 go on")
                while lines.readline() != b".\r\n":
                    pass
            say(b"221 bye" if verb == b"QUIT" else b"250 OK")
            if verb == b"QUIT":
                return


def take_everything(listening: socket.socket) -> None:
    while True:
        peer, _ = listening.accept()
        threading.Thread(target=serve, args=(peer,), daemon=True).start()


@contextmanager
def relay() -> Iterator[Server]:
    """A server on the loopback, in a process of its own: it costs us nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        process = get_context("fork").Process(target=take_everything, args=(listening,))
        process.start()
        try:
            yield Server("smtp", "127.0.0.1", listening.getsockname()[1], "none")
        finally:
            process.terminate()
            process.join()


def mail(size: int) -> bytes:
    """A mail of some size."""
    body = base64.encodebytes(secrets.token_bytes(size * 3 // 4)).replace(b"\n", b"\r\n")
    head = b"From: <play@play.example.org>\r\nTo: <ann@example.net>\r\nSubject: Your turn\r\n"
    return head + b"\r\n" + body


def handing_over(server: Server, size: int, target: float) -> list[Figure]:
    data = mail(size)

    def send(mails: int) -> None:
        """Send mails over one connection."""
        with closing(SmtpTransport(server, name="play.example.org")) as way:
            for _ in range(mails):
                assert isinstance(way.send(PATH, "ann@example.net", data), Delivered)

    def reused() -> int:
        send(MAILS)
        return MAILS

    def fresh() -> int:
        for _ in range(MAILS):
            send(1)
        return MAILS

    kept, new = (statistics.median(each) for each in rates([reused, fresh], rounds=5))
    return [
        shown(f"{size} bytes handed over, connection kept", kept, "mails/s"),
        shown(f"{size} bytes handed over, a new connection each", new, "mails/s"),
        at_least(f"{size} bytes, kept against new", kept / new, "times", target),
    ]


def signing() -> list[Figure]:
    seed = base64.b64encode(secrets.token_bytes(32))
    signer = Signer("play.example.org", "post", "ed25519-sha256", seed)
    data = mail(BODY)
    return [at_most("one signature (Ed25519)", median_ms(lambda: signer.sign(data)), "ms", 20)]


def outbox(server: Server) -> list[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = read_settings(
            {
                "PBEM_DATA_DIR": str(folder),
                "PBEM_MAIL_DOMAIN": "play.example.org",
                "PBEM_SITE_URL": "https://play.example.org",
            }
        )
        engine = make_engine(settings.database_url)
        upgrade(engine)
        engine.dispose()
        around = stack.enter_context(open_surroundings(settings))
        way = SmtpTransport(server, name="play.example.org")
        stack.callback(way.close)
        now = datetime.now(UTC)
        for number in range(GAMES):
            gold, black = (
                players.join(around, "A player", address, now=now, verified=True)
                for address in (f"gold{number}@example.net", f"black{number}@example.net")
            )
            invitation = invitations.invite(around, gold.id, black.id, {}, now=now)
            invitations.accept(around, black.id, invitation.id, now=now)
        office = make_office(settings)

        def send() -> int:
            return send_waiting(around, office, way, now, GAMES).total

        (speeds,) = rates([send], rounds=2)
    return [at_least("outbox emptied, boards drawn", statistics.median(speeds), "mails/s", 2)]


def figures() -> list[Figure]:
    with relay() as server:
        return [
            *handing_over(server, SMALL, 1.5),
            *handing_over(server, BODY, 0.8),  # the reading of the server is most of it
            *signing(),
            *outbox(server),
        ]


if __name__ == "__main__":
    report(figures())
