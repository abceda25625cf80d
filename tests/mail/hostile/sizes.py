"""Mails that are too large, too deep or too many (L2.2). Each holds a legal order somewhere, but
comes from somebody else, or holds only orders that are refused: so nothing may be played.
"""

from __future__ import annotations

import base64
import gzip
import io
import zipfile
from collections.abc import Callable, Iterator

from tests.mail.hostile.cases import Case, World, mail, multipart

Make = Callable[[World], bytes]


def nested(depth: int, *, inner: str = "mixed") -> Make:
    """Multiparts in multiparts."""

    def make(world: World) -> bytes:
        opened = b"".join(
            b"--b%d\r\nContent-Type: multipart/%s; boundary=b%d\r\n\r\n"
            % (level, inner.encode(), level + 1)
            for level in range(depth)
        )
        last = b"--b%d\r\nContent-Type: text/plain\r\n\r\n%s\r\n" % (depth, world.wrong.encode())
        return mail(world, opened + last, Content_Type="multipart/mixed; boundary=b0")

    return make


def many_parts(count: int, part: bytes) -> Make:
    """A long row of parts."""

    def make(world: World) -> bytes:
        body = (b"--x\r\n" + part) * count + b"--x--\r\n"
        return mail(world, body, Content_Type="multipart/mixed; boundary=x")

    return make


def many_addresses(header: str, count: int) -> Make:
    """A header with a crowd in it."""

    def make(world: World) -> bytes:
        crowd = ",\r\n ".join(f"a{number}@example.com" for number in range(count))
        return mail(world, world.wrong, more=[(header, crowd.encode())])

    return make


