"""Which part of a mail is read, and its lines (L4.1).

Owns the order of trust: plain text when it is not blank, else HTML. When both are there the HTML
is asked which lines its containers of quoted mail hold, for plain text often has no marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pbem.mail.html_lines import html_lines
from pbem.mail.parts import Message, TextPart
from pbem.mail.text_lines import MAX_LINES, Line, clean, fold, plain_lines


class Body(NamedTuple):
    """The lines of what is read."""

    lines: tuple[Line, ...]
    is_cut: bool
    """Whether lines are missing at the end because there were too many."""
    quoted_in_html: frozenset[str]
    """Lines, folded, that the HTML form of the same text shows only as quoted."""


def read_body(message: Message) -> Body:
    """The lines of what a mail says."""
    chosen: list[Line] = []
    quoted: set[str] = set()
    shown: set[str] = set()
    is_cut = "text_cut" in message.notes or "mail_cut" in message.notes
    for part, html in _choose(message.parts):
        if part.subtype == "html":
            lines, is_too_deep = html_lines(part.text)
            is_cut = is_cut or is_too_deep
        else:
            lines = plain_lines(part.text, flowed=part.flowed, delsp=part.delsp)
        chosen.extend(lines)
        if html is not None:
            is_below = False
            for line in html_lines(html.text)[0]:
                is_below = is_below or line.role == "cut"
                (quoted if line.depth or is_below else shown).add(fold(line.text))
    return Body(
        tuple(chosen[:MAX_LINES]),
        is_cut or len(chosen) > MAX_LINES,
        frozenset(quoted - shown - {""}),
    )


def _choose(parts: tuple[TextPart, ...]) -> Iterator[tuple[TextPart, TextPart | None]]:
    """The parts to read, each with the HTML form of it if there is one."""
    done: set[int] = set()
    for part in parts:
        if part.alternative is None:
            if not _is_blank(part.text):
                yield part, None
            continue
        if part.alternative in done:
            continue
        done.add(part.alternative)
        forms = [other for other in parts if other.alternative == part.alternative]
        plain = [form for form in forms if form.subtype == "plain" and not _is_blank(form.text)]
        html = [form for form in forms if form.subtype == "html" and not _is_blank(form.text)]
        for at, form in enumerate(plain or html):
            yield form, (html[0] if plain and html and at == 0 else None)


def _is_blank(text: str) -> bool:
    # Not split: the first word that can be seen is enough, and a text may be long.
    return not any(clean(found.group()) for found in re.finditer(r"\S+", text))
