"""Which lines of a reply are remarks on a game that is over: those that begin with one of its
turns, and what belongs to them (``3b. ! {Good.}``, ``3b.2 withdraw``).

Owns the cutting only; remarks are read by ``pbem.archive``. A reply about a running game has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MAX_LINES: Final = 60
"""How many lines one remark may go over."""

_START: Final = re.compile(r"[\s*_]*[0-9]{1,6}\s?[gb]\s?\.", re.IGNORECASE)
_GOES_ON: Final = re.compile(r"\s*[({!?$;]")
_PLACE: Final = r"([0-9]{1,6})\s?([gb])(?:\s?\.\s?([0-9]{1,3})?)?"
_WORD: Final = r"(?:withdraw|intrekken)"
_WITHDRAWAL: Final = re.compile(
    rf"[\s*_]*(?:{_PLACE}\s*{_WORD}|{_WORD}(?:\s*:)?\s+{_PLACE})[\s.!*_]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Cut:
    """The lines of a reply by what they are."""

    remarks: str = ""
    withdrawals: tuple[tuple[str, int | None], ...] = ()
    """Turns, each with the number of an order, or None for all of the turn."""
    rest: tuple[str, ...] = ()


def cut_remarks(lines: Sequence[str]) -> Cut:
    """Cut remarks out of the lines of a reply that surely are the player's own."""
    remarks: list[str] = []
    withdrawals: list[tuple[str, int | None]] = []
    rest: list[str] = []
    at = 0
    while at < len(lines):
        found = _find_withdrawal(lines[at])
        count = 1 if found is not None else _count_lines(lines, at)
        if found is not None:
            withdrawals.append(found)
        elif count:
            remarks += lines[at : at + count]
        else:
            rest.append(lines[at])
        at += max(1, count)
    return Cut("\n".join(remarks), tuple(withdrawals), tuple(rest))


def begins_remark(line: str) -> bool:
    """Whether a remark begins with this line."""
    return _START.match(line) is not None


def _find_withdrawal(line: str) -> tuple[str, int | None] | None:
    found = _WITHDRAWAL.fullmatch(line)
    if found is None:
        return None
    number, side, order = found.groups()[:3] if found[1] else found.groups()[3:]
    return f"{int(number)}{side.lower()}", None if order is None else int(order)


def _count_lines(lines: Sequence[str], at: int) -> int:
    """How many lines from here are one remark; 0 if none begins here."""
    if not begins_remark(lines[at]):
        return 0
    end = at + 1
    text = lines[at]
    while end < len(lines) and end - at < MAX_LINES:
        if not (_is_open(text) or _GOES_ON.match(lines[end])):
            break
        text += "\n" + lines[end]
        end += 1
    # A bracket that is never closed takes no lines with it that may be words to the opponent.
    if _is_open(text):
        blank = (number for number in range(at + 1, end) if not lines[number].strip())
        end = next(blank, end)
    return end - at


def _is_open(text: str) -> bool:
    """Whether a comment or a variation goes on behind this."""
    begin, deep = 0, 0
    while True:
        comment = text.find("{", begin)
        outside = text[begin:] if comment < 0 else text[begin:comment]
        deep += outside.count("(") - outside.count(")")
        if comment < 0:
            return deep > 0
        begin = text.find("}", comment) + 1
        if not begin:
            return True
