"""Reading files of records (N5): from lines to games, one game in memory at a time.

Owns where a game begins and ends, the limits on lines and games, and the decoding of bytes. One
game is read by ``record_strict.py`` or ``record_recovery.py``.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal, NamedTuple

from notation.errors import NotationError
from notation.record import RESULTS, Record
from notation.record_recovery import MAX_ERRORS, recover
from notation.record_strict import read_strictly

MAX_LINE: Final = 1 << 20
MAX_GAME: Final = 1 << 22

Mode = Literal["strict", "recover"]

_TAG_START: Final = re.compile(r'\s*\[\s*([A-Za-z][A-Za-z0-9_]*)\s*["“”„]')
_LABEL_START: Final = re.compile(r"\s*[0-9]{1,6} ?[gbGB] ?\.")
_BYTE_ORDER_MARK: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class ReadGame:
    """One game of a file, the line it begins on, and what was wrong with it."""

    record: Record
    line: int
    errors: tuple[NotationError, ...] = ()


class DecodedText(NamedTuple):
    """Text, and the encoding it was in: ``utf-8``, ``utf-8-sig``, ``utf-16`` or ``cp1252``."""

    text: str
    encoding: str


@dataclass(slots=True)
class GameLines:
    """The lines of one game, and what is wrong with the lines themselves."""

    first_line: int
    lines: list[str] = field(default_factory=list)
    size: int = 0
    faults: list[NotationError] = field(default_factory=list)
    has_tags: bool = False
    has_moves: bool = False
    has_result: bool = False
    blank_before: bool = False
    too_long: bool = False
    has_returns: bool = False
    is_last: bool = True

    @property
    def own_lines(self) -> list[str]:
        """The lines without the one that parts it from the next game."""
        return self.lines if self.is_last or self.lines[-1] else self.lines[:-1]

    def report(self, code: str, place: tuple[int, int], *, expected: str, strict: bool) -> None:
        """Note a fault of the lines themselves; in strict reading it ends everything."""
        line, column = place
        fault = NotationError(code, line=line, column=column, found="", expected=expected)
        if strict:
            raise fault
        self.faults.append(fault)


def read_records(source: str | Iterable[str], *, mode: Mode = "strict") -> Iterator[ReadGame]:
    """Read the games of a text, a text stream, or any lines with their line ends.

    ``strict`` takes canonical text only, and its games have no errors; ``recover`` gives every
    game with its errors and goes on at the next one.

    Raises:
        NotationError: in ``strict``, at the first deviation; line and column count in the file.
    """
    if mode == "strict":
        for game in _split_games(source, strict=True):
            yield ReadGame(read_strictly(game.own_lines, game.first_line), game.first_line)
    else:
        yield from map(recover_game, split_records(source))


def split_records(source: str | Iterable[str]) -> Iterator[GameLines]:
    """The lines of each game, for ``recover_game`` to read, here or in another process."""
    for game in _split_games(source, strict=False):
        if game.has_tags or game.has_moves:
            yield game


def recover_game(game: GameLines) -> ReadGame:
    """Read one game, with its errors."""
    strict_error: NotationError | None = None
    if not game.faults:
        try:
            return ReadGame(read_strictly(game.own_lines, game.first_line), game.first_line)
        except NotationError as error:
            strict_error = error
    record, found = recover(game.lines, game.first_line)
    errors = game.faults[:MAX_ERRORS] + found
    if strict_error is not None and all(error.line != strict_error.line for error in errors):
        errors.append(strict_error)
    errors.sort(key=lambda error: (error.line, error.column))
    return ReadGame(record, game.first_line, tuple(errors))


def parse_record(text: str) -> Record:
    """Read exactly one game strictly.

    Raises:
        NotationError: it is not canonical, or there is more or less than one game.
    """
    games = list(islice(read_records(text), 2))
    if len(games) != 1:
        line = games[1].line if games else 1
        raise NotationError("one_game", line=line, column=1, found="", expected="one game")
    return games[0].record


def decode_record_bytes(data: bytes) -> DecodedText:
    """Decode a file's bytes; never fails, for what is in no encoding becomes U+FFFD."""
    encoding = guess_encoding(data)
    text = data.decode(encoding, errors="replace")
    if encoding == "utf-8" and text.startswith(_BYTE_ORDER_MARK):
        return DecodedText(text[1:], "utf-8-sig")
    return DecodedText(text, encoding)


