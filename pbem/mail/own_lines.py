"""The lines of HTML that we have written ourselves: what ``html_lines`` finds in it, much faster.

Our templates nest little, escape everything and have no containers of quotes, so their tags can be
told apart by their looks. For HTML of anybody else this would be wrong.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from pbem.mail.text_lines import clean, marked

_TAG: Final = re.compile(r"<(/?[a-z0-9]+)[^>]*>")
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")
_BLOCKS: Final = frozenset(["body", "div", "h1", "h2", "li", "ol", "p", "pre", "table", "tr", "ul"])
_BREAKS: Final = frozenset(f"{slash}{tag}" for tag in _BLOCKS for slash in ("", "/"))
_CELLS: Final = frozenset(("td", "th"))


def own_lines(html: str) -> list[str]:
    """The texts of the lines of a mail of ours, without those that are blank."""
    lines: list[str] = []
    open_line: list[str] = []
    in_pre = False
    # Text and the names of tags in turns.
    pieces = _TAG.split(html[max(html.find("<body"), 0) :])
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            if in_pre:
                *whole, rest = f"{''.join(open_line)}{unescape(piece)}".split("\n")
                lines += (_line(each, in_pre=True) for each in whole)
                open_line = [rest]
            elif piece and not piece.isspace():
                open_line.append(unescape(piece))
            elif piece and open_line:
                open_line.append(" ")
        elif piece == "br" or piece in _BREAKS:
            lines.append(_line("".join(open_line), in_pre=in_pre))
            open_line = []
            in_pre = piece == "pre"
        elif piece in _CELLS:
            open_line.append(" ")
    return [line for line in lines if line]


def _line(text: str, *, in_pre: bool) -> str:
    shown = clean(text).rstrip() if in_pre else _SPACES.sub(" ", clean(text)).strip()
    return marked(shown).text
