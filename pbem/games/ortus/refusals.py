"""Where a submission comes in: read and understood, or refused with all that is wrong (N1.7).

Owns refusing text that cannot be read, and what may have been meant by it. What readable orders
mean for the seat that sent them is ``submissions``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from notation.errors import NotationError
from notation.reading import read_orders
from notation.standing import ERROR_CODES as STANDING_CODES
from pbem.games.base import Fault, Refused, Suggestion
from pbem.games.ortus.state import TURN, View
from pbem.games.ortus.submissions import Impossible, Reader, Submission, Unfit, answers_to
from pbem.games.ortus.suggestions import MAX_SUGGESTIONS, lookalikes, order_span

MAX_LINE: Final = 1000
MAX_TEXT: Final = 8 * 1024
"""No suggestions are sought in a longer line or text: each is tried with the whole text."""


def read_submission(view: View, text: str) -> Submission | Refused:
    """Understand a text from a seat, or say everything that is wrong with it (N1.7)."""
    plan, errors = read_orders(text)
    if errors:
        return _refuse_unreadable(view, text, errors)
    try:
        return Reader(view, plan).read()
    except Unfit as unfit:
        return Refused((unfit.fault,), unfit.suggestions)
    except Impossible as impossible:
        return impossible.refused


def _refuse_unreadable(view: View, text: str, errors: Sequence[NotationError]) -> Refused:
    """Refuse text that cannot be read, and suggest what may have been meant."""
    faults = tuple(
        Fault(
            f"syntax_{error.code}",
            "N3.1" if error.code in STANDING_CODES else "N1",
            {"found": error.found, "expected": error.expected},
            error.line,
            error.column,
        )
        for error in errors
    )
    if TURN in view.asked:
        return Refused(faults, _mend_text(view, text, errors))
    instead = answers_to(view)
    return Refused(faults, tuple(Suggestion(order, order) for order in instead))


def _mend_text(view: View, text: str, errors: Sequence[NotationError]) -> tuple[Suggestion, ...]:
    """The text with a legal order in the place of the one that cannot be read."""
    error, lines = errors[0], text.splitlines()
    if len(errors) > 1 or view.position is None or not 1 <= error.line <= len(lines):
        return ()
    line = lines[error.line - 1]
    if len(line) > MAX_LINE or len(text) > MAX_TEXT:
        return ()
    start, end = order_span(line, error.column)
    mended = []
    for order in lookalikes(view.position, line[start:end], warrior=error.warrior):
        lines[error.line - 1] = f"{line[:start]} {order}{line[end:]}".strip()
        submission = "\n".join(lines)
        if _is_accepted(view, submission):
            mended.append(Suggestion(order, submission))
    return tuple(mended[:MAX_SUGGESTIONS])


def _is_accepted(view: View, text: str) -> bool:
    plan, errors = read_orders(text)
    if errors:
        return False
    try:
        Reader(view, plan).read()
    except (Unfit, Impossible):
        return False
    return True
