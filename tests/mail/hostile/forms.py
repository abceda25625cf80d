"""Mails that are broken or strange (L2.3): nothing may raise, and nothing in them is an order that
could be played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.mail.hostile.cases import Case, World, mail, multipart

Make = Callable[[World], bytes]

CHARSETS = (
    "martian", "rot13", "rot_13", "base64", "bz2", "zlib", "hex", "uu", "quopri", "idna",
    "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "utf-7",
    "utf-16",
    "utf-16-le", "utf-32", "utf-8-sig", "hz", "iso-2022-jp", "iso-2022-kr", "cp037", "cp500",
    "koi8-r", "big5", "x" * 5000, "../../etc/passwd", "", '"', "utf-8\\", "utf-8'", "%00", "\0",
)  # fmt: skip

TYPES = {
    "nonsense": "nonsense",
    "slash": "/",
    "text": "text",
    "text slash": "text/",
    "two types": "text/plain text/html",
    "stars": "*/*",
    "unknown": "chemical/x-pdb",
    "message/partial": 'message/partial; id="x"; number=1; total=2',
    "message/external-body": 'message/external-body; access-type=URL; URL="http://example.com/"',
    "multipart without boundary": "multipart/mixed",
    "multipart with empty boundary": 'multipart/mixed; boundary=""',
    "multipart with boundary of dashes": 'multipart/mixed; boundary="--"',
    "multipart with boundary of spaces": 'multipart/mixed; boundary="   "',
    "multipart with pattern": 'multipart/mixed; boundary="(.*)+$"',
    "multipart with newline": 'multipart/mixed; boundary="a\r\n b"',
    "multipart in rfc2231": "multipart/mixed; boundary*0=b0und; boundary*1=ary",
    "encrypted": 'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=x',
    "s/mime": "application/pkcs7-mime; smime-type=enveloped-data",
    "calendar": "text/calendar; method=REQUEST",
    "appledouble": "multipart/appledouble; boundary=x",
    "NUL": "text/plain\0",
    "open quote": 'text/plain; charset="utf-8',
}

CODINGS = ("x-uuencode", "uuencode", "binary", "base 64", "base64, base64", "quoted-printable;x",
           "\0", "gzip", "7bit" * 1000)  # fmt: skip

BASE64 = {
    "garbage": b"!!!!====%%%%",
    "one letter": b"A",
    "padding in between": b"RjI=Pkg4",
    "never ends": b"RjI+SDg7IGVuZ",
    "with NUL": b"RjI+\0SDg7\0IGVuZA==",
    "with lines of one": b"\r\n".join(bytes([byte]) for byte in b"RjI+SDg7IGVuZA=="),
    "url-safe": b"RjI-SDg7IGVuZA==",
}

ENCODED_WORDS = {
    "newline q": "=?utf-8?q?a=0D=0ABcc:_victim@example.com?=",
    "newline b": "=?utf-8?b?YQ0KQmNjOiB2aWN0aW1AZXhhbXBsZS5jb20=?=",
    "lone newline": "=?utf-8?q?a=0ABcc:_victim@example.com?=",
    "lone return": "=?utf-8?q?a=0DBcc:_victim@example.com?=",
    "line separators": "=?utf-8?q?a=E2=80=A8Bcc:_victim@example.com=E2=80=A9b=C2=85c?=",
    "vertical": "=?utf-8?q?a=0B=0C=1C=1D=1E?=",
    "NUL": "=?utf-8?q?a=00b?=",
    "unknown charset": "=?martian?q?abc?=",
    "codec": "=?zlib?b?eJxLBAAAYgBi?=",
    "bad base64": "=?utf-8?b?!!!?=",
    "unclosed": "=?utf-8?q?abc",
    "in each other": "=?utf-8?q?=3D=3Futf-8=3Fq=3Fabc=3F=3D?=",
    "half a character": "=?utf-8?q?=ED=A0=80?=",
    "directions": "=?utf-8?q?=E2=80=AEdne_;7J>2F?=",
    "very many": "=?utf-8?q?a?= " * 3000,
}

BODIES: dict[str, bytes] = {
    "nothing": b"",
    "one newline": b"\n",
    "one dot": b".\r\n",
    "dots": b"..\r\n.\r\n...\r\n",
    "NULs": b"\0" * 10_000,
    "NUL in order": b"F2\0>H8; end\r\n",
    "lone returns": b"F2>H8\rend\r",
    "mixed line ends": b"F2>H8\n\rend\r\r\n\n",
    "escape codes": b"\x1b[2JF2>H8\x1b[0m\r\n",
    "backspaces": b"F2>A1\x08\x089\r\n",
    "bells": b"\x07" * 1000,
    "half characters": b"\xed\xa0\x80\xff\xfe F2>H8\r\n",
    "overlong": b"F2\xc0\xbeH8\r\n",
    "beyond Unicode": b"\xf4\x90\x80\x80 F2>H8\r\n",
    "byte order marks": b"\xef\xbb\xbf\xef\xbb\xbfF2>H8; end\r\n",
    "UTF-16": "F2>H8; end\r\n".encode("utf-16"),
    "direction override": "F2>\u202e7J\u202c; end\r\n".encode(),
    "direction isolate": "F2>\u20678H\u2069; end\r\n".encode(),
    "mirrored signs": "F2\u202e>\u202cH8; end\r\n".encode(),
    "tags of Unicode": ("F2>H8; end" + "".join(chr(0xE0000 + ord(c)) for c in "F2>J7")).encode(),
    "combining marks": ("F2>H8" + "\u0301" * 5000 + "; end\r\n").encode(),
    "full width": "Ｆ２>Ｈ８; end\r\n".encode(),
    "Cyrillic letters": "Е3>Н8; end\r\n".encode(),
    "Arabic figures": "F٢>H٨; end\r\n".encode(),
    "mathematical letters": "𝐅𝟐>𝐇𝟖; end\r\n".encode(),
    "huge numbers": b"bid " + b"9" * 10_000 + b"\r\n",
    "huge slot": b"F" + b"2" * 10_000 + b">H8\r\n",
    "brackets only": b"[" * 5000 + b"]" * 5000,
    "format strings": b"F2>H8 {0.__class__} %s %n ${7*7} {{7*7}}\r\n",
    "markup": b"F2>H8 <script>alert(1)</script> <img src=x onerror=alert(1)>\r\n",
    "sql": b"F2>H8'; DROP TABLE games; --\r\n",
    "separators": "F2>H8\u2028end\u2029\x85end\x0bend\x0cend\r\n".encode(),
}

TALK = (
    *(
        "charset 'utf-16-le'",
        "charset 'cp037'",
        "charset 'cp500'",
        "base64 url-safe",
        "body one dot",
        "body dots",
    ),
    *("body overlong", "body full width", "body Cyrillic letters", "body Arabic figures"),
    *("body mathematical letters", "body huge slot", "body brackets only"),
)
"""Nothing in these can be read as an order: they are words, and go to whom Ann writes to."""


def charset(name: str) -> Make:
    """Text that says it is in some charset."""
    return lambda world: mail(
        world,
        world.wrong.encode() + b" \xff\x80+AD4-~{",
        Content_Type=f"text/plain; charset={name}",
    )


def cases() -> Iterator[Case]:
    """Everything of this kind."""
    made: dict[str, Make] = {
        **{f"charset {name[:20]!r}": charset(name) for name in CHARSETS},
        **{f"type {name}": _with_type(value) for name, value in TYPES.items()},
        **{f"coding {name[:20]!r}": _with_coding(name) for name in CODINGS},
        **{f"base64 {name}": _with_base64(value) for name, value in BASE64.items()},
        **{f"subject {name}": _with_subject(value) for name, value in ENCODED_WORDS.items()},
        **{f"name {name}": _with_name(value) for name, value in ENCODED_WORDS.items()},
        **{f"body {name}": _with_body(value) for name, value in BODIES.items()},
        "empty": lambda world: b"",
        "one space": lambda world: b" ",
        "one newline": lambda world: b"\r\n",
        "only NULs": lambda world: b"\0" * 1000,
        "no headers": lambda world: encode(f"\r\n{world.order}\r\n"),
        "no blank line": lambda world: encode(f"From: {world.ann}\r\n{world.order}\r\n"),
        "headers only": lambda world: mail(world, b"").rstrip(),
        "begins with a blank": lambda world: b" " + mail(world, world.wrong),
        "mbox line first": lambda world: b"From ann Mon Nov 16\r\n" + mail(world, world.wrong),
        "header without colon": lambda world: b"Nonsense\r\n" + mail(world, world.wrong),
        "header without name": lambda world: b": x\r\n" + mail(world, world.wrong),
        "header with 8 bit name": lambda world: b"Fr\xc3\xb6m: x\r\n" + mail(world, world.wrong),
        "header with NUL": lambda world: b"X: a\0b\r\n" + mail(world, world.wrong),
        "header with lone return": lambda world: (
            b"X: a\rFrom: b@c.example\r\n" + mail(world, world.wrong)
        ),
        "lone newlines": lambda world: mail(world, world.wrong).replace(b"\r\n", b"\n"),
        "lone returns": lambda world: mail(world, world.wrong).replace(b"\r\n", b"\r"),
        "subject of bytes": lambda world: mail(world, world.wrong, Subject=b"\xff\xfe\x00"),
        "two subjects": lambda world: mail(world, world.wrong, more=[("Subject", "a")] * 2),
        "two dates": lambda world: mail(world, world.wrong, more=[("Date", "never")] * 2),
        **{
            f"date {value[:20]!r}": _with_date(value)
            for value in ("", "yesterday", "Mon, 99 Foo 99999 99:99:99 +9999", "\0", "0" * 5000)
        },
        **{
            f"message-id {value[:20]!r}": _with_message_id(value)
            for value in ("", "<>", "<@>", "x", "<a@b> <c@d>", "\0", "<" * 500, "<\u202e@x>")
        },
        "message-id of ours": lambda world: mail(world, world.wrong, Message_ID=world.message_id),
        "boundary never closed": lambda world: mail(
            world,
            f"--x\r\nContent-Type: text/plain\r\n\r\n{world.wrong}",
            Content_Type="multipart/mixed; boundary=x",
        ),
        "boundary closed twice": lambda world: mail(
            world,
            f"--x\r\n\r\n{world.wrong}\r\n--x--\r\n--x\r\n\r\n{world.order}\r\n--x--\r\n",
            Content_Type="multipart/mixed; boundary=x",
        ),
        "boundary in itself": lambda world: mail(
            world,
            "--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\n"
            f"{world.wrong}\r\n--x--\r\n--x--\r\n",
            Content_Type="multipart/mixed; boundary=x",
        ),
        "order in preamble and epilogue": lambda world: mail(
            world,
            f"{world.order}\r\n--x\r\n\r\n{world.wrong}\r\n--x--\r\n{world.order}\r\n",
            Content_Type="multipart/mixed; boundary=x",
        ),
        "empty part": lambda world: multipart(world, [("Content-Type: text/plain", "")]),
        "coded multipart": lambda world: multipart(
            world, [("", world.wrong)], Content_Transfer_Encoding="base64"
        ),
    }
    for name, make in made.items():
        is_talk = name in TALK
        yield Case(
            f"form: {name}",
            make,
            sender="ann@example.org",
            may_hear=("ann", "beau") if is_talk else ("ann",),
            may_change=("messages",) if is_talk else (),
        )


def encode(text: str) -> bytes:
    """Bytes of plain text."""
    return text.encode()


def _with_type(value: str) -> Make:
    return lambda world: mail(world, world.wrong, Content_Type=value)


def _with_coding(value: str) -> Make:
    return lambda world: mail(world, world.wrong, Content_Transfer_Encoding=value)


def _with_base64(value: bytes) -> Make:
    return lambda world: mail(world, value, Content_Transfer_Encoding="base64")


def _with_subject(value: str) -> Make:
    return lambda world: mail(world, world.wrong, Subject=value)


def _with_name(value: str) -> Make:
    return lambda world: mail(world, world.wrong, From=f"{value} <{world.ann}>")


def _with_body(value: bytes) -> Make:
    return lambda world: mail(world, value)


def _with_date(value: str) -> Make:
    return lambda world: mail(world, world.wrong, Date=value)


def _with_message_id(value: str) -> Make:
    return lambda world: mail(world, world.wrong, Message_ID=value)
