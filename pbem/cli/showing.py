"""How a command shows what others wrote: as text, whatever is in it."""

from __future__ import annotations


def make_plain(text: str) -> str:
    """Without what could change the screen; its lines stay."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)
