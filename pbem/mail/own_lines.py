"""The lines of HTML that we have written ourselves: what ``html_lines`` finds in it, much faster.

Our templates nest little, escape everything and have no containers of quotes, so their tags can be
told apart by their looks. For HTML of anybody else this would be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

from pbem.mail.text_lines import clean, marked

_PRE: Final = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL)
_BREAK: Final = re.compile(r"<(?:br|/?(?:body|div|h1|h2|li|ol|p|table|tr|ul))\b[^>]*>")
_CELL: Final = re.compile(r"<t[dh]\b[^>]*>")
_TAG: Final = re.compile(r"</?[a-z][^>]*>")
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")


def own_lines(html: str) -> list[str]:
    """The texts of the lines of a mail of ours, without those that are blank."""
    body = html[max(html.find("<body"), 0) :]
    return [line for shown in _lines(body) if (line := marked(shown).text)]


def _lines(body: str) -> Iterator[str]:
    """The lines with their marks, as they are seen."""
    # What flows and what is preformatted, in turns.
    for number, piece in enumerate(_PRE.split(body)):
        if number % 2:
            yield from (clean(line) for line in unescape(piece).split("\n"))
            continue
        text = _TAG.sub("", _BREAK.sub("\n", _CELL.sub(" ", piece.replace("\n", " "))))
        for line in text.split("\n"):
            if not line.isspace():
                yield _SPACES.sub(" ", clean(unescape(line))).strip()
