"""The archived game that a visitor asks for by its number: 404 for who may not see it.

Who may is the game's to say (``ArchivedGame.is_seen_by``). Also the place in it that is asked for.
"""

from __future__ import annotations

from flask import abort, g, request

from pbem.archive.places import MAX_PLACE
from pbem.play.archived import ArchivedGame
from pbem.play.errors import NoSuchGameError
from pbem.play.library import get_archived, get_written
from pbem.play.ports import Unit
from pbem.web.visiting import get_around


def viewer_number() -> int | None:
    """The number of the player who looks; None for a visitor."""
    return None if g.viewer is None else g.viewer.id


def get_seen(unit: Unit, number: int) -> ArchivedGame:
    """An archived game that the visitor may see; 404 if there is none."""
    try:
        return get_archived(unit, number, viewer=viewer_number())
    except NoSuchGameError:
        abort(404)


def get_seen_record(number: int) -> str:
    """The record of an archived game that the visitor may see; 404 if there is none."""
    try:
        return get_written(get_around(), number, viewer=viewer_number()).record
    except NoSuchGameError:
        abort(404)


def place_asked() -> str:
    """The place that an address names (``?at=3b.2``), as it was written; empty for none."""
    return request.args.get("at", "")[:MAX_PLACE]
