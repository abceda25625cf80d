"""Messages and private notes for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import g

from pbem.mail.redact import clean_message
from pbem.play import games as play
from pbem.web.api import schemas
from pbem.web.api.callers import for_callers
from pbem.web.api.games import get_own
from pbem.web.api.problems import problem
from pbem.web.api.topics import Topic
from pbem.web.house import get_house

calls = Topic("writing", "/games", "Games of one's own: messages and notes")


@calls.route("/<game_id>/messages")
@for_callers("read", problems=(404,))
@calls.arguments(schemas.CountedQuery, location="query")
@calls.response(200, schemas.MessageListSchema)
def messages(query: dict[str, Any], game_id: str) -> dict[str, Any]:
    """The messages of a game of one's own, oldest first."""
    return _page("messages", get_own(game_id)[0].messages, query)


@calls.route("/<game_id>/messages", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.arguments(schemas.MessageBody)
@calls.response(201, schemas.MessageSchema)
def write_message(body: dict[str, Any], game_id: str) -> Any:
    """Write to the opponent."""
    view, seat = get_own(game_id)
    text = clean_message(body["text"])
    if not text:
        return problem(
            422, "invalid", faults={"json": {"text": ["There is nothing to read in it."]}}
        )
    return play.write_message(get_house().around, view.game_id, seat, text, now=g.now)


@calls.route("/<game_id>/notes")
@for_callers("read", problems=(404,))
@calls.arguments(schemas.CountedQuery, location="query")
@calls.response(200, schemas.NoteListSchema)
def notes(query: dict[str, Any], game_id: str) -> dict[str, Any]:
    """One's own private notes on a game, oldest first."""
    return _page("notes", get_own(game_id)[0].notes, query)


@calls.route("/<game_id>/notes", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.arguments(schemas.MessageBody)
@calls.response(201, schemas.MessageSchema)
def write_note(body: dict[str, Any], game_id: str) -> Any:
    """Keep a private note on the game as it stands; another one on the same entry replaces it."""
    view, seat = get_own(game_id)
    return play.write_note(get_house().around, view.game_id, seat, body["text"], now=g.now)


def _page(name: str, rows: Sequence[Any], query: dict[str, Any]) -> dict[str, Any]:
    """Some rows behind the first ones, and where the next ones begin."""
    end = query["after"] + query["limit"]
    return {name: rows[query["after"] : end], "next": end if end < len(rows) else None}
