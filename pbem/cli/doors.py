"""Doors to commands: what each is called and does is known at once, its module when it is called.

Whoever runs a server neither waits for what draws booklets nor keeps it in memory.
"""

from __future__ import annotations

from importlib import import_module

import click


class Door(click.Command):
    """Stands for a command until it is called; ``at`` is its module and name below pbem.cli."""

    def __init__(self, name: str, *, at: str, says: str) -> None:
        super().__init__(name, short_help=says)
        self._at = at

    def open(self) -> click.Command:
        """The command itself."""
        module, _, name = self._at.rpartition(".")
        found = getattr(import_module(f"pbem.cli.{module}"), name)
        assert isinstance(found, click.Command), self._at
        return found


class House(click.Group):
    """A group of commands behind doors."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """What is called, and with what: click asks here, and only here, for one to run."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found.open() if isinstance(found, Door) else found, rest
