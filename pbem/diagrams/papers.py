"""Sizes of paper, and how much goes into a booklet."""

from __future__ import annotations

from typing import Final, NamedTuple

MOST_CHAPTERS: Final = 100


class Paper(NamedTuple):
    """A size of paper: its name in CSS and here, millimetres, and how many columns it has."""

    name: str
    width: float
    height: float
    columns: int
    margin: float


PAPERS: Final = {
    "a4": Paper("A4", 210, 297, 2, 16),
    "a5": Paper("A5", 148, 210, 1, 13),
    "letter": Paper("letter", 215.9, 279.4, 2, 16),
}
