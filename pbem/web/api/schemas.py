"""What goes in and out of the API: data, all of it in one place, as the document shows it."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from pbem.play.games import MAX_MESSAGE
from pbem.play.players import BOARDS, DELIVERIES, LANGUAGES, NOTE_WISHES
from pbem.web.api.fields import Flag, Number, Text, TimeOfDay
from pbem.web.summaries import MAX_PLACE

MAX_TEXT: Final = 20_000
MAX_RULES: Final = 2000
_ID: Final = validate.Length(max=60)


# -- pages --------------------------------------------------------------------------------------


class PageQuery(Schema):
    """One page of a list; ``after`` is the ``next`` of the page before."""

    after = Text(load_default="", validate=_ID)
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


class CountedQuery(Schema):
    """One page of a list; ``after`` is the ``next`` of the page before."""

    after = fields.Integer(load_default=0, validate=validate.Range(0, 1_000_000))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


class GamesQuery(PageQuery):
    """Some games."""

    state = fields.String(
        load_default="all", validate=validate.OneOf(("all", "running", "over", "waiting"))
    )


class OpenGamesQuery(PageQuery):
    """Some games of anybody. Whom they wait for is not asked: some are seen late."""

    state = fields.String(load_default="all", validate=validate.OneOf(("all", "running", "over")))


class AtQuery(Schema):
    """At which entry to look; the newest without."""

    at = fields.Integer(load_default=None, allow_none=False, validate=validate.Range(0, 1_000_000))


class PlayersQuery(PageQuery):
    """Players by name."""

    after = Text(load_default="", validate=validate.Length(max=MAX_PLACE))
    find = Text(load_default="", validate=_ID)


# -- games --------------------------------------------------------------------------------------


class OpenGameSchema(Schema):
    """A game in a list, as everybody may see it."""

    id = fields.String(attribute="game_id", required=True)
    game = fields.String(required=True)
    seat = fields.Integer(required=True)
    opponent = fields.String(required=True)
    opponent_number = fields.Integer(attribute="opponent_id", required=True)
    winner = fields.Integer(required=True, allow_none=True)
    termination = fields.String(required=True, allow_none=True)
    ended_at = fields.AwareDateTime(required=True, allow_none=True)


class SummarySchema(OpenGameSchema):
    """A game in a list, as its player sees it."""

    turns = fields.Integer(required=True)
    asked = fields.String(required=True, allow_none=True)
    deadline = fields.AwareDateTime(required=True, allow_none=True)
    is_held = fields.Boolean(required=True)


class GameListSchema(Schema):
    """A page of games."""

    games = fields.List(fields.Nested(SummarySchema), required=True)
    next = fields.String(required=True, allow_none=True)


class OpenGameListSchema(Schema):
    """A page of games that everybody may see."""

    games = fields.List(fields.Nested(OpenGameSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class StepSchema(Schema):
    """One entry of the log as the caller may see it."""

    number = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    at = fields.AwareDateTime(required=True)
    texts = fields.List(fields.String(), required=True)


class ClockSchema(Schema):
    """How much time a seat has, in whole minutes."""

    minutes_left = fields.Function(
        lambda clock: int(clock.left.total_seconds() // 60),
        required=True,
        metadata={"type": "integer"},
    )
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


class AskedSchema(Schema):
    """Who is asked for what."""

    seat = fields.Integer(required=True)
    kind = fields.String(required=True)


class HeldSchema(Schema):
    """Orders of the caller's that are kept for correction."""

    text = fields.String(required=True)
    until = fields.AwareDateTime(required=True)


class TermsSchema(Schema):
    """What the players have agreed on besides the game itself."""

    clock = fields.String(required=True)
    correction = fields.String(required=True)
    visibility = fields.String(required=True)
    rated = fields.Boolean(required=True)


