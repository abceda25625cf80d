"""Recovering reading of one game (N5.5): keeps what it can, and lists everything it could not.

Owns reading in any spelling and layout: orders as players write them (N1.3), several turns on a
line, comments over several lines. What must hold between orders is ``record_checks.py``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import chain, islice
from typing import Final

from notation.errors import NotationError
from notation.orders import Attack, Order
from notation.record import (
    MAX_COMMENTS,
    MAX_NAG,
    MAX_NESTING,
    MAX_VARIATIONS,
    NAG_SYMBOLS,
    RESULTS,
    Comment,
    Played,
    Record,
    RecordTurn,
    is_writable,
    make_comment,
    make_writable,
)
from notation.record_checks import Labels, check_tag_values, check_turns, find_labels
from notation.record_orders import find_verdicts, parse_roll, read_recordable_order
from notation.record_tags import MAX_TAGS, MAX_VALUE, find_loose_tag
from notation.writing import format_order

MAX_ERRORS: Final = 100

_LABEL: Final = r"[0-9]{1,6}[ ]?[gbGB][ ]?\.+"
_RESULT: Final = r"(?:1-0|0-1|1/2-1/2|\*)(?=\s|\Z)"
_VERDICT: Final = r"(?:[A-Oa-o][0-9]{1,2}\s*[+-])"
_NAG_NUMBERS: Final = {symbol: number for number, symbol in NAG_SYMBOLS.items()}


@cache
def token_pattern() -> re.Pattern[str]:
    """What a record is made of, in any spelling. Compiled on first use: most are canonical."""
    return re.compile(
        rf"""
          (?P<comment>\{{[^{{}}]*\}}|\{{[^}}\n]*\}})
        | (?P<unclosed>\{{[^\n]*)
        | (?P<roll>\([ ]*[0-9][ ]*(?:/[ ]*[0-9][ ]*)?\))
        | (?P<open>\()
        | (?P<close>\))
        | (?P<nag>\$[ ]*[0-9]+)
        | (?P<symbol>[!?]+)
        | (?P<verdicts>=[ ]*(?:[+-](?![A-Za-z0-9])|{_VERDICT}(?:\s*,\s*{_VERDICT})*))
        | (?P<separator>;)
        | (?P<newline>\n)
        | (?P<space>[^\S\n]+)
        | (?P<result>{_RESULT})
        | (?P<label>{_LABEL})
        | (?P<order>(?:[^\s;{{}}()=!?$]++|(?!\s(?:{_LABEL}|{_RESULT}))[^\S\n])++)
        | (?P<other>.)
        """,
        re.VERBOSE,
    )


class _TooManyErrors(Exception):
    """The list of errors is full; what was read until then is kept."""


class _Level:
    """One line of play while it is read."""

    __slots__ = ("turns",)

    def __init__(self) -> None:
        self.turns: list[RecordTurn] = []

    @property
    def last(self) -> Played | None:
        """The order before which we stand."""
        return self.turns[-1].orders[-1] if self.turns and self.turns[-1].orders else None


def recover(lines: Sequence[str], first_line: int) -> tuple[Record, list[NotationError]]:
    """Read the lines of one game as far as possible; the errors are in the order of the text."""
    reader = _Recovery(lines, first_line)
    try:
        reader.read()
    except _TooManyErrors:
        place = reader.errors[-1]
        reader.errors.append(
            NotationError(
                "too_many_errors",
                line=place.line,
                column=place.column,
                found="",
                expected=f"at most {MAX_ERRORS} errors in a game; the rest of it was not read",
            )
        )
    return reader.finish()


class _Recovery:
    def __init__(self, lines: Sequence[str], first_line: int) -> None:
        self.lines = lines
        self.first_line = first_line
        self.errors: list[NotationError] = []
        self.tags: dict[str, str] = {}
        self.tag_lines: dict[str, int] = {}
        self.comments: tuple[Comment, ...] = ()
        self.levels = [_Level()]
        self.result: str | None = None
        self.result_start = 0
        self.labels: Labels | None = None
        self.skipped_depth = 0
        self.dropped = False  # the last order was; so is what belongs to it
        self.broken: tuple[str, int, NotationError] | None = None
        self.text = ""
        self.starts: list[int] = []
        self.moves_line = first_line

    def read(self) -> None:
        moves = self.read_tags()
        self.moves_line = self.first_line + moves
        self.text = "\n".join(self.lines[moves:])
        self.starts = [0]
        for line in self.lines[moves:]:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.labels = find_labels(self.tags)
        for match in token_pattern().finditer(self.text):
            if self.result is not None:
                if not match.group().isspace():
                    self.error("text_behind_result", match.start(), "nothing behind the result")
                    break
            else:
                self.take(match.lastgroup or "other", match.group(), match.start())
        self.report_broken()
        if len(self.levels) > 1 or self.skipped_depth:
            self.error("cut_off", len(self.text), ") at the end of the variation")
        if self.result is None:
            self.error("missing_result", len(self.text), "the result")
        elif self.tags.get("Result", self.result) != self.result:
            expected = f"{self.tags['Result']}, as in the Result tag"
            self.error("result_mismatch", self.result_start, expected)

    def finish(self) -> tuple[Record, list[NotationError]]:
        while len(self.levels) > 1:
            self.close_variation()
        turns = tuple(self.levels[0].turns)
        tagged = self.tags.get("Result", "*")
        result = self.result or (tagged if tagged in RESULTS else "*")
        end = self.first_line + len(self.tag_lines)
        faults = chain(
            check_tag_values(self.tags, self.tag_lines, end=end, has_turns=bool(turns)),
            check_turns(turns, self.tags),
        )
        errors = [*self.errors, *islice(faults, MAX_ERRORS)]
        errors.sort(key=lambda error: (error.line, error.column))
        return Record(self.tags, turns, result, self.comments), errors

    def read_tags(self) -> int:
        """Fill ``tags`` from the lines at the top; give the index of the first line behind."""
        for index, line in enumerate(self.lines):
            if not line.strip():
                continue
            tag = find_loose_tag(line)
            if tag is None:
                if not line.lstrip().startswith("["):
                    return index
                self.error_at("bad_tag", index, line, 'a tag such as [Event "Winter Cup"]')
                continue
            name, value = tag
            if name in self.tags:
                self.error_at("tag_twice", index, line, "every tag once")
            elif len(self.tags) == MAX_TAGS or len(value) > MAX_VALUE:
                expected = f"{MAX_TAGS} tags at most, of {MAX_VALUE} characters"
                self.error_at("bad_tag_value", index, line, expected)
            else:
                if not is_writable(value):
                    self.error_at("bad_tag_value", index, line, "no control characters")
                self.tags[name] = make_writable(value)
                self.tag_lines[name] = self.first_line + index
        return len(self.lines)

    # Tokens

    def take(self, kind: str, text: str, start: int) -> None:
        if kind in {"space", "newline"}:
            return
        if self.skipped_depth:
            self.skipped_depth += (kind == "open") - (kind == "close")
        elif kind == "order":
            self.take_order(text.strip(), start)
        else:
            self.report_broken()
            if not (self.dropped and kind in {"roll", "verdicts", "nag", "symbol"}):
                getattr(self, f"take_{kind}")(text, start)

    def take_order(self, text: str, start: int) -> None:
        if self.broken is not None:
            # A line break of mail may have cut an order in two (N1.1).
            before, before_start, _ = self.broken
            order = self.find_order(f"{before} {text}")
            if order is not None:
                self.broken = None
                self.error("not_canonical", before_start, format_order(order))
                self.add_order(order, before_start)
                return
            self.report_broken()
        try:
            order = read_recordable_order(text)
        except NotationError as error:
            self.broken = (text, start, error)
            return
        if format_order(order) != text:
            self.error("not_canonical", start, format_order(order))
        self.add_order(order, start)

    def find_order(self, text: str) -> Order | None:
        try:
            return read_recordable_order(text)
        except NotationError:
            return None

    def report_broken(self) -> None:
        if self.broken is not None:
            _, start, error = self.broken
            self.broken, self.dropped = None, True
            offset = start + error.column - 1 if error.line == 1 else start
            self.add_error(error.code, offset, error.found, error.expected)

    def add_order(self, order: Order, start: int) -> None:
        self.dropped = False
        level = self.levels[-1]
        line, column = self.place(start)
        if not level.turns:
            if len(self.levels) == 1:
                self.error("missing_label", start, "a label such as 2g.")
            number, side = self.labels.first if self.labels else (1, "g")
            level.turns.append(RecordTurn(number, side, [], (), line, column))
        level.turns[-1].orders.append(Played(order, line=line, column=column))

    def take_label(self, text: str, start: int) -> None:
        label = re.fullmatch(r"([0-9]+) ?([gb])[ .]*", text.lower())
        assert label is not None
        self.dropped = False
        line, column = self.place(start)
        turn = RecordTurn(int(label[1]), label[2], [], (), line, column)
        turns = self.levels[-1].turns
        if len(self.levels) > 1 and len(turns) == 1 and not turns[0].orders:
            turn.comments = turns.pop().comments  # a variation that writes its first label
        turns.append(turn)

    def take_comment(self, text: str, start: int) -> None:
        inside = text[1:-1]
        comment = make_comment(" ".join(inside.split("\n")))
        if not is_writable(inside.replace("\n", " ")):
            self.error("control_character", start, "a comment without control characters")
        if not comment.text:
            return
        level = self.levels[-1]
        place = level.last or (level.turns[-1] if level.turns else self)
        if len(place.comments) == MAX_COMMENTS:
            self.error("too_many_comments", start, f"at most {MAX_COMMENTS} comments in a place")
        else:
            place.comments += (comment,)

    def take_unclosed(self, text: str, start: int) -> None:
        self.error("comment_not_closed", start, "} at the end of the comment")
        self.take_comment(text + "}", start)

    def take_roll(self, text: str, start: int) -> None:
        last = self.levels[-1].last
        if last is None or last.roll or not isinstance(last.order, Attack):
            self.error("bad_roll", start, "a roll only behind an attack")
        else:
            last.roll = parse_roll("".join(text[1:-1].split()))

    def take_verdicts(self, text: str, start: int) -> None:
        last = self.levels[-1].last
        verdicts = find_verdicts("".join(text[1:].split()).upper())
        if last is None or last.verdicts or not isinstance(last.order, Attack):
            self.error("verdict_without_attack", start, "a verdict only behind an attack")
        elif verdicts is None:
            self.error("bad_verdict", start, "+, - or verdicts such as G4-,G5+")
        else:
            last.verdicts = verdicts

    def take_nag(self, text: str, start: int) -> None:
        digits = text[1:].strip()
        number = int(digits) if len(digits) <= 3 else MAX_NAG + 1
        self.add_nag(number if number <= MAX_NAG else None, start)

    def take_symbol(self, text: str, start: int) -> None:
        self.add_nag(_NAG_NUMBERS.get(text), start)

    def add_nag(self, number: int | None, start: int) -> None:
        last = self.levels[-1].last
        if number is None or last is None:
            self.error("bad_nag", start, f"! ? !! ?? !? ?! or $0 to ${MAX_NAG} behind an order")
        else:
            last.nags = tuple(sorted({*last.nags, number}))

    def take_open(self, _text: str, start: int) -> None:
        level = self.levels[-1]
        if level.last is None or self.dropped:
            self.error("variation_lost", start, "an order before the variation")
            self.skipped_depth = 1
            return
        if len(self.levels) > MAX_NESTING or len(level.last.variations) == MAX_VARIATIONS:
            deep = len(self.levels) > MAX_NESTING
            expected = f"at most {MAX_NESTING} variations in another, {MAX_VARIATIONS} at an order"
            self.error("nesting_too_deep" if deep else "too_many_variations", start, expected)
            self.skipped_depth = 1
            return
        line, column = self.place(start)
        varied = level.turns[-1]
        deeper = _Level()
        deeper.turns.append(RecordTurn(varied.round, varied.side, [], (), line, column))
        self.levels.append(deeper)

    def take_close(self, _text: str, start: int) -> None:
        if len(self.levels) == 1:
            self.error("unopened_bracket", start, "no ) without a (")
        else:
            self.close_variation()

    def close_variation(self) -> None:
        variation = self.levels.pop()
        varied = self.levels[-1].last
        if varied is None or not any(turn.orders for turn in variation.turns):
            return
        if len(varied.variations) < MAX_VARIATIONS:
            varied.variations += (tuple(variation.turns),)

    def take_result(self, text: str, start: int) -> None:
        while len(self.levels) > 1:
            self.error("cut_off", start, ") at the end of the variation")
            self.close_variation()
        self.result, self.result_start = text, start

    def take_separator(self, _text: str, _start: int) -> None:
        self.dropped = False

    def take_other(self, _text: str, start: int) -> None:
        self.error("unexpected", start, "an order, a label, a comment or the result")

    # Errors

    def place(self, start: int) -> tuple[int, int]:
        if len(self.starts) < 2:  # there are no lines behind the tags
            return self.moves_line - 1, len(self.lines[-1]) + 1
        index = min(bisect_right(self.starts, start), len(self.starts) - 1) - 1
        return self.moves_line + index, start - self.starts[index] + 1

    def error(self, code: str, start: int, expected: str) -> None:
        self.add_error(code, start, self.text[start : start + 60].split("\n")[0], expected)

    def add_error(self, code: str, start: int, found: str, expected: str) -> None:
        line, column = self.place(start)
        error = NotationError(code, line=line, column=column, found=found, expected=expected)
        self.keep(error)

    def error_at(self, code: str, index: int, line: str, expected: str) -> None:
        number = self.first_line + index
        self.keep(NotationError(code, line=number, column=1, found=line, expected=expected))

    def keep(self, error: NotationError) -> None:
        self.errors.append(error)
        if len(self.errors) >= MAX_ERRORS:
            raise _TooManyErrors
