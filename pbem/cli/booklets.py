"""``pbem archive booklet`` and ``pbem archive words``: games to print, and games in words.

A game is a file of records, or the number of one in the archive of the database. What does the
work is imported where it is used: every other command would wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pbem.catalogues import languages
from pbem.cli.inputs import open_records
from pbem.cli.proofs import surroundings
from pbem.diagrams.papers import MOST_CHAPTERS, PAPERS

if TYPE_CHECKING:
    from notation.record import Record

TITLE: Final = "Ortus"

_language = click.option(
    "--language", type=click.Choice(languages()), default="en", show_default=True
)


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME|FILE...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file to write: .pdf or .html.",
)
@click.option(
    "--paper",
    type=click.Choice(tuple(PAPERS)),
    default="a4",
    show_default=True,
    help="The size of the paper.",
)
@click.option("--title", default=TITLE, help="Over several games.")
@click.option("--words", "in_words", is_flag=True, help="Each game in words, too.")
@_language
def booklet(
    games: tuple[str, ...], output: Path, *, paper: str, title: str, in_words: bool, language: str
) -> None:
    """Write games into a booklet to print: text, comments, variations, diagrams.

    A GAME is the number of an archived game of the database; a FILE may have several games.

    \b
      pbem archive booklet cup.ogn -o cup.pdf
      pbem archive booklet 17 23 42 -o best.html --paper a5
    """
    from pbem.archive.booklet import make_chapter  # noqa: PLC0415
    from pbem.archive.framing import make_document  # noqa: PLC0415
    from pbem.archive.words import with_words  # noqa: PLC0415
    from pbem.catalogues import get_tongue  # noqa: PLC0415
    from pbem.diagrams.booklet_pdf import booklet_pdf  # noqa: PLC0415
    from pbem.web.booklet_files import booklet_html  # noqa: PLC0415

    kind = output.suffix.lower()
    if kind not in (".pdf", ".html"):
        raise click.UsageError(f"{output}: a booklet is written as .pdf or as .html")
    if output.exists():
        raise click.ClickException(f"{output} is there already.")
    tongue = get_tongue(language)
    chapters = []
    for record in _some(games):
        document = make_document(record)
        chapter = make_chapter(document, tongue=tongue)
        chapters.append(with_words(chapter, document, tongue=tongue) if in_words else chapter)
    heading = chapters[0].title if len(chapters) == 1 else title
    if kind == ".pdf":
        data = booklet_pdf(chapters, title=heading, paper=PAPERS[paper], tongue=tongue)
    else:
        data = booklet_html(chapters, title=heading, paper=paper, tongue=tongue).encode()
    try:
        with output.open("xb") as file:
            file.write(data)
    except OSError as error:
        raise click.ClickException(f"{output}: {error.strerror}") from None
    click.echo(f"{output}: {len(chapters)} {'game' if len(chapters) == 1 else 'games'}")


@click.command()
@click.argument("game", metavar="GAME|FILE")
@click.option("--boards", is_flag=True, help="The board in words after every turn, too.")
@_language
def words(game: str, boards: bool, language: str) -> None:
    """Tell a game in words, to be read aloud.

    GAME is the number of an archived game of the database; all games of a FILE are told.
    """
    from pbem.archive.framing import make_document  # noqa: PLC0415
    from pbem.archive.words import tell_game, write_words  # noqa: PLC0415
    from pbem.catalogues import get_tongue  # noqa: PLC0415

    tongue = get_tongue(language)
    for number, record in enumerate(_records(game)):
        if number:
            click.echo()
        told = tell_game(make_document(record), tongue=tongue)
        click.echo(write_words(told, with_boards=boards), nl=False)


def _some(games: Sequence[str]) -> list[Record]:
    """As many as a booklet has room for; click's error for more, or for none."""
    found = []
    for game in games:
        for record in _records(game):
            found.append(record)
            if len(found) > MOST_CHAPTERS:
                raise click.ClickException(f"A booklet has room for {MOST_CHAPTERS} games.")
    if not found:
        raise click.ClickException("There are no games in this.")
    return found


def _records(game: str) -> Iterator[Record]:
    from notation.record_reading import read_records  # noqa: PLC0415

    if game.isascii() and game.isdecimal() and len(game) < 19 and not Path(game).exists():
        yield _archived(int(game))
        return
    with open_records(game) as file:
        for read in read_records(file, mode="recover"):
            if read.errors and not read.record.tags:
                raise click.ClickException(f"{game}:{read.line}: This is no record of a game.")
            yield read.record


def _archived(number: int) -> Record:
    from pbem.play.annotating import read_joined  # noqa: PLC0415

    with surroundings() as around, around.store.read() as unit:
        if unit.find_archived(number) is None:
            raise click.ClickException(f"There is no archived game {number}.")
        return read_joined(unit, number).record
