"""``pbem mails``: one sample of every mail that the server writes, to look at."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.progress import with_progress
from pbem.play.players import BOARDS, LANGUAGES

if TYPE_CHECKING:  # what writes mails takes long to load, and the other commands do without
    from pbem.cli.stage import Sample


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--only", default="", help="Only samples whose names begin like this.")
@click.option("--language", type=click.Choice(LANGUAGES), help="Only in this language.")
@click.option("--board", type=click.Choice(BOARDS), help="Only with this form of the board.")
def mails(folder: Path, only: str, language: str | None, board: str | None) -> None:
    """Write one sample of every kind of mail to DIR.

    There is a folder for each language and form of the board; in it each mail is an .eml file as it
    would be sent, and an .html and a .txt file to look at.
    """
    languages = LANGUAGES if language is None else (language,)
    boards = BOARDS if board is None else (board,)
    variants = [(each, form) for each in languages for form in boards]
    written = 0
    for each, form in with_progress(variants, "Writing mails"):
        place = folder / f"{each}-{form}"
        place.mkdir(parents=True, exist_ok=True)
        for sample in _samples(each, form):
            if sample.name.startswith(only):
                _write(place, sample)
                written += 1
    click.echo(f"{written} mails in {folder}")


def _samples(language: str, board: str) -> Iterator[Sample]:
    """The samples of one variant, from a store that is gone afterwards."""
    from pbem.cli.sample_mails import play_samples  # noqa: PLC0415
    from pbem.cli.stage import Stage  # noqa: PLC0415
    from pbem.store.database import make_engine, open_store  # noqa: PLC0415
    from pbem.store.schema import upgrade  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/samples.sqlite3"
        engine = make_engine(url)
        upgrade(engine)
        engine.dispose()
        store = open_store(url)
        try:
            yield from play_samples(Stage(store, language=language, board=board))
        finally:
            store.dispose()


def _write(place: Path, sample: Sample) -> None:
    from pbem.cli.stage import OFFICE  # noqa: PLC0415
    from pbem.mail.mime import content_id, to_bytes  # noqa: PLC0415

    mail = sample.mail
    html, drawings = mail.html, OFFICE.drawings
    assert drawings is not None
    for picture in mail.pictures:
        data = base64.b64encode(drawings.png(picture.scene)).decode()
        cid = content_id(picture.name, mail.letter.message_id)
        html = html.replace(f"cid:{cid}", f"data:image/png;base64,{data}")
    (place / f"{sample.name}.eml").write_bytes(to_bytes(mail, OFFICE))
    (place / f"{sample.name}.html").write_text(html, encoding="utf-8")
    text = f"Subject: {mail.subject}\n\n{mail.text}"
    (place / f"{sample.name}.txt").write_text(text, encoding="utf-8")
