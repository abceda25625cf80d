"""What goes in and out of the API about remarks on archived games."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from pbem.archive.places import MAX_PLACE
from pbem.archive.remarks import KINDS
from pbem.play.discussing import MAX_POST
from pbem.web.api.fields import Text
from pbem.web.api.schemas import MAX_TEXT

_PLACE = validate.Length(max=MAX_PLACE)


class RemarkSchema(Schema):
    """One version of a remark; one with an empty text withdraws it. ``place`` is a turn and the
    number of an order, as ``3b.2``, with the way into a variation before it."""

    id = fields.Integer(required=True)
    author = fields.String(required=True)
    place = fields.String(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    text = fields.String(required=True)
    at = fields.AwareDateTime(required=True)
    replaces = fields.Integer(required=True, allow_none=True)


class RemarkListSchema(Schema):
    """Remarks, oldest first."""

    remarks = fields.List(fields.Nested(RemarkSchema), required=True)


class RemarkBody(Schema):
    """One remark at a place, or without one a text with several, as in a mail."""

    place = Text(load_default=None, allow_none=True, validate=_PLACE)
    kind = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(KINDS))
    text = Text(required=True, validate=validate.Length(1, MAX_TEXT))

    @validates_schema
    def _check_pair(self, data: dict[str, object], **_: object) -> None:
        if (data["place"] is None) != (data["kind"] is None):
            raise ValidationError("A place and a kind go together.", "place")


class RemarkTextBody(Schema):
    """Another text for a remark."""

    text = Text(required=True, validate=validate.Length(1, MAX_TEXT))


class PostSchema(Schema):
    """Something said about a turn."""

    id = fields.Integer(required=True)
    turn = fields.String(required=True)
    author = fields.String(required=True)
    text = fields.String(required=True)
    at = fields.AwareDateTime(required=True)


class PostListSchema(Schema):
    """A page of what was said about a turn, oldest first."""

    posts = fields.List(fields.Nested(PostSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


class DiscussionQuery(Schema):
    """A page of what was said about a turn; ``after`` is the ``next`` of the page before."""

    turn = Text(required=True, validate=validate.Length(2, 8))
    after = fields.Integer(load_default=0, validate=validate.Range(0, 2**53))


class PostBody(Schema):
    """Something to say about a turn."""

    turn = Text(required=True, validate=validate.Length(2, 8))
    text = Text(required=True, validate=validate.Length(1, MAX_POST))
