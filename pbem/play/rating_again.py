"""Counting all ratings again from the games alone, and seeing whether that gives what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.play.ports import Surroundings, Unit
from pbem.play.rated import CountedGame
from pbem.play.rating import count_game, count_ratings, own_count, take_in_again
from pbem.tournaments.ratings import RatedGame, judged, period_text, rate

_PAGE: Final = 500
_BEGINNING: Final = 12 * 1970
"""No game ended before this month."""


@dataclass(frozen=True, slots=True)
class Recounted:
    """How many games are over, how many of them counted otherwise than they should, and how many
    ratings have changed."""

    games: int
    corrected: int
    ratings: int


def recount(around: Surroundings) -> Recounted:
    """Count everything again. While it runs games may go on and end; nothing is shown half done:
    the ratings of a level change together."""
    games, corrected, after = 0, 0, ""
    while True:
        with around.store.read() as unit:
            page = unit.ended_games(after=after, limit=_PAGE)
            known = unit.counted_among([game.game_id for game in page])
        for ended in page:
            before = known.get(ended.game_id)
            if before is None or own_count(before) != count_game(ended):
                take_in_again(around, ended.game_id)
                corrected += 1
        games += len(page)
        if len(page) < _PAGE:
            break
        after = page[-1].game_id
    with around.store.begin() as unit:
        for level in unit.counted_levels():
            unit.add_rating_change(level, _BEGINNING)
    return Recounted(games, corrected, count_ratings(around))


def find_differences(around: Surroundings) -> list[str]:
    """In what the ratings that are kept differ from those that follow from the games; empty if all
    is well. Nothing is changed. Games that are not taken in yet are left out."""
    with around.store.read() as unit:
        return list(_differences(unit))


def _differences(unit: Unit) -> Iterator[str]:
    by_level: dict[str, list[RatedGame]] = {level: [] for level in unit.counted_levels()}
    known: dict[str, CountedGame] = {}
    after = ""
    while page := unit.ended_games(after=after, limit=_PAGE):
        after = page[-1].game_id
        taken = unit.counted_among([game.game_id for game in page])
        known.update(taken)
        for ended in page:
            if ended.game_id in taken:
                fresh = count_game(ended)
                by_level.setdefault(fresh.level, []).append(fresh.game)
    for level, games in by_level.items():
        fair = judged(games)
        for game in fair:
            there = known[game.game_id]
            if (there.level, there.game) != (level, game):
                yield f"game {game.game_id} is kept as {_of(there)}, and is {_game(level, game)}"
        made = {(each.player_id, each.period): each for each in rate(fair)}
        kept = {(each.player_id, each.period): each for each in unit.ratings_since(level, 0)}
        for place in sorted(made.keys() | kept.keys()):
            if made.get(place) != kept.get(place):
                player_id, period = place
                yield (
                    f"player {player_id}, {level}, {period_text(period)}:"
                    f" kept is {kept.get(place)}, counted {made.get(place)}"
                )


def _of(counted: CountedGame) -> str:
    return _game(counted.level, counted.game)


def _game(level: str, game: RatedGame) -> str:
    why = f", unrated: {game.why_not}" if game.why_not else ""
    return f"{level}, {game.gold} against {game.black}, {game.points} halves{why}"
