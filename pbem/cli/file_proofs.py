"""What ``pbem verify`` finds out about files, far from any server: records, logs, and both.

A record must be sound in every respect that ``pbem check`` looks at, and its dice must follow from
a published seed. A log must be sound from its first entry on. Where both of a game are there, the
record must be the one that the log leads to (N5.6). Logs come first and of each only a few figures
are kept, so that an export of any size can be verified.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final, TextIO

import click

from notation.record import Record
from notation.record_reading import ReadGame, read_records
from pbem.archive.faults import PlacedFault
from pbem.cli.exhibits import UNREADABLE, Exhibit, Exhibits, gather_exhibits
from pbem.cli.inputs import decode_records
from pbem.cli.progress import with_progress
from pbem.cli.records import find_faults
from pbem.cli.showing import make_plain
from pbem.games.ortus.arena import Arena
from pbem.play.log import ChainError, LogEntry, parse_log
from pbem.play.proof import LogProof, find_disagreement, logged_digest, prove_log

MAX_LINE: Final = 1 << 20
MAX_LOG: Final = 32 << 20
"""The longest log, in characters; that of a game of a thousand turns has less than one million."""

_SHOWN: Final = 200


@dataclass(slots=True)
class Verdict:
    """What came of all files together."""

    records: int = 0
    logs: int = 0
    faulty: int = 0
    agreeing: int = 0
    alone: int = 0
    """Records that name a log which is not here."""
    others: int = 0
    proofs: dict[str, tuple[LogProof, Exhibit]] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        """Whether there was something to verify, and all of it was sound."""
        return not self.faulty and bool(self.records or self.logs)

    def __str__(self) -> str:
        parts = [f"{_count(self.records, 'record')} and {_count(self.logs, 'log')}"]
        parts[0] += f", {self.faulty} with faults"
        if self.agreeing:
            parts.append(f"{_count(self.agreeing, 'record')} as the log says")
        if self.alone:
            parts.append(f"{_count(self.alone, 'record')} without the log that proves the clocks")
        if self.others:
            parts.append(f"{_count(self.others, 'other file')} not looked at")
        return "; ".join(parts)


def verify_files(paths: Sequence[str], arenas: Mapping[str, Arena]) -> Verdict:
    """Verify files, print every finding with its place, and say what came of it."""
    with ExitStack() as closing:
        exhibits = gather_exhibits(paths, closing)
        verdict = Verdict(faulty=len(exhibits.faults), others=exhibits.others)
        for fault in exhibits.faults:
            _say(fault)
        for log in with_progress(exhibits.of_kind("log"), "logs"):
            _verify_log(log, verdict)
        _verify_records(exhibits, verdict, arenas)
    click.echo(str(verdict))
    return verdict


def _verify_log(log: Exhibit, verdict: Verdict) -> None:
    verdict.logs += 1
    try:
        proof = prove_log(*_read_log(log))
    except ChainError as error:
        verdict.faulty += 1
        _say(f"{log.name}: {error}")
        return
    except UNREADABLE as error:
        verdict.faulty += 1
        _say(f"{log.name}: cannot be read: {error}")
        return
    known, where = verdict.proofs.setdefault(proof.game_id, (proof, log))
    if known.head != proof.head:
        verdict.faulty += 1
        _say(f"{log.name}: another log of the game {proof.game_id} than {where.name}")
    elif log.is_named:
        ending = "not over" if proof.result is None else proof.result.termination
        _say(f"{log.name}: {_count(proof.entries, 'entry')}, {ending}, LogHash {proof.head}")


def _read_log(log: Exhibit) -> tuple[bytes, list[LogEntry]]:
    with io.TextIOWrapper(log.open(), encoding="utf-8", errors="replace") as file:
        return parse_log(_bounded_lines(file))


def _bounded_lines(file: TextIO) -> Iterator[str]:
    """Lines, a longer one in pieces: what is no log must not fill the memory."""
    size = number = 0
    while line := file.readline(MAX_LINE):
        size += len(line)
        if size > MAX_LOG:
            raise ChainError(max(number - 1, 0), "it is longer than any log")
        yield line
        number += 1


def _verify_records(exhibits: Exhibits, verdict: Verdict, arenas: Mapping[str, Arena]) -> None:
    for file in exhibits.of_kind("records"):
        games = 0
        try:
            with file.open() as data, decode_records(data) as lines:
                for game in with_progress(read_records(lines, mode="recover"), file.name):
                    games += 1
                    faults = [*find_faults(game, arenas), *_find_more(game, verdict)]
                    verdict.faulty += bool(faults)
                    for line, column, sentence in faults:
                        _say(f"{file.name}:{line}:{column}: {sentence}")
        except UNREADABLE as error:
            verdict.faulty += 1
            _say(f"{file.name}: cannot be read: {error}")
        verdict.records += games


def _find_more(game: ReadGame, verdict: Verdict) -> Iterator[PlacedFault]:
    """What a record fails to prove although it plays."""
    record = game.record
    if _has_rolls(record) and not {"GameId", "SeedHash", "Seed"} <= record.tags.keys():
        yield PlacedFault(
            game.line,
            1,
            "The dice are not proven: that takes GameId, SeedHash and Seed, which is published "
            "when a game is over. [R9.5 unproven_dice]",
        )
    found = verdict.proofs.get(record.tags.get("GameId", ""))
    if found is None:
        verdict.alone += "LogHash" in record.tags
        return
    proof, log = found
    if logged_digest(record) == proof.digest:
        verdict.agreeing += 1
        return
    differs = find_disagreement(record, *_read_log(log), first_line=game.line)
    if differs is not None:
        yield PlacedFault(
            differs.line,
            differs.column,
            f"The record says {differs.says[:_SHOWN]}, the log {log.name} "
            f"{differs.log_says[:_SHOWN]}. [N5.6 log_mismatch]",
        )


def _has_rolls(record: Record) -> bool:
    return any(played.roll for turn in record.turns for played in turn.orders)


def _count(number: int, noun: str) -> str:
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun}"


def _say(line: str) -> None:
    click.echo(make_plain(line))
