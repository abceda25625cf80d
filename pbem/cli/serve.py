"""``pbem serve``: the whole server in one process, until it is told to stop."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Final

import click

from pbem.cli.inputs import showing_errors
from pbem.config import read_settings

# Workers and web are imported where they are used: every other command would wait for them.

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_LOOK: Final = 5.0
"""Seconds between two looks whether everything runs."""


@click.command()
def serve() -> None:
    """Take mail, read it, play, send mail and show web pages, all in this process.

    Settings come from PBEM_… in the environment; what is missing or wrong is told before anything
    starts. Stop it with SIGTERM or Ctrl-C: nothing is lost. If a part of it ends by itself, all of
    it ends, with exit code 1, for whoever watches over it to start it again.
    """
    from pbem.logs import set_up_logging  # noqa: PLC0415
    from workers.embedded import Embedded  # noqa: PLC0415

    stopping = threading.Event()
    fault = None

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()

    with showing_errors():
        settings = read_settings(is_serving=True)
        set_up_logging(settings.log_style)
        before = {number: signal.signal(number, stop) for number in _SIGNALS}
        try:
            with Embedded(settings) as server:
                for protocol, endpoint in server.endpoints.items():
                    click.echo(f"listening {protocol} {endpoint}")
                click.echo("ready")
                while not stopping.wait(_LOOK) and (fault := server.find_fault()) is None:
                    pass
                click.echo("stopping")
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    if fault is not None:
        raise click.ClickException(f"Stopped, because the {fault} has ended by itself.")
    click.echo("stopped")
