"""What games have come to, entry by entry, kept for the mails and pages that follow soon.

Whoever plays an entry has followed it already, so that the mails about it need not. The hash of an
entry vouches for all before it, and whoever takes chapters from here compares it with the log's:
one of a unit that was undone does no harm.
"""

from __future__ import annotations

from typing import Final

from pbem.play.course import Chapter
from pbem.shelf import Shelf

MOST: Final = 2000
"""How many are kept of all games together; each takes about 2.5 kB."""

_kept: Final[Shelf[str, tuple[Chapter, ...]]] = Shelf(MOST, len)
"""The chapters of games by id, from the first entry on."""


def kept_chapters(game_id: str) -> tuple[Chapter, ...]:
    """What is known of a game."""
    return _kept.find(game_id) or ()


def keep_chapters(game_id: str, chapters: tuple[Chapter, ...]) -> None:
    """Keep what a game has come to."""
    _kept.keep(game_id, chapters)


def add_chapter(game_id: str, head: str, chapter: Chapter) -> None:
    """Keep one more behind the entry with the hash ``head``, if that is the last that is known."""
    known = kept_chapters(game_id)
    if known and known[-1].entry.hash == head:
        _kept.keep(game_id, (*known, chapter))
