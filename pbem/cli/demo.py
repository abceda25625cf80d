"""``pbem demo``: the whole server on this machine, with two players and a game under way."""

from __future__ import annotations

import logging
import os
import shlex

import click

from pbem.cli.inputs import showing_errors
from pbem.cli.stopping import told_to_stop


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Where the pages are; else a free one.")
def demo(port: int | None) -> None:
    """Run everything at once, with nothing configured: pages, mail, and a post office to read it.

    Two players, Ann and Ben, have a game under way. Open the address that is printed, read Ann's
    mail and answer it. What is played is kept in PBEM_DATA_DIR, or in a folder of its own, which
    is printed. Ctrl-C ends it.
    """
    from pbem.logs import set_up_logging  # noqa: PLC0415
    from workers.demo import find_folder, run_demo  # noqa: PLC0415

    fault = None
    with showing_errors():
        set_up_logging("console", level=logging.WARNING)
        environ = dict(os.environ)
        folder = find_folder(environ)
        with told_to_stop() as stopping, run_demo(port=port, environ=environ) as server:
            pages = server.endpoints["http"]
            click.echo(f"Open http://{pages}/post and read Ann's mail.")
            click.echo(f"Mail is taken at {server.endpoints['smtp']}. Ctrl-C ends all of it.")
            click.echo(f"What is played is kept in {folder}: delete it to begin anew.")
            click.echo(f"Other commands see it with PBEM_DATA_DIR={shlex.quote(str(folder))}")
            while not stopping.wait(1.0) and (fault := server.find_fault()) is None:
                pass
    if fault is not None:
        raise click.ClickException(f"Stopped, because the {fault} has ended by itself.")
    click.echo("Ended. What was played is kept: pbem demo goes on with it.")
