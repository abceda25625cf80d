"""The pages of the documentation, as the tests in this folder look at them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = (*sorted(DOCS.glob("*.md")), ROOT / "CHANGELOG.md", ROOT / "README.md")

_FENCE = re.compile(r"^```(\w+)(?: from=([\w-]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its kind, the picture it is played in (or ""), where it is, and its text."""

    kind: str
    picture: str
    place: str
    text: str


def blocks(kind: str) -> list[Block]:
    """All fenced blocks of a kind in all pages."""
    return list(_blocks(kind))


def _blocks(kind: str) -> Iterator[Block]:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in _FENCE.finditer(text):
            if match[1] == kind:
                line = text.count("\n", 0, match.start()) + 1
                yield Block(kind, match[2] or "", f"{page.name}:{line}", match[3])
