"""Commands about records: check a file in every respect, or write it canonically."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

import click

from notation.record_reading import ReadGame, read_records
from notation.record_writing import format_record
from pbem.archive.faults import SPELLING, PlacedFault, faults_of, text_fault
from pbem.cli.inputs import open_records, read_arena
from pbem.cli.progress import with_progress
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.replaying import replay

arenas_option = click.option(
    "--arena",
    "arena_files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    help="An arena file of your own, for records that name it.",
)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@arenas_option
def check(files: tuple[str, ...], arena_files: tuple[Path, ...]) -> None:
    """Read records, play them again, and report every fault with its place.

    FILES are .ogn files with any number of games, by whomever, finished or not; - is standard
    input. Checked are the text, the legality of every order, verdicts, dice, variations, and
    whether the result fits the board. Whether a finished game is proven: pbem verify.
    """
    arenas = read_arenas(arena_files)
    games = faulty = 0
    for path in files:
        with open_records(path) as file:
            for game in with_progress(read_records(file, mode="recover"), path):
                games += 1
                faults = list(find_faults(game, arenas))
                faulty += bool(faults)
                for line, column, sentence in faults:
                    click.echo(f"{path}:{line}:{column}: {sentence}")
    click.echo(f"{games} game{'s' * (games != 1)}, {faulty} with faults")
    if faulty or not games:
        sys.exit(1)


def read_arenas(files: Iterable[Path]) -> dict[str, Arena]:
    """Arena files by their names. Raises click's error."""
    return {arena.name: arena for arena in map(read_arena, files)}


def find_faults(game: ReadGame, arenas: Mapping[str, Arena]) -> Iterator[PlacedFault]:
    """Everything wrong with a game of a file, each fault with its line and column."""
    return faults_of(game, replay(game.record, arenas=arenas).faults)


@click.command(name="format")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--in-place", "-i", is_flag=True, help="Write the file anew instead of printing.")
def format_(file: str, in_place: bool) -> None:
    """Write records canonically.

    Reads FILE forgivingly and prints every game as it should be written. A file with anything
    that cannot be understood is left alone: the faults are listed, and nothing is written.
    """
    if not in_place or file == "-":
        _write_all(file, sys.stdout.buffer)
        return
    target = Path(file).resolve()
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, suffix=".ogn")
    except OSError as error:
        raise click.ClickException(f"{target.parent}: {error.strerror}") from None
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as out:
            _write_all(file, out)
        shutil.copymode(target, draft)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _write_all(path: str, out: IO[bytes]) -> None:
    """Write every game. Two passes, so that nothing is written of a file with faults."""
    faults = 0
    with open_records(path, exactly=True) as file:
        for game in with_progress(read_records(file, mode="recover"), path):
            for error in game.errors:
                if error.code not in SPELLING:
                    faults += 1
                    line, column, sentence = text_fault(error)
                    click.echo(f"{path}:{line}:{column}: {sentence}", err=True)
        if faults:
            raise click.ClickException(
                f"{path} has {faults} fault{'s' * (faults != 1)}; nothing was written."
            )
        file.seek(0)
        for number, game in enumerate(read_records(file, mode="recover")):
            out.write((("\n" if number else "") + format_record(game.record)).encode())
