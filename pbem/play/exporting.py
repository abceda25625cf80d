"""The archive as files: records one after the other, or a zip of them with logs and an index.

Streamed: a page of games is in memory at a time, and no transaction stays open between pages. The
same games give the same bytes. Logs stand one after the other as records do, for a zip keeps a list
of its files in memory.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pbem.archive.facts import Facts
from pbem.play.annotating import annotated_text
from pbem.play.archive import log_of
from pbem.play.archived import ArchivedGame, Filter, Written
from pbem.play.library import EVERYTHING
from pbem.play.ports import Surroundings

INDEX: Final = "index.csv"
FILE_GAMES: Final = 1000
"""Games in one file of a zip: a zip of a hundred thousand files is of no use to anybody."""
_PAGE: Final = 200
_LONG: Final = 20
"""Logs, or records with remarks, that are in memory at a time: they are longer than records."""
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
COLUMNS: Final = ("number", "file", "line", "log", "log_line", "source", *_FACTS)


def exported(
    around: Surroundings,
    wanted: Filter = EVERYTHING,
    *,
    viewer: int | None,
    with_remarks: bool = False,
) -> Iterator[Written]:
    """All games that fit and that a viewer may see, in the order in which they were archived; their
    records as they were archived, or with all remarks that stand."""
    after, limit = 0, _LONG if with_remarks else _PAGE
    while True:
        with around.store.read() as unit:
            page = unit.written_games(wanted, viewer=viewer, after=after, limit=limit)
            if with_remarks:
                page = [
                    Written(game, annotated_text(unit, game.number, record))
                    for game, record in page
                ]
        yield from page
        if len(page) < limit:
            return
        after = page[-1].game.number


def ogn_bytes(games: Iterable[Written]) -> Iterator[bytes]:
    """The records of games as one file."""
    for number, (_, record) in enumerate(games):
        yield (("\n" if number else "") + record).encode()


def zip_bytes(around: Surroundings, games: Iterable[Written]) -> Iterator[bytes]:
    """A zip of files of records, beside each the logs of those that were played here, with an index
    of all games at its end."""
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
                name = f"games-{number:04}"
                some: list[ArchivedGame] = []
                of_file = _kept(_with(first, islice(games, FILE_GAMES - 1)), some)
                lines: dict[int, int] = {}
                with archive.open(_member(f"{name}.ogn"), "w") as member:
                    yield from _written(of_file, member, pipe, lines, between="\n")
                log_lines: dict[int, int] = {}
                if any(game.game_id for game in some):
                    with archive.open(_member(f"{name}.log"), "w") as member:
                        yield from _written(_logs(around, some), member, pipe, log_lines)
                rows.writerows(
                    _row(game, name, lines[game.number], log_lines.get(game.number))
                    for game in some
                )
            spool.seek(0)
            with archive.open(_member(INDEX), "w") as member:
                while block := spool.read(_IN_MEMORY):
                    member.write(block)
                    yield from pipe.taken()
        index.detach()
    yield from pipe.taken()


def fact_cells(facts: Facts) -> list[str]:
    """What the index says of a game's facts."""
    return [_cell(getattr(facts, name)) for name in _FACTS]


def _logs(
    around: Surroundings, games: Iterable[ArchivedGame]
) -> Iterator[tuple[ArchivedGame, str]]:
    """The logs of those games that were played here."""
    ours = iter([(game, game.game_id) for game in games if game.game_id])
    while some := list(islice(ours, _LONG)):
        found = []
        with around.store.read() as unit:
            for game, game_id in some:
                stored = unit.find_game(game_id)
                if stored is not None and stored.is_over:
                    found.append((game, log_of(unit, stored)))
        yield from found


def _written(
    texts: Iterable[tuple[ArchivedGame, str]],
    member: IO[bytes],
    pipe: _Pipe,
    lines: dict[int, int],
    *,
    between: str = "",
) -> Iterator[bytes]:
    """Write texts of games into a file of a zip; on which line each begins comes into ``lines``."""
    line = 1
    for game, text in texts:
        if line > 1:
            member.write(between.encode())
            line += between.count("\n")
        lines[game.number] = line
        member.write(text.encode())
        line += text.count("\n")
        yield from pipe.taken()


def _with(first: Written, rest: Iterator[Written]) -> Iterator[Written]:
    yield first
    yield from rest


def _kept(games: Iterable[Written], some: list[ArchivedGame]) -> Iterator[Written]:
    for written in games:
        some.append(written.game)
        yield written


def _member(name: str) -> ZipInfo:
    info = ZipInfo(name, _ANY_DAY)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _row(game: ArchivedGame, name: str, line: int, log_line: int | None) -> list[object]:
    log = f"{name}.log" if log_line else ""
    where = (f"{name}.ogn", line, log, log_line or "")
    return [game.number, *where, game.source, *fact_cells(game.facts)]


def _cell(value: object) -> str:
    """What a spreadsheet would take for a formula is written as text."""
    text = "" if value is None else str(value)
    if isinstance(value, str) and len(value) > 1 and value[0] in "=+-@\t\r":
        return f"'{text}"
    return text


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
