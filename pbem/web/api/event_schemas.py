"""What goes in and out of the calls about events."""

from __future__ import annotations

from typing import Final

from marshmallow import Schema, fields, validate

from pbem.tournaments.charter import FORMATS
from pbem.web.api.fields import Text

PHASES: Final = ("open", "running", "over", "all")


class EventsQuery(Schema):
    """Some events; ``after`` is the ``next`` of the page before."""

    phase = fields.String(load_default="all", validate=validate.OneOf(PHASES))
    after = Text(load_default="", validate=validate.Length(max=80))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


class StageQuery(Schema):
    """Of which table: a group, a final, a division; the newest without."""

    stage = Text(load_default=None, validate=validate.Length(max=20))


class RoundQuery(Schema):
    """Of which round; all without."""

    round = fields.Integer(load_default=None, validate=validate.Range(1, 10_000))


class ActsQuery(Schema):
    """One page of a log; ``after`` is the ``next`` of the page before."""

    after = fields.Integer(load_default=0, validate=validate.Range(0, 1_000_000))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


class EventSchema(Schema):
    """An event in a list."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    format = fields.String(required=True, validate=validate.OneOf(FORMATS))
    phase = fields.String(required=True)
    players = fields.Integer(attribute="entrants", required=True)
    round = fields.Integer(required=True)
    starts_at = fields.AwareDateTime(required=True, allow_none=True)


class EventListSchema(Schema):
    """A page of events."""

    events = fields.List(fields.Nested(EventSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class EntrantSchema(Schema):
    """A place in an event, and who has it now."""

    number = fields.Integer(required=True)
    player = fields.Integer(attribute="player_id", required=True)
    name = fields.String(required=True)
    rating = fields.Integer(required=True)
    standing = fields.String(required=True)
    team = fields.String(required=True)
    board = fields.Integer(required=True)


class WholeEventSchema(EventSchema):
    """One event with what was announced and who is in it."""

    about = fields.String(required=True)
    told = fields.String(required=True, metadata={"description": "What it is, in two sentences."})
    meeting = fields.String(required=True)
    agreement = fields.Dict(keys=fields.String(), required=True)
    tie_breaks = fields.List(fields.String(), required=True)
    stages = fields.List(fields.String(), required=True)
    directors = fields.List(fields.Integer(), required=True)
    entrants = fields.List(fields.Nested(EntrantSchema), required=True)
    players = fields.Integer(required=True)
    is_closed = fields.Boolean(required=True)


class FigureSchema(Schema):
    """A tie-break in a table, as it is written there; empty if nobody was level."""

    tie_break = fields.String(required=True)
    figure = fields.String(required=True)


class StandingSchema(Schema):
    """A line of a table."""

    place = fields.Integer(required=True)
    is_shared = fields.Boolean(required=True)
    entrant = fields.Integer(required=True)
    name = fields.String(required=True)
    points = fields.Float(required=True)
    figures = fields.List(fields.Nested(FigureSchema), required=True)
    wins = fields.Integer(required=True)
    draws = fields.Integer(required=True)
    losses = fields.Integer(required=True)
    starts = fields.Integer(required=True)
    other_starts = fields.Integer(required=True)
    running = fields.Integer(required=True)
    why = fields.String(
        required=True,
        metadata={"description": "Why the one above is above; empty at the top."},
    )


class StandingsSchema(Schema):
    """A table."""

    stage = fields.String(required=True)
    is_provisional = fields.Boolean(required=True)
    rows = fields.List(fields.Nested(StandingSchema), required=True)


class EventGameSchema(Schema):
    """One game of a pairing. Points are None while it goes on; ``id`` is before it begins."""

    id = fields.String(attribute="game_id", required=True, allow_none=True)
    gold = fields.Integer(required=True)
    black = fields.Integer(required=True)
    starter = fields.Integer(required=True, allow_none=True)
    gold_points = fields.Float(required=True, allow_none=True)
    black_points = fields.Float(required=True, allow_none=True)
    ending = fields.String(required=True, allow_none=True)


class PairingSchema(Schema):
    """Who meets whom, and why; without ``away`` it is a bye. All numbers are those of entrants."""

    number = fields.Integer(required=True)
    round = fields.Integer(required=True)
    stage = fields.String(required=True)
    board = fields.Integer(required=True)
    home = fields.Integer(required=True)
    away = fields.Integer(required=True, allow_none=True)
    games = fields.List(fields.Nested(EventGameSchema), required=True)
    why = fields.List(fields.String(), required=True)


class PairingsSchema(Schema):
    """Pairings, in the order of their numbers."""

    pairings = fields.List(fields.Nested(PairingSchema), required=True)


class ActSchema(Schema):
    """One line of the public log."""

    number = fields.Integer(required=True)
    at = fields.AwareDateTime(required=True)
    act = fields.String(attribute="name", required=True)
    told = fields.String(required=True)
    reason = fields.String(required=True)


class ActsSchema(Schema):
    """A page of the public log, oldest first."""

    acts = fields.List(fields.Nested(ActSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)
