"""``pbem archive``: take in files of games, write them out, search. ``site`` has its own module."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from pbem.cli.archive_filter import filter_options, make_filter
from pbem.cli.archive_site import site
from pbem.cli.booklets import booklet, words
from pbem.cli.progress import with_progress
from pbem.cli.proofs import surroundings
from pbem.cli.puzzles import puzzle
from pbem.cli.showing import make_plain

if TYPE_CHECKING:
    from pbem.play.archived import ArchivedGame

# What does the work is imported where it is used: every other command would wait for it.


@click.group()
def archive() -> None:
    """The archive of finished games: import, export, search, booklets, a web site of it."""


archive.add_command(booklet)
archive.add_command(words)
archive.add_command(site)
archive.add_command(puzzle)


@archive.command()
def sample() -> None:
    """Print an annotated game to begin with.

    It shows what a record can have. pbem archive sample | pbem archive import - puts it into the
    archive; the demonstration has it there already.
    """
    from pbem.archive.sample import read_sample  # noqa: PLC0415

    click.echo(read_sample(), nl=False)


@archive.command(name="import")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("--strict", is_flag=True, help="Take only games that are written canonically.")
@click.option("--event", default="", help="The event of games that name none.")
@click.option("--verbose", "-v", is_flag=True, help="Say what was mended, too.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    show_default=True,
    help="How many processes read and replay.",
)
def import_(files: tuple[str, ...], strict: bool, event: str, verbose: bool, jobs: int) -> None:
    """Take files of games into the archive.

    FILES are .ogn files with any number of games; - is standard input. Every game is read and
    played through by itself: good ones come in, the others are listed with line, column and reason.
    Spelling and layout are mended unless --strict is given. A game that is there already stays as
    it is. Names in the files stay names: nobody gets an account by them.
    """
    from pbem.cli.importing import run_import  # noqa: PLC0415
    from pbem.play.importing import Manner  # noqa: PLC0415

    manner = Manner(strict=strict, event=" ".join(event.split()))
    if not run_import(files, manner, jobs=jobs, verbose=verbose):
        sys.exit(1)


@archive.command()
@filter_options
@click.option("--all", "everything", is_flag=True, help="Every game.")
@click.option("--remarks", is_flag=True, help="With all remarks that annotators have made here.")
@click.option(
    "--output",
    "-o",
    "target",
    type=click.Path(path_type=Path),
    help="A new file: .ogn, or .zip for a zip with an index. Without it: standard output.",
)
def export(everything: bool, remarks: bool, target: Path | None, **chosen: Any) -> None:
    """Write archived games into a file.

    Games are written in the order in which they were archived, the same games always as the same
    bytes. Private games are not among them.
    """
    from pbem.play.exporting import exported, ogn_bytes, zip_bytes  # noqa: PLC0415

    wanted = make_filter(**chosen)
    if everything == (wanted != make_filter(position=None, turned=False)):
        raise click.UsageError("say which games, or --all")
    is_zip = target is not None and target.suffix == ".zip"
    count = 0

    def counted() -> Iterator[Any]:
        nonlocal count
        for game in exported(around, wanted, viewer=None, with_remarks=remarks):
            count += 1
            yield game

    with surroundings() as around, _opened(target) as out:
        blocks = zip_bytes(around, counted()) if is_zip else ogn_bytes(counted())
        for block in with_progress(blocks, "games"):
            out.write(block)
        if not count:
            raise click.ClickException("No game is like that: nothing was written.")
    click.echo(f"{count:,} game{'s' * (count != 1)}", err=True)


@contextmanager
def _opened(target: Path | None) -> Iterator[IO[bytes]]:
    """Where to write: what is not finished has no name."""
    if target is None:
        yield sys.stdout.buffer
        return
    draft = target.with_name(f".{target.name}.part")
    try:
        if target.exists():
            raise click.ClickException(f"{target} is there already.")
        with draft.open("wb") as out:
            yield out
        draft.replace(target)
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)


@archive.command()
@filter_options
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True)
@click.option("--after", default="", help="Go on where another search ended.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, one game on a line.")
def search(limit: int, after: str, as_json: bool, **chosen: Any) -> None:
    """Find archived games, newest first.

    Names and events are compared without regard to case. Opponent, set-up and rating are of the
    player's side, whichever House it was. Private games are not found.
    """
    from pbem.play.archived import find_cursor  # noqa: PLC0415
    from pbem.play.library import search as search_archive  # noqa: PLC0415

    cursor = find_cursor(after) if after else None
    if after and cursor is None:
        raise click.UsageError(f"{after!r} is nowhere where a search has ended")
    with surroundings() as around:
        page = search_archive(around, make_filter(**chosen), viewer=None, after=cursor, limit=limit)
    if as_json:
        for game in page.games:
            click.echo(json.dumps({"number": game.number, **asdict(game.facts)}))
        return
    _show(page.games)
    if page.after is not None:
        click.echo(f"There are more: --after {page.after}")


def _show(games: Sequence[ArchivedGame]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Column, Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    if not games:
        click.echo("No game is like that.")
        return
    table = Table(
        Column("number", justify="right", no_wrap=True),
        Column("date", no_wrap=True),
        "Gold",
        "Black",
        Column("result", no_wrap=True),
        Column("turns", justify="right", no_wrap=True),
        Column("level", no_wrap=True),
        "event",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for game in games:
        facts = game.facts
        cells = (
            str(game.number),
            facts.date,
            facts.gold,
            facts.black,
            facts.result,
            str(facts.turns),
            facts.level,
            facts.event,
        )
        table.add_row(*(Text(make_plain(cell), overflow="fold") for cell in cells))
    Console().print(table)
