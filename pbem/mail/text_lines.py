"""Lines of plain text, with the marks of quoting counted (L4.1).

Owns undoing what transport and mail programs did to the lines of a text part: format=flowed,
``>`` marks, spaces of other kinds and characters that cannot be seen, the armour around signed
text. HTML is ``html_lines.py``; what the words of a line say about quoting is ``quotes.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

MAX_LINES: Final = 1000


class Line(NamedTuple):
    """One line of a mail."""

    text: str
    """Without the marks of quoting, and without spaces at its end."""
    depth: int = 0
    """How many times it is marked as quoted."""
    raw: str = ""
    """With the marks."""
    role: str = ""
    """``cut``: from here on it is the old mail; ``signature``: inside a signature's container."""


# Spaces of all kinds become a space; what cannot be seen goes, but for the joiners that words of
# some scripts need. Marks of direction go because they can show an order other than it is.
_CHARACTERS: Final[dict[int, str | None]] = {
    **dict.fromkeys(map(ord, "\u00a0\u1680\u2007\u202f\u205f\u3000\t"), " "),
    **dict.fromkeys(range(0x2000, 0x200B), " "),
    **dict.fromkeys(range(0x00, 0x09), None),
    **dict.fromkeys(range(0x0E, 0x20), None),
    **dict.fromkeys(range(0x7F, 0x85), None),
    **dict.fromkeys(range(0x86, 0xA0), None),
    **dict.fromkeys(map(ord, "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2060\ufeff\ufffc"), None),
    **dict.fromkeys(range(0x202A, 0x202F), None),
    **dict.fromkeys(range(0x2066, 0x206A), None),
}
# A pattern that begins with a set of characters is looked for much faster than alternatives are.
LINE_BREAKS: Final = re.compile(r"[\n\r\x0b\x0c\x85\u2028\u2029](?:(?<=\r)\n)?")
_MARKS: Final = re.compile(r" {0,3}(?:> ?)+")
_PGP: Final = re.compile(r"-----(BEGIN|END) PGP ([A-Z ]{3,30})-----")
_IN_ARMOUR: Final = " PGP "


def clean(text: str) -> str:
    """Text with plain spaces and without characters that cannot be seen."""
    if text.isascii() and text.isprintable():
        return text  # as most lines are
    return text.translate(_CHARACTERS)


def fold(text: str) -> str:
    """A line as it is compared with others: without marks, bold and spaces, in small letters.

    Fingerprints of it are stored (``known_lines``): if this changes, lines that were sent before
    are not known again.
    """
    # Of hundreds of lines for each mail that is written: this is the fastest way. A long one is cut
    # where its letters are, wherever spaces stand.
    joined = "".join(text[:4000].split())
    bare = joined.replace(">", "").replace("*", "").replace("_", "").replace("|", "")
    return bare.casefold()[:1000]


def plain_lines(text: str, *, flowed: bool = False, delsp: bool = False) -> list[Line]:
    """The lines of a plain text part."""
    # More than may be used, so that the caller sees that there were more.
    found = LINE_BREAKS.split(text, maxsplit=4 * MAX_LINES)
    if flowed:
        return list(_without_pgp(_join_flowed(found, delsp=delsp)))
    cleaned = [clean(line) for line in found]
    lines = [marked(line) for line in cleaned]
    return list(_without_pgp(lines)) if _IN_ARMOUR in "".join(cleaned) else lines


def marked(raw: str) -> Line:
    """A line with its marks counted."""
    raw = raw.rstrip()
    if raw.startswith("> ") and raw[2] != ">":
        return Line(raw[2:], 1, raw)  # as most programs write it
    marks = _MARKS.match(raw) if ">" in raw else None
    if marks is None:
        return Line(raw, 0, raw)
    return Line(raw[marks.end() :], marks.group().count(">"), raw)


def _join_flowed(found: list[str], *, delsp: bool) -> list[Line]:
    """Undo format=flowed (RFC 3676): a space at the end says that the line goes on."""
    lines: list[Line] = []
    open_depth = -1
    pieces: list[str] = []
    for raw in found:
        stripped = raw.lstrip(">")
        depth = len(raw) - len(stripped)
        text = stripped[1:] if stripped.startswith(" ") else stripped  # undo space-stuffing
        is_signature = text in ("-- ", "--")
        if pieces and (depth != open_depth or is_signature):
            lines.append(_flowed_line("".join(pieces), open_depth))
            pieces = []
        flows = text.endswith(" ") and not is_signature
        pieces.append(text[:-1] if flows and delsp else text)
        open_depth = depth
        if not flows:
            lines.append(_flowed_line("".join(pieces), depth))
            pieces = []
    if pieces:
        lines.append(_flowed_line("".join(pieces), open_depth))
    return lines


def _flowed_line(text: str, depth: int) -> Line:
    text = clean(text).rstrip()
    if depth == 0:
        return Line(text, 0, text)
    # Some programs call their text flowed and mark quotes as "> > ", which flowed text does not.
    deeper = marked(text)
    return Line(deeper.text, depth + deeper.depth, ">" * depth + " " + text)


def _without_pgp(lines: Iterable[Line]) -> Iterator[Line]:
    """The text inside a signed message without its armour (RFC 9580, clear-signed)."""
    skipping = ""
    signed = False
    for line in lines:
        match = _PGP.fullmatch(line.text) if line.depth == 0 else None
        if match and match[1] == "BEGIN":
            signed = match[2] == "SIGNED MESSAGE"
            skipping = "blank" if signed else "end"
        elif match:
            skipping, signed = "", False
        elif skipping:
            if skipping == "blank" and not line.text:
                skipping = ""
        elif signed and line.text.startswith("- "):
            yield marked(line.text[2:])
        else:
            yield line
