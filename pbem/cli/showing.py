"""How a command shows tables, and what others wrote: as text, whatever is in it."""

from __future__ import annotations

import sys
from typing import Final

from rich.console import Console

_WIDEST: Final = 4000
"""Columns that a table can have where no screen ends; it takes only those that it needs."""


def open_console() -> Console:
    """Where tables are shown. What is written to a file or another program is as wide as its
    longest line, whatever the screen is: a name broken in two would not be found in it."""
    return Console() if sys.stdout.isatty() else Console(width=_WIDEST)


def make_plain(text: str) -> str:
    """Without what could change the screen; its lines stay."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)
