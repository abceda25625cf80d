"""``pbem archive import``: files of others' games, read by several processes and written by one.

Memory does not grow with the file: a few chunks are on their way at a time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import Final, NamedTuple

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from notation.record_reading import GameLines, split_records
from pbem.cli.inputs import NoFileError, NoTextError, open_any_records
from pbem.cli.processes import start_processes
from pbem.cli.progress import with_progress
from pbem.cli.proofs import surroundings
from pbem.cli.showing import make_plain
from pbem.play.importing import Judged, Manner, Outcome, judge, take
from pbem.play.ports import Surroundings

CHUNK: Final = 32
"""Games that one process reads at a time."""
BATCH: Final = 512
"""Games that are written together."""
_MOST_AHEAD: Final = 1 << 20
"""Characters of a chunk, so that few long games are not many."""


class Readers(NamedTuple):
    """The processes that read and replay, and how many they are."""

    pool: ProcessPoolExecutor
    jobs: int

    def read(self, chunk: list[GameLines], manner: Manner) -> Future[list[Judged]]:
        """A chunk that is read from now on."""
        return self.pool.submit(judge_all, chunk, manner)


def run_import(files: Sequence[str], manner: Manner, *, jobs: int, verbose: bool) -> bool:
    """Import files and tell what became of their games; whether all of them were good."""
    totals: dict[str, Counter[str]] = {}
    with surroundings() as around, start_readers(jobs) as readers:
        for path in files:
            counts = totals.setdefault(path, Counter())
            try:
                with open_any_records(path) as file:
                    if file.encoding == "utf-16":
                        click.echo(f"{path}:1:1: the file is UTF-16, and not UTF-8 [bad_encoding]")
                        if manner.strict:
                            continue
                    outcomes = import_games(around, split_records(file), manner, readers)
                    _count(path, outcomes, counts, verbose=verbose)
            except NoTextError as error:
                click.echo(f"{path}: {error}")
            except NoFileError as error:
                click.echo(error.format_message())
    _summarize(totals)
    return all(counts.total() and not counts["refused"] for counts in totals.values())


def _count(path: str, outcomes: Iterable[Outcome], counts: Counter[str], *, verbose: bool) -> None:
    """Tell what became of the games of a file, and how many had which fate."""
    for outcome in with_progress(outcomes, path):
        counts[outcome.fate] += 1
        counts["mended"] += bool(outcome.fate == "added" and outcome.faults)
        _tell(path, outcome, verbose=verbose)
    if not counts.total():
        click.echo(f"{path}: there are no games in it")


def import_games(
    around: Surroundings, games: Iterable[GameLines], manner: Manner, readers: Readers | None
) -> Iterator[Outcome]:
    """What becomes of each game, in their order."""
    waiting: list[Judged] = []
    for judged in _judged(games, manner, readers):
        waiting.append(judged)
        if len(waiting) >= BATCH:
            yield from take(around, waiting, now=datetime.now(UTC))
            waiting.clear()
    if waiting:
        yield from take(around, waiting, now=datetime.now(UTC))


def _judged(
    games: Iterable[GameLines], manner: Manner, readers: Readers | None
) -> Iterator[Judged]:
    if readers is None:
        yield from (judge(lines, manner) for lines in games)
        return
    chunks = _chunks(games)
    # As much as is written together, and some more: nobody who reads waits for the writer.
    most = BATCH // CHUNK + 2 * readers.jobs
    ahead = deque(readers.read(chunk, manner) for chunk in islice(chunks, most))
    while ahead:
        found = ahead.popleft().result()
        if (following := next(chunks, None)) is not None:
            ahead.append(readers.read(following, manner))
        yield from found


def judge_all(chunk: list[GameLines], manner: Manner) -> list[Judged]:
    """A chunk of games, in a process of its own."""
    return [judge(lines, manner) for lines in chunk]


def _chunks(games: Iterable[GameLines]) -> Iterator[list[GameLines]]:
    chunk: list[GameLines] = []
    size = 0
    for lines in games:
        chunk.append(lines)
        size += lines.size
        if len(chunk) >= CHUNK or size >= _MOST_AHEAD:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


@contextmanager
def start_readers(jobs: int) -> Iterator[Readers | None]:
    """Processes that read; None for one: this one reads."""
    if jobs == 1:
        yield None
        return
    with start_processes(jobs) as pool:
        yield Readers(pool, jobs)


def _tell(path: str, outcome: Outcome, *, verbose: bool) -> None:
    if outcome.fate == "refused" or verbose:
        note = "" if outcome.fate == "refused" else " (mended)"
        for line, column, sentence in outcome.faults:
            click.echo(f"{path}:{line}:{column}: {sentence}{note}")
    if outcome.fate == "duplicate":
        click.echo(f"{path}:{outcome.line}:1: the same game as number {outcome.number}")


def _summarize(totals: dict[str, Counter[str]]) -> None:
    figures = ("games", "added", "mended", "duplicate", "refused")
    columns = (Column(name, justify="right", no_wrap=True) for name in figures)
    table = Table(*columns, Column("file", overflow="fold"), box=SIMPLE_HEAD, pad_edge=False)
    for path, counts in totals.items():
        games = sum(counts[fate] for fate in ("added", "duplicate", "refused"))
        cells = (games, *(counts[figure] for figure in figures[1:]))
        table.add_row(*(f"{cell:,}" for cell in cells), Text(make_plain(path)))
    Console().print(table)
