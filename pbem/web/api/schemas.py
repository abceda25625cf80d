"""What goes in and out of the API."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

MAX_TEXT = 20_000


class PageQuery(Schema):
    """One page of a list; ``after`` is the last id of the page before."""

    after = fields.String(load_default="", validate=validate.Length(max=60))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


class GamesQuery(PageQuery):
    """My games."""

    state = fields.String(
        load_default="all", validate=validate.OneOf(("all", "running", "over", "waiting"))
    )


class SummarySchema(Schema):
    """A game in a list, as its player sees it."""

    id = fields.String(attribute="game_id", required=True)
    game = fields.String(required=True)
    seat = fields.Integer(required=True)
    opponent = fields.String(required=True)
    opponent_number = fields.Integer(attribute="opponent_id", required=True)
    turns = fields.Integer(required=True)
    asked = fields.String(required=True, allow_none=True)
    deadline = fields.AwareDateTime(required=True, allow_none=True)
    is_held = fields.Boolean(required=True)
    winner = fields.Integer(required=True, allow_none=True)
    termination = fields.String(required=True, allow_none=True)
    ended_at = fields.AwareDateTime(required=True, allow_none=True)


class GameListSchema(Schema):
    """A page of games; ``next`` is the ``after`` of the following page."""

    games = fields.List(fields.Nested(SummarySchema), required=True)
    next = fields.String(required=True, allow_none=True)


class StepSchema(Schema):
    """One entry of the log as the caller may see it."""

    number = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    at = fields.AwareDateTime(required=True)
    texts = fields.List(fields.String(), required=True)


class ClockSchema(Schema):
    """How much time a seat has."""

    seconds_left = fields.Integer(required=True)
    is_running = fields.Boolean(required=True)
    deadline = fields.AwareDateTime(required=True, allow_none=True)


class AnswerSchema(Schema):
    """One way to answer a request."""

    text = fields.String(required=True)
    label = fields.String(required=True)
    leads_to = fields.List(fields.String(), required=True)


class BriefingSchema(Schema):
    """What the caller is asked for."""

    kind = fields.String(required=True)
    headline = fields.String(required=True)
    lines = fields.List(fields.String(), required=True)
    answers = fields.List(fields.Nested(AnswerSchema), required=True)
    examples = fields.List(fields.String(), required=True)


class GameSchema(Schema):
    """A game as the caller may see it."""

    id = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    players = fields.List(fields.String(), required=True)
    player_numbers = fields.List(fields.Integer(), required=True)
    newest = fields.Integer(required=True)
    at = fields.Integer(required=True)
    is_over = fields.Boolean(required=True)
    winner = fields.Integer(required=True, allow_none=True)
    termination = fields.String(required=True, allow_none=True)
    request = fields.String(required=True, allow_none=True)
    deadline = fields.AwareDateTime(required=True, allow_none=True)
    briefing = fields.Nested(BriefingSchema, required=True, allow_none=True)
    told = fields.List(fields.String(), required=True)
    spoken = fields.String(required=True)
    clocks = fields.List(fields.Nested(ClockSchema), required=True)
    steps = fields.List(fields.Nested(StepSchema), required=True)
    trips_asked = fields.Integer(required=True)
    trips_saved = fields.Integer(required=True)


class AtQuery(Schema):
    """At which entry to look; the newest without."""

    at = fields.Integer(load_default=None, allow_none=True, validate=validate.Range(0, 1_000_000))


class TextBody(Schema):
    """Something written."""

    text = fields.String(required=True, validate=validate.Length(1, MAX_TEXT))


class SubmissionBody(TextBody):
    """Orders. A ``key`` makes sure that they are taken once, however often they are sent."""

    key = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, 60))
    request = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, 60))


class SubmittedSchema(Schema):
    """What became of orders: ``played``, ``kept`` for correction, or ``repeated``."""

    outcome = fields.String(required=True)
    text = fields.String(required=True)
    entry = fields.Integer(required=True, allow_none=True)
    until = fields.AwareDateTime(required=True, allow_none=True)


class PathBody(Schema):
    """The first steps of a turn."""

    path = fields.List(
        fields.String(validate=validate.Length(1, 200)),
        required=True,
        validate=validate.Length(max=200),
    )


class ChoiceSchema(Schema):
    """An order that may follow."""

    order = fields.String(required=True)
    kind = fields.String(required=True)
    cost = fields.Integer(required=True)
    sources = fields.List(fields.String(), required=True)
    target = fields.String(required=True, allow_none=True)
    landing = fields.String(required=True, allow_none=True)


class ForkSchema(Schema):
    """One end of the last attack."""

    guard = fields.String(required=True)
    label = fields.String(required=True)


class ChoicesSchema(Schema):
    """What may follow behind a path."""

    choices = fields.List(fields.Nested(ChoiceSchema), required=True)
    forks = fields.List(fields.Nested(ForkSchema), required=True)
    fault = fields.String(required=True, allow_none=True)
    step = fields.Integer(required=True, allow_none=True)


class ForecastSchema(Schema):
    """One way that orders can go."""

    steps = fields.List(fields.String(), required=True)
    stops = fields.String(required=True, allow_none=True)
    asks = fields.String(required=True, allow_none=True)


class PreviewSchema(Schema):
    """What orders would do."""

    text = fields.String(required=True)
    forecasts = fields.List(fields.Nested(ForecastSchema), required=True)


class MessageSchema(Schema):
    """A message between the players, or a private note."""

    seat = fields.Integer(required=True)
    entry = fields.Integer(required=True)
    at = fields.AwareDateTime(required=True)
    text = fields.String(required=True)


class InvitationBody(Schema):
    """A new game: ``address`` or ``player`` to invite one, neither to challenge everybody."""

    address = fields.String(load_default=None, allow_none=True, validate=validate.Length(3, 254))
    player = fields.Integer(load_default=None, allow_none=True)
    seat = fields.Integer(load_default=None, allow_none=True, validate=validate.OneOf((0, 1)))
    agreement = fields.Dict(keys=fields.String(), values=fields.Raw(), load_default=dict)


class InvitationSchema(Schema):
    """An invitation that is open."""

    id = fields.String(required=True)
    host = fields.Integer(attribute="host_id", required=True)
    guest = fields.Integer(attribute="guest_id", required=True, allow_none=True)
    agreement = fields.Dict(keys=fields.String(), values=fields.Raw(), required=True)
    created_at = fields.AwareDateTime(required=True)


class StartedSchema(Schema):
    """The game that an invitation became."""

    game = fields.String(required=True)


class PlayersQuery(PageQuery):
    """Players by name."""

    find = fields.String(load_default="", validate=validate.Length(max=60))


class PlayerSchema(Schema):
    """A player, as everybody may see them."""

    number = fields.Integer(attribute="id", required=True)
    name = fields.String(required=True)
    created_at = fields.AwareDateTime(required=True)


class PlayerListSchema(Schema):
    """A page of players."""

    players = fields.List(fields.Nested(PlayerSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class PreferencesSchema(Schema):
    """How a player wants to be written to."""

    language = fields.String()
    time_zone = fields.String(validate=validate.Length(max=60))
    board = fields.String()
    delivery = fields.String()
    quiet_from = fields.Time(allow_none=True)
    quiet_to = fields.Time(allow_none=True)
    rests_on_weekends = fields.Boolean()
    messages_stop_plans = fields.Boolean()


class MeSchema(PlayerSchema):
    """The caller."""

    preferences = fields.Nested(PreferencesSchema, required=True)
    standing = fields.String(required=True)


class RulesBody(Schema):
    """Standing rules for all games."""

    rules = fields.String(required=True, validate=validate.Length(1, 2000))


class LeaveBody(Schema):
    """Days off, both included."""

    first = fields.Date(required=True)
    last = fields.Date(required=True)


class LeaveSchema(LeaveBody):
    """A leave, with the instants between which no clock runs."""

    begins = fields.AwareDateTime(required=True)
    ends = fields.AwareDateTime(required=True)


def plain(value: Any, *names: str) -> dict[str, Any]:
    """Some attributes of a value, for a schema."""
    return {name: getattr(value, name) for name in names}
