"""What annotating keeps: remarks in all their versions, what is said about turns, and which
private notes may join; and the store's side of it. Plain and frozen, like ``model``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbem.archive.remarks import Kind


@dataclass(frozen=True, slots=True)
class KeptRemark:
    """One version of a remark, canonical. It stands until another one ``replaces`` it; a version
    without text withdraws it. ``author`` is the player's name at the time."""

    id: int
    game: int
    player_id: int
    author: str
    place: str
    kind: Kind
    text: str
    at: datetime
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """Something said about a turn of an archived game."""

    id: int
    game: int
    turn: str
    player_id: int
    author: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class NoteWish:
    """Whether the private notes of a seat may join the archived game: what was said about this
    game (None: nothing), and when they joined."""

    game_id: str
    seat: int
    wish: str | None = None
    joined_at: datetime | None = None


def find_current(versions: Iterable[KeptRemark]) -> list[KeptRemark]:
    """The remarks that stand, in the order in which they were first made."""
    kept = list(versions)
    replaced = {version.replaces: version for version in kept if version.replaces is not None}
    current = []
    for version in kept:
        if version.replaces is None:
            last = version
            while last.id in replaced:
                last = replaced[last.id]
            if last.text:
                current.append(last)
    return current


class RemarkUnit(Protocol):
    """What one transaction can do with remarks, discussion, and wishes about notes."""

    def lock_remarks(self, game: int) -> None:
        """Keep others from annotating an archived game until this unit ends."""

    def add_remark(self, remark: KeptRemark) -> KeptRemark:
        """A new version, with its number. Raises StoreConflictError if what it replaces has been
        replaced."""

    def remarks_on(self, game: int) -> Sequence[KeptRemark]:
        """All versions of all remarks on an archived game, oldest first."""

    def remarks_by(self, player_id: int) -> Sequence[KeptRemark]:
        """All versions of all remarks of a player, oldest first."""

    def add_post(self, post: Post) -> Post:
        """Something said, with its number."""

    def posts_on(self, game: int, turn: str, *, after: int, limit: int) -> Sequence[Post]:
        """What was said about a turn above a number, oldest first."""

    def posts_by(self, player_id: int) -> Sequence[Post]:
        """All that a player has said about turns, oldest first."""

    def find_wish(self, game_id: str, seat: int) -> NoteWish | None:
        """What is known about the notes of a seat joining."""

    def save_wish(self, wish: NoteWish) -> None:
        """What is known now about the notes of a seat joining."""

    def rename_annotator(self, player_id: int, name: str) -> None:
        """A player's remarks and posts are shown under another name."""

    def readdress_remarks(self, player_id: int, to_player_id: int, name: str) -> None:
        """A player's remarks and posts are another's, under that name."""
