"""Whatever a mail contains, reading it raises nothing and stays within its caps (L2.2, L2.3)."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.classify import classify
from pbem.mail.parts import MAX_DEPTH, MAX_PARTS, MAX_TEXT, read_message
from pbem.mail.quotes import Doubt
from pbem.mail.reply import Reply, read_reply
from pbem.mail.text_lines import MAX_LINES

HEAD = b"From: ann@mail.example\r\nSubject: Re\r\nMIME-Version: 1.0\r\n"


def text(body: bytes, kind: bytes = b"text/plain; charset=utf-8", coding: bytes = b"8bit") -> bytes:
    coding_line = b"Content-Transfer-Encoding: " + coding
    return HEAD + b"Content-Type: " + kind + b"\r\n" + coding_line + b"\r\n\r\n" + body


def nested(depth: int) -> bytes:
    opened = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
        for level in range(depth)
    )
    return HEAD + opened + b"Content-Type: text/plain\r\n\r\nF2>G4\r\n"


def filled(line: str) -> bytes:
    return text((line * 70_000)[:70_000].encode())


MANY = ", ".join(f"a{number}@mail.example" for number in range(20_000)).encode()
HOSTILE = {
    "nothing": b"",
    "no headers": b"\r\n\r\nF2>G4",
    "headers only": b"From: a@b.example\r\nTo: c@d.example",
    "NUL": b"\0" * 100_000,
    "nested": nested(990),
    "parts": HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\n\r\n" * 100_000,
    "recipients": b"To: " + MANY + b"\r\n\r\nF2>G4",
    "headers": b"X-Y: z\r\n" * 100_000 + b"\r\nF2>G4",
    "folded header": b"X-Y: z\r\n" + b" z\r\n" * 100_000 + b"\r\nF2>G4",
    "boundaries": HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"\n--xy" * 500_000,
    "no boundary": HEAD + b"Content-Type: multipart/mixed\r\n\r\nF2>G4",
    "boundary in itself": HEAD
    + b'Content-Type: multipart/mixed; boundary="a"\r\n\r\n--a\r\n'
    + b'Content-Type: multipart/mixed; boundary="a"\r\n\r\n--a\r\n\r\nF2>G4\r\n--a--\r\n',
    "parameters": HEAD + b"Content-Type: text/plain; " + b'a="' * 20_000 + b"\r\n\r\nF2>G4",
    "base64": text(b"!!!====A", coding=b"base64"),
    "base64 large": text(base64.encodebytes(b"F2>G4\n" * 100_000), coding=b"base64"),
    "quoted-printable": text(b"=\r\n" * 100_000 + b"=ZZ=3", coding=b"quoted-printable"),
    "coding": text(b"F2>G4", coding=b"x-uuencode; q=1"),
    "long line": text(b"a" * 1_000_000),
    "long attribution": text(b"On 5 May 2026 20:14 x wrote: " * 30_000),
    "carriage returns": text(b"F2>G4\rend\r" * 100),
    "half characters": text(b"\xed\xa0\x80\xff\xfe F2>G4"),
    "directions": text("F2\u202e4G>\u202c".encode()),
    "two From": b"From: a@b.example\r\nFrom: c@d.example\r\n\r\nF2>G4",
    "newline in subject": b"Subject: =?utf-8?q?a=0D=0ABcc:_x@y.example?=\r\n\r\nF2>G4",
    "deep html": text(b"<div>" * 12_000 + b"F2&gt;G4", b"text/html"),
    "unclosed html": text(b"<b><i><p" * 8_000, b"text/html"),
    "angle brackets": text(b"<" * 65_000, b"text/html"),
    "html comments": text(b"<!--" * 16_000, b"text/html"),
    "many paragraphs": text(b"<p>x" * 16_000, b"text/html"),
    **{
        f"charset {name[:12]}": text(b"F2>G4 \xff+AD4-", b"text/plain; charset=" + name.encode())
        for name in (
            "martian",
            "rot13",
            "base64",
            "zlib",
            "idna",
            "punycode",
            "unicode_escape",
            "undefined",
            "utf-7",
            "utf-16",
            "utf-32",
            "hz",
            "../../x",
            "x" * 5000,
            '"',
        )
    },
    **{
        f"lines {line[:12]!r}": filled(line)
        for line in (
            ">\n",
            "> x\ny\n",
            "--\nx\n",
            "\n",
            "From: a\n",
            "From: a\nTo: b\n\n",
            "Sent from my iPhone\n\nx\n",
            "On 5 May 2026 at 20:14 x <a@b.example> wrote:\n",
            "On 5 May 2026 at 20:14 x <a@b.example> wrote:\n> q\nx\n",
            "F2>G4\n",
            "F2> Q99 [\n",
            "W3 rng G4 [-:\n",
            "______\n",
            "a@a",
            "hi, hi, F2>G4\n",
            "-----BEGIN PGP SIGNED MESSAGE-----\n",
            "[",
            "- ",
            "* ",
        )
    },
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_raises_and_caps_hold(name: str) -> None:
    message = read_message(HOSTILE[name])
    assert len(message.parts) <= MAX_PARTS
    for subtype in ("plain", "html"):
        assert sum(len(part.text) for part in message.parts if part.subtype == subtype) <= MAX_TEXT
    reply = read_reply(message)
    assert len(reply.lines) <= MAX_LINES
    assert "\0" not in reply.text
    reply.text.encode("utf-8")  # half characters could not be stored
    classify(reply.texts)


@given(st.binary(max_size=3000))
@settings(max_examples=150)
def test_any_bytes(raw: bytes) -> None:
    classify(read_reply(raw).texts)
    classify(read_reply(text(raw)).texts)
    classify(read_reply(text(raw, b"text/html")).texts)


ALPHABET = "\n\n\n>>-:;@[]|+*_#.,FGW2347 aow<br/>wrote On 2026 20:14 From Sent\u00a0\u200b—é写"


@given(st.text(alphabet=ALPHABET, max_size=400))
@settings(max_examples=200)
def test_any_text(body: str) -> None:
    reply: Reply = read_reply(text(body.encode()))
    found = classify(reply.texts)
    assert sum(item.lines for item in found.items) == len(reply.lines)


def test_what_is_nested_too_deep_is_told() -> None:
    assert read_reply(nested(MAX_DEPTH)).text == "F2>G4"
    too_deep = read_reply(nested(MAX_DEPTH + 1))
    assert too_deep.text == ""
    assert "too_deep" in too_deep.notes


def test_orders_that_may_be_cut_in_two_are_asked_about() -> None:
    reply = read_reply(text(b"F2>G12\r\n" * 20_000))
    assert Doubt.TEXT_CUT in reply.doubts


def test_a_long_thread_below_the_orders_is_no_reason_to_ask() -> None:
    quote = b"> all that was said before, again and again\r\n" * 5000
    attribution = b"On 5 May 2026 at 20:14, Ortus wrote:\r\n"
    assert read_reply(text(b"F2>G4\r\n\r\n" + attribution + quote)).is_certain
    # An answer could stand below it when there is none above.
    assert not read_reply(text(b"Hello\r\n\r\n" + attribution + quote)).is_certain


def test_an_attachment_is_not_read() -> None:
    raw = (
        HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
        b"--x\r\nContent-Type: text/plain\r\n\r\nHello\r\n"
        b"--x\r\nContent-Type: text/plain; name=old.txt\r\n\r\nF2>G4\r\n"
        b"--x\r\nContent-Type: text/html\r\nContent-Disposition: attachment\r\n\r\nF2>G4\r\n"
        b"--x\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nF2>G4\r\n--x--\r\n"
    )
    assert read_reply(raw).text == "Hello"


def test_headers_stand_as_they_were() -> None:
    raw = b"FROM: a@b.example\r\nX-Long: one\r\n two\r\nfrom : c@d.example\r\n\r\nHello"
    message = read_message(raw)
    assert message.values("From") == ("a@b.example", "c@d.example")
    assert message.values("x-long") == ("one two",)
