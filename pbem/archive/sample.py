"""A game to begin with: short, annotated, and with everything an annotated record can have.

The demonstration's archive holds it, ``pbem archive sample`` prints it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

SAMPLE: Final = Path(__file__).with_name("samples") / "first-game.ogn"


def read_sample() -> str:
    """The record of a first game, with comments, signs, variations, arrows and marks."""
    return SAMPLE.read_text(encoding="utf-8")
