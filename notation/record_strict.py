"""Strict reading of one game (N5.5): exactly what ``record_writing.py`` writes, or an error.

Owns the canonical layout, line by line, and is made to be fast: one pattern matches one order
with everything behind it. What must hold between orders is ``record_checks.py``; where a game
begins and ends in a file is ``record_reading.py``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NoReturn, cast

from notation.errors import NotationError
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
)
from notation.record_checks import check_tag_values, check_turns
from notation.record_orders import (
    find_remembered_order,
    find_verdicts,
    get_canonical_order,
    parse_roll,
)
from notation.record_tags import MAX_TAGS, MAX_VALUE, find_tag, rank_of, tag_fault_offset
from notation.record_writing import INDENT, format_nags

_PLAYED: Final = (
    r"([A-Za-z0-9][A-Za-z0-9>:@+ ]*[A-Za-z0-9])"
    r"(?:\(([0-9](?:/[0-9])?)\))?"
    r"(?:=([A-O0-9+,-]+))?"
    r"(\?\?|\?!|\?|!!|!\?|!)?"
    r"((?: \$[0-9]{1,3})*+)"
    r"((?: \{[^}]*+\})*+)"
)
_match_played = re.compile(_PLAYED + r"(?:; |(\)*)\Z)").match
_match_played_part = re.compile(_PLAYED).match
_ORDER_TEXT: Final = re.compile(r"[^;(){}=!?$]*")
_LABEL: Final = re.compile(r"([1-9][0-9]{0,5})([gb])\. ")
_COMMENT: Final = re.compile(r"\{([^}]*)\}")
_NAG_NUMBERS: Final = {symbol: number for number, symbol in NAG_SYMBOLS.items()}


def read_strictly(lines: Sequence[str], first_line: int) -> Record:
    """Read the lines of one game, without line ends; ``first_line`` counts in the file.

    Raises:
        NotationError: at the first deviation from the canonical text.
    """
    return _StrictReader(lines, first_line).read()


class _Level:
    """One line of play while it is read: the main line, or a variation in it."""

    __slots__ = ("turn", "turns", "varied")

    def __init__(self) -> None:
        self.turns: list[RecordTurn] = []
        self.turn: RecordTurn | None = None
        self.varied = False  # a variation was the last thing read


class _StrictReader:
    def __init__(self, lines: Sequence[str], first_line: int) -> None:
        self.lines = lines
        self.first_line = first_line
        self.at = 0
        self.tags: dict[str, str] = {}
        self.levels = [_Level()]

    def read(self) -> Record:
        tag_lines = self.read_tags()
        comments = self.read_first_comments()
        has_turns = self.at < len(self.lines) and self.lines[self.at] not in RESULTS
        end = self.first_line + len(tag_lines)
        for fault in check_tag_values(self.tags, tag_lines, end=end, has_turns=has_turns):
            raise fault
        try:
            result = self.read_turns()
        except NotationError as error:
            self.check_turns(before=error.line)
            raise
        self.check_turns()
        if result != self.tags["Result"]:
            self.fail("result_mismatch", 0, f"{self.tags['Result']}, as in the Result tag")
        if self.at + 1 < len(self.lines):
            self.at += 1
            self.fail("text_behind_result", 0, "nothing behind the result")
        return Record(self.tags, tuple(self.levels[0].turns), result, comments)

    def check_turns(self, before: int | None = None) -> None:
        for fault in check_turns(self.levels[0].turns, self.tags):
            if before is None or fault.line < before:
                raise fault

    # Tags and comments

    def read_tags(self) -> dict[str, int]:
        """Fill ``tags``; give the file's line for each."""
        places: dict[str, int] = {}
        rank = -1
        while self.at < len(self.lines) and self.lines[self.at]:
            line = self.lines[self.at]
            tag = find_tag(line)
            if tag is None:
                self.fail(
                    "bad_tag",
                    tag_fault_offset(line),
                    'a tag such as [Event "Winter Cup"], or a blank line',
                )
            name, value = tag
            if name in places:
                self.fail("tag_twice", 1, "every tag once")
            if rank_of(name) < rank:
                self.fail("tag_order", 1, "tags in the order of N5.1")
            if not is_writable(value) or len(value) > MAX_VALUE:
                self.fail("bad_tag_value", len(name) + 3, "no control characters, a short text")
            if len(places) == MAX_TAGS:
                self.fail("too_many_tags", 1, f"at most {MAX_TAGS} tags")
            rank = rank_of(name)
            places[name] = self.first_line + self.at
            self.tags[name] = value
            self.at += 1
        if not self.tags:
            self.fail("missing_tag", 0, 'a tag such as [Event "Winter Cup"]')
        if self.at >= len(self.lines):
            self.fail("cut_off", 0, "a blank line behind the tags")
        self.at += 1
        return places

    def read_first_comments(self) -> tuple[Comment, ...]:
        comments = []
        while self.at < len(self.lines) and self.lines[self.at].startswith("{"):
            match = _COMMENT.match(self.lines[self.at])
            if match is None:
                self.fail("comment_not_closed", 0, "} at the end of the comment")
            comments.append(self.make_comment(match[1], 1))
            self.check_number(comments)
            if match.end() != len(self.lines[self.at]):
                self.fail("bad_layout", match.end(), "a new line")
            self.at += 1
        return tuple(comments)

    def check_number(self, comments: Sequence[Comment], start: int = 0) -> None:
        if len(comments) > MAX_COMMENTS:
            self.fail("too_many_comments", start, f"at most {MAX_COMMENTS} comments in a place")

    def make_comment(self, text: str, start: int) -> Comment:
        if not text or text != text.strip():
            self.fail("bad_comment", start, "a comment without space at its ends")
        if not is_writable(text):
            at = next(index for index, char in enumerate(text) if not is_writable(char))
            self.fail("control_character", start + at, "a comment without control characters")
        return Comment(text)

    # Turns

    def read_turns(self) -> str:
        """Read all lines up to the result; give the result."""
        levels = self.levels
        while self.at < len(self.lines):
            line = self.lines[self.at]
            depth = len(levels) - 1
            level = levels[depth]
            if not depth and line in RESULTS:
                return line
            deeper = INDENT * (depth + 1)
            indent = len(line) - len(line.lstrip(" "))
            if indent == (INDENT * depth + 1 if depth else 0):
                self.begin_turn(line, indent, level)
            elif indent != deeper or level.turn is None:
                self.fail("bad_layout", min(indent, len(line)), self.expected_line())
            elif line[deeper : deeper + 1] == "(":
                self.begin_variation(line, deeper, level)
            elif level.varied:
                self.read_played(line, deeper, level.turn.orders)
            else:
                self.fail("bad_layout", indent, self.expected_line())
            self.at += 1
        expected = ") at the end of the variation" if len(levels) > 1 else "a turn or the result"
        self.fail("cut_off", 0, expected)

    def expected_line(self) -> str:
        return "a turn such as 2g. F2>I3; end" + (
            ", or the result" if len(self.levels) == 1 else ", or a variation"
        )

    def begin_turn(self, line: str, indent: int, level: _Level) -> None:
        match = _LABEL.match(line, indent)
        if match is None:
            self.fail("bad_label", indent, self.expected_line())
        number = self.first_line + self.at
        level.turn = RecordTurn(int(match[1]), match[2], [], (), number, indent + 1)
        level.turns.append(level.turn)
        start = self.read_turn_comments(line, match.end(), level.turn)
        self.read_played(line, start, level.turn.orders)

    def begin_variation(self, line: str, indent: int, level: _Level) -> None:
        if not level.turn or not level.turn.orders:
            self.fail("bad_layout", indent, "an order before a variation")
        if len(self.levels) > MAX_NESTING:
            self.fail("nesting_too_deep", indent, f"at most {MAX_NESTING} variations in another")
        number = self.first_line + self.at
        varied = level.turn
        deeper = _Level()
        deeper.turn = RecordTurn(varied.round, varied.side, [], (), number, indent + 1)
        deeper.turns.append(deeper.turn)
        self.levels.append(deeper)
        start = self.read_turn_comments(line, indent + 1, deeper.turn)
        self.read_played(line, start, deeper.turn.orders)

    def read_turn_comments(self, line: str, start: int, turn: RecordTurn) -> int:
        while line.startswith("{", start):
            match = _COMMENT.match(line, start)
            if match is None:
                self.fail("comment_not_closed", start, "} at the end of the comment")
            turn.comments += (self.make_comment(match[1], start + 1),)
            self.check_number(turn.comments, start)
            start = match.end() + 1
            if line[start - 1 : start] != " ":
                self.fail("bad_layout", start - 1, "a space and an order")
        return start

    def read_played(self, line: str, start: int, orders: list[Played]) -> None:
        """Read the orders of one line from ``start`` on, and close what it closes."""
        number = self.first_line + self.at
        level = self.levels[-1]
        level.varied = False
        while True:
            # Most orders have nothing behind them; those need no pattern.
            end = line.find("; ", start)
            order = find_remembered_order(line[start:end] if end >= 0 else line[start:])
            if order is not None:
                orders.append(Played(order, (), (), (), (), (), number, start + 1))
                if end < 0:
                    return
                start = end + 2
                continue
            match = _match_played(line, start)
            if match is None:
                self.explain(line, start)
            try:
                order = get_canonical_order(match[1])
            except NotationError as error:
                self.place(error, start)
            played = Played(order, (), (), (), (), (), number, start + 1)
            orders.append(played)
            closing = self.annotate(played, match)
            if closing is not None:
                self.close(len(closing), match.start(7))
                return
            start = match.end()

    def annotate(self, played: Played, match: re.Match[str]) -> str | None:
        """Give an order what stands behind it; the brackets that close behind it are left."""
        _, roll, verdicts, symbol, nags, comments, closing = match.groups()
        if roll is not None:
            played.roll = parse_roll(roll)
        if verdicts is not None:
            found = find_verdicts(verdicts)
            if found is None:
                self.fail("bad_verdict", match.start(3), "+, - or verdicts such as G4-,G5+")
            played.verdicts = found
        if symbol is not None or nags:
            played.nags = self.read_nags(symbol, nags, match.start(4 if symbol else 5))
        if comments:
            played.comments = self.read_comments(match.string, *match.span(6))
        return cast("str | None", closing)

    def read_nags(self, symbol: str | None, text: str, start: int) -> tuple[int, ...]:
        numbers = [_NAG_NUMBERS[symbol]] if symbol else []
        numbers += [int(part) for part in text.split(" $")[1:]]
        if format_nags(numbers) != (symbol or "") + text or numbers[-1] > MAX_NAG:
            self.fail("bad_nag", start, f"{format_nags(numbers)}, numbers up to {MAX_NAG}")
        return tuple(numbers)

    def read_comments(self, line: str, start: int, end: int) -> tuple[Comment, ...]:
        comments = [
            self.make_comment(match[1], match.start(1))
            for match in _COMMENT.finditer(line, start, end)
        ]
        self.check_number(comments, start)
        return tuple(comments)

    def close(self, count: int, start: int) -> None:
        for closed in range(count):
            if len(self.levels) == 1:
                self.fail("unopened_bracket", start + closed, "no ) without a (")
            variation = self.levels.pop()
            level = self.levels[-1]
            assert level.turn is not None
            varied = level.turn.orders[-1]
            if len(varied.variations) == MAX_VARIATIONS:
                self.fail("too_many_variations", start, f"at most {MAX_VARIATIONS} at an order")
            varied.variations += (tuple(variation.turns),)
            level.varied = True

    # Errors

    def explain(self, line: str, start: int) -> NoReturn:
        """Say why no order with its annotation stands at ``start``."""
        match = _ORDER_TEXT.match(line, start)
        text = match.group() if match else ""
        if not text.strip(" "):
            self.fail("missing_order", start, "an order")
        if text.startswith(" "):
            self.fail("bad_layout", start, "one space")
        try:
            get_canonical_order(text.rstrip(" "))
        except NotationError as error:
            self.place(error, start)
        part = _match_played_part(line, start)
        end = part.end() if part else start
        rest = line[end:].lstrip(" ")
        if rest:
            end = len(line) - len(rest)
        if rest.startswith("{"):
            code, expected = "comment_not_closed", "} at the end of the comment"
            if "}" in rest:
                code, expected = "bad_layout", "one space before a comment"
        elif rest.startswith("="):
            code, expected = "bad_verdict", "+, - or verdicts such as G4-,G5+"
        elif rest.startswith("("):
            code, expected = "bad_layout", "a roll such as (5), or a variation on a new line"
        elif rest.startswith(("$", "!", "?")):
            code, expected = "bad_nag", "one of ! ? !! ?? !? ?! or $ and a number"
        else:
            code, expected = "bad_separator", "; and a space, or the end of the line"
        self.fail(code, end, expected)

    def place(self, error: NotationError, start: int) -> NoReturn:
        """Raise an error within an order again, at its place in the file."""
        column = start + error.column if error.line == 1 else start + 1
        raise NotationError(
            error.code,
            line=self.first_line + self.at,
            column=column,
            found=error.found,
            expected=error.expected,
        ) from None

    def fail(self, code: str, start: int, expected: str) -> NoReturn:
        """Raise an error at an offset of the current line, or behind the last line."""
        at, line = self.at, self.lines[self.at] if self.at < len(self.lines) else ""
        if at >= len(self.lines) and self.lines:
            at, start = len(self.lines) - 1, len(self.lines[-1])
        found = line[start : start + 60]
        raise NotationError(
            code, line=self.first_line + at, column=start + 1, found=found, expected=expected
        )
