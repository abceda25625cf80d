"""Taking out what must not get around: tokens and signed texts, and what deceives the eye (L3.4).

Everything that a player wrote goes through ``clean_message`` before another sees it, and every
line of a log through ``RedactingFilter``: a token in either is as good as the player's own mail.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from typing import Final

from pbem.mail.keys import TOKEN_LENGTH

REDACTED: Final = "[…]"
MAX_MESSAGE: Final = 4000
_MAX_MARKS: Final = 4

_RUN: Final = re.compile(r"[a-z2-7]{18,}", re.IGNORECASE | re.ASCII)
_LINE_END: Final = r"(?:\r\n|\r|\n)"
_INSIDE_TOKEN: Final = re.compile(
    rf"\0{{1,3}}|=[ \t]*+{_LINE_END}[ \t>]*+|!?+{_LINE_END}[ \t]++"
    r"""|"?+;\s*+[a-z-]{1,40}+\*[0-9]{1,3}+\*?+="?+"""
)
_BROKEN_RUN: Final = re.compile(
    rf"[a-z2-7](?:(?:{_INSIDE_TOKEN.pattern})?+[a-z2-7]){{17,}}+", re.IGNORECASE | re.ASCII
)
_DIGIT: Final = re.compile(r"[2-7]")
_BREAKS: Final = re.compile(r"\r\n|[\r\n\v\f\x85\u2028\u2029]")
_JOINERS: Final = frozenset("\u200c\u200d")
"""Unseen, but words of some languages and pictures of people fall apart without them."""
_FILLERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def redact(text: str) -> str:
    """A text without tokens and signatures of ours.

    A run of their letters as long as a token is taken for one, whatever is joined to it; a shorter
    one, of a signature or a token that lost its end, if there is a figure in it as in no word.
    """
    return _RUN.sub(_redacted, text)


def redact_broken(text: str) -> str:
    """The same for a text as it came over the wire, where the fold of a header, a parameter that
    goes on in another (RFC 2231), a soft break of quoted-printable, the break of a line that was
    too long or the zero bytes of a wide charset may stand inside a token."""
    return _BROKEN_RUN.sub(_redacted, text)


def _redacted(run: re.Match[str]) -> str:
    letters = run[0] if run[0].isalnum() else _INSIDE_TOKEN.sub("", run[0])
    is_secret = len(letters) >= TOKEN_LENGTH or _DIGIT.search(letters) is not None
    return REDACTED if is_secret else run[0]


def clean_message(text: str, *, most: int = MAX_MESSAGE) -> str:
    """What one player wrote, as another may see it: words, and nothing that acts or deceives."""
    normal = unicodedata.normalize("NFC", text[: 4 * most])
    lines = (_clean_line(line) for line in _BREAKS.split(normal))
    joined = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    return redact(joined)[:most].rstrip()


def _clean_line(line: str) -> str:
    """A line without control characters, overrides of the direction, and towers of accents."""
    kept: list[str] = []
    marks = 0
    for char in line:
        category = unicodedata.category(char)
        marks = marks + 1 if category[0] == "M" else 0
        if char == "\t" or category[0] == "Z":
            kept.append(" ")
        elif char in _JOINERS or (
            category[0] != "C" and char not in _FILLERS and marks <= _MAX_MARKS
        ):
            kept.append(char)
    return "".join(kept).rstrip()


class RedactingFilter(logging.Filter):
    """Takes tokens out of every record: message, arguments and traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; it is always logged."""
        record.msg = redact(record.getMessage())
        record.args = None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = redact(record.exc_text)
        if record.stack_info:
            record.stack_info = redact(record.stack_info)
        return True
