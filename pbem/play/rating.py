"""Ratings: taking in games that are over, and counting.

The store notes each game that ends (``games_to_rate``). Taking one in says how it counts and notes
what is to be counted again; counting does that, from the games alone. Both may be run twice, or on
two machines at once. How a rating comes about is ``pbem.tournaments.ratings``;
who has which is ``rating_seen``, counting everything again ``rating_again``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.games.ortus.figures import LEVELS
from pbem.play.ports import Surroundings, Unit
from pbem.play.rated import Change, CountedGame, EndedGame, Exclusion
from pbem.play.terms import parse_terms
from pbem.tournaments.ratings import (
    RatedGame,
    Rating,
    begin_of,
    judged,
    rate,
    why_unrated,
)

_DRAW: Final = 1
_POINTS: Final = {None: _DRAW, 0: 2, 1: 0}
"""Gold's, in halves, by the seat that has won."""
_TRIES: Final = 3
_BY_COMPANY: Final = ("self", "often")
"""Why a game does not count that is not in the game itself."""


@dataclass(frozen=True, slots=True)
class TakenIn:
    """How many games were looked at, those that could not be taken in with the reason, and behind
    which the others are."""

    games: int
    failed: Mapping[str, str]
    after: str | None


def take_in(around: Surroundings, *, after: str = "", limit: int = 20) -> TakenIn:
    """Take in the next games that are over. One that cannot be keeps nobody waiting."""
    with around.store.read() as unit:
        waiting = unit.games_to_rate(after=after, limit=limit)
    failed: dict[str, str] = {}
    for game_id in waiting:
        try:
            take_in_again(around, game_id)
        except (StoreBusyError, StoreUnavailableError):
            raise
        except Exception as error:  # whatever a damaged row brings about
            failed[game_id] = f"{type(error).__name__}: {error}"
    return TakenIn(len(waiting), failed, waiting[-1] if len(waiting) == limit else None)


def take_in_again(around: Surroundings, game_id: str) -> None:
    """Take in a game, whether it was before or not."""
    with around.store.begin() as unit:
        unit.lock_game(game_id)  # who sits in it could change hands: accounts are merged
        _take_in(unit, game_id)
        unit.need_not_rate(game_id)


def count_ratings(around: Surroundings) -> int:
    """Count again what is to be; how many ratings have changed."""
    with around.store.read() as unit:
        levels = sorted({change.level for change in unit.rating_changes()})
    changed = 0
    for level in levels:
        changed += _count_level(around, level)
    return changed


def exclude(unit: Unit, game_id: str, why: Exclusion) -> None:
    """A game, over or still running, counts for nobody from now on: for directors. It must be
    locked in this unit."""
    unit.exclude_from_rating(game_id, why)
    if unit.find_counted(game_id) is not None:
        _take_in(unit, game_id)


def _take_in(unit: Unit, game_id: str) -> None:
    ended = unit.find_ended(game_id)
    if ended is None:
        return
    counted, before = count_game(ended), unit.find_counted(game_id)
    if before is None or own_count(before) != counted:
        unit.save_counted(counted)
        unit.add_rating_change(counted.level, counted.game.period)
        if before is not None and before.level != counted.level:
            unit.add_rating_change(before.level, before.game.period)


def count_game(ended: EndedGame) -> CountedGame:
    """How a game counts by itself, without regard to what else its players have played."""
    terms = parse_terms(ended.terms)
    why_not = ended.excluded or why_unrated(
        is_agreed=terms.rated,
        has_position=bool(ended.options.get("position")),
        has_handicap=bool(ended.options.get("handicap")),
        ending=ended.termination,
        turns=ended.turns,
    )
    gold, black = ended.players
    points = _POINTS[ended.winner]
    game = RatedGame(ended.game_id, ended.ended_at, gold, black, points, why_not)
    return CountedGame(level_of(ended.options), game, is_open=terms.delay is not None)


def level_of(options: Mapping[str, object]) -> str:
    """The level that is played with some options."""
    level = options.get("level")
    if level is None and options.get("position"):
        level = str(options["position"]).split()[1]
    return LEVELS[0] if level is None else str(level)


def own_count(counted: CountedGame) -> CountedGame:
    """How a game that was taken in counts by itself."""
    game = counted.game
    if game.why_not not in _BY_COMPANY:
        return counted
    return replace(counted, game=replace(game, why_not=""))


@dataclass(frozen=True, slots=True)
class _Count:
    """What counting a level again comes to: games that count otherwise, ratings that are gone or
    new, and which changes it was asked for by."""

    changes: frozenset[Change]
    games: tuple[RatedGame, ...] = ()
    gone: frozenset[Rating] = frozenset()
    new: frozenset[Rating] = frozenset()


def _count_level(around: Surroundings, level: str) -> int:
    # Counted before anything is locked, which may take long. Whatever changes in the meantime notes
    # a change of its own; then it is counted once more, at last under the lock.
    for _ in range(_TRIES):
        with around.store.read() as unit:
            changes = [change for change in unit.rating_changes() if change.level == level]
            count = _count(unit, level, changes)
        with around.store.begin() as unit:
            if frozenset(unit.lock_rating_changes(level)) == count.changes:
                return _keep(unit, level, count)
    with around.store.begin() as unit:
        return _keep(unit, level, _count(unit, level, unit.lock_rating_changes(level)))


def _count(unit: Unit, level: str, changes: Sequence[Change]) -> _Count:
    if not changes:
        return _Count(frozenset())
    begin = min(change.period for change in changes)
    games = [counted.game for counted in unit.counted_games(level, since=begin_of(begin))]
    fresh = judged(games)
    players = {player_id for game in fresh for player_id in game.pair}
    made = frozenset(rate(fresh, unit.ratings_before(level, begin, players)))
    there = frozenset(unit.ratings_since(level, begin))
    return _Count(
        frozenset(changes),
        tuple(
            game
            for before, game in zip(games, fresh, strict=True)
            if before.why_not != game.why_not
        ),
        there - made,
        made - there,
    )


def _keep(unit: Unit, level: str, count: _Count) -> int:
    for game in count.games:
        unit.save_why_not(game.game_id, game.why_not)
    unit.replace_ratings(level, count.gone, count.new)
    unit.remove_rating_changes(count.changes)
    return len({(each.player_id, each.period) for each in count.gone | count.new})
