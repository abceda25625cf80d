"""Reads a submission: orders, separators, and the brackets of a plan (N1, N2).

Owns the public reading functions, the limits on size, and going on behind an error. One order is
``order_reading.py``; whether it is legal is ``pbem.games.ortus``.

The codes of all errors are in ``ERROR_CODES``; a standing rule has codes of its own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from notation.canonical import find_canonical
from notation.cursor import Cursor
from notation.decision_reading import read_guard
from notation.errors import NotationError
from notation.order_faults import AN_ORDER
from notation.order_reading import finish_order, read_order
from notation.orders import (
    Attack,
    Branch,
    DrawOffer,
    End,
    Order,
    Plan,
    Standing,
    Step,
)
from notation.tokens import tokenise

MAX_BYTES: Final = 64 * 1024
MAX_ORDERS: Final = 512
MAX_BRANCHES: Final = 512
MAX_DEPTH: Final = 16
MAX_ERRORS: Final = 32
MAX_REMEMBERED: Final = 4000
"""The longest text whose plan is kept for a while."""

_CHOICE_WORDS: Final = frozenset({"#", "(", ".", ":", "no", "nr", "reply", "answer", "option"}) | {
    "choice",
    "number",
    "antwoord",
    "keuze",
    "optie",
    "nummer",
}

# A quick look: a choice has one or two digits and only marks behind them. Entities have digits.
_MAY_BE_CHOICE: Final = re.compile(r"\D*\d{1,2}[\W_]*|.*&.*", re.DOTALL)

_LIMIT_CODES: Final = frozenset({"too_long", "too_many_orders", "too_many_branches", "too_deep"})

ERROR_CODES: Final = _LIMIT_CODES | {
    "bad_guard",
    "bad_hex",
    "bad_warrior",
    "bare_sign",
    "bracket_unclosed",
    "bracket_unopened",
    "bracket_without_attack",
    "dragons_pair",
    "draw_alone",
    "draw_missing",
    "hex_missing",
    "landing_unused",
    "lone_number",
    "no_orders",
    "not_alone",
    "number_missing",
    "off_board",
    "one_order",
    "orders_after_end",
    "quoted_line",
    "separator_missing",
    "setup_count",
    "setup_letter",
    "sign_missing",
    "standing_in_branch",
    "two_brackets",
    "two_verbs",
    "unexpected",
    "unknown_word",
    "verb_missing",
    "victim_missing",
    "warrior_missing",
}


def parse_orders(text: str) -> Plan:
    """Read a whole submission (N1, N2).

    Raises:
        NotationError: the first thing in it that cannot be read; also when there is no order.
    """
    plan, errors = _read(text, max_errors=1)
    if errors:
        raise errors[0]
    return plan


def find_plan(text: str) -> Plan | None:
    """What a whole submission says; None when something in it cannot be read."""
    return _remembered_plan(text) if len(text) <= MAX_REMEMBERED else _find_plan(text)


def _find_plan(text: str) -> Plan | None:
    plan, errors = _read(text, max_errors=1)
    return None if errors else plan


_remembered_plan: Final = lru_cache(maxsize=128)(_find_plan)
"""A reply is read several times: to find the orders in it, to sort its lines, to play it."""


def read_orders(text: str) -> tuple[Plan, tuple[NotationError, ...]]:
    """Read a submission and go on behind an error, at the next order.

    The steps returned are those without an error; with any error none may be played (N1.7).
    """
    order = find_canonical(text)
    if order is not None:
        return (Step(order),), ()
    plan = find_plan(text)
    return _read(text, max_errors=MAX_ERRORS) if plan is None else (plan, ())


def parse_order(text: str) -> Order:
    """Read exactly one order, without a bracket.

    Raises:
        NotationError: it cannot be read, or there is more or less than one order.
    """
    order = find_canonical(text)
    if order is not None:
        return order
    plan = parse_orders(text)
    if len(plan) != 1 or plan[0].branches:
        place = plan[0].place if len(plan) == 1 else plan[1].place
        raise NotationError(
            "one_order",
            line=place.line,
            column=place.column,
            found=text.splitlines()[place.line - 1][place.column - 1 :],
            expected="one order, without a bracket",
        )
    return plan[0].order


def find_choice(text: str) -> int | None:
    """The number if the whole text is one number 1 to 99, as an answer to a refusal (N1.7).

    ``2``, ``2.``, ``#2``, ``(2)`` and ``reply 2`` are such texts.
    """
    stripped = text.strip()
    if len(stripped) > 80 or (stripped.isascii() and not _MAY_BE_CHOICE.fullmatch(stripped)):
        return None
    tokens = [token for token in tokenise(stripped).tokens if token.kind not in ("break", "end")]
    while tokens and tokens[-1].kind in (".", "!", ")"):
        tokens.pop()
    while tokens and tokens[0].text.lower() in _CHOICE_WORDS:
        tokens.pop(0)
    if len(tokens) != 1 or tokens[0].kind != "number":
        return None
    digits = tokens[0].value
    return int(digits) if len(digits) <= 2 and digits[0] != "0" else None


def _read(text: str, *, max_errors: int) -> tuple[Plan, tuple[NotationError, ...]]:
    too_long = _find_too_long(text)
    if too_long is not None:
        return (), (too_long,)
    reader = _PlanReader(Cursor(tokenise(text)))
    errors: list[NotationError] = []
    steps: list[Step] = []
    while len(errors) < max_errors and reader.skip_to_order():
        try:
            reader.read_steps(steps, depth=0)
        except NotationError as error:
            errors.append(error)
            if error.code in _LIMIT_CODES:
                break
            reader.skip_order()
    if not steps and not errors:
        errors.append(reader.cursor.error("no_orders", AN_ORDER))
    return tuple(steps), tuple(errors)


def _find_too_long(text: str) -> NotationError | None:
    """Refuse before anything else is done with it."""
    size = len(text)
    if size <= MAX_BYTES and not text.isascii():
        size = len(text.encode("utf-8", "surrogatepass"))
    if size <= MAX_BYTES:
        return None
    return NotationError(
        "too_long", line=1, column=1, found=text[:80], expected="at most 64 KiB of text"
    )


def _has_ended(steps: list[Step]) -> bool:
    for step in reversed(steps):
        if not isinstance(step.order, Standing | DrawOffer):  # these may follow an end
            return isinstance(step.order, End)
    return False


class _PlanReader:
    """Reads steps and their brackets; counts what has been read against the limits."""

    __slots__ = ("branches", "cursor", "orders", "start")

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.orders = 0
        self.branches = 0
        self.start = 0

    def skip_to_order(self) -> bool:
        """Step over separators and the full stops behind them; False at the end of the text."""
        cursor = self.cursor
        while cursor.kind in ("break", ";") or (
            cursor.kind == "." and cursor.ahead(1).kind in ("break", "end", ";", ".")
        ):
            cursor.at += 1
        return cursor.kind != "end"

    def skip_order(self) -> None:
        """Behind an error: go to the next separator outside brackets."""
        cursor = self.cursor
        depth = 0
        error_at, at = cursor.at, self.start
        while True:
            kind = cursor.tokens[at].kind
            depth += (kind == "[") - (kind == "]")
            if kind == "end" or (kind in ("break", ";") and depth <= 0 and at >= error_at):
                break
            at += 1
        cursor.at = at

    def read_steps(self, steps: list[Step], *, depth: int) -> None:
        """Read one order with its bracket, append what it gives to ``steps``."""
        cursor = self.cursor
        if depth == 0:
            self.start = cursor.at
        self._skip_list_mark()
        place, first = cursor.place(), cursor.at
        if _has_ended(steps):
            self._check_after_end(depth)
        if cursor.is_word("standing") and depth:
            raise cursor.error("standing_in_branch", "`standing:` on a line of its own")
        orders = read_order(cursor)
        finish_order(cursor)
        self.orders += len(orders)
        if self.orders > MAX_ORDERS:
            raise cursor.error("too_many_orders", f"at most {MAX_ORDERS} orders", at=first)
        if cursor.kind != "[":
            steps.extend(Step(order, (), place) for order in orders)
            return
        if not isinstance(orders[-1], Attack):
            raise cursor.error(
                "bracket_without_attack", "`;` or a new line: only an attack can have a bracket"
            )
        steps.append(Step(orders[0], self._read_bracket(depth + 1), place))
        finish_order(cursor)
        if cursor.kind == "[":
            raise cursor.error("two_brackets", "one bracket behind an attack; use `|` inside it")

    def _check_after_end(self, depth: int) -> None:
        # Behind the turn's end only what is no part of the turn (N2.1; a ruling at top level).
        cursor = self.cursor
        is_draw_offer = cursor.is_word("draw") and cursor.ahead(1).value == "?"
        if depth:
            raise cursor.error("orders_after_end", "`|` or `]` behind `end`, which ends the turn")
        if not (cursor.is_word("standing") or is_draw_offer):
            raise cursor.error("orders_after_end", "nothing behind `end`, which ends the turn")

    def _skip_list_mark(self) -> None:
        """``1.`` or ``1)`` before an order (N1.3)."""
        cursor = self.cursor
        if cursor.kind == "number" and cursor.ahead(1).kind in (".", ")"):
            ahead = 2
            while cursor.ahead(ahead).kind == "break":
                ahead += 1
            if cursor.ahead(ahead).kind != "end":
                cursor.at += ahead

    def _read_bracket(self, depth: int) -> tuple[Branch, ...]:
        cursor = self.cursor
        opened = cursor.at
        if depth > MAX_DEPTH:
            raise cursor.error("too_deep", f"brackets at most {MAX_DEPTH} deep")
        branches: list[Branch] = []
        while cursor.kind != "]":
            cursor.at += 1  # "[" or "|"
            guard_at = cursor.at
            self.branches += 1
            if self.branches > MAX_BRANCHES:
                expected = f"at most {MAX_BRANCHES} branches in one submission"
                raise cursor.error("too_many_branches", expected, at=guard_at)
            guard = read_guard(cursor)
            steps: list[Step] = []
            while self.skip_to_order() and cursor.kind not in ("|", "]"):
                self.read_steps(steps, depth=depth)
            if cursor.kind == "end":
                expected = "`]`, which closes this bracket"
                raise cursor.error("bracket_unclosed", expected, at=opened)
            branches.append(Branch(guard, tuple(steps)))
        cursor.at += 1
        return tuple(branches)
