"""The caller's own settings."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import date
from typing import Any

from flask import g
from flask_smorest import Blueprint

from pbem.play import leave, players
from pbem.web.api import schemas
from pbem.web.api.callers import for_callers, get_caller
from pbem.web.api.problems import ProblemSchema, problem
from pbem.web.house import get_house

account = Blueprint("api_me", __name__, url_prefix="/api/v1/me", description="The caller")


def _me(player: Any) -> dict[str, Any]:
    return {
        "id": player.id,
        "name": player.name,
        "created_at": player.created_at,
        "preferences": asdict(player.preferences),
        "standing": player.standing,
    }


@account.route("")
@for_callers("read")
@account.response(200, schemas.MeSchema)
@account.alt_response(401, schema=ProblemSchema)
@account.alt_response(403, schema=ProblemSchema)
def show() -> dict[str, Any]:
    """Who the token belongs to."""
    return _me(get_caller())


@account.route("/preferences", methods=["PATCH"])
@for_callers("account")
@account.arguments(schemas.PreferencesSchema)
@account.response(200, schemas.MeSchema)
@account.alt_response(401, schema=ProblemSchema)
@account.alt_response(403, schema=ProblemSchema)
@account.alt_response(409, schema=ProblemSchema)
@account.alt_response(422, schema=ProblemSchema)
def set_preferences(body: dict[str, Any]) -> dict[str, Any]:
    """Change some preferences."""
    caller = get_caller()
    chosen = replace(caller.preferences, **body)
    return _me(players.set_preferences(get_house().around, caller.id, chosen, now=g.now))


@account.route("/rules", methods=["PUT"])
@for_callers("account")
@account.arguments(schemas.RulesBody)
@account.response(200, schemas.MeSchema)
@account.alt_response(401, schema=ProblemSchema)
@account.alt_response(403, schema=ProblemSchema)
@account.alt_response(422, schema=ProblemSchema)
def set_rules(body: dict[str, Any]) -> dict[str, Any]:
    """Standing rules for all games."""
    around = get_house().around
    return _me(players.set_general_rules(around, get_caller().id, body["rules"], now=g.now))


@account.route("/leave")
@for_callers("read")
@account.response(200, schemas.LeaveSchema(many=True))
@account.alt_response(401, schema=ProblemSchema)
@account.alt_response(403, schema=ProblemSchema)
def leaves() -> Any:
    """Days off that are planned."""
    return get_caller().leaves


@account.route("/leave", methods=["POST"])
@for_callers("account")
@account.arguments(schemas.LeaveBody)
@account.response(201, schemas.LeaveSchema)
@account.alt_response(401, schema=ProblemSchema)
@account.alt_response(403, schema=ProblemSchema)
@account.alt_response(422, schema=ProblemSchema)
def take_leave(body: dict[str, Any]) -> Any:
    """Take days off."""
    around = get_house().around
    return leave.take_leave(around, get_caller().id, body["first"], body["last"], now=g.now).leave


@account.route("/leave/<first>", methods=["DELETE"])
@for_callers("account")
@account.response(204)
@account.alt_response(401, schema=ProblemSchema)
@account.alt_response(403, schema=ProblemSchema)
@account.alt_response(404, schema=ProblemSchema)
@account.alt_response(409, schema=ProblemSchema)
@account.alt_response(422, schema=ProblemSchema)
def end_leave(first: str) -> Any:
    """End a leave early, or drop one that has not begun."""
    try:
        day = date.fromisoformat(first[:10])
    except ValueError:
        return problem(404, "not_found")
    leave.end_leave(get_house().around, get_caller().id, day, now=g.now)
    return None
