"""What ``pbem verify`` finds out about files, far from any server: records, logs, and both.

A record must be sound in every respect that ``pbem check`` looks at, and its dice must follow from
a published seed; where there is none they are not proven, which is said and is no fault. A log must
be sound from its first entry on. Where both of a game are there, the record must be the one that
the log leads to (N5.6). The index of an export must fit its records. Logs come first and of each
only a few figures are kept, so that an export of any size can be verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import click

from notation.record import Record
from notation.record_reading import ReadGame, read_records
from pbem.archive.faults import PlacedFault
from pbem.cli.exhibits import UNREADABLE, Exhibit, Exhibits, gather_exhibits
from pbem.cli.index_proofs import IndexProof
from pbem.cli.inputs import decode_records
from pbem.cli.log_files import ReadLog, get_log, read_logs
from pbem.cli.progress import with_progress
from pbem.cli.records import find_faults
from pbem.cli.showing import make_plain
from pbem.games.ortus.arena import Arena
from pbem.play.log import ChainError
from pbem.play.proof import LogProof, find_disagreement, logged_digest, prove_log

_SHOWN: Final = 200


class Proven(NamedTuple):
    """A sound log, and where it begins."""

    proof: LogProof
    file: Exhibit
    line: int


@dataclass(slots=True)
class Verdict:
    """What came of all files together."""

    records: int = 0
    logs: int = 0
    faulty: int = 0
    agreeing: int = 0
    alone: int = 0
    """Records that name a log which is not here."""
    unproven: int = 0
    """Records whose dice nobody can check, for their seed was never published."""
    indexes: int = 0
    others: int = 0
    proofs: dict[str, Proven] = field(default_factory=dict)

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
        if self.unproven:
            parts.append(f"{_count(self.unproven, 'record')} with dice that are not proven")
        if self.indexes:
            noun = "index" if self.indexes == 1 else "indexes"
            parts.append(f"{self.indexes} {noun} as the records say")
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
            _verify_logs(log, verdict)
        _verify_records(exhibits, verdict, arenas)
    click.echo(str(verdict))
    return verdict


def _verify_logs(file: Exhibit, verdict: Verdict) -> None:
    """Every log of a file; a file without any is a log with faults."""
    before = verdict.logs
    try:
        for log in read_logs(file):
            _verify_log(file, log, verdict)
    except UNREADABLE as error:
        verdict.faulty += 1
        _say(f"{file.name}: cannot be read: {error}")
    else:
        if verdict.logs == before:
            verdict.faulty += 1
            _say(f"{file.name}: there is no log in it")
    verdict.logs = max(verdict.logs, before + 1)


def _verify_log(file: Exhibit, log: ReadLog, verdict: Verdict) -> None:
    verdict.logs += 1
    name = file.name if log.line == 1 else f"{file.name}:{log.line}"
    try:
        if isinstance(log.found, ChainError):
            raise log.found
        proof = prove_log(*log.found)
    except ChainError as error:
        verdict.faulty += 1
        _say(f"{name}: {error}")
        return
    except UNREADABLE as error:
        verdict.faulty += 1
        _say(f"{name}: cannot be read: {error}")
        return
    known, where, _ = verdict.proofs.setdefault(proof.game_id, Proven(proof, file, log.line))
    if known.head != proof.head:
        verdict.faulty += 1
        _say(f"{name}: another log of the game {proof.game_id} than {where.name}")
    elif not file.export:
        ending = "not over" if proof.result is None else proof.result.termination
        _say(f"{name}: {_count(proof.entries, 'entry')}, {ending}, LogHash {proof.head}")


def _verify_records(exhibits: Exhibits, verdict: Verdict, arenas: Mapping[str, Arena]) -> None:
    indexes = {index.export: IndexProof(index) for index in exhibits.of_kind("index")}
    for file in exhibits.of_kind("records"):
        games = 0
        index = indexes.get(file.export)
        try:
            with file.open() as data, decode_records(data) as lines:
                for game in with_progress(read_records(lines, mode="recover"), file.name):
                    games += 1
                    faults = [*find_faults(game, arenas), *_find_more(game, file, verdict)]
                    verdict.faulty += bool(faults)
                    for line, column, sentence in faults:
                        _say(f"{file.name}:{line}:{column}: {sentence}")
                    if index is not None:
                        log = _log_beside(game.record, file, verdict)
                        index.compare(game.record, file=file.member, line=game.line, log=log)
        except UNREADABLE as error:
            verdict.faulty += 1
            _say(f"{file.name}: cannot be read: {error}")
        verdict.records += games
    for index in indexes.values():
        _tell_index(index, verdict)


def _tell_index(index: IndexProof, verdict: Verdict) -> None:
    index.end()
    if index.fault is not None:
        verdict.faulty += 1
        _say(f"{index.index.name}: {index.fault}")
    elif index.is_ours:
        verdict.indexes += 1
    else:
        verdict.others += 1


def _log_beside(record: Record, file: Exhibit, verdict: Verdict) -> tuple[str, int] | None:
    """Where in the same export the log of a record is."""
    found = verdict.proofs.get(record.tags.get("GameId", ""))
    if found is None or found.file.export != file.export:
        return None
    return found.file.member, found.line


def _find_more(game: ReadGame, file: Exhibit, verdict: Verdict) -> Iterator[PlacedFault]:
    """What is wrong with a record although it plays; what it leaves unproven is said."""
    record = game.record
    if _has_rolls(record) and not {"GameId", "SeedHash", "Seed"} <= record.tags.keys():
        verdict.unproven += 1
        _say(
            f"{file.name}:{game.line}:1: The dice are not proven: that takes GameId, SeedHash and"
            " Seed, which is published when a game is over. [R9.5 unproven_dice]"
        )
    found = verdict.proofs.get(record.tags.get("GameId", ""))
    if found is None:
        verdict.alone += "LogHash" in record.tags
        return
    proof, log, line = found
    if logged_digest(record) == proof.digest:
        verdict.agreeing += 1
        return
    differs = find_disagreement(record, *get_log(log, line), first_line=game.line)
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
