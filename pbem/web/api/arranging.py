"""Invitations for programs."""

from __future__ import annotations

from typing import Any

from flask import g

from pbem.mail.named_addresses import clean_foreign_address
from pbem.play import invitations
from pbem.play.model import Invitation
from pbem.play.ports import Unit
from pbem.web.api import schemas
from pbem.web.api.callers import for_callers, get_caller
from pbem.web.api.topics import Topic
from pbem.web.house import get_house

calls = Topic("invitations", "/invitations", "Invitations")


@calls.route("")
@for_callers("read")
@calls.arguments(schemas.PageQuery, location="query")
@calls.response(200, schemas.InvitationListSchema)
def index(query: dict[str, Any]) -> dict[str, Any]:
    """Open invitations to and from the caller, and challenges to everybody, in order of id."""
    with get_house().around.store.read() as unit:
        every = {
            each.id: each
            for each in (*unit.open_invitations(get_caller().id), *unit.open_invitations(None))
        }
        found = [every[name] for name in sorted(every) if name > query["after"]]
        page = [_shown(unit, each) for each in found[: query["limit"]]]
    return {"invitations": page, "next": page[-1]["id"] if len(found) > len(page) else None}


def _shown(unit: Unit, invitation: Invitation) -> dict[str, Any]:
    """An invitation as the caller may see it: whose an address is, is not told to who wrote it."""
    named = None
    if invitation.host_id == get_caller().id:
        named = invitations.find_named(unit, invitation)
    return {
        "id": invitation.id,
        "host": invitation.host_id,
        "guest": invitation.guest_id if named is None else None,
        "address": named,
        "agreement": invitation.agreement,
        "created_at": invitation.created_at,
    }


@calls.route("", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.arguments(schemas.InvitationBody)
@calls.response(201, schemas.InvitationSchema)
def invite(body: dict[str, Any]) -> Any:
    """Invite somebody, or challenge everybody."""
    house, host, seat = get_house(), get_caller().id, body["seat"]
    if body["address"] is None:
        made = invitations.invite(
            house.around, host, body["player"], body["agreement"], now=g.now, host_seat=seat
        )
    else:
        address = clean_foreign_address(house.office, body["address"])
        made = invitations.invite_address(
            house.around, host, address, body["agreement"], now=g.now, host_seat=seat
        )
    return show_to_host(made)


def show_to_host(invitation: Invitation) -> dict[str, Any]:
    """An invitation that the caller has just made."""
    with get_house().around.store.read() as unit:
        return _shown(unit, invitation)


@calls.route("/<invitation_id>/accept", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.response(201, schemas.StartedSchema)
def accept(invitation_id: str) -> dict[str, str]:
    """Accept: the game begins."""
    stored = invitations.accept(get_house().around, get_caller().id, invitation_id[:60], now=g.now)
    return {"game": stored.id}


@calls.route("/<invitation_id>", methods=["DELETE"])
@for_callers("play", problems=(404, 409))
@calls.response(204)
def decline(invitation_id: str) -> None:
    """Decline, or as the host withdraw."""
    invitations.decline(get_house().around, get_caller().id, invitation_id[:60], now=g.now)
