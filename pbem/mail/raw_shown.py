"""A mail that came in as an operator may see it: without tokens, as mail programs write them.

Text in base64 or quoted-printable is decoded first, for a token can be broken in either. What is no
text, or cannot be looked into, is left out, and a line says so (L3.4). A mail is gone through once,
line by line and without recursion, so that time and memory follow from its length; it may be one
that crashed its reader. Where its structure is not as it should be, base64 and encoded words are
found by how they look. Who hides a token on purpose, letter by letter, is not found out.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.mail.parts import (
    QUOTED_PRINTABLE,
    Header,
    decode_charset,
    name_encoding,
    read_headers,
)
from pbem.mail.redact import REDACTED, redact_broken

MAX_SHOWN_PARTS: Final = 1000

_AS_IT_IS: Final = frozenset({"", "7bit", "8bit", "binary", "7-bit", "8-bit"})
_MAX_SAID: Final = 60

_LINE: Final = re.compile(rb"([^\r\n]*+)(?:\r\n|\r|\n|\Z)")
_BOUNDARY: Final = re.compile(
    r""";\s*boundary(?:\*0?\*?)?\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))""", re.IGNORECASE
)
_CHARSET: Final = re.compile(r""";\s*charset\s*=\s*"?([\w.:+-]{1,40})""", re.IGNORECASE)
_WORD: Final = re.compile(r"=\?([^\s?]{1,80}+)\?([bBqQ])\?([^\s?]*+)\?=")
_WORDS: Final = re.compile(r"(?:=\?[^\s?]{1,80}+\?[bBqQ]\?[^\s?]*+\?=\s*+)++")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_LETTERS: Final = re.compile(rb"[A-Za-z0-9+/]++")
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")
_FOREIGN: Final = re.sub(rb"[A-Za-z0-9+/=]", b"", bytes(range(256)))
_OF_BASE64: Final = r"[ \t>|]*+[\w+/-]{%d,}+={0,2}+[ \t.]*+(?:\r\n|\r|\n|\Z)"
_BLOCK: Final = re.compile(
    rf"(?<![^\r\n]){_OF_BASE64 % 12}(?:{_OF_BASE64 % 1})*+"
    r"|[\w+/-]{34,}+(?:\s++[\w+/-]{34,}+)*+",
    re.ASCII,
)
"""Lines of base64 that no header announces, and such letters in a line; a token takes 35."""


class _How(NamedTuple):
    """What the headers of a part say about its body."""

    kind: str = "text/plain"
    charset: str = ""
    encoding: str = ""


class _Piece(NamedTuple):
    """Bytes that are shown in the same way; without ``how`` they are headers."""

    start: int
    end: int
    how: _How | None = None
    left_out: str = ""
    """Why they are not shown at all."""


def show_raw(raw: bytes) -> bytes:
    """The mail without tokens and signatures of ours. Bytes that are no text stay as they are."""
    return b"".join(_show(raw[piece.start : piece.end], piece) for piece in _pieces(raw))


def _pieces(raw: bytes) -> Iterator[_Piece]:
    edges: set[bytes] = set()
    start, seen, how = 0, 0, None
    for found in _LINE.finditer(raw):
        line = found[1]
        edge = line.rstrip(b" \t") if line.startswith(b"--") else b""
        is_end = edge not in edges and edge.removesuffix(b"--") in edges
        if is_end or edge in edges:
            yield _Piece(start, found.start(), how)
            seen += 1
            if seen > MAX_SHOWN_PARTS:
                yield _Piece(found.start(), len(raw), left_out="too many parts")
                return
            yield _Piece(found.start(), found.end(), _How())
            start, how = found.end(), _How() if is_end else None
        elif how is None and not line.strip(b" \t"):
            headers = read_headers(raw[start : found.end()])
            if headers:
                yield _Piece(start, found.end())
                start = found.end()
                edges |= _find_edges(headers)
            how = _find_how(headers)
            if how.kind.startswith("message/") and how.encoding in _AS_IT_IS:
                how = None  # the headers of another mail follow
    yield _Piece(start, len(raw), how)


