"""From the bytes of a mail to its headers and its text parts, whatever the bytes are (L2.2, L2.3).

Owns MIME: the header block, multiparts, transfer encodings and charsets. Nothing here raises, and
time and memory are bounded: the structure is walked with a list, not by recursion, and every
count has a cap; what a cap cut off is told in ``Message.notes``. The standard library's parser is
not used because nested and empty parts make it recurse or crawl.

Attachments are stepped over undecoded. What the text says is ``body.py``; who sent it, and what
the headers are worth, is for others to judge: they get the headers as they stood.
"""

from __future__ import annotations

import binascii
import codecs
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

MAX_MAIL: Final = 10 << 20
MAX_HEADERS: Final = 64 << 10
MAX_HEADER_LINES: Final = 1000
MAX_PARTS: Final = 50
MAX_DEPTH: Final = 10
MAX_TEXT: Final = 64 << 10
QUOTED_PRINTABLE: Final = frozenset({"quoted-printable", "quotedprintable", "quoted_printable"})
"""The names that it goes by."""
_MAX_ENCODED: Final = 4 * MAX_TEXT  # quoted-printable takes three bytes for one, and has breaks
_MAX_LOOKS: Final = 20 * MAX_PARTS
_MAX_REPORTS: Final = 2
_MAX_REPORT: Final = 16 << 10
_SHORT_HEAD: Final = 4 << 10
"""Headers of more bytes than this are not kept."""
_MAX_BOUNDARY: Final = 200  # RFC 2046 allows 70; some programs do not know that

_REPORTS: Final = ("message/delivery-status", "message/global-delivery-status")

_HEADER: Final = re.compile(rb"([!-9;-~]{1,80})[ \t]*:[ \t]*(.*)", re.DOTALL)
_PARAMETER: Final = re.compile(
    r""";\s*([\w!#$&+.^'`{|}~*-]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.){0,400})"|([^\s;"]{0,400}))"""
)
_CHARSET_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._:+-]{0,39}")
_BLANK: Final = re.compile(rb"\r?\n[ \t]*\r?\n|\r\r")

# Names in the wild, and what was meant. A reader of mail does as browsers do: the labels of the
# seven-bit and Latin sets are used for their larger cousins.
_CHARSETS: Final = {
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "ansi_x3.4-1968": "utf-8",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-8-i": "iso-8859-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
}
# Text encodings of Python's that are no charsets of mail; some of them are slow on purpose.
_NOT_FOR_MAIL: Final = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)


class Header(NamedTuple):
    """One header as it stood: the name in small letters, the value unfolded but not decoded."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text part, decoded."""

    subtype: str
    """``plain`` or ``html``."""
    text: str
    flowed: bool = False
    delsp: bool = False
    alternative: int | None = None
    """Parts with the same number say the same thing in different forms."""


@dataclass(frozen=True, slots=True)
class Message:
    """The headers and the text of a mail."""

    headers: tuple[Header, ...]
    parts: tuple[TextPart, ...]
    notes: tuple[str, ...]
    """What was left out: ``mail_cut``, ``headers_cut``, ``text_cut``, ``parts_cut``, ``too_deep``,
    ``charset_guessed``."""
    reports: tuple[str, ...] = ()
    """What a report on its delivery says, undeciphered (RFC 3464)."""

    def values(self, name: str) -> tuple[str, ...]:
        """Every value of a header, in the order they stand in."""
        name = name.lower()
        return tuple([header.value for header in self.headers if header.name == name])


class _Piece(NamedTuple):
    """A stretch of the mail that has headers and a body."""

    start: int
    end: int
    depth: int
    alternative: int | None
    subtype: str  # what it is when it does not say: inside a digest that is a mail


