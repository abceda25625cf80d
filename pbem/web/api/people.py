"""Players for programs. Nobody's address is told."""

from __future__ import annotations

from typing import Any

from flask import abort, g

from pbem.play.model import Player
from pbem.play.rating_seen import ratings_of
from pbem.web.api import rating_schemas, schemas
from pbem.web.api.callers import for_callers
from pbem.web.api.ratings import tell_level
from pbem.web.api.topics import Topic
from pbem.web.house import get_house
from pbem.web.summaries import find_known, page_of_games, page_of_players

calls = Topic("players", "/players", "Players")


@calls.route("")
@for_callers("read", is_optional=True)
@calls.arguments(schemas.PlayersQuery, location="query")
@calls.response(200, schemas.PlayerListSchema)
def index(query: dict[str, Any]) -> dict[str, Any]:
    """Players by name."""
    with get_house().around.store.read() as unit:
        page, more = page_of_players(
            unit, query["find"], after=query["after"], limit=query["limit"]
        )
    return {"players": page, "next": more}


@calls.route("/<int:number>")
@for_callers("read", is_optional=True, problems=(404,))
@calls.response(200, schemas.PlayerSchema)
def show(number: int) -> Player:
    """One player."""
    return _get_player(number)


@calls.route("/<int:number>/games")
@for_callers("read", is_optional=True, problems=(404,))
@calls.arguments(schemas.OpenGamesQuery, location="query")
@calls.response(200, schemas.OpenGameListSchema)
def their_games(query: dict[str, Any], number: int) -> dict[str, Any]:
    """The games of a player that everybody may see."""
    found = page_of_games(
        get_house().around,
        _get_player(number),
        query["state"],
        after=query["after"],
        limit=query["limit"] + 1,
        only_open=True,
    )
    page = found[: query["limit"]]
    return {"games": page, "next": page[-1].game_id if len(found) > len(page) else None}


@calls.route("/<int:number>/ratings")
@for_callers("read", is_optional=True, problems=(404,))
@calls.response(200, rating_schemas.PlayerRatingsSchema)
def their_ratings(number: int) -> dict[str, Any]:
    """A player's ratings, by level, with the months that led to them."""
    player = _get_player(number)
    with get_house().around.store.read() as unit:
        found = ratings_of(unit, player.id, now=g.now)
    return {"ratings": [tell_level(each) for each in found]}


def _get_player(number: int) -> Player:
    with get_house().around.store.read() as unit:
        player = find_known(unit, number)
    if player is None:
        abort(404)
    return player
