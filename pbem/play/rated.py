"""Games as they count for ratings, and ratings, as the store keeps them. Plain, like ``model``.

What they come to is ``pbem.tournaments.ratings``; the use cases are ``rating``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from pbem.tournaments.ratings import RatedGame, Rating

Exclusion = Literal["annulled", "substituted"]
"""Why somebody has taken a game out of the ratings: a director took it back, or a seat changed
hands."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """What ratings ask of a game that is over."""

    game_id: str
    options: Mapping[str, object]
    terms: Mapping[str, object]
    players: tuple[int, int]
    turns: int
    winner: int | None
    termination: str
    ended_at: datetime
    excluded: Exclusion | None


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game that is over, as it counts at a level; ``is_open`` if everybody may know of it."""

    level: str
    game: RatedGame
    is_open: bool


class Change(NamedTuple):
    """From which month on a level is to be counted again; ``number`` is its own."""

    number: int
    level: str
    period: int


class Listed(NamedTuple):
    """A player in the list of a level."""

    name: str
    rating: Rating


class RatingUnit(Protocol):
    """What one transaction can do with ratings. Changes are locked behind all else."""

    # -- games ----------------------------------------------------------------------------------

    def games_to_rate(self, *, after: str, limit: int) -> Sequence[str]:
        """The ids of games behind one that have ended and are not taken in, in order of id."""

    def ended_games(self, *, after: str, limit: int) -> Sequence[EndedGame]:
        """All games that are over, behind one, in order of id."""

    def find_ended(self, game_id: str) -> EndedGame | None:
        """A game, if it is over."""

    def save_counted(self, counted: CountedGame) -> None:
        """How a game counts, whatever it did before."""

    def save_why_not(self, game_id: str, why_not: str) -> None:
        """Why a game that was taken in does not count; empty if it does."""

    def find_counted(self, game_id: str) -> CountedGame | None:
        """How a game counts, if it was taken in."""

    def need_not_rate(self, game_id: str) -> None:
        """A game is taken in."""

    def exclude_from_rating(self, game_id: str, why: Exclusion) -> None:
        """A game counts for nobody, over or not; the first reason stays."""

    def counted_games(self, level: str, *, since: datetime) -> Sequence[CountedGame]:
        """The games of a level that ended then or later, in their order."""

    def counted_games_of(
        self, player_id: int, level: str, *, viewer: int | None, limit: int
    ) -> Sequence[CountedGame]:
        """A player's last games at a level that a viewer may know of, newest first."""

    def counted_levels(self) -> Sequence[str]:
        """The levels of which there are games or ratings."""

    def counted_among(self, game_ids: Sequence[str]) -> Mapping[str, CountedGame]:
        """Those of the games that were taken in, and how they count."""

    # -- what is to be counted again ------------------------------------------------------------

    def add_rating_change(self, level: str, period: int) -> None:
        """A level is to be counted again from a month on."""

    def rating_changes(self) -> Sequence[Change]:
        """What is to be counted again."""

    def lock_rating_changes(self, level: str) -> Sequence[Change]:
        """What is to be counted again of a level. Nobody else counts it until this unit ends."""

    def remove_rating_changes(self, changes: Collection[Change]) -> None:
        """These were counted."""

    def readdress_ratings(self, player_id: int, to_player_id: int) -> None:
        """What one player has played counts for another; it is to be counted again."""

    # -- ratings --------------------------------------------------------------------------------

    def ratings_since(self, level: str, period: int) -> Sequence[Rating]:
        """The ratings of a level of a month and all later ones."""

    def ratings_before(
        self, level: str, period: int, players: Collection[int]
    ) -> Mapping[int, Rating]:
        """The last ratings of players from before a month; those who have none are left out."""

    def replace_ratings(
        self, level: str, gone: Collection[Rating], made: Collection[Rating]
    ) -> None:
        """Some ratings of a level are gone, and others are there."""

    def ratings_of(self, player_id: int) -> Sequence[tuple[str, Rating]]:
        """All ratings of a player, by level and month."""

    def list_ratings(
        self, level: str, *, period: int, is_provisional: bool, offset: int, limit: int
    ) -> Sequence[Listed]:
        """The last ratings of a level, best first, as they stand in a month: of players who are
        still there and had a rated game in the year before."""
