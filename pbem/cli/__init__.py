"""The ``pbem`` command: thin doors to everything else, one module for each kind of work.

Exit codes: 0 all is well, 1 a difference or fault was found, 2 the command could not be read.
"""

from __future__ import annotations

import click

from pbem.cli.doors import Door, House


@click.group(
    cls=House,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command explains itself: pbem COMMAND --help",
)
@click.version_option(package_name="pbem", prog_name="pbem")
def main() -> None:
    """Correspondence games by mail. The first game is Ortus."""


for door in (
    Door("demo", at="demo.demo", says="Try it all out, with nothing configured."),
    Door("doctor", at="doctor.doctor", says="Check all that a server needs, and say what to do."),
    Door("render", at="pictures.render", says="Draw a position, or a moment of a record."),
    Door("moves", at="rules.moves", says="List every legal action of a position with its cost."),
    Door("check", at="records.check", says="Play records again and report every fault."),
    Door("format", at="records.format_", says="Write records canonically."),
    Door("conform", at="rules.conform", says="Replay conformance vectors and compare everything."),
    Door("perft", at="rules.perft", says="Count the lines of play from a position."),
    Door("verify", at="proofs.verify", says="Prove that games were what they are said to be."),
    Door("dice", at="proofs.dice", says="Show every roll of a game, and how to check it."),
    Door("archive", at="archive.archive", says="Finished games: import, export, search, booklets."),
    Door("db", at="database.db", says="The database: its tables, their health, backups."),
    Door("event", at="events.event", says="Events: list them, their logs and tables, go on."),
    Door("ratings", at="ratings.ratings", says="Ratings: count them again, list a level."),
    Door("ingest", at="post.ingest", says="Take a mail from standard input and store it."),
    Door("mail", at="operator.mail", says="Mails that need somebody to look at them."),
    Door("status", at="status.status", says="Show what waits, what went wrong, and who works."),
    Door("trace", at="trace.trace", says="Show the trail of a mail or a game."),
    Door("mailcheck", at="mailcheck.mailcheck", says="Score the reading of replies."),
    Door("mails", at="mails.mails", says="Write one sample of every kind of mail."),
    Door("serve", at="serve.serve", says="Run the whole server in one process."),
    Door("listen", at="serve.listen", says="Only take mail and store it, for workers to read."),
):
    main.add_command(door)
