"""Annotating and discussing archived games for programs: the same rules as by mail and by page."""

from __future__ import annotations

from typing import Any

from flask import abort, g

from pbem.archive.places import parse_place
from pbem.archive.remarks import MAX_TEXT, RemarkError, explain_remark
from pbem.mail.redact import clean_message
from pbem.play import annotating, discussing
from pbem.play.annotations import KeptRemark
from pbem.play.library import get_archived
from pbem.play.ports import Unit
from pbem.web.api import remark_schemas as schemas
from pbem.web.api.callers import for_callers
from pbem.web.api.problems import problem
from pbem.web.api.topics import Topic
from pbem.web.house import get_house
from pbem.web.seen_games import viewer_number

calls = Topic("remarks", "/archive", "The archive: remarks and discussion")


def _check_seen(unit: Unit, number: int) -> None:
    get_archived(unit, number, viewer=viewer_number())


@calls.route("/<int:number>/remarks")
@for_callers("read", is_optional=True, problems=(404,))
@calls.response(200, schemas.RemarkListSchema)
def index(number: int) -> dict[str, Any]:
    """The remarks that stand on an archived game."""
    with get_house().around.store.read() as unit:
        _check_seen(unit, number)
        return {"remarks": annotating.remarks_that_stand(unit, number)}


@calls.route("/<int:number>/remarks", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.arguments(schemas.RemarkBody)
@calls.response(201, schemas.RemarkListSchema)
def add(body: dict[str, Any], number: int) -> Any:
    """Add a remark, or all of a text; what stands there already is not added again."""
    around, player_id = get_house().around, g.viewer.id
    text = clean_message(body["text"], most=MAX_TEXT)
    try:
        if body["place"] is None:
            taken = annotating.take_text(around, player_id, number, text, now=g.now)
        else:
            taken = annotating.remark(
                around,
                player_id,
                number,
                place=parse_place(body["place"]),
                kind=body["kind"],
                text=text,
                now=g.now,
            )
    except RemarkError as error:
        return _refused(error)
    except ValueError:  # of parse_place
        return problem(422, "invalid", faults={"json": {"place": ["Is no place."]}})
    return {"remarks": taken.kept}


@calls.route("/<int:number>/remarks/<int:remark>")
@for_callers("read", is_optional=True, problems=(404,))
@calls.response(200, schemas.RemarkListSchema)
def versions(number: int, remark: int) -> dict[str, Any]:
    """All versions of a remark."""
    with get_house().around.store.read() as unit:
        _check_seen(unit, number)
        found = annotating.versions_of(unit, number, remark)
    if not found:
        abort(404)
    return {"remarks": found}


@calls.route("/<int:number>/remarks/<int:remark>", methods=["PUT"])
@for_callers("play", problems=(404, 409))
@calls.arguments(schemas.RemarkTextBody)
@calls.response(200, schemas.RemarkSchema)
def change(body: dict[str, Any], number: int, remark: int) -> Any:
    """Another text for a remark of the caller's that stands: a new version."""
    text = clean_message(body["text"], most=MAX_TEXT)
    try:
        return annotating.change(get_house().around, g.viewer.id, number, remark, text, now=g.now)
    except RemarkError as error:
        return _refused(error)


@calls.route("/<int:number>/remarks/<int:remark>", methods=["DELETE"])
@for_callers("play", problems=(404, 409))
@calls.response(200, schemas.RemarkSchema)
def withdraw(number: int, remark: int) -> KeptRemark:
    """Withdraw a remark of the caller's that stands: a version without text."""
    return annotating.withdraw(get_house().around, g.viewer.id, number, remark, now=g.now)


@calls.route("/<int:number>/discussion")
@for_callers("read", is_optional=True, problems=(404,))
@calls.arguments(schemas.DiscussionQuery, location="query")
@calls.response(200, schemas.PostListSchema)
def talk(query: dict[str, Any], number: int) -> dict[str, Any]:
    """What was said about a turn of an archived game."""
    with get_house().around.store.read() as unit:
        _check_seen(unit, number)
        page = discussing.talk_about(unit, number, query["turn"], after=query["after"])
    return {"posts": page.posts, "next": page.after}


@calls.route("/<int:number>/discussion", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.arguments(schemas.PostBody)
@calls.response(201, schemas.PostSchema)
def say(body: dict[str, Any], number: int) -> Any:
    """Say something about a turn."""
    text = clean_message(body["text"], most=discussing.MAX_POST)
    return discussing.say(get_house().around, g.viewer.id, number, body["turn"], text, now=g.now)


def _refused(error: RemarkError) -> Any:
    faults = [
        {
            "code": fault.code,
            "clause": fault.clause,
            "line": fault.line,
            "column": fault.column,
            "detail": explain_remark(fault, tongue=g.tongue),
        }
        for fault in error.faults
    ]
    return problem(422, "refused", faults=faults)