def _find_how(headers: tuple[Header, ...]) -> _How:
    kind, encodings, charset = "", dict[str, None](), None
    for name, value in headers:
        if name == "content-type" and not kind:
            kind = value[:_MAX_SAID].partition(";")[0].strip().strip('"').lower()
            charset = _CHARSET.search(value[:4000])
        elif name == "content-transfer-encoding":
            # Two that differ are one that is not known: readers would not agree.
            encodings[name_encoding(value)] = None
    return _How(
        kind if "/" in kind else "text/plain", charset[1] if charset else "", ", ".join(encodings)
    )


def _find_edges(headers: tuple[Header, ...]) -> set[bytes]:
    found = [
        _BOUNDARY.search(header.value[:4000]) for header in headers if header.name == "content-type"
    ]
    names = [(each[1] or each[2]).rstrip() for each in found if each is not None]
    return {b"--" + name.encode("utf-8", "surrogateescape") for name in names}


# -- how each is shown --------------------------------------------------------------------------


def _show(data: bytes, piece: _Piece) -> bytes:
    how = piece.how
    if piece.left_out:
        return _note(f"not shown: {len(data)} bytes, {piece.left_out}")
    text = data.decode("utf-8", "surrogateescape")
    if how is None or not data.strip():
        return _hide(text).encode("utf-8", "surrogateescape")
    is_text = how.kind.startswith(("text/", "multipart/", "message/"))
    if is_text and how.encoding in _AS_IT_IS and how.charset.lower() != "utf-7":
        return _hide(text).encode("utf-8", "surrogateescape")
    if is_text and how.encoding == "base64":
        decoded = _from_base64(data)
    elif is_text and how.encoding in QUOTED_PRINTABLE:
        decoded = binascii.a2b_qp(data)
    else:
        coded = how.encoding or how.charset or "bytes"
        return _note(f"not shown: {len(data)} bytes, {how.kind} in {coded}")
    shown = _CONTROLS.sub("?", _hide(decode_charset(decoded, how.charset)))
    end = "" if shown.endswith(("\r", "\n")) else "\r\n"
    return _note(f"decoded from {how.encoding}") + f"{shown}{end}".encode("utf-8", "replace")


def _note(said: str) -> bytes:
    plain = "".join(char if char.isprintable() else "?" for char in said)
    return f"[{redact_broken(plain)}]\r\n".encode("utf-8", "replace")


def _look_into_block(block: re.Match[str]) -> str:
    """Lines of base64, or what stands for them if a token is in it, wherever they were cut."""
    letters = b"".join(_LETTERS.findall(block[0].encode().translate(_URL_SAFE)))
    is_clean = all(_is_clean(_from_base64(letters[at:]).decode("latin-1")) for at in range(4))
    end = "\r\n" if block[0].endswith(("\r", "\n")) else ""
    return block[0] if is_clean else f"{REDACTED}{end}"


def _hide(text: str) -> str:
    """Between encoded words (RFC 2047), and in them; those without a token stay as they came."""
    shown: list[str] = []
    at = 0
    for words in _WORDS.finditer(text):
        decoded = "".join(_decode_word(*word.groups()) for word in _WORD.finditer(words[0]))
        shown.append(_hide_between(text[at : words.start()]))
        if _is_clean(decoded):
            shown.append(words[0])
        else:
            plain = " ".join(_CONTROLS.sub("?", redact_broken(decoded)).split())
            shown.append(plain + words[0][len(words[0].rstrip()) :])
        at = words.end()
    return "".join([*shown, _hide_between(text[at:])])


def _hide_between(text: str) -> str:
    return redact_broken(_BLOCK.sub(_look_into_block, text))


def _decode_word(charset: str, coding: str, text: str) -> str:
    data = text.encode("utf-8", "replace")
    decoded = _from_base64(data) if coding in "bB" else binascii.a2b_qp(data, header=True)
    return decode_charset(decoded, charset.partition("*")[0])


def _is_clean(text: str) -> bool:
    return redact_broken(text) == text


def _from_base64(data: bytes) -> bytes:
    """All that can be decoded, also behind the end of a text: some readers go on there."""
    decoded = bytearray()
    for letters in _LETTERS.finditer(data.translate(None, _FOREIGN)):
        whole = len(letters[0]) - (len(letters[0]) % 4 == 1)
        decoded += binascii.a2b_base64(letters[0][:whole] + b"=" * (-whole % 4))
    return bytes(decoded)
