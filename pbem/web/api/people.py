"""Players for programs. Nobody's address is told."""

from __future__ import annotations

from typing import Any

from flask import abort
from flask_smorest import Blueprint

from pbem.web.api import schemas
from pbem.web.api.callers import for_callers
from pbem.web.api.problems import ProblemSchema
from pbem.web.house import get_house

people = Blueprint("api_players", __name__, url_prefix="/api/v1/players", description="Players")


@people.route("")
@for_callers("read", is_optional=True)
@people.arguments(schemas.PlayersQuery, location="query")
@people.response(200, schemas.PlayerListSchema)
@people.alt_response(401, schema=ProblemSchema)
@people.alt_response(403, schema=ProblemSchema)
def index(query: dict[str, Any]) -> dict[str, Any]:
    """Players by name; ``after`` is the name of the last one of the page before."""
    with get_house().around.store.read() as unit:
        found = unit.players_by_name(query["find"], after=query["after"], limit=query["limit"] + 1)
    page = found[: query["limit"]]
    return {"players": page, "next": page[-1].name if len(found) > len(page) else None}


@people.route("/<int:number>")
@for_callers("read", is_optional=True)
@people.response(200, schemas.PlayerSchema)
@people.alt_response(401, schema=ProblemSchema)
@people.alt_response(403, schema=ProblemSchema)
@people.alt_response(404, schema=ProblemSchema)
def show(number: int) -> Any:
    """One player."""
    with get_house().around.store.read() as unit:
        player = unit.find_player(number)
        is_known = player is not None and any(
            each.verified_at for each in unit.addresses_of(player.id)
        )
    if player is None or player.deleted_at is not None or not is_known:
        abort(404)
    return player
