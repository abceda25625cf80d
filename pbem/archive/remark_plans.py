"""Variations from a plan (N2), as a board that is clicked writes it: one for each branch.

W1 rng G11 [-: A4>L6; end | +: end]    =>    W1 rng G11=-; A4>L6; end    W1 rng G11=+; end
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from notation.errors import NotationError
from notation.orders import End, Guard, Plan
from notation.reading import parse_orders
from notation.writing import format_order

MAX_LINES: Final = 8
"""How many variations one plan may become."""


def split_plan(text: str) -> tuple[str, ...]:
    """The variations of a plan; the text itself if it is none, or one with too many branches."""
    if "[" not in text or "{" in text or "=" in text:
        return (text,)
    try:
        # Every branch may double them, so that nobody could count all of some plans.
        lines = [line for line, _ in islice(_lines(parse_orders(text)), MAX_LINES + 1)]
    except (NotationError, RecursionError):
        return (text,)
    return tuple("; ".join(line) for line in lines) if len(lines) <= MAX_LINES else (text,)


def _lines(plan: Plan) -> Iterator[tuple[list[str], bool]]:
    """Each way through a plan, and whether it ends the turn."""
    if not plan:
        yield [], False
        return
    step, rest = plan[0], plan[1:]
    order = format_order(step.order)
    if isinstance(step.order, End):
        yield [order], True
        return
    for branch in step.branches:
        for inside, has_ended in _lines(branch.steps):
            played = [order + _verdicts(branch.guard), *inside]
            if has_ended:
                yield played, True
                continue
            for behind, ends in _lines(rest):
                yield [*played, *behind], ends
    if not step.branches:
        for behind, ends in _lines(rest):
            yield [order, *behind], ends


def _verdicts(guard: Guard) -> str:
    said = ",".join(f"{hex_ or ''}{'+' if saved else '-'}" for hex_, saved in guard.verdicts)
    return f"={said}" if said else ""
