"""Looking into the archive: searching it, and one game of it. Private games are their players'."""

from __future__ import annotations

from typing import Final

from pbem.play.archived import MOST_ON_A_PAGE, PAGE, ArchivedGame, Cursor, Filter, Page, Written
from pbem.play.errors import NoSuchGameError
from pbem.play.ports import Surroundings, Unit

EVERYTHING: Final = Filter()


def search(
    around: Surroundings,
    wanted: Filter = EVERYTHING,
    *,
    viewer: int | None,
    after: Cursor | None = None,
    limit: int = PAGE,
) -> Page:
    """The newest games that fit, behind a cursor; ``viewer`` is a player's number or nobody's."""
    limit = max(1, min(limit, MOST_ON_A_PAGE))
    with around.store.read() as unit:
        # One more than is shown: whether there is another page.
        found = unit.search_archive(wanted, viewer=viewer, after=after, limit=limit + 1)
    games = tuple(found[:limit])
    if len(found) <= limit:
        return Page(games, None)
    return Page(games, Cursor(games[-1].facts.day, games[-1].number))


def get_archived(unit: Unit, number: int, *, viewer: int | None) -> ArchivedGame:
    """An archived game by number. Raises NoSuchGameError, also for another's private game."""
    found = unit.find_archived(number)
    if found is None or not found.is_seen_by(viewer):
        raise NoSuchGameError(game=str(number))
    return found


def get_written(around: Surroundings, number: int, *, viewer: int | None) -> Written:
    """An archived game with its record. Raises NoSuchGameError."""
    with around.store.read() as unit:
        found = get_archived(unit, number, viewer=viewer)
        return Written(found, unit.get_record(number))