def long_header(name: str, length: int, *, folded: bool) -> Make:
    """A header without end."""

    def make(world: World) -> bytes:
        value = b"\r\n ".join([b"x" * 70] * (length // 70)) if folded else b"x" * length
        return mail(world, world.wrong, more=[(name, value)])

    return make


def many_headers(count: int) -> Make:
    """Headers without end."""
    return lambda world: mail(world, world.wrong, more=[("X-More", "y")] * count)


def long_text(unit: str, count: int) -> Make:
    """Text without end, refused orders on top."""
    return lambda world: mail(world, (world.wrong + "\n" + unit * count).encode())


def attachment(content: bytes, kind: str = "application/octet-stream") -> Make:
    """Something that hangs on a mail."""

    def make(world: World) -> bytes:
        headers = (
            f"Content-Type: {kind}\nContent-Transfer-Encoding: base64\n"
            "Content-Disposition: attachment; filename=orders.txt"
        )
        return multipart(
            world,
            [("Content-Type: text/plain", world.wrong), (headers, base64.encodebytes(content))],
        )

    return make


def zip_bomb() -> bytes:
    """Twenty megabytes of order in a few kilobytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("orders.txt", b"F2>J7; end\n" * 2_000_000)
    return packed.getvalue()


def rfc822_in_rfc822(depth: int) -> Make:
    """A mail in a mail in a mail."""

    def make(world: World) -> bytes:
        inner = mail(world, world.order)
        for _ in range(depth):
            inner = b"Content-Type: message/rfc822\r\n\r\n" + inner
        return mail(world, inner, Content_Type="message/rfc822")

    return make


def cases() -> Iterator[Case]:
    """Everything of this kind."""
    made: dict[str, Make] = {
        **{f"nested {depth}": nested(depth) for depth in (9, 10, 11, 50, 990, 5000)},
        "nested alternatives 300": nested(300, inner="alternative"),
        "nested reports 300": nested(300, inner="report"),
        "nested digests 300": nested(300, inner="digest"),
        **{f"parts {count}": many_parts(count, b"\r\nF2>H8\r\n") for count in (49, 51, 1000)},
        "empty parts 100000": many_parts(100_000, b"\r\n"),
        "parts without headers 50000": many_parts(50_000, b"\r\n\r\n"),
        "text parts 3000": many_parts(3000, b"Content-Type: text/plain\r\n\r\nF2>H8\r\n"),
        "html parts 3000": many_parts(3000, b"Content-Type: text/html\r\n\r\n<p>F2&gt;H8\r\n"),
        **{f"{name} addresses 20000": many_addresses(name, 20_000) for name in ("To", "Cc")},
        "From addresses 5000": many_addresses("From", 5_000),
        "Reply-To addresses 5000": many_addresses("Reply-To", 5_000),
        "References 20000": long_header("References", 1_000_000, folded=True),
        "In-Reply-To 1 MB": long_header("In-Reply-To", 1_000_000, folded=True),
        "folded header 70 KB": long_header("X-Folded", 70_000, folded=True),
        "folded header 1 MB": long_header("X-Folded", 1_000_000, folded=True),
        "Subject in one line 70 KB": long_header("Subject", 70_000, folded=False),
        "Subject in one line 1 MB": long_header("Subject", 1_000_000, folded=False),
        "Message-ID 100 KB": long_header("Message-ID", 100_000, folded=False),
        "Content-Type 100 KB": long_header("Content-Type", 100_000, folded=False),
        "Received 5000": lambda world: mail(
            world, world.wrong, more=[("Received", "from a.example by b.example; x")] * 5000
        ),
        **{f"headers {count}": many_headers(count) for count in (999, 5_000, 100_000)},
        "line 1 MB": long_text("x", 1_000_000),
        "line 1 MB of orders": long_text("F2>J7; ", 150_000),
        "line 1 MB of brackets": long_text("W1 rng I4 [-: ", 70_000),
        "lines 500000": long_text("x\n", 500_000),
        "blank lines 500000": long_text("\n", 500_000),
        "quote marks 500000": long_text(">", 500_000),
        "quoted lines 200000": long_text("> x\n", 200_000),
        "attributions 20000": long_text("On 5 May 2026 at 20:14 x <a@b.example> wrote:\n", 20_000),
        "header blocks 20000": long_text("From: a\nSent: b\nTo: c\nSubject: d\n\n", 20_000),
        "text of 66 KB": long_text("words and words and more of them\n", 2_000),
        "orders 50000": long_text("F2>H8\n", 50_000),
        "attachment 7 MB": attachment(b"\0" * 7_000_000),
        "attached text 5 MB": attachment(b"F2>J7; end\n" * 450_000, "text/plain"),
        "zip bomb": attachment(zip_bomb(), "application/zip"),
        "gzip as text": attachment(gzip.compress(b"F2>J7; end\n" * 1_000_000), "text/plain"),
        "mail in mail 5": rfc822_in_rfc822(5),
        "mail in mail 200": rfc822_in_rfc822(200),
        "base64 5 MB": lambda world: mail(
            world,
            base64.encodebytes((world.wrong + "\n").encode() * 350_000),
            Content_Transfer_Encoding="base64",
        ),
        "quoted-printable soft breaks 300000": lambda world: mail(
            world,
            world.wrong.encode() + b"=\r\n" * 300_000,
            Content_Transfer_Encoding="quoted-printable",
        ),
        "html depth 100000": lambda world: mail(
            world, b"<div>" * 100_000 + world.wrong.encode(), Content_Type="text/html"
        ),
        "html unclosed 1 MB": lambda world: mail(
            world, b"<a href='" * 110_000, Content_Type="text/html"
        ),
        "html entities 1 MB": lambda world: mail(
            world, b"&gt;&#62;&bogus;" * 60_000, Content_Type="text/html"
        ),
        "html style 1 MB": lambda world: mail(
            world, b"<style>" + b"a{}" * 330_000 + b"</style>", Content_Type="text/html"
        ),
        "html attributes 100000": lambda world: mail(
            world, b"<p " + b"a=b " * 100_000 + b">", Content_Type="text/html"
        ),
        "html comments 100000": lambda world: mail(
            world, b"<!--x-->" * 100_000, Content_Type="text/html"
        ),
        "boundary 10 KB": lambda world: multipart(
            world, [("Content-Type: text/plain", world.wrong)], boundary="x" * 10_000
        ),
        "boundary starts 500000": lambda world: mail(
            world, b"\r\n--xy" * 500_000, Content_Type="multipart/mixed; boundary=x"
        ),
        "parameters 20000": lambda world: mail(
            world, world.wrong, Content_Type="text/plain" + '; a="b"' * 20_000
        ),
        "encoded words 20000": lambda world: mail(
            world, world.wrong, Subject="\r\n ".join(["=?utf-8?q?x?="] * 20_000)
        ),
        "comments in From 10000": lambda world: mail(
            world, world.order, From="(" * 10_000 + ")" * 10_000 + " mallory@example.net"
        ),
        "quotes in From 50000": lambda world: mail(
            world, world.order, From='"' * 50_001 + " <mallory@example.net>"
        ),
        "angles in From 50000": lambda world: mail(
            world, world.order, From="<" * 50_000 + "mallory@example.net" + ">" * 50_000
        ),
    }
    for name, make in made.items():
        yield Case(f"size: {name}", make, sender="ann@example.org")
    yield Case("size: mail of 11 MiB", _too_large, sender="ann@example.org", may_hear=())


def _too_large(world: World) -> bytes:
    return mail(world, (world.order + "\n").encode() + b"x" * 70 * 164_000)
