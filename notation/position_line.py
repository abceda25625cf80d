"""Position lines (N4): a whole position at the start of the Manoeuvring phase, in one line.

Owns the type, its reading with every check of N4, and its writing. Which arenas exist, and what
can be done in the position, is ``pbem.games.ortus``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PositionLine:
    """The six fields of a position line; pairs are Gold, Black.

    ``side`` is ``g`` or ``b``. A House is its eight warriors in slot order, each with its name and
    its hex (None for a Fallen).
    """

    arena: str
    level: str
    side: str
    round: int
    energy: tuple[int, int]
    honour: tuple[int, int]
    guide: tuple[str | None, str | None]
    gold: tuple[tuple[str, str | None], ...]
    black: tuple[tuple[str, str | None], ...]
