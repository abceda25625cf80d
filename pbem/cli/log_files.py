"""Files of logs: one after the other, each beginning with the object that has its seed.

Owns where each of them begins and how much is read of it. Whether a log is sound is
``pbem.play.proof``'s to say.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple, TextIO

from pbem.cli.exhibits import Exhibit
from pbem.play.log import ChainError, LogEntry, parse_log

MAX_LINE: Final = 1 << 20
MAX_LOG: Final = 32 << 20
"""The longest log, in characters; that of a game of a thousand turns has less than one million."""


class ReadLog(NamedTuple):
    """A log of a file: the line on which it begins, and what is in it or why that is no log."""

    line: int
    found: tuple[bytes, list[LogEntry]] | ChainError


class _Placed(NamedTuple):
    """A line, and the one on which its log begins."""

    begins: int
    line: str


def read_logs(file: Exhibit, *, only: int | None = None) -> Iterator[ReadLog]:
    """The logs of a file, or only the one that begins on a line; what is wrong with one of them
    keeps no other from being read."""
    with io.TextIOWrapper(file.open(), encoding="utf-8", errors="replace") as lines:
        for begins, placed in groupby(_placed(lines), key=lambda each: each.begins):
            if only not in (None, begins):
                continue
            try:
                yield ReadLog(begins, parse_log(_bounded(placed)))
            except ChainError as error:
                yield ReadLog(begins, error)


def get_log(file: Exhibit, line: int) -> tuple[bytes, list[LogEntry]]:
    """The sound log that begins on a line of a file."""
    for log in read_logs(file, only=line):
        if not isinstance(log.found, ChainError):
            return log.found
    raise ValueError(f"there is no log on line {line} of {file.name}")


def _placed(file: TextIO) -> Iterator[_Placed]:
    """The lines of a file; a very long one comes in pieces, for what is no log must not fill the
    memory."""
    begins = 1
    for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), ""), start=1):
        begins = number if line.startswith("{") else begins
        yield _Placed(begins, line)


def _bounded(placed: Iterator[_Placed]) -> Iterator[str]:
    size = 0
    for number, (_, line) in enumerate(placed):
        size += len(line)
        if size > MAX_LOG:
            raise ChainError(max(number - 1, 0), "it is longer than any log")
        yield line
