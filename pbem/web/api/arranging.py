"""Invitations for programs."""

from __future__ import annotations

from typing import Any

from flask import g
from flask_smorest import Blueprint

from pbem.play import invitations
from pbem.web.api import schemas
from pbem.web.api.callers import for_callers, get_caller
from pbem.web.api.problems import ProblemSchema
from pbem.web.house import get_house

arranging = Blueprint(
    "api_invitations", __name__, url_prefix="/api/v1/invitations", description="Invitations"
)


@arranging.route("")
@for_callers("read")
@arranging.response(200, schemas.InvitationSchema(many=True))
@arranging.alt_response(401, schema=ProblemSchema)
@arranging.alt_response(403, schema=ProblemSchema)
def index() -> Any:
    """Open invitations to and from the caller, and challenges to everybody."""
    with get_house().around.store.read() as unit:
        mine = unit.open_invitations(get_caller().id)
        known = {each.id for each in mine}
        everybody = [each for each in unit.open_invitations(None) if each.id not in known]
    return [*mine, *everybody]


@arranging.route("", methods=["POST"])
@for_callers("play")
@arranging.arguments(schemas.InvitationBody)
@arranging.response(201, schemas.InvitationSchema)
@arranging.alt_response(401, schema=ProblemSchema)
@arranging.alt_response(403, schema=ProblemSchema)
@arranging.alt_response(404, schema=ProblemSchema)
@arranging.alt_response(409, schema=ProblemSchema)
@arranging.alt_response(422, schema=ProblemSchema)
def invite(body: dict[str, Any]) -> Any:
    """Invite somebody, or challenge everybody."""
    around, host = get_house().around, get_caller().id
    if body["address"] is not None:
        return invitations.invite_address(
            around, host, body["address"], body["agreement"], now=g.now, host_seat=body["seat"]
        )
    return invitations.invite(
        around, host, body["player"], body["agreement"], now=g.now, host_seat=body["seat"]
    )


@arranging.route("/<invitation_id>/accept", methods=["POST"])
@for_callers("play")
@arranging.response(200, schemas.StartedSchema)
@arranging.alt_response(401, schema=ProblemSchema)
@arranging.alt_response(403, schema=ProblemSchema)
@arranging.alt_response(404, schema=ProblemSchema)
@arranging.alt_response(409, schema=ProblemSchema)
def accept(invitation_id: str) -> dict[str, str]:
    """Accept: the game begins."""
    stored = invitations.accept(get_house().around, get_caller().id, invitation_id[:60], now=g.now)
    return {"game": stored.id}


@arranging.route("/<invitation_id>/decline", methods=["POST"])
@for_callers("play")
@arranging.response(204)
@arranging.alt_response(401, schema=ProblemSchema)
@arranging.alt_response(403, schema=ProblemSchema)
@arranging.alt_response(404, schema=ProblemSchema)
@arranging.alt_response(409, schema=ProblemSchema)
def decline(invitation_id: str) -> None:
    """Decline, or as the host withdraw."""
    invitations.decline(get_house().around, get_caller().id, invitation_id[:60], now=g.now)
