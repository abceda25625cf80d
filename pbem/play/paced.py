"""What the store tells of how long players take and games last. Plain, like ``rated``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol


class Reply(NamedTuple):
    """When somebody was asked for something, and when their answer came in."""

    asked_at: datetime
    arrived: datetime


class PaceUnit(Protocol):
    """What one transaction can tell of paces."""

    def replies_of(
        self, players: Collection[int], *, since: datetime, limit: int
    ) -> Mapping[int, Sequence[Reply]]:
        """The last answers that players gave themselves in games that have gone on since then,
        newest first, by player."""

    def game_lengths(self, level: str, *, limit: int) -> Sequence[int]:
        """The turns of the newest archived games of a level that were played to an end."""
