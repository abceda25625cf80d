"""The ``pbem`` command: thin doors to everything else, one module for each kind of work.

Exit codes: 0 all is well, 1 a difference or fault was found, 2 the command could not be read.
"""

from __future__ import annotations

import click

from pbem.cli.archive import archive
from pbem.cli.database import db
from pbem.cli.demo import demo
from pbem.cli.doctor import doctor
from pbem.cli.mailcheck import mailcheck
from pbem.cli.mails import mails
from pbem.cli.operator import mail
from pbem.cli.pictures import render
from pbem.cli.post import ingest
from pbem.cli.proofs import dice, verify
from pbem.cli.records import check, format_
from pbem.cli.rules import conform, moves, perft
from pbem.cli.serve import listen, serve
from pbem.cli.status import status
from pbem.cli.trace import trace


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command explains itself: pbem COMMAND --help",
)
@click.version_option(package_name="pbem", prog_name="pbem")
def main() -> None:
    """Correspondence games by mail. The first game is Ortus."""


for command in (
    demo,
    doctor,
    render,
    moves,
    check,
    format_,
    conform,
    perft,
    verify,
    dice,
    archive,
    db,
    ingest,
    mail,
    status,
    trace,
    mailcheck,
    mails,
    serve,
    listen,
):
    main.add_command(command)
