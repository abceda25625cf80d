"""Takes out of a mail what its writer did not write, on evidence (L4.2 to L4.4).

Owns the decision for each line: kept, kept with doubt, or taken out, and why. Three kinds of cut:

- marked lines (``>``, or inside a container of HTML) go, and what stands between and below them
  counts: bottom posting and answers in between work;
- an attribution, header block or marker with marked lines below it goes with them;
- one without marked lines below is the beginning of an old mail that nobody marked: everything
  from there down goes. Orders found down there make the reply doubtful, not playable.

What counts as evidence is ``evidence.py``. Lines that read as orders survive signatures, list
dashes and soft wraps (L4.3); ``classify.py`` tells which lines do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from notation.words import ELEMENTS, WORDS
from pbem.mail import evidence
from pbem.mail.classify import is_order_like, reads_as_orders
from pbem.mail.text_lines import Line, fold

_INITIALS: Final = re.compile(r"\s{0,3}([A-Za-z]{1,12})>")
_MAX_SIGNATURE: Final = 30
_MAX_FOOTER: Final = 15
_WRAPPED_AT: Final = 66  # no mail program wraps narrower lines than this


class Why(StrEnum):
    """Why a line was taken out."""

    MARKED = "marked"
    CONTAINER = "container"
    ATTRIBUTION = "attribution"
    HEADERS = "headers"
    OLD_MAIL = "old_mail"
    SENTINEL = "sentinel"
    BELOW = "below"
    WRAPPED = "wrapped"
    SIGNATURE = "signature"
    FOOTER = "footer"
    RULE = "rule"
    SENT = "sent"


class Doubt(StrEnum):
    """Why the caller should ask before anything of a reply is played or passed on."""

    ATTRIBUTION_ON_TOP = "attribution_on_top"
    BELOW_SIGNATURE = "below_signature"
    WRAPPED_QUOTE = "wrapped_quote"
    ORDERS_BELOW = "orders_below"
    COPY_OF_SENT = "copy_of_sent"
    TWO_SETS = "two_sets"
    TEXT_CUT = "text_cut"


@dataclass(slots=True)
class Sorting:
    """What became of each line; ``why`` and ``doubts`` have one entry a line."""

    lines: Sequence[Line]
    why: list[Why | None]
    doubts: list[Doubt | None]
    below: int | None = None
    """The line from which everything was cut as an old mail without marks."""
    _first: int = 0

    def take_out(self, start: int, end: int, why: Why) -> None:
        """Take lines out that nobody has taken out yet."""
        for at in range(start, end):
            if self.why[at] is None:
                self.why[at] = why

    def has_kept(self, end: int) -> bool:
        """Whether any text above ``end`` is kept."""
        # Lines are only ever taken out, so the first one that is kept only moves down.
        while self._first < len(self.lines):
            line = self.lines[self._first]
            if self.why[self._first] is None and line.text and not evidence.is_rule(line):
                break
            self._first += 1
        return self._first < end


def sort_lines(lines: Sequence[Line], *, quoted_in_html: frozenset[str] = frozenset()) -> Sorting:
    """Decide about every line."""
    sorting = Sorting(lines, [None] * len(lines), [None] * len(lines))
    _take_marked(sorting, quoted_in_html)
    _take_old_mail(sorting)
    _take_initials(sorting)
    _take_wrapped(sorting)
    _take_signatures(sorting)
    _take_rules(sorting)
    return sorting


def _take_marked(sorting: Sorting, quoted_in_html: frozenset[str]) -> None:
    above = Line("")
    for at, line in enumerate(sorting.lines):
        if line.depth:
            if above.depth or not _goes_on(above, line):
                sorting.why[at] = Why.MARKED
        elif quoted_in_html and len(line.text) > 2 and fold(line.text) in quoted_in_html:
            sorting.why[at] = Why.CONTAINER
        above = line


def _goes_on(above: Line, line: Line) -> bool:
    """Whether `> E7` goes on with an order that is incomplete on the line above it (N1.1)."""
    return (
        line.depth == 1
        and line.raw.lstrip().startswith(">")
        and bool(above.text)
        and not reads_as_orders(above.text)
        and reads_as_orders(f"{above.text}\n{line.raw}")
    )


def _take_old_mail(sorting: Sorting) -> None:
    """Attributions, header blocks, markers and the sentinel, from top to bottom."""
    lines = sorting.lines
    at = first = 0
    is_doubted = False
    while at < len(lines):
        line = lines[at]
        if line.depth and not line.role and not evidence.may_end_attribution(line):
            at += 1  # one of many in a quote
            continue
        found = _find_start(sorting, at, first)
        if found is None:
            at += 1
            continue
        start, end, why = found
        above = _above_rules(sorting, start)
        if _next_is_marked(sorting, end) and why is not Why.SENTINEL:
            sorting.take_out(above, end, why)
            # A line `>:` that closes an attribution looks like a mark; it is gone by now.
        elif why in (Why.ATTRIBUTION, Why.OLD_MAIL) and not sorting.has_kept(above):
            # Nothing stands above: either an empty reply over an old mail, or an answer below an
            # attribution whose quote was deleted. Nobody can tell (L4.4).
            sorting.take_out(above, end, why)
            if not is_doubted:
                sorting.doubts[end:] = [Doubt.ATTRIBUTION_ON_TOP] * (len(lines) - end)
                is_doubted = True
        else:
            sorting.take_out(above, end, why)
            sorting.take_out(end, len(lines), Why.BELOW)
            sorting.below = end
            return
        at = first = end


def _find_start(sorting: Sorting, at: int, first: int) -> tuple[int, int, Why] | None:
    """Evidence at a line: where it begins and ends."""
    lines = sorting.lines
    line = lines[at]
    if line.role == "cut":
        return at, at + 1, Why.CONTAINER
    if not line.raw:
        return None
    if not line.depth:
        if evidence.is_sentinel(line):
            return at, at + 1, Why.SENTINEL
        if evidence.find_old_mail_marker(lines, at):
            return at, _behind_headers(lines, at + 1), Why.OLD_MAIL
        end = evidence.find_header_block(lines, at)
        if end > 0:
            return at, end, Why.HEADERS
    start = evidence.find_attribution(
        lines, at, first=first, above_quote=_next_is_marked(sorting, at + 1)
    )
    return None if start < 0 else (start, at + 1, Why.ATTRIBUTION)


def _behind_headers(lines: Sequence[Line], at: int) -> int:
    """Behind the header block or attribution that may follow a marker."""
    start = at
    while start < len(lines) and start < at + 3 and not lines[start].text:
        start += 1
    if start == len(lines):
        return at
    end = evidence.find_header_block(lines, start)
    if end > 0:
        return end
    for end in range(start, min(start + 4, len(lines))):
        if evidence.find_attribution(lines, end, first=start, above_quote=False) >= 0:
            return end + 1
    return at


def _next_is_marked(sorting: Sorting, at: int) -> bool:
    while at < len(sorting.lines) and not sorting.lines[at].raw:
        if sorting.lines[at].role == "cut":
            return False
        at += 1
    return at < len(sorting.lines) and sorting.lines[at].depth > 0


def _above_rules(sorting: Sorting, start: int) -> int:
    """Where the rules and titles begin that stand directly above an old mail."""
    at = start
    while at > 0:
        line = sorting.lines[at - 1]
        if line.text and not (evidence.is_rule(line) or evidence.is_title_between_dashes(line)):
            break
        at -= 1
        if line.text:
            start = at
    return start


def _take_initials(sorting: Sorting) -> None:
    """``Ann> so you say``: the mark of old programs. Orders have no such name before the arrow."""
    for at, line in enumerate(sorting.lines):
        match = _INITIALS.match(line.text) if sorting.why[at] is None else None
        if match is None:
            continue
        name = match[1].lower()
        is_word = name in WORDS or name in ELEMENTS
        if len(name) == 1 and is_order_like(line.text):
            continue
        if not is_word and re.match(r"(?:\s|>|$)", line.text[match.end() :]):
            sorting.why[at] = Why.MARKED


def _take_wrapped(sorting: Sorting) -> None:
    """The rest of marked lines that were too long and lost their mark when they were wrapped.

    Up to four lines directly between marked ones, each line before the last as long as can be.
    """
    lines = sorting.lines
    for start in range(1, len(lines) - 1):
        if lines[start].depth or not lines[start].text or not lines[start - 1].depth:
            continue
        end = start
        while end < len(lines) and end <= start + 4 and not lines[end].depth and lines[end].text:
            end += 1
        if end == len(lines) or not lines[end].depth or end > start + 4:
            continue
        if not all(_is_full(lines[at - 1], lines[at]) for at in range(start, end)):
            continue
        for at in range(start, end):
            if is_order_like(lines[at].text):
                sorting.doubts[at] = Doubt.WRAPPED_QUOTE
            else:
                sorting.take_out(at, at + 1, Why.WRAPPED)


def _is_full(line: Line, following: Line) -> bool:
    """Whether the first word of the next line would have made this one too long."""
    return len(line.raw) + 1 + len(following.text.split(maxsplit=1)[0]) >= _WRAPPED_AT


def _take_signatures(sorting: Sorting) -> None:
    lines = sorting.lines
    for at, line in enumerate(lines):
        if sorting.why[at] is not None or not line.text:
            continue
        if line.role == "signature":
            if is_order_like(line.text):
                sorting.doubts[at] = Doubt.BELOW_SIGNATURE
            else:
                sorting.why[at] = Why.SIGNATURE
        elif evidence.is_signature_mark(line):
            end, count = _stretch(sorting, at + 1, _MAX_SIGNATURE)
            if 0 < count <= _MAX_SIGNATURE and sorting.has_kept(at):
                _take_unless_order(sorting, at, end, Why.SIGNATURE)
        elif evidence.is_device_line(line) and _stands_alone(sorting, at):
            sorting.why[at] = Why.SIGNATURE
            below = at + 1
            while below < len(lines) and sorting.why[below] is None and not sorting.doubts[below]:
                sorting.doubts[below] = Doubt.BELOW_SIGNATURE
                below += 1
        elif re.fullmatch(r"\s*_{10,}", line.text) and sorting.has_kept(at):
            end, count = _stretch(sorting, at + 1, _MAX_FOOTER)
            rest = lines[at + 1 : end]
            if count <= 3 or (
                count <= _MAX_FOOTER and any(evidence.has_link(below.text) for below in rest)
            ):
                _take_unless_order(sorting, at, end, Why.FOOTER)


def _take_unless_order(sorting: Sorting, start: int, end: int, why: Why) -> None:
    """Orders below ``--`` are orders (L4.3), but further down a signature only maybe."""
    is_first = True
    for at in range(start, end):
        text = sorting.lines[at].text
        if text and at > start:
            if is_order_like(text) and (is_first or re.search(r"[A-Oa-o]\d", text)):
                sorting.doubts[at] = None if is_first else Doubt.BELOW_SIGNATURE
                continue
            is_first = False
        sorting.take_out(at, at + 1, why)


def _stretch(sorting: Sorting, at: int, most: int) -> tuple[int, int]:
    """Where the lines end that nobody has taken out, and how many of them say something."""
    count = 0
    while at < len(sorting.lines) and sorting.why[at] is None and count <= most:
        count += bool(sorting.lines[at].text)
        at += 1
    return at, count


def _stands_alone(sorting: Sorting, at: int) -> bool:
    """Whether a line is a paragraph, or among lines that have been taken out."""

    def is_open(other: int) -> bool:
        if not 0 <= other < len(sorting.lines):
            return True
        line = sorting.lines[other]
        return (
            not line.text
            or sorting.why[other] is not None
            or evidence.is_device_line(line)
            or evidence.is_rule(line)
        )

    return is_open(at + 1) or is_open(at - 1)


def _take_rules(sorting: Sorting) -> None:
    """Lines of dashes say nothing at the end, and ``--`` alone says nothing anywhere."""
    for at in range(len(sorting.lines) - 1, -1, -1):
        line = sorting.lines[at]
        if sorting.why[at] is not None or not line.text:
            continue
        if not evidence.is_rule(line):
            break
        sorting.why[at] = Why.RULE
