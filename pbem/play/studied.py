"""Studies and puzzles as the store keeps them. Plain, like ``archived``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbem.play.archived import Visibility


@dataclass(frozen=True, slots=True)
class NewStudy:
    """A version of a study to be kept; ``replaces`` is the number of the one before."""

    player_id: int
    title: str
    record: str
    is_puzzle: bool
    visibility: Visibility
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """A version of a study that is kept; ``newer`` is the number of the one that replaces it."""

    number: int
    player_id: int
    author: str
    title: str
    record: str
    is_puzzle: bool
    visibility: Visibility
    at: datetime
    replaces: int | None
    newer: int | None

    def is_seen_by(self, viewer: int | None) -> bool:
        """Whether a player, or a visitor without a name, may know of it."""
        return self.visibility == "open" or (viewer is not None and viewer == self.player_id)


class StudyUnit(Protocol):
    """What one transaction can do with studies."""

    def add_study(self, study: NewStudy, at: datetime) -> int:
        """Keep a version; its number. Raises StoreConflictError if the one before has been
        replaced already."""

    def find_study(self, number: int) -> Study | None:
        """A version by number."""

    def newest_studies(
        self, *, viewer: int | None, before: int | None, limit: int
    ) -> Sequence[Study]:
        """The last versions of studies that a viewer may see, newest first."""

    def studies_by(self, player_id: int) -> Sequence[Study]:
        """All versions of a player's studies, oldest first."""

    def count_studies(self, player_id: int, *, since: datetime) -> int:
        """How many versions a player has made since then."""

    def readdress_studies(self, player_id: int, to_player_id: int) -> None:
        """What one player has made is another's."""

    def blank_private_studies(self, player_id: int) -> None:
        """Forget what is in the studies that nobody else has seen."""
