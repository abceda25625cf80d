"""``pbem trace``: the trail of a mail or a game, to prove what happened to it."""

from __future__ import annotations

import json

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from pbem.cli.inputs import showing_errors
from pbem.cli.showing import make_plain, open_console
from pbem.config import read_settings


@click.command()
@click.argument("what", metavar="GAME|MESSAGE-ID|NUMBER")
@click.option("--text", "has_text", is_flag=True, help="Show what players wrote, secrets as well.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def trace(what: str, has_text: bool, as_json: bool) -> None:
    """Show the trail of a mail or a game: stored, read, played or refused, answered, handed over.

    A mail that came in is named by its number (pbem mail lists show it) or its Message-ID, one of
    ours by its Message-ID, or a beginning of it with … behind it. All times are UTC.
    """
    from pbem.bootstrap import find_secret, open_surroundings  # noqa: PLC0415
    from pbem.mail.keys import Keys  # noqa: PLC0415
    from pbem.mail.tracing import CUT, find_trail  # noqa: PLC0415

    with showing_errors():
        settings = read_settings()
        secret = find_secret(settings)
        keys = None if secret is None else Keys(secret)
        with open_surroundings(settings) as around, around.store.read() as unit:
            steps = find_trail(unit, keys, what)
    if not steps and CUT in what:
        raise click.ClickException(
            f"No mail of ours has a Message-ID that begins so. What stood behind the {CUT} is"
            " needed for any other: a mail that came in is known by all of its Message-ID, or by"
            " its number."
        )
    if not steps:
        raise click.ClickException(
            "There is no such game and no such mail. A mail that was never stored was not taken:"
            " the log of the mail server before us says why."
        )
    if as_json:
        for step in steps:
            row = {
                "at": None if step.at is None else step.at.isoformat(),
                "what": step.what,
                "details": step.details,
            }
            click.echo(json.dumps(row | ({"text": step.text} if has_text else {})))
        return
    table = Table("when", "what", "details", box=SIMPLE_HEAD, pad_edge=False)
    for step in steps:
        details = f"{step.details}\n{step.text}".strip() if has_text else step.details
        when = "" if step.at is None else f"{step.at:%Y-%m-%d %H:%M:%S}"
        # What strangers wrote is text, and no markup.
        table.add_row(when, Text(make_plain(step.what)), Text(make_plain(details), overflow="fold"))
    open_console().print(table)
