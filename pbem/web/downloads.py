"""Games to take along: one with its log, or all that a search finds, as one file or a zip with an
index.

Records are as they were archived; those of many games come with all remarks if ``?remarks=1`` is
asked for, that of one is ``annotating``'s. Files of many games are streamed, a page of games in
memory at a time, and a few at once (``download_places``).
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from flask import Blueprint, Response, abort, g, request

from pbem.play.archive import log_of
from pbem.play.archived import Written
from pbem.play.exporting import exported, ogn_bytes, zip_bytes
from pbem.play.games import get_stored
from pbem.tongue import N_
from pbem.web.archive_forms import read_filter
from pbem.web.download_places import Place, Places
from pbem.web.limits import visitor_name
from pbem.web.seen_games import get_seen, get_seen_record, viewer_number
from pbem.web.visiting import get_around

downloads: Final = Blueprint("downloads", __name__, url_prefix="/archive")

MOST_AT_ONCE: Final = 2
BUSY: Final = N_("Others are taking games along just now: try again in a minute.")
_BLOCK: Final = 1 << 16

_places: Final = Places(MOST_AT_ONCE)


@downloads.get("/<int:number>.ogn")
def record(number: int) -> Response:
    """The record of one archived game."""
    return _as_file(Response(get_seen_record(number), mimetype="text/plain"), f"{number}.ogn")


@downloads.get("/<int:number>.log")
def log(number: int) -> Response:
    """The log of an archived game that was played here, with which anybody can verify it."""
    with get_around().store.read() as unit:
        game = get_seen(unit, number)
        if game.game_id is None:
            abort(404)
        text = log_of(unit, get_stored(unit, game.game_id))
    return _as_file(Response(text, mimetype="text/plain"), f"{number}.log")


@downloads.get("/games.ogn")
def games_ogn() -> Response:
    """The records of all games that a search finds, in one file."""
    return _stream(ogn_bytes, "text/plain", "games.ogn")


@downloads.get("/games.zip")
def games_zip() -> Response:
    """The records and logs of all games that a search finds, with an index."""
    return _stream(partial(zip_bytes, get_around()), "application/zip", "games.zip")


def _stream(
    write: Callable[[Iterable[Written]], Iterator[bytes]], kind: str, name: str
) -> Response:
    wanted, _, faults = read_filter(request.args)
    if faults:
        abort(400)
    place = _places.find(visitor_name())
    if place is None:
        return Response(g.tongue.say(BUSY), 503, mimetype="text/plain")
    games = exported(
        get_around(), wanted, viewer=viewer_number(), with_remarks="remarks" in request.args
    )
    pieces = write(games)
    response = _as_file(Response(_in_blocks(pieces, place), mimetype=kind), name)
    response.call_on_close(place.close)  # who goes away has not read to the end
    return response


def _in_blocks(pieces: Iterator[bytes], place: Place) -> Iterator[bytes]:
    """The same bytes in fewer pieces; the place is free at their end. Raises ConnectionResetError,
    which ends the download, when somebody else has got the place."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= _BLOCK:
            yield b"".join(waiting)
            if not place.note(size):
                raise ConnectionResetError(errno.ECONNRESET, "somebody else has the place")
            waiting, size = [], 0
    place.close()
    yield b"".join(waiting)


def _as_file(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
