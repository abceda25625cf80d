"""How far a player has been told of a game, so that every mail goes on where the last one ended.

Each letter keeps what it told, by game: entries of the log, and messages. Letters about one game
and those about several are looked through alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.play.post import LetterFacts

ENTRY: Final = "entry"
"""In a letter about one game: the last entry when it was written."""

TOLD: Final = "told"
"""In every letter that tells what happened: the last entry of that, by game."""


def earlier_letters(desk: Desk, game_id: str | None) -> list[LetterFacts]:
    """Letters to the player before this one that may have told of a game."""
    several = desk.earlier_letters(None)
    return several if game_id is None else [*desk.earlier_letters(game_id), *several]


def last_told(desk: Desk, game_id: str, before: int) -> int:
    """The newest entry below ``before`` of which a mail has told or is to tell; -1 if none."""
    by_notices = desk.unit.last_told(game_id, desk.player.id, before)
    told = (entry for entry in told_in_letters(desk, game_id) if entry < before)
    return max(by_notices, max(told, default=-1))


def told_in_letters(desk: Desk, game_id: str) -> list[int]:
    """The entries up to which letters have told, newest letter first; none that waits counts."""
    found = []
    for letter in earlier_letters(desk, game_id):
        games = letter.facts.get(TOLD)
        entry = games.get(game_id) if isinstance(games, Mapping) else None
        if isinstance(entry, int):
            found.append(entry)
    return found
