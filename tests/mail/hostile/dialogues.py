"""Dialogues on the socket that try to make two mails of one, or one of two, or none at all (L2.1,
L2.4). The hidden second mail is always an honest one by Ann: if it is ever stored, it plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.mail.hostile.cases import MALLORY, Case, World, mail

Make = Callable[[World], bytes]

ENDINGS: dict[str, bytes] = {
    "LF dot LF": b"\n.\n",
    "LF dot CR LF": b"\n.\r\n",
    "CR LF dot LF": b"\r\n.\n",
    "CR dot CR": b"\r.\r",
    "CR dot CR LF": b"\r.\r\n",
    "CR LF dot CR": b"\r\n.\r",
    "LF dot CR": b"\n.\r",
    "CR LF NUL dot CR LF": b"\r\n\0.\r\n",
    "CR LF dot NUL CR LF": b"\r\n.\0\r\n",
    "CR CR LF dot CR CR LF": b"\r\r\n.\r\r\n",
    "LF LF dot LF LF": b"\n\n.\n\n",
    "CR LF dot blank CR LF": b"\r\n. \r\n",
    "LS dot LS": "\u2028.\u2028".encode(),
    "NEL dot NEL": "\x85.\x85".encode(),
    "VT dot VT": b"\x0b.\x0b",
}


def smuggled(world: World) -> bytes:
    """The mail that must not be one."""
    return (
        b"MAIL FROM:<" + world.ann.encode() + b">\r\nRCPT TO:<" + world.reply.encode()
        + b">\r\nDATA\r\n" + mail(world).rstrip(b"\r\n")
    )  # fmt: skip


def opening(world: World, recipient: str | None = None) -> bytes:
    """A dialogue as far as DATA."""
    return (
        b"EHLO example.net\r\nMAIL FROM:<" + MALLORY.encode() + b">\r\nRCPT TO:<"
        + (f"help@{world.domain}" if recipient is None else recipient).encode() + b">\r\nDATA\r\n"
    )  # fmt: skip


def machine_mail(world: World) -> bytes:
    """The outer mail, which nobody answers."""
    return mail(
        world, b"nothing", From=MALLORY, In_Reply_To=None, References=None,
        Auto_Submitted="auto-generated",
    )  # fmt: skip


def cases() -> Iterator[Case]:
    """Everything of this kind; ``most`` in the facts is how many mails may be stored."""
    for name, ending in ENDINGS.items():
        yield _dialogue(f"smuggling: {name}", _smuggling(ending))
    never_ends = lambda world: opening(world, world.reply) + mail(world)  # noqa: E731
    yield _dialogue("dialogue: broken off in the middle", never_ends, most=0)
    for name, recipient in {
        "unknown": "nobody@{domain}",
        "another domain": "ann@example.org",
        "longer domain": "play@{domain}.evil.example",
        "percent": "ann%example.org@{domain}",
        "bang": "example.org!ann@{domain}",
        "route": "@{domain}:ann@example.org",
        "route to us": "@example.org:nobody@{domain}",
        "no domain": "ann",
        "empty": "",
        "long": "x" * 500 + "@{domain}",
        "with NUL": "play\0x@{domain}",
        "with blank": "play x@{domain}",
        "two": "play@{domain}> <ann@example.org",
        "8 bit": "pl\u00e4y@{domain}",
        "quoted": '"play x"@{domain}',
        "literal": "play@[127.0.0.1]",
    }.items():
        yield _dialogue(f"recipient: {name}", _to(recipient), most=0)
    yield _dialogue(
        "recipient: a thousand of them",
        lambda world: b"EHLO x\r\nMAIL FROM:<mallory@example.net>\r\n"
        + b"".join(
            b"RCPT TO:<g%d.%s@%s>\r\n" % (number, b"a" * 26, world.domain.encode())
            for number in range(1000)
        )
        + b"DATA\r\n" + mail(world, From=MALLORY, In_Reply_To=None, References=None)
        + b"\r\n.\r\n",
        most=100,
    )  # fmt: skip
    for name, command in {
        "no greeting": b"DATA\r\n",
        "garbage": b"\xff\xfe\0\x01\r\n" * 100,
        "one very long": b"MAIL FROM:<" + b"a" * 200_000 + b"@example.net>\r\n",
        "never a line": b"A" * 300_000,
        "DATA without recipients": b"EHLO x\r\nMAIL FROM:<a@example.net>\r\nDATA\r\nx\r\n.\r\n",
        "RCPT without sender": b"EHLO x\r\nRCPT TO:<play@play.example.org>\r\nDATA\r\n",
        "many senders": b"EHLO x\r\n" + b"MAIL FROM:<a@example.net>\r\n" * 500,
        "size too large": b"EHLO x\r\nMAIL FROM:<a@example.net> SIZE=99999999999\r\nDATA\r\n",
        "size is nonsense": b"EHLO x\r\nMAIL FROM:<a@example.net> SIZE=-1\r\nDATA\r\n",
        "unknown options": b"EHLO x\r\nMAIL FROM:<a@example.net> AUTH=<> XX=YY\r\nDATA\r\n",
        "HTTP": b"GET / HTTP/1.1\r\nHost: play.example.org\r\n\r\n",
        "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500,
        "VRFY and EXPN": b"EHLO x\r\nVRFY ann\r\nEXPN players\r\nHELP\r\n",
        "AUTH": b"EHLO x\r\nAUTH PLAIN AGFubgBwYXNzd29yZA==\r\nAUTH LOGIN\r\n",
        "BDAT": b"EHLO x\r\nMAIL FROM:<a@example.net>\r\nRCPT TO:<help@play.example.org>\r\n"
        b"BDAT 5 LAST\r\nhello",
        "NOOP ten thousand times": b"EHLO x\r\n" + b"NOOP\r\n" * 10_000,
        "RSET ten thousand times": b"EHLO x\r\n" + b"RSET\r\n" * 10_000,
        "greeting again and again": b"EHLO x\r\nHELO y\r\n" * 200,
        "newline in the sender": b"EHLO x\r\nMAIL FROM:<a@b.example>\nRCPT TO:<c@b.example>\r\n",
    }.items():
        yield _dialogue(f"dialogue: {name}", _saying(command), most=0)


def _dialogue(name: str, make: Make, *, most: int = 1) -> Case:
    return Case(name, make, may_hear=(), way="dialogue", facts={"most": most})


def _smuggling(ending: bytes) -> Make:
    def make(world: World) -> bytes:
        inside = machine_mail(world) + ending + smuggled(world)
        return opening(world) + inside + b"\r\n.\r\nQUIT\r\n"

    return make


def _to(recipient: str) -> Make:
    def make(world: World) -> bytes:
        address = recipient.format(domain=world.domain)
        return opening(world, address) + mail(world) + b"\r\n.\r\nQUIT\r\n"

    return make


def _saying(command: bytes) -> Make:
    return lambda world: command + b"QUIT\r\n"
