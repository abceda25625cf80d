"""Who has which rating: of one player, of all at a level, and at the beginning of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

from pbem.games.ortus.figures import LEVELS
from pbem.games.registry import get_game
from pbem.play.model import StoredGame
from pbem.play.ports import Surroundings, Unit
from pbem.play.rated import CountedGame, Listed
from pbem.play.rating import level_of
from pbem.tournaments.glicko import NEW
from pbem.tournaments.ratings import Rating, period_of

PAGE: Final = 50
MOST_GAMES: Final = 50
"""How many of a player's last games are told with their rating."""


@dataclass(frozen=True, slots=True)
class LevelRating:
    """A player's rating at a level as it stands now, and the months that led to it."""

    level: str
    rating: Rating
    history: tuple[Rating, ...]


@dataclass(frozen=True, slots=True)
class RatingPage:
    """Some players of a level, best first; ``first`` is the place of the first of them."""

    players: tuple[Listed, ...]
    first: int
    has_more: bool


def ratings_of(unit: Unit, player_id: int, *, now: datetime) -> tuple[LevelRating, ...]:
    """A player's ratings, in the order of levels."""
    period = period_of(now)
    found = []
    for level, rows in groupby(unit.ratings_of(player_id), key=lambda row: row[0]):
        history = tuple(rating for _, rating in rows)
        found.append(LevelRating(level, history[-1].at(period), history))
    return tuple(sorted(found, key=lambda each: LEVELS.index(each.level)))


def find_rating(unit: Unit, player_id: int, level: str, *, now: datetime) -> Rating | None:
    """A player's rating at a level as it stands now."""
    ratings = ratings_of(unit, player_id, now=now)
    return next((each.rating for each in ratings if each.level == level), None)


def rating_for_entry(unit: Unit, player_id: int, level: str, *, now: datetime) -> int:
    """The figure with which a player enters an event: that of somebody new, for who has none."""
    found = find_rating(unit, player_id, level, now=now)
    return NEW.shown if found is None else found.figure.shown


def list_ratings(
    around: Surroundings,
    level: str,
    *,
    now: datetime,
    is_provisional: bool = False,
    offset: int = 0,
    limit: int = PAGE,
) -> RatingPage:
    """A page of the list of a level, behind so many: those whose rating is sure enough, or the
    others."""
    with around.store.read() as unit:
        found = unit.list_ratings(
            level,
            period=period_of(now),
            is_provisional=is_provisional,
            offset=offset,
            limit=limit + 1,
        )
    return RatingPage(tuple(found[:limit]), offset + 1, len(found) > limit)


def games_of(
    unit: Unit, player_id: int, level: str, *, viewer: int | None
) -> Sequence[CountedGame]:
    """A player's last games at a level, newest first, with why those do not count that do not.
    Private ones are their players'."""
    return unit.counted_games_of(player_id, level, viewer=viewer, limit=MOST_GAMES)


def rating_tags(unit: Unit, stored: StoredGame) -> Mapping[str, str]:
    """The tags of a record that tell how both were rated when the game began: at the end of the
    month before. Who had no rating then has no tag."""
    level, period = level_of(stored.start.options), period_of(stored.created_at)
    known = unit.ratings_before(level, period, set(stored.players))
    seats = get_game(stored.game).seats
    return {
        f"{seats[seat].capitalize()}Rating": str(known[player_id].figure.shown)
        for seat, player_id in enumerate(stored.players)
        if player_id in known
    }
