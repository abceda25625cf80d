"""The post office of the demonstration: a mail server that keeps everything, for all to read.

Takes what our server sends over real SMTP and files it in a folder, one file a mail, so that a
demonstration that is started again has its mail still. Sends replies as a mail program would, to
the real listener. Only for ``pbem demo``.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import smtplib
import threading
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from pathlib import Path
from typing import Any, Final

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.web.post_office import Piece

MAX_SIZE: Final = 4 << 20
MAX_REPLY: Final = 20_000
_HOST: Final = "127.0.0.1"


class PostOffice:
    """Takes mail from ``start`` to ``stop`` and keeps it in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._pieces: dict[int, Piece] = {}
        self._controller = _FreePort(self, hostname=_HOST, port=0, data_size_limit=MAX_SIZE)
        self.listener_port = 0
        """Where our server takes mail; set once it listens."""

    @property
    def port(self) -> int:
        """Where it takes mail."""
        return self._controller.bound_port

    def start(self) -> None:
        """Take mail from now on; what is in the folder is there again."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in sorted(self._folder.glob("*.eml")):
            if file.stem.isdigit():
                self._keep(int(file.stem), file.read_bytes())
        self._controller.start()

    def stop(self) -> None:
        """Take no more."""
        self._controller.stop()

    def pieces(self) -> list[Piece]:
        """Everything, newest first."""
        with self._lock:
            return sorted(self._pieces.values(), key=lambda piece: -piece.number)

    def find(self, number: int) -> Piece | None:
        """One mail."""
        with self._lock:
            return self._pieces.get(number)

    def take(self, recipient: str, raw: bytes) -> None:
        """File a mail for one recipient."""
        with self._lock:
            number = max(self._pieces, default=0) + 1
        head = f"Delivered-To: {recipient}\r\n".encode()
        (self._folder / f"{number:06}.eml").write_bytes(head + raw)
        self._keep(number, head + raw)

    def _keep(self, number: int, raw: bytes) -> None:
        piece = _read(number, raw)
        with self._lock:
            self._pieces[number] = piece

    def reply(self, piece: Piece, text: str) -> None:
        """Answer a mail as its reader, over SMTP, with the old mail quoted below."""
        mail = EmailMessage()
        mail["From"] = piece.recipient
        mail["To"] = piece.reply_to
        mail["Subject"] = f"Re: {piece.subject}"
        mail["Date"] = format_datetime(datetime.now(UTC))
        mail["Message-ID"] = make_msgid(domain=piece.recipient.rpartition("@")[2])
        mail["In-Reply-To"] = piece.message_id
        mail["References"] = f"{piece.references} {piece.message_id}".strip()
        quoted = "\n".join(f"> {line}".rstrip() for line in piece.text.splitlines())
        told = f"On {piece.at:%a, %d %b %Y at %H:%M}, {piece.sender} wrote:"
        mail.set_content(f"{text[:MAX_REPLY]}\n\n{told}\n{quoted}\n")
        with smtplib.SMTP(_HOST, self.listener_port, timeout=20) as link:
            link.send_message(mail)


def _read(number: int, raw: bytes) -> Piece:
    mail: Any = email.message_from_bytes(raw, policy=email.policy.default)
    text = html = ""
    images: dict[str, bytes] = {}
    attachments: dict[str, bytes] = {}
    for part in mail.walk():
        if part.is_multipart():
            continue
        name = part.get_filename()
        if part["Content-ID"] and part.get_content_maintype() == "image":
            images[str(part["Content-ID"]).strip("<>")] = part.get_content()
        elif name and part.get_content_disposition() == "attachment":
            attachments[name] = part.get_payload(decode=True)
        elif part.get_content_type() == "text/html":
            html = part.get_content()
        elif part.get_content_type() == "text/plain":
            text = part.get_content()
    name, address = parseaddr(str(mail["From"] or ""))
    return Piece(
        number=number,
        recipient=str(mail["Delivered-To"] or ""),
        subject=str(mail["Subject"] or ""),
        at=mail["Date"].datetime if mail["Date"] else datetime.now(UTC),
        text=text,
        html=html,
        images=images,
        attachments=attachments,
        reply_to=parseaddr(str(mail["Reply-To"] or mail["From"] or ""))[1],
        message_id=str(mail["Message-ID"] or ""),
        references=str(mail["References"] or ""),
        sender=name or address,
    )


class _FreePort(Controller):
    """A controller that says which free port it got."""

    bound_port = 0

    def __init__(self, office: PostOffice, **more: Any) -> None:
        super().__init__(_Handler(office), **more)

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.bound_port = self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


class _Handler:
    def __init__(self, office: PostOffice) -> None:
        self._office = office

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """File the mail."""
        content = envelope.content or b""
        raw = content if isinstance(content, bytes) else content.encode()
        for recipient in envelope.rcpt_tos:
            self._office.take(recipient.lower(), raw)
        return "250 filed"
