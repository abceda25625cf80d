"""A progress bar on standard error for long work, where there is somebody to see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from rich.console import Console
from rich.progress import track

Item = TypeVar("Item")


def with_progress(
    items: Iterable[Item], description: str, *, total: int | None = None
) -> Iterable[Item]:
    """The same items; a bar is shown while they are taken, if standard error is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        return items
    return track(items, description, total=total, console=console, transient=True)
