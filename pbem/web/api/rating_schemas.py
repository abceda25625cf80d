"""What is asked for and told about ratings."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from pbem.games.ortus.figures import LEVELS


class RatingsQuery(Schema):
    """One page of a list; ``after`` is the ``next`` of the page before. ``provisional`` asks for
    those who are not ranked yet."""

    provisional = fields.Boolean(load_default=False)
    after = fields.Integer(load_default=0, validate=validate.Range(0, 1_000_000))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


class RatingSchema(Schema):
    """A rating; ``month`` is the last one with a rated game. In 19 cases of 20 the true strength
    is within two deviations."""

    month = fields.String(required=True)
    rating = fields.Float(required=True)
    deviation = fields.Float(required=True)
    volatility = fields.Float(required=True)
    games = fields.Integer(required=True)
    is_provisional = fields.Boolean(required=True)


class ListedRatingSchema(RatingSchema):
    """A player in a list; ``place`` is none for who is not ranked yet."""

    place = fields.Integer(required=True, allow_none=True)
    player = fields.Integer(required=True)
    name = fields.String(required=True)


class RatingListSchema(Schema):
    """A page of the list of a level."""

    ratings = fields.List(fields.Nested(ListedRatingSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


class LevelRatingSchema(RatingSchema):
    """A player's rating at a level as it stands, and after each month with rated games."""

    level = fields.String(required=True, validate=validate.OneOf(LEVELS))
    history = fields.List(fields.Nested(RatingSchema), required=True)


class PlayerRatingsSchema(Schema):
    """All ratings of a player."""

    ratings = fields.List(fields.Nested(LevelRatingSchema), required=True)
