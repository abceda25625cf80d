"""How far a player has been told of a game, so that every mail goes on where the last one ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.play.post import Letter

ENTRY: Final = "entry"
"""In a letter about one game: the entry up to which it tells."""

TOLD: Final = "told"
"""In a letter about several games: that entry by game."""


def earlier_letters(desk: Desk, game_id: str | None) -> Iterator[Letter]:
    """Letters to the player before this one, which may be written for the second time."""
    own = desk.unit.find_letter_by_message_id(desk.outgoing.message_id)
    for letter in desk.unit.letters_to(desk.player.id, game_id):
        if letter.message_id != desk.outgoing.message_id and (
            own is None or letter.made_at < own.made_at
        ):
            yield letter


def last_told(desk: Desk, game_id: str, before: int) -> int:
    """The newest entry below ``before`` of which a mail has told or is to tell; -1 if none."""
    by_notices = desk.unit.last_told(game_id, desk.player.id, before)
    return max(by_notices, told_in_bundles(desk, game_id, before))


def told_in_bundles(desk: Desk, game_id: str, before: int) -> int:
    """The same, but only from mails about several games."""
    told = -1
    for letter in earlier_letters(desk, None):
        games = letter.facts.get(TOLD)
        entry = games.get(game_id) if isinstance(games, Mapping) else None
        if isinstance(entry, int) and entry < before:
            told = max(told, entry)
    return told


def told_in_letters(desk: Desk, game_id: str) -> int:
    """The newest entry of which a mail has told that was written; none that waits counts."""
    entries = (letter.facts.get(ENTRY) for letter in earlier_letters(desk, game_id))
    told = max((entry for entry in entries if isinstance(entry, int)), default=-1)
    return max(told, told_in_bundles(desk, game_id, 1 << 30))
