"""``pbem archive site``: the archive as a static web site."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from pbem.cli.progress import with_progress
from pbem.cli.proofs import surroundings

# What does the work is imported where it is used: every other command would wait for it.

NAME: Final = "Ortus by mail"


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--language", default="en", show_default=True, help="Of the pages: en or nl.")
@click.option("--name", default=None, help="Of the site; otherwise the server's.")
def site(folder: Path, language: str, name: str | None) -> None:
    """Write the archive as a web site into FOLDER.

    All open games, with lists of them by player, event and year, and a search by name. It needs no
    server: it can be opened from disk, or copied to any web space. Written again into the same
    folder, only what has changed is written, and what no longer belongs to it is removed.
    """
    from pbem.catalogues import get_tongue, languages  # noqa: PLC0415
    from pbem.config import read_settings  # noqa: PLC0415
    from pbem.web.archive_site import write_site  # noqa: PLC0415

    if language not in languages():
        raise click.UsageError(f"there is no language {language!r}, only {', '.join(languages())}")
    with surroundings() as around:
        written = write_site(
            around,
            folder,
            title=name or read_settings().name or NAME,
            tongue=get_tongue(language),
            watch=lambda games: with_progress(games, "games"),
        )
    games = f"{written.games:,} game{'s' * (written.games != 1)}"
    click.echo(f"{games}, {written.made:,} of them written, {written.removed:,} files removed")
    click.echo(f"Open {folder / 'index.html'}")
