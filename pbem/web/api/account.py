"""The caller's own settings: name, preferences, addresses, rules, days off, sessions, feeds."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import date
from typing import Any

from flask import Response, abort, g

from pbem.play import access, farewell, leave, players
from pbem.play.model import Address, Player
from pbem.web.api import schemas
from pbem.web.api.callers import for_callers, get_caller
from pbem.web.api.topics import Topic
from pbem.web.feeds import feed_link
from pbem.web.house import get_house

calls = Topic("me", "/me", "The caller")


def _me(player: Player) -> dict[str, Any]:
    office = get_house().office
    return {
        "id": player.id,
        "name": player.name,
        "created_at": player.created_at,
        "preferences": asdict(player.preferences),
        "standing": player.standing,
        "calendar": feed_link(office, player, "deadlines.ics"),
        "news": feed_link(office, player, "news.atom"),
    }


@calls.route("")
@for_callers("read")
@calls.response(200, schemas.MeSchema)
def show() -> dict[str, Any]:
    """Who the token belongs to."""
    return _me(get_caller())


@calls.route("/name", methods=["PUT"])
@for_callers("account")
@calls.arguments(schemas.NameBody)
@calls.response(200, schemas.MeSchema)
def rename(body: dict[str, Any]) -> dict[str, Any]:
    """Another name."""
    return _me(players.rename(get_house().around, get_caller().id, body["name"]))


@calls.route("/preferences", methods=["PATCH"])
@for_callers("account", problems=(409,))
@calls.arguments(schemas.PreferencesSchema)
@calls.response(200, schemas.MeSchema)
def set_preferences(body: dict[str, Any]) -> dict[str, Any]:
    """Change some preferences."""
    caller = get_caller()
    chosen = replace(caller.preferences, **body)
    return _me(players.set_preferences(get_house().around, caller.id, chosen, now=g.now))


@calls.route("/rules", methods=["PUT"])
@for_callers("account")
@calls.arguments(schemas.RulesBody)
@calls.response(200, schemas.MeSchema)
def set_rules(body: dict[str, Any]) -> dict[str, Any]:
    """Standing rules for all games."""
    around = get_house().around
    return _me(players.set_general_rules(around, get_caller().id, body["rules"], now=g.now))


# -- addresses ----------------------------------------------------------------------------------


@calls.route("/addresses")
@for_callers("account")
@calls.response(200, schemas.AddressSchema(many=True))
def addresses() -> Any:
    """The caller's addresses that are confirmed. More are named on the pages or by mail alone."""
    return _confirmed(get_caller())


def _confirmed(player: Player) -> list[Address]:
    with get_house().around.store.read() as unit:
        mine = unit.addresses_of(player.id)
    return [each for each in mine if each.verified_at is not None]


@calls.route("/addresses", methods=["PUT"])
@for_callers("account", problems=(409,))
@calls.arguments(schemas.ChosenAddressesBody)
@calls.response(200, schemas.AddressSchema(many=True))
def choose_addresses(body: dict[str, Any]) -> Any:
    """Where mail goes, and where it goes when that bounces."""
    around, caller = get_house().around, get_caller()
    players.choose_addresses(
        around, caller.id, preferred=body["preferred"], fallback=body["fallback"]
    )
    return _confirmed(caller)


@calls.route("/addresses/<address>", methods=["DELETE"])
@for_callers("account", problems=(404, 409, 422))
@calls.response(204)
def drop_address(address: str) -> None:
    """Forget an address."""
    players.drop_address(get_house().around, get_caller().id, address[:320])


# -- days off -----------------------------------------------------------------------------------


@calls.route("/leave")
@for_callers("read")
@calls.response(200, schemas.LeaveSchema(many=True))
def leaves() -> Any:
    """Days off that are planned."""
    return list(get_caller().leaves)  # a tuple would be an answer with its status


@calls.route("/leave-offer")
@for_callers("read")
@calls.arguments(schemas.LeaveBody, location="query")
@calls.response(200, schemas.LeaveOfferSchema)
def offer_leave(query: dict[str, Any]) -> dict[str, Any]:
    """What a leave would do, before it is taken."""
    around = get_house().around
    offer = leave.offer_leave(around, get_caller().id, query["first"], query["last"], now=g.now)
    return {
        "leave": offer.leave,
        "days_left": offer.days_left,
        "games": [
            {
                "game": game_id,
                "deadline": None if effect.before is None else effect.before.at,
                "deadline_then": None if effect.after is None else effect.after.at,
            }
            for game_id, effect in offer.effects.items()
        ],
    }


@calls.route("/leave", methods=["POST"])
@for_callers("account")
@calls.arguments(schemas.LeaveBody)
@calls.response(201, schemas.LeaveSchema)
def take_leave(body: dict[str, Any]) -> Any:
    """Take days off."""
    around = get_house().around
    return leave.take_leave(around, get_caller().id, body["first"], body["last"], now=g.now).leave


@calls.route("/leave/<first>", methods=["DELETE"])
@for_callers("account", problems=(404, 409, 422))
@calls.response(204)
def end_leave(first: str) -> None:
    """End a leave early, or drop one that has not begun."""
    try:
        day = date.fromisoformat(first)
    except ValueError:
        abort(404)
    leave.end_leave(get_house().around, get_caller().id, day, now=g.now)


# -- sessions and tokens, and taking everything along -------------------------------------------


@calls.route("/passes")
@for_callers("account")
@calls.response(200, schemas.PassSchema(many=True))
def passes() -> Any:
    """Sessions and tokens that are still good. New ones are made on the pages alone."""
    around, caller = get_house().around, get_caller()
    return [
        *access.passes_of(around, caller.id, "session", now=g.now),
        *access.passes_of(around, caller.id, "token", now=g.now),
    ]


@calls.route("/passes/<int:number>", methods=["DELETE"])
@for_callers("account", problems=(404, 409))
@calls.response(204)
def end_pass(number: int) -> None:
    """End a session or a token."""
    access.end_pass(get_house().around, get_caller().id, number, now=g.now)


@calls.route("/export")
@for_callers("account")
@calls.response(200, {"type": "object"})
def export() -> Response:
    """Everything that is kept about the caller."""
    return Response(
        farewell.export(get_house().around, get_caller().id), mimetype="application/json"
    )
