"""From a composed mail to its bytes: headers, parts, encodings (L5, L6).

Written by hand and not by the standard library, because the same mail must be the same bytes each
time: boundaries follow from the Message-ID, the date is that of the letter. Lines end with CRLF
and are short, everything but a reader's address is ASCII (RFC 6532), and nothing that a player has
written can begin a header.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.header import Header
from email.utils import format_datetime
from functools import lru_cache
from struct import unpack
from typing import Final

from pbem.mail.composing.model import Attachment, Composed, Picture
from pbem.mail.guards import LOOP_HEADER
from pbem.mail.office import Drawings, Office

SENDER: Final = "play"
"""The local part of From: always the same, so that it can be put into an address book."""

MAX_SUBJECT: Final = 150
MAX_PLAIN: Final = 76
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]{1,70}")
_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]{1,250}>")

Part = list[bytes]
"""The pieces of a part, in order: a picture is copied once, when the whole mail is put together."""


def to_bytes(composed: Composed, office: Office) -> bytes:
    """The whole mail, as it is handed to a server."""
    mark = composed.letter.message_id
    body = _alternative(composed, mark, office.drawings)
    if composed.attachments:
        files = [_attachment(each) for each in composed.attachments]
        body = _multipart("mixed", f"{mark}.m", [body, *files])
    head = "".join([f"{name}: {value}\r\n" for name, value in _headers(composed, office)])
    return b"".join((head.encode(), *body))


def message_id(left: str, office: Office) -> str:
    """A Message-ID from its left half."""
    return f"<{office.keys.message_name(left)}@{office.domain}>"


def find_message_id(value: str) -> str | None:
    """The Message-ID in a header of somebody else's mail, if it is safe to repeat."""
    found = _MESSAGE_ID.search(value)
    return None if found is None else found[0]


def _headers(composed: Composed, office: Office) -> Iterator[tuple[str, str]]:
    letter, thread = composed.letter, composed.thread
    sender = f"{SENDER}@{office.domain}"
    yield "From", _mailbox(office.name, sender)
    yield "To", _mailbox(composed.name, letter.address)
    yield "Reply-To", _mailbox(office.name, composed.reply_to)
    yield "Subject", _words(_one_line(composed.subject)[:MAX_SUBJECT], len("Subject: "))
    yield "Date", _date(letter.made_at.astimezone(UTC).replace(microsecond=0))
    yield "Message-ID", message_id(letter.message_id, office)
    if thread.references:
        yield "In-Reply-To", thread.references[-1]
        yield "References", "\r\n ".join(thread.references)
    yield "Auto-Submitted", "auto-replied" if thread.is_answer else "auto-generated"
    yield "X-Auto-Response-Suppress", "All"
    yield LOOP_HEADER, office.domain
    if composed.unsubscribe_url is not None:
        yield "List-Unsubscribe", f"<{composed.unsubscribe_url}>"
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"
    yield "Content-Language", composed.language
    yield "MIME-Version", "1.0"


@lru_cache(maxsize=16)
def _date(made_at: datetime) -> str:
    """A whole second of UTC, in which a busy server writes many mails."""
    return format_datetime(made_at)


def _alternative(composed: Composed, mark: str, drawings: Drawings | None) -> Part:
    html = _text_part("html", composed.html)
    if composed.pictures:
        assert drawings is not None, "who composes pictures can draw them"
        pictures = [_picture(each, mark, drawings) for each in composed.pictures]
        html = _multipart("related", f"{mark}.r", [html, *pictures], root="text/html")
    return _multipart("alternative", f"{mark}.a", [_text_part("plain", composed.text), html])


def _multipart(subtype: str, boundary: str, parts: list[Part], *, root: str = "") -> Part:
    # An equals sign and an underscore are never in quoted-printable or base64 side by side.
    edge = f"=_{boundary}"
    kind = f'; type="{root}"' if root else ""
    head = f'Content-Type: multipart/{subtype}{kind};\r\n boundary="{edge}"\r\n\r\n'
    before, end = f"--{edge}\r\n".encode(), f"--{edge}--\r\n".encode()
    whole = [head.encode()]
    for part in parts:
        whole += (before, *part, b"\r\n")
    whole.append(end)
    return whole


def _text_part(subtype: str, text: str) -> Part:
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\n"
    return [head.encode(), _quoted_printable(text)]


def _quoted_printable(text: str) -> bytes:
    data = text.encode("utf-8", "replace").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    encoded = binascii.b2a_qp(data.replace(b"\n", b"\r\n"), istext=True)
    part = b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + encoded
    # Old programs put a > before a line that begins so, which would break a signature.
    return part.replace(b"\nFrom ", b"\n=46rom ")


def content_id(name: str, mark: str) -> str:
    """What the HTML part calls a picture of its mail."""
    return f"{name}.{mark}@pictures"


def _picture(picture: Picture, mark: str, drawings: Drawings) -> Part:
    head = (
        "Content-Type: image/png\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{content_id(picture.name, mark)}>\r\n"
        f'Content-Disposition: inline; filename="{picture.name}.png"\r\n\r\n'
    )
    return [head.encode(), _base64(drawings.png(picture.scene))]


def _attachment(attachment: Attachment) -> Part:
    """In base64: a record is saved with the line ends it was written with (N5.5)."""
    head = (
        f'Content-Type: text/plain; charset=utf-8; name="{attachment.name}"\r\n'
        "Content-Transfer-Encoding: base64\r\n"
        f'Content-Disposition: attachment; filename="{attachment.name}"\r\n\r\n'
    )
    return [head.encode(), _base64(attachment.text.encode())]


def _base64(data: bytes) -> bytes:
    """In lines, which the standard library would encode one by one. Cut by ``unpack`` at once, a
    picture takes two thirds of the time that its lines take one by one."""
    encoded = binascii.b2a_base64(data, newline=False)
    whole, rest = divmod(len(encoded), MAX_PLAIN)
    shape = f"{MAX_PLAIN}s" * whole + (f"{rest}s" if rest else "")
    return b"\r\n".join([*unpack(shape, encoded), b""])


def _mailbox(name: str, address: str) -> str:
    written = _name(name)
    if not written:
        return address
    gap = "\r\n " if len(written) + len(address) > MAX_PLAIN else " "
    return f"{written}{gap}<{address}>"


@lru_cache(maxsize=1024)
def _name(name: str) -> str:
    """A name before an address; empty if nothing of it can be shown. Those of players come again
    and again, and encoded words take long."""
    shown = _one_line(name)
    if not shown:
        return ""
    if _PLAIN_NAME.fullmatch(shown) and "=?" not in shown:
        return f'"{shown}"'
    return _words(shown, len("Reply-To: "), always=True)


def _one_line(text: str) -> str:
    """Words without what could end a header or deceive its reader."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(text.split())


def _words(text: str, before: int, *, always: bool = False) -> str:
    """Words in a header: as they are, or as encoded words (RFC 2047) folded into lines."""
    is_plain = text.isascii() and "=?" not in text and not always
    if is_plain and len(text) + before <= MAX_PLAIN:
        return text
    if is_plain:
        return _folded(text, before)
    return Header(text, "utf-8", maxlinelen=MAX_PLAIN - before).encode(linesep="\r\n")


def _folded(text: str, before: int) -> str:
    lines = [""]
    room = MAX_PLAIN - before
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
            room = MAX_PLAIN - 1
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return "\r\n ".join(lines)
