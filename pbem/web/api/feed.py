"""The feed of a game: server-sent events that say what has happened, while it happens.

Each open feed keeps a thread of the server, so there are few of them and they end after some time;
a client that reads such feeds comes back by itself, and says what it has seen. Whoever serves the
application needs more threads than ``MOST_STREAMS``.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

from flask import Response, g, request

from pbem.play.model import Player
from pbem.play.viewing import GameView, look
from pbem.web.api import schemas
from pbem.web.api.callers import for_callers
from pbem.web.api.games import get_view
from pbem.web.api.problems import problem
from pbem.web.api.topics import STREAM, Topic
from pbem.web.house import House, get_house

calls = Topic("feed", "/games", "Games: what happens in them")

MOST_STREAMS: Final = 6
"""How many feeds are open at once in a process."""
STREAM_SECONDS: Final = 25.0
"""How long a feed lasts: less than servers before us wait for an answer."""
LOOK_SECONDS: Final = 1.0
"""How long until the next look. Whoever has left is noticed then."""

_streams: Final = threading.BoundedSemaphore(MOST_STREAMS)
_steps: Final = schemas.StepSchema(many=True)


@calls.route("/<game_id>/events")
@for_callers("read", is_optional=True, problems=(404,))
@calls.response(200, {"type": "object"}, content_type=STREAM)
def events(game_id: str) -> Response:
    """A feed of the game: its new entries, whenever there are any.

    Each event has the number of the newest entry as its id, and the steps since the one before. It
    ends after some seconds; a client that sends ``Last-Event-ID`` when it comes back misses
    nothing.
    """
    view = get_view(game_id)
    if not _streams.acquire(blocking=False):
        response = problem(503, "too_many_feeds", "Ask again later, or look at the game itself.")
        response.headers["Retry-After"] = "30"
        return response
    seen = _last_seen(view)
    response = Response(_follow(get_house(), view, g.viewer, seen), mimetype=STREAM)
    # Also for a client who leaves before anything was sent.
    response.call_on_close(_streams.release)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _last_seen(view: GameView) -> int:
    """The entry that the client has seen before; the newest one if it has seen none."""
    written = request.headers.get("Last-Event-ID", "")
    is_number = written.isascii() and written.isdigit() and len(written) < 10
    return min(int(written), view.newest) if is_number else view.newest


def _follow(house: House, view: GameView, viewer: Player | None, seen: int) -> Iterator[str]:
    until = time.monotonic() + STREAM_SECONDS
    yield f"retry: 3000\n{_event(view, seen)}"
    seen, is_over = view.newest, view.is_over
    while not is_over and time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        with house.around.store.read() as unit:
            now_there = look(unit, view.game_id, viewer, now=house.clock())
        if now_there is None:
            return
        is_over = now_there.is_over
        if is_over or now_there.newest != seen:
            yield _event(now_there, seen)
            seen = now_there.newest
        else:
            yield ": still here\n\n"


def _event(view: GameView, seen: int) -> str:
    told: dict[str, Any] = {
        "newest": view.newest,
        "is_over": view.is_over,
        "steps": _steps.dump([step for step in view.steps if step.number > seen]),
    }
    return f"id: {view.newest}\nevent: entry\ndata: {json.dumps(told)}\n\n"