def read_message(raw: bytes) -> Message:
    """The text parts of a mail. Never raises."""
    notes: dict[str, None] = {}
    if len(raw) > MAX_MAIL:
        raw = raw[:MAX_MAIL]
        notes["mail_cut"] = None
    top: tuple[Header, ...] = ()
    parts: list[TextPart] = []
    reports: list[str] = []
    room = {"plain": MAX_TEXT, "html": MAX_TEXT}
    seen = 0
    pieces = [_Piece(0, len(raw), 0, None, "plain")]
    while pieces:
        piece = pieces.pop()
        headers, body = _read_headers(raw, piece.start, piece.end, notes)
        if seen == 0:
            top = headers
        seen += 1
        if seen > MAX_PARTS:
            notes["parts_cut"] = None
            break
        kind, parameters = _content_type(headers, piece.subtype)
        if kind.startswith("multipart/"):
            if piece.depth >= MAX_DEPTH:
                notes["too_deep"] = None
                continue
            group = piece.alternative
            if group is None and kind == "multipart/alternative":
                group = seen
            inside = _split(raw, body, piece.end, parameters.get("boundary", ""))
            if inside is not None:
                pieces.extend(
                    _Piece(start, end, piece.depth + 1, group, "plain")
                    for start, end in reversed(inside)
                )
                continue
            kind = "text/plain"  # a multipart whose boundary never comes: show what is there
        if kind in _REPORTS and len(reports) < _MAX_REPORTS:
            data = raw[body : min(piece.end, body + _MAX_REPORT)]
            reports.append(_decode(data, headers, parameters, notes))
        if kind not in ("text/plain", "text/html") or _is_attached(headers):
            continue
        subtype = kind[5:]
        text = _decode(raw[body : min(piece.end, body + _MAX_ENCODED)], headers, parameters, notes)
        if piece.end - body > _MAX_ENCODED or len(text) > room[subtype]:
            notes["text_cut"] = None
            text = text[: room[subtype]]
        room[subtype] -= len(text)
        parts.append(
            TextPart(
                subtype,
                text,
                flowed=parameters.get("format", "").lower() == "flowed",
                delsp=parameters.get("delsp", "").lower() == "yes",
                alternative=piece.alternative,
            )
        )
    return Message(top, tuple(parts), tuple(notes), tuple(reports))


def read_headers(raw: bytes) -> tuple[Header, ...]:
    """The headers of a mail alone, without a look at its parts. Never raises."""
    return _read_headers(raw, 0, min(len(raw), MAX_HEADERS), {})[0]


def decode_charset(data: bytes, charset: str) -> str:
    """Text in a charset, or in one that is likely if there is no such charset. Never raises."""
    return _to_text(data, charset, {})


def _read_headers(
    raw: bytes, start: int, end: int, notes: dict[str, None]
) -> tuple[tuple[Header, ...], int]:
    """The headers from ``start``, and where the body begins."""
    if raw[start : start + 2] == b"\r\n":
        return (), start + 2
    if raw[start : start + 1] == b"\n":
        return (), start + 1
    limit = min(end, start + MAX_HEADERS)
    blank = _BLANK.search(raw, start, limit)
    if blank is None:
        if limit < end:
            notes["headers_cut"] = None
        # Without a blank line there is no body; one far below still ends the headers.
        far = _BLANK.search(raw, limit, end) if limit < end else None
        stop, body = limit, (end if far is None else far.end())
    else:
        stop, body = blank.start(), blank.end()
    head = raw[start:stop]
    headers, is_cut = _take_apart_kept(head) if len(head) <= _SHORT_HEAD else _take_apart(head)
    if is_cut:
        notes["headers_cut"] = None
    return ((), start) if headers is None else (headers, body)


def _take_apart(head: bytes) -> tuple[tuple[Header, ...] | None, bool]:
    """The headers, and whether some were cut off; None if there is no header at all, and everything
    is body."""
    lines = re.split(rb"\r\n|\n|\r", head, maxsplit=MAX_HEADER_LINES)
    is_cut = len(lines) > MAX_HEADER_LINES
    if is_cut:
        lines.pop()
    found: list[tuple[bytes, list[bytes]]] = []
    for at, line in enumerate(lines):
        if line[:1] in (b" ", b"\t") and found:
            found[-1][1].append(line)
            continue
        match = _HEADER.fullmatch(line)
        if match is None:
            if at == 0 and not line.startswith((b"From ", b">From ")):
                return None, is_cut
            continue
        found.append((match[1], [match[2]]))
    headers = tuple(
        Header(name.decode("ascii").lower(), _text_of_header(b"".join(value)))
        for name, value in found
    )
    return headers, is_cut


_take_apart_kept: Final = lru_cache(maxsize=64)(_take_apart)
"""Those of one mail are looked at when it comes, when it is read, and when it is answered."""


def _text_of_header(value: bytes) -> str:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    return text.replace("\0", "\ufffd").strip()  # left out, it would join what it parts


def _content_type(headers: tuple[Header, ...], subtype: str) -> tuple[str, dict[str, str]]:
    """The type in small letters and its parameters; text/plain when nothing readable is said."""
    value = next((header.value for header in headers if header.name == "content-type"), "")
    kind, _, _ = value[:200].partition(";")
    kind = kind.strip().strip('"').lower()
    parameters: dict[str, str] = {}
    for match in _PARAMETER.finditer(value[:4000]):
        name, _, section = match[1].lower().partition("*")
        text = match[3] if match[2] is None else re.sub(r"\\(.)", r"\1", match[2])
        if match[1].endswith("*") and section in ("", "0*"):  # RFC 2231: charset'language'text
            text = text.rpartition("'")[2]
        if section[:1].isdigit() and not section.startswith("0"):
            parameters[name] = parameters.get(name, "") + text
        else:
            parameters.setdefault(name, text)
    if kind in ("text", "plain") or (kind and "/" not in kind):
        kind = "text/plain"
    return kind or f"text/{subtype}", parameters


