"""The lines of HTML that we have written ourselves: what ``html_lines`` finds in it, much faster.

Our templates nest little, escape everything and have no containers of quotes, so their tags can be
told apart by their looks. For HTML of anybody else this would be wrong. Spaces and what cannot
be seen are left as they are: lines are compared without them (``known_lines``).
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

_PRE: Final = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL)
_BREAK: Final = re.compile(r"</?(?:br|body|div|h1|h2|li|ol|p|table|tr|ul)\b[^>]*>")
_TAG: Final = re.compile(r"</?[a-z][^>]*>")


def own_lines(html: str) -> list[str]:
    """The lines of a mail of ours; some of them are blank."""
    pieces = _PRE.split(html[max(html.find("<body"), 0) :])
    # What flows and what is preformatted, in turns.
    pieces[::2] = [
        _TAG.sub("", _BREAK.sub("\n", piece.replace("\n", " "))) for piece in pieces[::2]
    ]
    return unescape("\n".join(pieces)).split("\n")
