"""Archived games as the store keeps them, what can be searched for, and the store's side of it.

Plain and frozen, like ``model``. A search names *one* player's side: name, opponent, set-up and
rating are of the same seat, whichever House that was, so that "Ann with WFEAAEFW" does not find
Ann's opponents with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple, Protocol

from pbem.archive.facts import Facts
from pbem.archive.indexing import GameIndex

Visibility = Literal["open", "private"]
Source = Literal["played", "imported"]
PAGE: Final = 50
MOST_ON_A_PAGE: Final = 200
NO_INDEX: Final = GameIndex()


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be archived. A game of ours has its id and its players; private ones are seen and
    found by these only."""

    facts: Facts
    record: str
    index: GameIndex = NO_INDEX
    visibility: Visibility = "open"
    source: Source = "imported"
    game_id: str | None = None
    players: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game in the archive, without its record."""

    number: int
    facts: Facts
    game_id: str | None
    visibility: Visibility
    source: Source
    added_at: datetime
    players: tuple[int | None, int | None]

    def is_seen_by(self, viewer: int | None) -> bool:
        """Whether a player, or a visitor without a name, may know of it."""
        return self.visibility == "open" or (viewer is not None and viewer in self.players)


class Cursor(NamedTuple):
    """Behind which game a page begins, newest first."""

    day: int
    number: int

    def __str__(self) -> str:
        return f"{self.day}-{self.number}"


def find_cursor(text: str) -> Cursor | None:
    """A cursor as it was written into a link; None if it is none."""
    day, _, number = text.partition("-")
    if not all(part.isascii() and part.isdecimal() and len(part) < 19 for part in (day, number)):
        return None
    return Cursor(int(day), int(number))


@dataclass(frozen=True, slots=True)
class Filter:
    """What a game must be like; what is empty or None may be anything.

    Names and events are compared without regard to case. ``house`` is the one that ``player``
    had. Days are numbers such as 20261116. ``positions`` are keys of positions, of which the game
    went through one: several for a position on a board turned any way.
    """

    player: str = ""
    opponent: str = ""
    house: Literal["", "gold", "black"] = ""
    setup: str = ""
    min_rating: int | None = None
    max_rating: int | None = None
    player_id: int | None = None
    event: str = ""
    first_day: int | None = None
    last_day: int | None = None
    result: str = ""
    termination: str = ""
    min_turns: int | None = None
    max_turns: int | None = None
    level: str = ""
    arena: str = ""
    dice: str = ""
    starter: str = ""
    source: Source | Literal[""] = ""
    pattern: str = ""
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Some games, newest first, and behind which one the next page begins; None if there is
    none."""

    games: tuple[ArchivedGame, ...]
    after: Cursor | None


class Written(NamedTuple):
    """An archived game with its record."""

    game: ArchivedGame
    record: str


class ArchiveUnit(Protocol):
    """What one transaction can do with archived games."""

    def add_archived(self, games: Sequence[NewGame], at: datetime) -> Sequence[int]:
        """Archive games that differ; their numbers. Raises StoreConflictError if there is one of
        them already."""

    def archived_digests(self, digests: Sequence[str]) -> dict[str, int]:
        """Those of the digests whose game is archived, with its number."""

    def find_archived(self, number: int) -> ArchivedGame | None:
        """An archived game by number."""

    def find_archived_game(self, game_id: str) -> ArchivedGame | None:
        """An archived game of ours by its id."""

    def get_record(self, number: int) -> str:
        """The record of an archived game that is there."""

    def search_archive(
        self, wanted: Filter, *, viewer: int | None, after: Cursor | None, limit: int
    ) -> Sequence[ArchivedGame]:
        """The games behind one that fit and that a viewer may see, newest first."""

    def written_games(
        self, wanted: Filter, *, viewer: int | None, after: int, limit: int
    ) -> Sequence[Written]:
        """The games above a number that fit and that a viewer may see, in order of number."""

    def games_to_archive(self, *, after: str, limit: int) -> Sequence[str]:
        """The ids of games of ours behind one that are over and not archived, in order of id."""

    def need_not_archive(self, game_id: str) -> None:
        """A game is archived, or is not over after all."""

    def adopt_archived(self, number: int, game: NewGame, at: datetime) -> None:
        """An imported game turns out to be one of ours."""

    def archived_of(self, player_id: int) -> Iterator[Written]:
        """The archived games of a player of ours, without holding them all in memory."""

    def rename_archived(self, number: int, house: str, name: str, record: str) -> None:
        """A player of a game has another name from now on, in its record too."""

    def readdress_archived(self, player_id: int, to_player_id: int) -> None:
        """What one player has played is another's."""