def _is_attached(headers: tuple[Header, ...]) -> bool:
    for header in headers:
        value = header.value[:1000].lower()
        if header.name == "content-disposition":
            if value.startswith("attachment") or "filename" in value:
                return True
        elif header.name == "content-type" and re.search(r";\s*name\*?\d?\*?\s*=", value):
            return True
    return False


def _split(raw: bytes, start: int, end: int, boundary: str) -> list[tuple[int, int]] | None:
    """Where the parts of a multipart are; None when its boundary does not occur."""
    if not boundary or len(boundary) > _MAX_BOUNDARY:
        return None
    mark = b"--" + boundary.rstrip().encode("utf-8", "surrogateescape")
    starts: list[int] = []
    found: list[tuple[int, int]] = []
    at = start
    for _ in range(_MAX_LOOKS):
        at = raw.find(mark, at, end)
        if at < 0 or len(found) > MAX_PARTS:
            break
        behind = at + len(mark)
        if at > start and raw[at - 1 : at] not in (b"\n", b"\r"):
            at = behind
            continue
        closes = raw[behind : behind + 2] == b"--"
        if closes:
            behind += 2
        line_end = re.compile(rb"[ \t]*(?:\r\n|\n|\r|\Z)").match(raw, behind, end)
        if line_end is None:  # a longer boundary that begins like this one
            at = behind
            continue
        if starts:
            found.append((starts.pop(), _before_break(raw, at)))
        if closes:
            break
        starts.append(line_end.end())
        at = line_end.end()
    if starts and len(found) <= MAX_PARTS:
        found.append((starts.pop(), end))  # never closed: the rest is the last part
    return [(first, max(first, last)) for first, last in found] or None


def _before_break(raw: bytes, at: int) -> int:
    """The line break before a boundary belongs to the boundary."""
    if raw[at - 2 : at] == b"\r\n":
        return at - 2
    return at - 1


def name_encoding(value: str) -> str:
    """The name of a transfer encoding, as a header gives it."""
    return value[:40].partition(";")[0].strip().strip('"').lower()


def _decode(
    data: bytes,
    headers: tuple[Header, ...],
    parameters: dict[str, str],
    notes: dict[str, None],
) -> str:
    encoding = next(
        (header.value for header in headers if header.name == "content-transfer-encoding"), ""
    )
    encoding = name_encoding(encoding)
    if encoding == "base64":
        data = _from_base64(data)
    elif encoding in QUOTED_PRINTABLE:
        data = binascii.a2b_qp(data)
    return _to_text(data[: 4 * MAX_TEXT], parameters.get("charset", ""), notes)


def _from_base64(data: bytes) -> bytes:
    """Decode what can be decoded; foreign characters and a missing end do no harm."""
    pad = data.find(b"=")
    letters = re.sub(rb"[^A-Za-z0-9+/]+", b"", data if pad < 0 else data[:pad])
    letters = letters[: len(letters) - 1] if len(letters) % 4 == 1 else letters
    try:
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    except binascii.Error:
        return b""


def _to_text(data: bytes, charset: str, notes: dict[str, None]) -> str:
    for bom, name in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le")):
        if data.startswith(bom):
            return data[len(bom) :].decode(name, "replace")
    name = charset.strip().strip("'\"").lower()
    name = _CHARSETS.get(name, name)
    if name:
        text = _find_decoded(data, name)
        if text is not None:
            return text
        notes["charset_guessed"] = None
    text = _find_decoded(data, "utf-8")
    return data.decode("cp1252", "replace") if text is None else text


def _find_decoded(data: bytes, name: str) -> str | None:
    """The text if ``name`` is a charset of mail and fits, but for the character at a cut."""
    if not _CHARSET_NAME.fullmatch(name):
        return None
    try:
        codec = codecs.lookup(name)
        if codec.name in _NOT_FOR_MAIL or not getattr(codec, "_is_text_encoding", False):
            return None
        decoder = codec.incrementaldecoder
        if decoder is None:
            return None
        text: str = decoder("strict").decode(data, final=len(data) < _MAX_ENCODED - 4)
    except Exception:
        return None
    # A strict decoder may let half of a pair through (UTF-7, UTF-16): no store can keep those.
    return text.encode("utf-8", "replace").decode("utf-8")
