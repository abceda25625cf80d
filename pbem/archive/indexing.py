"""What is found of a game later on: its positions at the beginning of each turn, with the order
that followed, and the patterns that occurred. Owns the one pass over a record that also judges it,
so that a game that comes in is played once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from notation.orders import End
from notation.record import Record, RecordTurn
from pbem.archive.patterns import PatternWatch
from pbem.archive.placed_orders import place_order
from pbem.archive.positions import Keyer
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.position import Position
from pbem.games.ortus.replaying import Replayed, replay

WON, DRAWN, LOST = 2, 1, 0
"""Half points of the House to move."""
UNDECIDED: Final = -1
NOTHING_PLAYED: Final = ""

_GOLD_SCORES: Final = {"1-0": WON, "0-1": LOST, "1/2-1/2": DRAWN}


class IndexedPosition(NamedTuple):
    """A position at the beginning of turn number ``ply`` of the record, counted from 1.

    ``next_order`` is the first order of that turn told by places (``placed_orders``), or
    ``NOTHING_PLAYED``. ``score`` is what the House to move got out of the game.
    """

    ply: int
    key: int
    next_order: str
    score: int


@dataclass(frozen=True, slots=True)
class GameIndex:
    """The positions of a game in order, and each pattern with the ply at which it first stood."""

    positions: tuple[IndexedPosition, ...] = ()
    patterns: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class IndexedGame:
    """A record that was played through: what is wrong with it, and where it can be found.

    The index of a record with faults ends at the first of them.
    """

    replayed: Replayed
    index: GameIndex


def read_game(record: Record, *, arenas: Mapping[str, Arena] | None = None) -> IndexedGame:
    """Judge a record as ``replay`` does and index it, in one pass."""
    watcher = _Watcher(record.result)
    replayed = replay(record, arenas=arenas, watch=watcher.see)
    if replayed.position is not None and not replayed.faults:
        watcher.see_last(record, replayed.position)
    return IndexedGame(replayed, GameIndex(tuple(watcher.positions), watcher.patterns()))


class _Watcher:
    """Is shown each turn of the main line before it is played."""

    def __init__(self, result: str) -> None:
        self.positions: list[IndexedPosition] = []
        gold = _GOLD_SCORES.get(result, UNDECIDED)
        self._scores = (gold, UNDECIDED if gold == UNDECIDED else WON - gold)
        self._keyer: Keyer | None = None
        self._watch: PatternWatch | None = None

    def see(self, position: Position, turn: RecordTurn | None) -> None:
        """A position at the beginning of a turn, and the turn that follows if there is one."""
        if self._keyer is None or self._watch is None:
            self._keyer = Keyer(position.rules)
            self._watch = PatternWatch(position.rules)
        order = NOTHING_PLAYED
        if turn is not None and turn.orders:
            order = place_order(position, turn.orders[0].order)
        ply = len(self.positions) + 1
        key, score = self._keyer.key(position), self._scores[position.active]
        self.positions.append(IndexedPosition(ply, key, order, score))
        self._watch.see(position, ply)

    def see_last(self, record: Record, position: Position) -> None:
        """Where the game ended, if a turn began there."""
        turns = record.turns
        if not turns or (turns[-1].orders and type(turns[-1].orders[-1].order) is End):
            self.see(position, None)

    def patterns(self) -> tuple[tuple[str, int], ...]:
        """The patterns seen so far."""
        return () if self._watch is None else self._watch.seen()