def guess_encoding(head: bytes, *, is_all: bool = True) -> str:
    """The encoding of a file by its beginning: ``utf-8``, ``utf-16`` or ``cp1252``.

    If it is not all of the file, a character cut by the end is no fault.
    """
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=is_all)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


# From lines to games


def _split_games(source: str | Iterable[str], *, strict: bool) -> Iterator[GameLines]:
    game = GameLines(first_line=1)
    number = 0
    ended = True
    for number, raw in enumerate(_read_lines(source), start=1):
        ended = raw.endswith("\n")
        line = raw[:-1] if ended else raw
        if line.endswith("\r") or len(line) > MAX_LINE or number == 1:
            line = _mend_line(line, number, game, strict=strict)
        first = line[:1]
        tag = _TAG_START.match(line) if first == "[" or first.isspace() else None
        if (tag is not None and _begins_game(tag[1], game)) or (
            game.has_result and _LABEL_START.match(line)
        ):
            game.is_last = False
            yield game
            game = GameLines(first_line=number)
        _add_line(game, line, number, is_tag=tag is not None, strict=strict)
    if not ended:
        _report_cut(game, number, strict=strict)
    if game.lines:
        yield game


def _begins_game(tag: str, game: GameLines) -> bool:
    return game.has_moves or (game.has_tags and game.blank_before and tag == "Event")


def _report_cut(game: GameLines, number: int, *, strict: bool) -> None:
    """The text lacks its last line end; what is wrong before that is more to the point."""
    if strict:
        read_strictly(game.lines, game.first_line)
    column = len(game.lines[-1]) + 1 if game.lines else 1
    game.report("cut_off", (number, column), expected="a line end at the end", strict=strict)


def _add_line(game: GameLines, line: str, number: int, *, is_tag: bool, strict: bool) -> None:
    game.size += len(line) + 1
    if game.size > MAX_GAME:
        if not game.too_long:
            game.too_long = True
            expected = f"a game of at most {MAX_GAME} characters"
            game.report("game_too_long", (number, 1), expected=expected, strict=strict)
        game.has_moves = True
        return
    game.lines.append(line)
    game.blank_before = not line or line.isspace()
    if is_tag or (line.startswith("[") and not game.has_moves):
        game.has_tags = True  # or what was meant as one
    elif not game.blank_before:
        game.has_moves = True
        if line.strip() in RESULTS:
            game.has_result = True


def _mend_line(line: str, number: int, game: GameLines, *, strict: bool) -> str:
    """Take off what may stand around a line but is not canonical."""
    if number == 1 and line.startswith(_BYTE_ORDER_MARK):
        expected = "text without a byte order mark"
        game.report("byte_order_mark", (number, 1), expected=expected, strict=strict)
        line = line[1:]
    if line.endswith("\r"):
        # Said once a game, not once a line.
        if not game.has_returns:
            game.has_returns = True
            expected = "a line end without a carriage return"
            game.report("carriage_return", (number, len(line)), expected=expected, strict=strict)
        line = line[:-1]
    if len(line) > MAX_LINE:
        expected = f"a line of at most {MAX_LINE} characters"
        game.report("line_too_long", (number, MAX_LINE + 1), expected=expected, strict=strict)
        line = line[:MAX_LINE]
    return line


def _read_lines(source: str | Iterable[str]) -> Iterator[str]:
    """Lines with their ends; of a line that is too long only so much that this is seen."""
    if isinstance(source, str):
        start, size = 0, len(source)
        while start < size:
            end = source.find("\n", start) + 1 or size
            if end - start > MAX_LINE + 2:
                yield source[start : start + MAX_LINE + 1] + "\n"
            else:
                yield source[start:end]
            start = end
        return
    readline = getattr(source, "readline", None)
    if readline is None:
        yield from source
        return
    while line := readline(MAX_LINE + 2):
        if len(line) < MAX_LINE + 2 or line.endswith("\n"):
            yield line
            continue
        yield line[: MAX_LINE + 1] + "\n"
        while (rest := readline(MAX_LINE)) and not rest.endswith("\n"):
            pass
