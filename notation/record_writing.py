"""Writing records canonically (N5.5): reading the text again gives the same bytes.

The layout, from N5's example:

- tags in the order of N5.1, a blank line, the comments before the first turn each on a line of
  its own, one line for each turn, the result; one blank line between games;
- orders are joined by ``; ``; behind an order, without a space, its roll, ``=`` and the verdicts,
  and the first NAG if it has a symbol; then, each behind one space, other NAGs and comments;
- a variation begins on a line of its own, indented by four more spaces than what it varies. What
  follows it in the same turn stands on a new line with the same indentation and no label. Later
  turns of a variation are aligned behind its bracket, which closes at the end of its last line;
- lines are never wrapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from notation.record import (
    NAG_SYMBOLS,
    Comment,
    Played,
    Record,
    RecordTurn,
    Verdicts,
    make_comment,
)
from notation.record_tags import format_tag, order_tags
from notation.writing import format_order

INDENT: Final = 4


def format_records(records: Iterable[Record]) -> str:
    """Write games one after the other, with a blank line between them."""
    return "\n".join(map(format_record, records))


def format_record(record: Record) -> str:
    """Write one game."""
    lines = [format_tag(name, value) for name, value in order_tags(record.tags.items())]
    lines.append("")
    lines.extend(_format_comments(record.comments))
    _write_turns(lines, record.turns, depth=0)
    lines.append(record.result)
    return "\n".join(lines) + "\n"


def _format_comments(comments: Iterable[Comment]) -> list[str]:
    """``{text}`` for each, with everything replaced that a comment cannot hold; none is empty."""
    texts = (make_comment(comment.text).text for comment in comments)
    return [f"{{{text}}}" for text in texts if text]


def format_verdicts(verdicts: Verdicts) -> str:
    """``=-`` or ``=G4-,G5+``; nothing while the defence is open (N5.3)."""
    if not verdicts:
        return ""
    return "=" + ",".join(f"{victim or ''}{'+' if saved else '-'}" for victim, saved in verdicts)


def format_played(played: Played) -> str:
    """One order with its roll, verdicts, NAGs and comments, without its variations."""
    text = format_order(played.order)
    if played.roll:
        text += f"({'/'.join(map(str, played.roll))})"
    text += format_verdicts(played.verdicts) + format_nags(played.nags)
    return " ".join((text, *_format_comments(played.comments)))


def format_nags(nags: Sequence[int]) -> str:
    """``! $14``: ascending, without repetition; only the first can be a symbol."""
    numbers = sorted(set(nags))
    symbol = NAG_SYMBOLS.get(numbers[0], "") if numbers else ""
    return symbol + "".join(f" ${number}" for number in (numbers[1:] if symbol else numbers))


def _write_turns(lines: list[str], turns: Sequence[RecordTurn], *, depth: int) -> None:
    deeper = " " * INDENT * (depth + 1)
    for index, turn in enumerate(turns):
        start = f"{turn.round}{turn.side}. "
        if depth:
            start = " " * INDENT * depth + (" " + start if index else "(")
        start += "".join(f"{comment} " for comment in _format_comments(turn.comments))
        pieces: list[str] = []
        for played in turn.orders:
            pieces.append(format_played(played))
            if played.variations:
                lines.append(start + "; ".join(pieces))
                start, pieces = deeper, []
                for variation in played.variations:
                    _write_turns(lines, variation, depth=depth + 1)
                    lines[-1] += ")"
        if pieces or not turn.orders:
            lines.append((start + "; ".join(pieces)).rstrip(" "))
