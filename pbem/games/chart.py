"""What a chart of a game shows, said without the words of any one game: labels and numbers.

A game or its archive makes a :class:`Chart`; ``pbem.diagrams.chart`` draws it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strip:
    """One figure of both seats at every moment; ``levels`` are the heights that get a line."""

    title: str
    values: tuple[tuple[int, ...], tuple[int, ...]]
    maximum: int
    levels: tuple[int, ...]
    height: int = 44
    goal: int | None = None
    """A level that decides the game, drawn stronger."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing. ``moments`` are the labels of the moments, the first that of the beginning."""

    title: str
    names: tuple[str, str]
    moments: tuple[str, ...]
    strips: tuple[Strip, ...]

    def __post_init__(self) -> None:
        lengths = {len(values) for strip in self.strips for values in strip.values}
        if not self.moments or lengths - {len(self.moments)}:
            raise ValueError("a chart needs one value of each seat for every moment")

    def rows(self) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
        """The same as a table: the label of each moment, and by strip the figures of both seats."""
        for index, label in enumerate(self.moments):
            pairs = (strip.values for strip in self.strips)
            yield label, tuple((first[index], second[index]) for first, second in pairs)
