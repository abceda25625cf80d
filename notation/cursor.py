"""A place in the tokens of a submission, and the small steps every reader takes from it.

Owns looking ahead, stepping over line breaks inside an unfinished order (N1.1), and the making of
errors with the right place. The grammar is ``order_reading.py`` and ``reading.py``.
"""

from __future__ import annotations

from notation.errors import NotationError
from notation.hexes import HEX_NAMES
from notation.orders import Place
from notation.tokens import Token, Tokens

QUOTED = "an order of your own: a line that begins with `>` is taken for a quotation"


class Cursor:
    """Reads tokens one after the other; ``at`` is the index of the next one."""

    __slots__ = ("_quoted_lines", "at", "first_line", "tokens")

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens.tokens
        self.first_line = tokens.first_line
        self._quoted_lines = tokens.quoted_lines
        self.at = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens[self.at].kind

    def place(self) -> Place:
        """Where the next token stands."""
        token = self.tokens[self.at]
        return Place(token.line, token.column)

    def ahead(self, count: int) -> Token:
        """The token ``count`` further on, or the end."""
        return self.tokens[min(self.at + count, len(self.tokens) - 1)]

    def is_word(self, *words: str) -> bool:
        """Whether the next token is one of these canonical words."""
        token = self.tokens[self.at]
        return token.kind == "word" and token.value in words

    def skip_breaks(self) -> None:
        """Step over line ends: the order that is being read is not complete yet (N1.1)."""
        while self.tokens[self.at].kind == "break":
            self.at += 1

    def take_arrow(self) -> bool:
        """Step over ``>`` if it comes next, if need be from the next line.

        Raises:
            NotationError: the ``>`` begins a line and does not stand directly below an unquoted
                line whose order it goes on with (N1.1).
        """
        self.skip_breaks()
        token = self.token
        if token.kind == "quote":
            above = self._line_above()
            if above != token.line - 1 or above in self._quoted_lines:
                raise self.error("quoted_line", QUOTED)
        elif token.kind != ">":
            return False
        self.at += 1
        return True

    def _line_above(self) -> int:
        at = self.at - 1
        while at >= 0 and self.tokens[at].kind == "break":
            at -= 1
        return self.tokens[at].line if at >= 0 else 0

    def take_hex(self, expected: str = "a hex such as G4", code: str = "hex_missing") -> str:
        """Read a hex, which may stand on the next line.

        Raises:
            NotationError: no hex comes next, or it is not on the board.
        """
        self.skip_breaks()
        token = self.token
        if token.kind == "name":
            if token.value in HEX_NAMES:
                self.at += 1
                return token.value
            raise self.error(*_why_no_hex(token.value))
        if token.kind == "other" and len(token.text) == 1 and token.text.isalpha():
            if self.ahead(1).kind == "number":
                raise self.error("bad_hex", "a hex such as G4, without a space inside")
            raise self.error("bad_hex", expected)
        if token.kind in ("number", "element"):
            raise self.error("bad_hex", expected)
        raise self.missing(code, expected)

    def error(
        self, code: str, expected: str, *, at: int | None = None, warrior: str | None = None
    ) -> NotationError:
        """An error at the next token, or at the token with index ``at``."""
        token = self.tokens[self.at if at is None else at]
        if token.kind == "quote":
            code, expected = "quoted_line", QUOTED
        return NotationError(
            code,
            line=token.line,
            column=token.column,
            found=token.text,
            expected=expected,
            warrior=warrior,
        )

    def missing(self, code: str, expected: str, *, warrior: str | None = None) -> NotationError:
        """An error because something is not there: at the line's end if that is where it lacks."""
        if self.kind == "quote":
            return self.error(code, expected)
        while self.at > 0 and self.tokens[self.at - 1].kind == "break":
            self.at -= 1
        return self.error(code, expected, warrior=warrior)


def _why_no_hex(name: str) -> tuple[str, str]:
    number = name[1:]
    if not ("A" <= name[0] <= "O") or number[0] == "0" or len(number) > 2:
        if name[0] == "W":
            return "bad_hex", "a hex such as G4: a target is named by where it stands"
        return "bad_hex", "a hex such as G4, a letter A to O and a number 1 to 15"
    row = int(number)
    if row > 15:
        return "bad_hex", "a hex such as G4, a letter A to O and a number 1 to 15"
    on_row = sorted(hex_name for hex_name in HEX_NAMES if hex_name[1:] == number)
    return "off_board", f"a hex on the board: row {row} runs from {on_row[0]} to {on_row[-1]}"
