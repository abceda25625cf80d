"""Whether the index of an export tells of each of its records where it is and what it is.

Index and records are read side by side, for both have the order in which games were archived:
memory does not grow with either.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from notation.record import Record
from pbem.archive.facts import facts_of
from pbem.cli.exhibits import UNREADABLE, Exhibit
from pbem.play.exporting import COLUMNS, fact_cells

MAX_LINE: Final = 1 << 16
_FACTS: Final = COLUMNS.index("source") + 1


class IndexProof:
    """The index of one export, beside its records."""

    def __init__(self, index: Exhibit) -> None:
        self.index = index
        self.fault: str | None = None
        """The first thing that is wrong with it."""
        self._rows = _rows(index)
        self._number = 0
        self.is_ours = self._next() == list(COLUMNS)
        """Whether it is an index of this program; what others call so is not looked at."""

    def compare(self, record: Record, *, file: str, line: int, log: tuple[str, int] | None) -> None:
        """The next record of the export, in which file and on which line it begins, and where in
        the export its log does."""
        if self.fault is not None or not self.is_ours:
            return
        row = dict(zip(COLUMNS, self._next(), strict=False))
        wanted = {"file": file, "line": str(line)}
        if log is not None:
            wanted |= {"log": log[0], "log_line": str(log[1])}
        wanted |= zip(COLUMNS[_FACTS:], fact_cells(facts_of(record)), strict=True)
        for column, value in wanted.items():
            if row.get(column) != value and self.fault is None:
                self.fault = (
                    f"row {self._number} says {row.get(column, '')!r} as {column}, the record"
                    f" {file}:{line} {value!r}"
                )

    def end(self) -> None:
        """There are no more records."""
        if self.is_ours and self.fault is None and self._next():
            self.fault = f"row {self._number} is of a game that is not there"

    def _next(self) -> list[str]:
        self._number += 1
        try:
            return next(self._rows, [])
        except (csv.Error, *UNREADABLE) as error:
            self.fault = f"cannot be read: {error}"
            return []


def _rows(index: Exhibit) -> Iterator[list[str]]:
    with io.TextIOWrapper(index.open(), "utf-8", errors="replace", newline="") as file:
        yield from csv.reader(iter(lambda: file.readline(MAX_LINE), ""))
