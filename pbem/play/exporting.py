"""The archive as files: records one after the other, or a zip of them with an index.

Streamed: a page of games is in memory at a time, and no transaction stays open between pages. The
same games give the same bytes.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pbem.play.archived import ArchivedGame, Filter, Written
from pbem.play.library import EVERYTHING
from pbem.play.ports import Surroundings

INDEX: Final = "index.csv"
FILE_GAMES: Final = 1000
"""Games in one file of a zip: a zip of a hundred thousand files is of no use to anybody."""
_PAGE: Final = 200
_IN_MEMORY: Final = 1 << 20
_ANY_DAY: Final = (1980, 1, 1, 0, 0, 0)
_FACTS: Final = (
    "date",
    "event",
    "round",
    "site",
    "gold",
    "black",
    "result",
    "termination",
    "turns",
    "level",
    "arena",
    "dice",
    "starter",
    "gold_setup",
    "black_setup",
    "gold_rating",
    "black_rating",
)
COLUMNS: Final = ("number", "file", "line", "source", *_FACTS)


def exported(
    around: Surroundings, wanted: Filter = EVERYTHING, *, viewer: int | None
) -> Iterator[Written]:
    """All games that fit and that a viewer may see, in the order in which they were archived."""
    after = 0
    while True:
        with around.store.read() as unit:
            page = unit.written_games(wanted, viewer=viewer, after=after, limit=_PAGE)
        yield from page
        if len(page) < _PAGE:
            return
        after = page[-1].game.number


def ogn_bytes(games: Iterable[Written]) -> Iterator[bytes]:
    """The records of games as one file."""
    for number, (_, record) in enumerate(games):
        yield (("\n" if number else "") + record).encode()


def zip_bytes(games: Iterable[Written]) -> Iterator[bytes]:
    """A zip of files of records, with an index of all games at its end."""
    games = iter(games)
    pipe = _Pipe()
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
        index = io.TextIOWrapper(spool, "utf-8", newline="", write_through=True)
        rows = csv.writer(index)
        rows.writerow(COLUMNS)
        with ZipFile(pipe, "w", ZIP_DEFLATED) as archive:
            number = 0
            while (first := next(games, None)) is not None:
                number += 1
                name = f"games-{number:04}.ogn"
                with archive.open(_member(name), "w") as member:
                    line = 1
                    for game, record in _with(first, islice(games, FILE_GAMES - 1)):
                        if line > 1:
                            member.write(b"\n")
                            line += 1
                        rows.writerow(_row(game, name, line))
                        member.write(record.encode())
                        line += record.count("\n")
                        yield from pipe.taken()
            spool.seek(0)
            with archive.open(_member(INDEX), "w") as member:
                while block := spool.read(_IN_MEMORY):
                    member.write(block)
                    yield from pipe.taken()
        index.detach()
    yield from pipe.taken()


def _with(first: Written, rest: Iterator[Written]) -> Iterator[Written]:
    yield first
    yield from rest


def _member(name: str) -> ZipInfo:
    info = ZipInfo(name, _ANY_DAY)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _row(game: ArchivedGame, file: str, line: int) -> list[object]:
    facts = (getattr(game.facts, name) for name in _FACTS)
    return [game.number, file, line, game.source, *map(_cell, facts)]


def _cell(value: object) -> object:
    """What a spreadsheet would take for a formula is written as text."""
    if isinstance(value, str) and len(value) > 1 and value[0] in "=+-@\t\r":
        return f"'{value}"
    return value


class _Pipe(io.RawIOBase):
    """Takes what a zip writes, until somebody takes it away. It cannot be sought in."""

    def __init__(self) -> None:
        super().__init__()
        self._blocks: list[bytes] = []

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: object) -> int:
        """Keep some bytes."""
        block = bytes(data)  # type: ignore[call-overload]
        self._blocks.append(block)
        return len(block)

    def taken(self) -> Iterator[bytes]:
        """What was kept."""
        blocks, self._blocks = self._blocks, []
        yield from blocks