class GameSchema(Schema):
    """A game as the caller may see it. ``request`` is the id of what the caller is asked for."""

    id = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    players = fields.List(fields.String(), required=True)
    player_numbers = fields.List(fields.Integer(), required=True)
    terms = fields.Nested(TermsSchema, required=True)
    newest = fields.Integer(required=True)
    at = fields.Integer(required=True)
    is_over = fields.Boolean(required=True)
    winner = fields.Integer(required=True, allow_none=True)
    termination = fields.String(required=True, allow_none=True)
    asked = fields.List(fields.Nested(AskedSchema), required=True)
    request = fields.String(required=True, allow_none=True)
    deadline = fields.AwareDateTime(required=True, allow_none=True)
    held = fields.Nested(HeldSchema, required=True, allow_none=True)
    briefing = fields.Nested(BriefingSchema, required=True, allow_none=True)
    told = fields.List(fields.String(), required=True)
    spoken = fields.String(required=True)
    clocks = fields.List(fields.Nested(ClockSchema), required=True)
    steps = fields.List(fields.Nested(StepSchema), required=True)
    trips_asked = fields.Integer(required=True)
    trips_saved = fields.Integer(required=True)
    seed_hash = fields.String(required=True)
    log_hash = fields.String(required=True)


# -- playing ------------------------------------------------------------------------------------


class TextBody(Schema):
    """Orders."""

    text = Text(required=True, validate=validate.Length(1, MAX_TEXT))


class SubmissionBody(TextBody):
    """Orders. A ``key`` makes sure that they are taken once, however often they are sent."""

    key = Text(load_default=None, allow_none=True, validate=validate.Length(1, 60))
    request = Text(load_default=None, allow_none=True, validate=validate.Length(1, 60))


class SubmittedSchema(Schema):
    """What became of orders: ``played``, ``kept`` for correction, or ``repeated``."""

    outcome = fields.String(required=True)
    text = fields.String(required=True)
    entry = fields.Integer(required=True, allow_none=True)
    until = fields.AwareDateTime(required=True, allow_none=True)


