"""The patterns of one position, as the index of a game would note them."""

from __future__ import annotations

from pbem.archive.patterns import PatternWatch
from pbem.games.ortus.figures import HOUSE_NAMES
from pbem.games.ortus.position import Position


def find_patterns(position: Position, house: int) -> tuple[str, ...]:
    """The names of a House's patterns in a position at the beginning of a turn."""
    watch = PatternWatch(position.rules)
    watch.see(position, 1)
    found = (name.split(" ", 1) for name, _ in watch.seen())
    return tuple(name for side, name in found if side == HOUSE_NAMES[house])
