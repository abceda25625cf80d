"""Reading remarks from text: what annotators write in a mail or a box, in any layout.

::

    3b. ! {Good.}                       about the whole turn
    3b. W3:kite>E7 ?! {Why?}; end !     about orders of the turn
    3b.2 {Why?}                         about its second order
    3b. (W3:kite>E7; end)               another turn instead

It is an excerpt of a record (N5.4) in which orders without a remark may be left out. Owns the
structure and its faults; orders are read as players write them (N1.3), and what they mean at their
place is ``remark_judging``'s.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from notation.errors import NotationError, shorten
from notation.orders import Attack
from notation.reading import parse_order
from notation.record import (
    MAX_NAG,
    NAG_SYMBOLS,
    Comment,
    Played,
    RecordTurn,
    Variation,
    Verdicts,
    make_comment,
)
from notation.record_orders import find_verdicts, parse_roll
from notation.record_recovery import token_pattern
from notation.record_writing import format_played
from pbem.archive.places import MAX_PATH, label_of
from pbem.archive.remarks import MAX_AT_ONCE, MAX_FAULTS, MAX_TEXT, Kind, RemarkError
from pbem.games.base import Fault

MAX_ORDER: Final = 200
_LABEL: Final = re.compile(r"([0-9]{1,6}) ?([gb]) ?\.+", re.IGNORECASE)
_NAG_NUMBERS: Final = {symbol: number for number, symbol in NAG_SYMBOLS.items()}


@dataclass(frozen=True, slots=True)
class Draft:
    """One remark as it was read. ``named`` is the order it names, ``number`` the one it counts;
    with neither it is about the whole turn."""

    turn: str
    kind: Kind
    line: int
    column: int
    number: int | None = None
    named: Played | None = None
    comment: str = ""
    nags: tuple[int, ...] = ()
    variation: Variation = ()


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def read_remarks(text: str) -> tuple[Draft, ...]:
    """All remarks of a text. Raises RemarkError with every fault found."""
    if len(text) > MAX_TEXT:
        raise RemarkError((Fault("remark_text_too_long", "N5.4", {"most": MAX_TEXT}, 1, 1),))
    reader = _Reader(text)
    reader.read_all()
    if len(reader.drafts) > MAX_AT_ONCE:
        first = reader.drafts[MAX_AT_ONCE]
        facts = {"most": MAX_AT_ONCE}
        reader.faults.append(Fault("too_many_remarks", "N5.4", facts, first.line, first.column))
    if reader.faults:
        raise RemarkError(reader.faults)
    return tuple(reader.drafts)


def read_signs(text: str) -> tuple[int, ...]:
    """The signs of ``!? $14``, without anything else. Raises RemarkError."""
    reader = _Reader(text)
    try:
        nags = [reader.read_sign(token) for token in reader.rest()]
    except _Wrong as wrong:
        raise RemarkError((wrong.fault,)) from None
    if not nags:
        raise RemarkError((Fault("bad_sign", "N5.4", {"found": shorten(text)}, 1, 1),))
    return tuple(sorted(set(nags)))


def read_variation(text: str, label: str) -> Variation:
    """A variation of a turn, in brackets or not. Raises RemarkError."""
    bare = text.rstrip()
    is_bracketed = bare.lstrip().startswith("(")
    reader = _Reader(bare if is_bracketed else f"({bare}\n)")
    try:
        if reader.peek().kind != "open":
            raise reader.wrong("variation_empty", reader.peek())
        variation = reader.read_variation(reader.take(), label, depth=1)
        if reader.peek().kind != "end":
            raise reader.wrong("variation_not_opened", reader.peek())
    except _Wrong as wrong:
        fault = wrong.fault
        if not is_bracketed and fault.line == 1:
            fault = replace(fault, column=max(1, (fault.column or 1) - 1))
        raise RemarkError((fault,)) from None
    return variation


def format_variation(variation: Variation) -> str:
    """A variation on one line without its brackets; ``read_variation`` reads it again."""
    return " ".join(_write_variation(variation))


def _write_variation(variation: Variation) -> Iterable[str]:
    for index, turn in enumerate(variation):
        if index:
            yield f"{label_of(turn)}."
        yield from (f"{{{comment.text}}}" for comment in turn.comments)
        for number, played in enumerate(turn.orders, start=1):
            behind = "".join(f" ({format_variation(each)})" for each in played.variations)
            yield format_played(played) + behind + (";" if number < len(turn.orders) else "")


class _Wrong(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.code)


class _Reader:
    """Goes through the tokens of a text; spaces and line ends only part them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        found = token_pattern().finditer(text)
        self.tokens = [
            _Token(match.lastgroup or "other", match.group(), match.start())
            for match in found
            if match.lastgroup not in {"space", "newline"}
        ]
        self.tokens.append(_Token("end", "", len(text)))
        self.at = 0
        self.drafts: list[Draft] = []
        self.faults: list[Fault] = []

    # -- a whole text ---------------------------------------------------------------------------

    def read_all(self) -> None:
        """Fill ``drafts`` and ``faults``; behind a fault it goes on at the next turn."""
        if self.peek().kind == "end":
            self.faults.append(self.wrong("remark_label_missing", self.peek()).fault)
        while self.peek().kind != "end" and len(self.faults) < MAX_FAULTS:
            try:
                self.read_turn()
            except _Wrong as wrong:
                self.faults.append(wrong.fault)
                self.skip_to_label()

    def skip_to_label(self) -> None:
        """The next label that begins a line: those inside a variation may not."""
        while self.peek().kind != "end":
            token = self.peek()
            if token.kind == "label" and self.is_first_of_line(token):
                return
            self.at += 1

    def is_first_of_line(self, token: _Token) -> bool:
        line, column = self.place(token.start)
        return not self.text[self.starts[line - 1] :][: column - 1].strip()

    def read_turn(self) -> None:
        label = self.take()
        if label.kind != "label":
            raise self.wrong("remark_label_missing", label)
        turn = self.turn_of(label)
        name = label_of(turn)
        number = self.read_number(label)
        named: Played | None = None
        count = len(self.drafts)
        while (token := self.peek()).kind not in {"label", "end"}:
            self.at += 1
            line, column = self.place(token.start)
            match token.kind:
                case "order" if number is None:
                    named = self.read_order(token)
                case "separator":
                    named = None
                case "symbol" | "nag":
                    nags = self.read_signs_from(token)
                    self.drafts.append(Draft(name, "sign", line, column, number, named, nags=nags))
                case "comment" | "unclosed":
                    said = self.read_comment(token)
                    self.drafts.append(
                        Draft(name, "comment", line, column, number, named, comment=said.text)
                    )
                case "open":
                    other = self.read_variation(token, name, depth=1)
                    self.drafts.append(
                        Draft(name, "variation", line, column, number, named, variation=other)
                    )
                case "roll" | "verdicts" if named is not None:
                    self.read_outcome(token, named)
                case "close":
                    raise self.wrong("variation_not_opened", token)
                case _:
                    raise self.wrong("remark_unexpected", token, found=shorten(token.text.strip()))
        if len(self.drafts) == count:
            raise self.wrong("remark_empty", label, turn=name)

    def read_number(self, label: _Token) -> int | None:
        """``2`` of ``3b.2``: directly behind the full stop, and nothing else with it."""
        token = self.peek()
        digits = token.text.strip()
        touches = token.start == label.start + len(label.text)
        if token.kind != "order" or not touches or not re.fullmatch(r"[0-9]{1,3}", digits):
            return None
        self.at += 1
        return int(digits)

    def rest(self) -> Iterable[_Token]:
        """The tokens that have not been taken, up to the end."""
        while (token := self.take()).kind != "end":
            yield token

    # -- what stands in it ------------------------------------------------------------------------

    def read_order(self, token: _Token) -> Played:
        text = token.text.rstrip()
        line, column = self.place(token.start)
        if len(text) > MAX_ORDER:
            found = shorten(text)
            raise self.wrong("remark_unexpected", token, found=found)
        try:
            order = parse_order(text)
        except NotationError as error:
            facts = {"found": error.found, "expected": error.expected}
            column += error.column - 1 if error.line == 1 else 0
            raise _Wrong(Fault(f"syntax_{error.code}", "N1", facts, line, column)) from None
        return Played(order, line=line, column=column)

    def read_outcome(self, token: _Token, played: Played) -> None:
        inside = "".join(token.text.split())
        if not isinstance(played.order, Attack):
            raise self.wrong("remark_unexpected", token, found=token.text)
        if token.kind == "roll":
            played.roll = parse_roll(inside[1:-1])
            return
        verdicts: Verdicts | None = find_verdicts(inside[1:].upper())
        if verdicts is None:
            raise self.wrong("remark_unexpected", token, found=token.text)
        played.verdicts = verdicts

    def read_signs_from(self, token: _Token) -> tuple[int, ...]:
        nags = {self.read_sign(token)}
        while self.peek().kind in {"symbol", "nag"}:
            nags.add(self.read_sign(self.take()))
        return tuple(sorted(nags))

    def read_sign(self, token: _Token) -> int:
        if token.kind == "nag":
            digits = token.text[1:].strip()
            number = int(digits) if len(digits) <= len(str(MAX_NAG)) else MAX_NAG + 1
        else:
            number = _NAG_NUMBERS.get(token.text.strip(), MAX_NAG + 1)
        if number > MAX_NAG:
            raise self.wrong("bad_sign", token, found=shorten(token.text))
        return number

    def read_comment(self, token: _Token) -> Comment:
        if token.kind == "unclosed":
            raise self.wrong("comment_not_closed", token)
        comment = make_comment(" ".join(token.text[1:-1].split()))
        if not comment.text:
            raise self.wrong("comment_empty", token)
        return comment

    # -- variations -------------------------------------------------------------------------------

    def read_variation(self, opened: _Token, label: str, *, depth: int) -> Variation:
        """The turns up to the closing bracket; ``opened`` was taken."""
        if depth > MAX_PATH:
            raise self.wrong("variations_too_deep", opened, most=MAX_PATH)
        line, column = self.place(opened.start)
        turns = [RecordTurn(int(label[:-1]), label[-1], [], (), line, column)]
        while (token := self.take()).kind != "close":
            turn = turns[-1]
            match token.kind:
                case "end":
                    raise self.wrong("variation_not_closed", opened)
                case "label":
                    self.begin_turn(token, turns)
                case "order":
                    turn.orders.append(self.read_order(token))
                case "comment" | "unclosed":
                    where = turn.orders[-1] if turn.orders else turn
                    where.comments += (self.read_comment(token),)
                case "separator":
                    pass
                case _:
                    self.read_behind(token, turn, depth=depth)
        if not all(turn.orders for turn in turns):
            raise self.wrong("variation_empty", opened)
        return tuple(turns)

    def read_behind(self, token: _Token, turn: RecordTurn, *, depth: int) -> None:
        """What stands behind an order of a variation, but for comments."""
        if not turn.orders:
            is_sign = token.kind in {"symbol", "nag"}
            raise self.wrong("sign_nowhere" if is_sign else "variation_nowhere", token)
        played = turn.orders[-1]
        match token.kind:
            case "symbol" | "nag":
                played.nags = tuple(sorted({*played.nags, self.read_sign(token)}))
            case "roll" | "verdicts":
                self.read_outcome(token, played)
            case "open":
                inner = self.read_variation(token, label_of(turn), depth=depth + 1)
                played.variations += (inner,)
            case _:
                raise self.wrong("remark_unexpected", token, found=shorten(token.text))

    def begin_turn(self, label: _Token, turns: list[RecordTurn]) -> None:
        turn = self.turn_of(label)
        is_first = len(turns) == 1 and not turns[0].orders
        if is_first and label_of(turn) == label_of(turns[0]):
            return  # the first label may be written, too
        turns.append(turn)

    def turn_of(self, label: _Token) -> RecordTurn:
        found = _LABEL.fullmatch(label.text)
        assert found is not None, "the tokens have the same labels"
        line, column = self.place(label.start)
        return RecordTurn(int(found[1]), found[2].lower(), [], (), line, column)

    # -- going on ---------------------------------------------------------------------------------

    def peek(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        token = self.tokens[self.at]
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def place(self, start: int) -> tuple[int, int]:
        index = bisect_right(self.starts, start) - 1
        return index + 1, start - self.starts[index] + 1

    def wrong(self, code: str, token: _Token, **facts: object) -> _Wrong:
        return _Wrong(Fault(code, "N5.4", facts, *self.place(token.start)))
