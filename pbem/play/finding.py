"""What archived games tell of a position and of set-ups: who came there, what followed, and how it
scored. The counts are of games open to all; of private ones only their players are told, and only
which games they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from pbem.archive import indexing
from pbem.archive.placed_orders import name_placed_order, turn_placed_order
from pbem.archive.positions import position_key, turned_keys
from pbem.archive.statistics import Score
from pbem.archive.turning import AS_IT_IS
from pbem.games.ortus.position import Position
from pbem.play.archived import ArchivedGame
from pbem.play.found import Followed, SetupFilter
from pbem.play.library import get_archived
from pbem.play.ports import Surroundings

GAMES_SHOWN: Final = 20
SETUPS_SHOWN: Final = 50
MOST_SETUPS: Final = 200
MOST_LISTED: Final = 10_000
"""Above so many, not all are put in order to find the newest: one of each order and result is."""


@dataclass(frozen=True, slots=True)
class NextOrder:
    """An order that was played in a position, as its House would write it; empty where nobody
    played on. The score is that House's."""

    order: str
    score: Score


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game that came to a position: before which turn, and how its board is turned against the
    one that was asked for."""

    game: ArchivedGame
    ply: int
    turning: int


@dataclass(frozen=True, slots=True)
class PositionFound:
    """What is known of a position. ``is_sample`` tells that the games are not simply the newest,
    but the newest of each order and result."""

    orders: tuple[NextOrder, ...]
    games: tuple[FoundGame, ...]
    score: Score
    is_sample: bool


def look_up(
    around: Surroundings, position: Position, *, turned: bool, viewer: int | None
) -> PositionFound:
    """What open games tell of a position at the beginning of a turn, and which games came there;
    ``turned`` looks for it on boards turned any way too."""
    keys = turned_keys(position) if turned else {position_key(position): (AS_IT_IS,)}
    with around.store.read() as unit:
        followed = unit.followed(list(keys))
        total = sum(each.games for found in followed.values() for each in found)
        is_sample = total > MOST_LISTED
        seen: dict[int, tuple[int, int]] = {}
        for key, (turning, *_) in keys.items():
            newest = sorted(followed[key], key=lambda each: -each.newest)[:GAMES_SHOWN]
            visits = list(
                unit.newest_visits(key, newest)
                if is_sample
                else unit.visits(key, limit=GAMES_SHOWN)
            )
            if viewer is not None:
                visits += unit.private_visits(key, viewer=viewer, limit=GAMES_SHOWN)
            for game, ply in visits:
                seen.setdefault(game, (ply, turning))
        numbers = sorted(seen, reverse=True)[:GAMES_SHOWN]
        games = [
            FoundGame(get_archived(unit, number, viewer=viewer), *seen[number])
            for number in numbers
        ]
    orders = _next_orders(position, keys, followed)
    score = sum((order.score for order in orders), Score())
    return PositionFound(orders, tuple(games), score, is_sample)


def _next_orders(
    position: Position,
    keys: Mapping[int, tuple[int, ...]],
    followed: Mapping[int, Sequence[Followed]],
) -> tuple[NextOrder, ...]:
    """The orders as they would be written in the position asked for, the most played first.

    Where the position looks the same turned, an order has twins; they count as one.
    """
    own = keys[position_key(position)]
    scores: defaultdict[str, Score] = defaultdict(Score)
    for key, (turning, *_) in keys.items():
        for next_order, result, count, _ in followed[key]:
            twins = (turn_placed_order(next_order, turning ^ same) for same in own)
            scores[min(twins)] += _score(result, count)
    found = []
    for placed, score in scores.items():
        # Two positions may have one key by chance; the orders of the other one mean nothing here.
        with suppress(ValueError):
            found.append(NextOrder(placed and name_placed_order(position, placed), score))
    found.sort(key=lambda order: (not order.order, -order.score.games, order.order))
    return tuple(found)


def _score(result: int, count: int) -> Score:
    """Games with the same result, as ``indexing`` writes it."""
    match result:
        case indexing.WON:
            return Score(won=count)
        case indexing.DRAWN:
            return Score(drawn=count)
        case indexing.LOST:
            return Score(lost=count)
    return Score(undecided=count)


def explore_setups(
    around: Surroundings, wanted: SetupFilter, *, limit: int = SETUPS_SHOWN
) -> tuple[tuple[str, Score], ...]:
    """The set-ups of open games with how they scored, the most played first."""
    with around.store.read() as unit:
        counts = unit.count_setups(wanted, limit=max(1, min(limit, MOST_SETUPS)))
    return tuple((setup, Score(*figures)) for setup, *figures in counts)