class PathBody(Schema):
    """The first steps of a turn."""

    path = fields.List(
        Text(validate=validate.Length(1, 200)), required=True, validate=validate.Length(max=200)
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
    """What may follow behind a path; ``fault`` says why it stops at ``step``."""

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


class RehearsalBody(Schema):
    """Standing rules to try on the game so far; null for those that hold."""

    rules = Text(load_default=None, allow_none=True, validate=validate.Length(1, MAX_RULES))


class MeaningSchema(Schema):
    """A rule in words."""

    rule = fields.String(required=True)
    meaning = fields.String(required=True)


class RehearsedSchema(Schema):
    """One question of the game so far, and what the rules would have answered."""

    number = fields.Integer(required=True)
    attack = fields.String(required=True)
    victims = fields.List(fields.String(), required=True)
    then = fields.List(fields.String(), required=True)
    would = fields.List(fields.String(), required=True)
    rules = fields.List(fields.String(), required=True)


class RehearsalSchema(Schema):
    """Standing rules tried on the game so far."""

    rules = fields.String(required=True)
    meanings = fields.List(fields.Nested(MeaningSchema), required=True)
    general = fields.List(fields.Nested(MeaningSchema), required=True)
    attacks = fields.List(fields.Nested(RehearsedSchema), required=True)


class MessageBody(Schema):
    """Something written."""

    text = Text(required=True, validate=validate.Length(1, MAX_MESSAGE))


class MessageSchema(Schema):
    """A message between the players, or a private note."""

    seat = fields.Integer(required=True)
    entry = fields.Integer(required=True)
    at = fields.AwareDateTime(required=True)
    text = fields.String(required=True)


class MessageListSchema(Schema):
    """A page of messages."""

    messages = fields.List(fields.Nested(MessageSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


class NoteListSchema(Schema):
    """A page of notes."""

    notes = fields.List(fields.Nested(MessageSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


# -- arranging ----------------------------------------------------------------------------------


class InvitationBody(Schema):
    """A new game: ``address`` or ``player`` to invite one, neither to challenge everybody."""

    address = Text(load_default=None, allow_none=True, validate=validate.Length(3, 254))
    player = Number(load_default=None, allow_none=True)
    seat = Number(load_default=None, allow_none=True, validate=validate.OneOf((0, 1)))
    agreement = fields.Dict(
        keys=Text(),
        values=fields.Raw(allow_none=True),
        load_default=dict,
        metadata={"description": "level, arena, clock, visibility … as in the form for a new game"},
    )

    @validates_schema
    def _one_guest(self, data: dict[str, Any], **more: Any) -> None:
        if data.get("address") is not None and data.get("player") is not None:
            raise ValidationError("Name an address or a player, not both.", "player")


class InvitationSchema(Schema):
    """An invitation that is open. ``address`` is how the caller has named the guest, if so; whose
    it is, is not told."""

    id = fields.String(required=True)
    host = fields.Integer(required=True)
    guest = fields.Integer(required=True, allow_none=True)
    address = fields.String(required=True, allow_none=True)
    agreement = fields.Dict(keys=fields.String(), values=fields.Raw(), required=True)
    created_at = fields.AwareDateTime(required=True)


class InvitationListSchema(Schema):
    """A page of invitations."""

    invitations = fields.List(fields.Nested(InvitationSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class StartedSchema(Schema):
    """The game that an invitation became."""

    game = fields.String(required=True)


# -- players ------------------------------------------------------------------------------------


class PlayerSchema(Schema):
    """A player, as everybody may see them."""

    number = fields.Integer(attribute="id", required=True)
    name = fields.String(required=True)
    created_at = fields.AwareDateTime(required=True)


class PlayerListSchema(Schema):
    """A page of players."""

    players = fields.List(fields.Nested(PlayerSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class NameBody(Schema):
    """A name that others see."""

    name = Text(required=True, validate=validate.Length(1, 200))


class PreferencesSchema(Schema):
    """How a player wants to be written to."""

    language = fields.String(validate=validate.OneOf(LANGUAGES))
    time_zone = Text(validate=_ID)
    board = fields.String(validate=validate.OneOf(BOARDS))
    delivery = fields.String(validate=validate.OneOf(DELIVERIES))
    quiet_from = TimeOfDay(allow_none=True)
    quiet_to = TimeOfDay(allow_none=True)
    rests_on_weekends = Flag()
    messages_stop_plans = Flag()
    notes_join = fields.String(validate=validate.OneOf(NOTE_WISHES))


class MeSchema(PlayerSchema):
    """The caller. ``calendar`` and ``news`` are feeds of deadlines, for whoever has their link."""

    preferences = fields.Nested(PreferencesSchema, required=True)
    standing = fields.String(required=True)
    calendar = fields.String(required=True)
    news = fields.String(required=True)


class RulesBody(Schema):
    """Standing rules for all games; ``off`` for none."""

    rules = Text(required=True, validate=validate.Length(1, MAX_RULES))


class ChosenAddressesBody(Schema):
    """Where mail goes, and where it goes when that bounces."""

    preferred = Text(required=True, validate=validate.Length(3, 254))
    fallback = Text(load_default=None, allow_none=True, validate=validate.Length(3, 254))


class AddressSchema(Schema):
    """A confirmed address of the caller's."""

    address = fields.String(required=True)
    is_preferred = fields.Boolean(required=True)
    is_fallback = fields.Boolean(required=True)


class LeaveBody(Schema):
    """Days off, both included."""

    first = fields.Date(required=True)
    last = fields.Date(required=True)


class LeaveSchema(LeaveBody):
    """A leave, with the instants between which no clock runs."""

    begins = fields.AwareDateTime(required=True)
    ends = fields.AwareDateTime(required=True)


class LeaveEffectSchema(Schema):
    """What a leave does to a deadline."""

    game = fields.String(required=True)
    deadline = fields.AwareDateTime(required=True, allow_none=True)
    deadline_then = fields.AwareDateTime(required=True, allow_none=True)


class LeaveOfferSchema(Schema):
    """A leave that may be taken, the days that are left by year, and what it does."""

    leave = fields.Nested(LeaveSchema, required=True)
    days_left = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    games = fields.List(fields.Nested(LeaveEffectSchema), required=True)


class PassSchema(Schema):
    """A session or a token. ``name`` is the browser, or what its owner called it."""

    number = fields.Integer(attribute="id", required=True)
    kind = fields.String(required=True)
    name = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created_at = fields.AwareDateTime(required=True)
    used_at = fields.AwareDateTime(required=True, allow_none=True)
