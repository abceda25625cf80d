"""What a hostile mail is, and the little world it is aimed at.

A ``World`` holds the addresses, tokens and mails of two games that run: in one Ann is to move, in
the other she is asked about a defence. A ``Case`` makes a mail (or an SMTP dialogue, or an HTTP
request) from it. Whatever it is, nothing may change and nobody but those named may get a mail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from pbem.config import Trust

MALLORY = "mallory@example.net"
VICTIM = "victim@example.com"
"""Somebody who has nothing to do with us, and must never get a mail."""


@dataclass(frozen=True)
class World:
    """Where a hostile mail is sent to. Addresses are small letters."""

    case: str = ""
    """Which case it is: stands in the mail, so that no two are the same mail (L1.2)."""
    now: datetime = datetime(2026, 11, 16, 12, tzinfo=UTC)
    domain: str = "play.example.org"
    authserv: str = "mx.play.example.org"
    ann: str = "ann@example.org"
    ann_unverified: str = "ann.new@example.org"
    beau: str = "beau@example.net"
    game: str = "abcd2345"
    order: str = "F2>J7; end"
    """A whole turn that is legal now."""
    wrong: str = "F2>H8; end"
    """One that is refused."""
    reply: str = "abcd2345.aaaaaaaaaaaaaaaaaaaaaaaaaa@play.example.org"
    """Takes Ann's answer to what is asked now."""
    message_id: str = "<open-request@play.example.org>"
    old_reply: str = "abcd2345.bbbbbbbbbbbbbbbbbbbbbbbbbb@play.example.org"
    """Ann's too; what was asked there is closed."""
    old_message_id: str = "<closed-request@play.example.org>"
    beau_reply: str = "abcd2345.cccccccccccccccccccccccccc@play.example.org"
    beau_message_id: str = "<beau-letter@play.example.org>"
    other_reply: str = "wxyz6723.dddddddddddddddddddddddddd@play.example.org"
    """Of a game of other people."""
    other_message_id: str = "<other-game@play.example.org>"
    over_reply: str = "over2345.eeeeeeeeeeeeeeeeeeeeeeeeee@play.example.org"
    """Ann's, of a game that is over."""
    defence_reply: str = "qrst2345.ffffffffffffffffffffffffff@play.example.org"
    """Takes Ann's answer to a defence request: one sign is enough."""
    defence_message_id: str = "<defence-request@play.example.org>"
    requests: tuple[str, ...] = ()
    """What is asked of Ann in both."""
    bounce: str = "bounce.1-2500-aaaaaaaaaaaaaaaaaaaa@play.example.org"
    """The return-path of the mail that asked for Ann's turn."""
    old_bounce: str = "bounce.1-2400-aaaaaaaaaaaaaaaaaaaa@play.example.org"
    """One that has expired."""
    subject: str = "[abcd2345] Your turn"
    text: str = "Your turn.\n-- reply above this line --\nOrders you may copy: F2>J7; end\n"
    """What the request said."""
    html: str = "<p>Your turn.</p>"
    raw: bytes = b"Subject: Your turn\r\n\r\nYour turn.\r\n"
    """The whole request as it was sent."""

    @property
    def token(self) -> str:
        """The token of the open request."""
        return self.reply.partition("@")[0].rpartition(".")[2]

    @property
    def stem(self) -> str:
        """What stands before the token."""
        return self.reply.partition("@")[0].rpartition(".")[0]


Way = Literal["mail", "dialogue", "webhook"]
Recipients = Callable[[World], Sequence[str]]


def to_open_request(world: World) -> Sequence[str]:
    """Where an honest answer goes."""
    return [world.reply]


@dataclass(frozen=True)
class Case:
    """One hostile thing.

    ``make`` gives the bytes of a mail, of a whole SMTP dialogue of the client's side, or of the
    body of an HTTP request. ``may_hear`` are those who may get a mail because of it: names of
    fields of the world, or an address. ``sender`` is the envelope's.
    """

    name: str
    make: Callable[[World], bytes]
    to: Recipients = to_open_request
    sender: str = MALLORY
    may_hear: tuple[str, ...] = ("ann",)
    way: Way = "mail"
    trust: Trust = "token+from"
    has_authserv: bool = False
    facts: dict[str, object] = field(default_factory=dict)
    """What a way in needs besides: ``posts``, requests as a whole."""
    may_change: tuple[str, ...] = ()
    """Tables that may change all the same: somebody may sign up, and a text is a message."""
    times: int = 1
    """How often it is sent."""

    @property
    def file_name(self) -> str:
        """A name for a file."""
        return "".join(char if char.isalnum() or char in "-." else "_" for char in self.name)


Headers = Sequence[tuple[str, str | bytes]]


def encoded(text: str | bytes) -> bytes:
    """Text as it stands in a mail; lines end as SMTP wants it."""
    if isinstance(text, bytes):
        return text
    return text.replace("\r\n", "\n").replace("\n", "\r\n").encode("utf-8", "surrogatepass")


def honest_headers(world: World) -> dict[str, str | bytes]:
    """What Ann's mail program writes."""
    return {
        "From": f"Ann <{world.ann}>",
        "To": world.reply,
        "Subject": f"Re: {world.subject}",
        "Date": "Mon, 16 Nov 2026 12:00:00 +0000",
        "In-Reply-To": world.message_id,
        "References": world.message_id,
    }


def mail(
    world: World,
    body: str | bytes | None = None,
    *,
    more: Headers = (),
    **changed: Any,
) -> bytes:
    """An honest reply with some headers changed (None leaves one out) and more added in front.

    Names are written with ``_`` for ``-``. Without a Message-ID, so that every mail is its own.
    """
    headers: dict[str, str | bytes] = honest_headers(world) | {"X-Case": world.case}
    given = {name.replace("_", "-"): value for name, value in changed.items()}
    lines = [(name, value) for name, value in more]
    for name, value in {**headers, **given}.items():
        if value is not None:
            lines.append((name, value))
    block = b"".join(encoded(name) + b": " + encoded(value) + b"\r\n" for name, value in lines)
    return block + b"\r\n" + encoded(world.order + "\n" if body is None else body)


def multipart(
    world: World,
    parts: Sequence[tuple[str, str | bytes]],
    *,
    kind: str = "mixed",
    boundary: str = "b0undary",
    **changed: Any,
) -> bytes:
    """A mail of several parts: the headers of each as one text, and its content."""
    body = b"".join(
        b"--"
        + boundary.encode()
        + b"\r\n"
        + encoded(headers)
        + b"\r\n\r\n"
        + encoded(content)
        + b"\r\n"
        for headers, content in parts
    )
    return mail(
        world,
        body + b"--" + boundary.encode() + b"--\r\n",
        MIME_Version="1.0",
        Content_Type=f'multipart/{kind}; boundary="{boundary}"',
        **changed,
    )
