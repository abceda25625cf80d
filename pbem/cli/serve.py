"""``pbem serve``: the whole server in one process, until it is told to stop; and ``pbem listen``:
only its way in for mail, where readers and senders are workers of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

import click

from pbem.cli.inputs import showing_errors
from pbem.cli.stopping import told_to_stop
from pbem.config import Settings, read_settings
from pbem.endpoints import Endpoint

# Workers and web are imported where they are used: every other command would wait for them.

_LOOK: Final = 5.0
"""Seconds between two looks whether everything runs."""


class _Server(Protocol):
    """Something that runs for as long as its block."""

    @property
    def endpoints(self) -> Mapping[str, Endpoint]:
        """Where it listens, by protocol."""

    def find_fault(self) -> str | None:
        """What has ended that should run."""


@click.command()
def serve() -> None:
    """Take mail, read it, play, send mail and show web pages, all in this process.

    Settings come from PBEM_… in the environment; what is missing or wrong is told before anything
    starts. Stop it with SIGTERM or Ctrl-C: nothing is lost. If a part of it ends by itself, all of
    it ends, with exit code 1, for whoever watches over it to start it again.
    """
    from workers.embedded import Embedded  # noqa: PLC0415
    from workers.processor import staying  # noqa: PLC0415

    with staying():
        _run(Embedded, is_serving=True)


@click.command()
def listen() -> None:
    """Only take mail (SMTP, LMTP) and store it, for workers of their own to read.

    It needs PBEM_LISTEN_SMTP or PBEM_LISTEN_LMTP, and PBEM_BROKER_URL, where the workers are told.
    Stop it with SIGTERM or Ctrl-C: a mail that is being stored is answered before it ends.
    """
    from workers.listening import Listening  # noqa: PLC0415

    _run(Listening, is_serving=False)


def _run(make: Callable[[Settings], AbstractContextManager[Any]], *, is_serving: bool) -> None:
    """Run a server until a signal comes or a part of it ends."""
    from pbem.logs import set_up_logging  # noqa: PLC0415
    from workers.alive import touch  # noqa: PLC0415

    fault = None
    with showing_errors():
        settings = read_settings(is_serving=is_serving)
        set_up_logging(settings.log_style)
        server: _Server
        with told_to_stop() as stopping, make(settings) as server:
            for protocol, endpoint in server.endpoints.items():
                click.echo(f"listening {protocol} {endpoint}")
            click.echo("ready")
            touch(settings.alive_file)
            while not stopping.wait(_LOOK) and (fault := server.find_fault()) is None:
                touch(settings.alive_file)
            click.echo("stopping")
    if fault is not None:
        raise click.ClickException(f"Stopped, because the {fault} has ended by itself.")
    click.echo("stopped")
