"""What goes in and out of the calls about the archive, as the document shows it."""

from __future__ import annotations

from typing import Final

from marshmallow import Schema, ValidationError, fields, validate

from notation.record import RESULTS
from notation.record_tags import TERMINATIONS
from pbem.archive.asked import MAX_LINE
from pbem.games.ortus.figures import HOUSE_NAMES, LEVELS, is_setup
from pbem.play.archived import MOST_ON_A_PAGE, PAGE
from pbem.play.finding import MOST_SETUPS, SETUPS_SHOWN
from pbem.web.api.fields import Text
from pbem.web.archive_forms import MAX_FIGURE, MAX_WORDS, PATTERN_NAMES

_WORDS: Final = validate.Length(max=MAX_WORDS)
_FIGURE: Final = validate.Range(0, MAX_FIGURE)
_DAY: Final = validate.Range(0, 99991231)


def _check_setup(letters: str) -> None:
    if not is_setup(letters):
        raise ValidationError("Two each of W, E, A and F.")


_SETUP: Final = (validate.Regexp("^[WEAF]{8}$"), _check_setup)


class SearchQuery(Schema):
    """Which games are wanted; what is not given may be anything. Days are numbers: 20261116."""

    player = Text(validate=_WORDS)
    opponent = Text(validate=_WORDS)
    house = fields.String(validate=validate.OneOf(HOUSE_NAMES))
    setup = fields.String(validate=_SETUP)
    event = Text(validate=_WORDS)
    first_day = fields.Integer(validate=_DAY)
    last_day = fields.Integer(validate=_DAY)
    result = fields.String(validate=validate.OneOf(RESULTS))
    termination = fields.String(validate=validate.OneOf(TERMINATIONS))
    min_turns = fields.Integer(validate=_FIGURE)
    max_turns = fields.Integer(validate=_FIGURE)
    min_rating = fields.Integer(validate=_FIGURE)
    max_rating = fields.Integer(validate=_FIGURE)
    level = fields.String(validate=validate.OneOf(LEVELS))
    arena = Text(validate=_WORDS)
    dice = fields.String(validate=validate.OneOf(("clean", "dicey")))
    starter = fields.String(validate=validate.OneOf(HOUSE_NAMES))
    pattern = fields.String(validate=validate.OneOf(PATTERN_NAMES))
    after = fields.String(load_default="", validate=validate.Length(max=40))
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, MOST_ON_A_PAGE))


class FactsSchema(Schema):
    """What the tags of a record tell."""

    gold = fields.String(required=True)
    black = fields.String(required=True)
    gold_rating = fields.Integer(required=True, allow_none=True)
    black_rating = fields.Integer(required=True, allow_none=True)
    event = fields.String(required=True)
    round = fields.String(required=True)
    site = fields.String(required=True)
    date = fields.String(required=True)
    result = fields.String(required=True)
    termination = fields.String(required=True)
    turns = fields.Integer(required=True)
    level = fields.String(required=True)
    arena = fields.String(required=True)
    dice = fields.String(required=True)
    starter = fields.String(required=True)
    gold_setup = fields.String(required=True)
    black_setup = fields.String(required=True)


class ArchivedGameSchema(Schema):
    """A game of the archive."""

    number = fields.Integer(required=True)
    game = fields.String(attribute="game_id", required=True, allow_none=True)
    visibility = fields.String(required=True)
    source = fields.String(required=True)
    facts = fields.Nested(FactsSchema, required=True)


class ArchivedGamesSchema(Schema):
    """A page of games, newest first."""

    games = fields.List(fields.Nested(ArchivedGameSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class ScoreSchema(Schema):
    """How games went for one side; ``share`` of the points, and where it lies in 95 of 100 cases
    (Wilson's interval)."""

    won = fields.Integer(required=True)
    drawn = fields.Integer(required=True)
    lost = fields.Integer(required=True)
    undecided = fields.Integer(required=True)
    share = fields.Float(required=True, allow_none=True)
    interval = fields.List(fields.Float(), required=True, allow_none=True)


class PositionQuery(Schema):
    """A position as a line (N4); ``turned`` looks for it on turned and mirrored boards too."""

    line = Text(required=True, validate=validate.Length(max=MAX_LINE))
    turned = fields.Boolean(load_default=False)
    dice = fields.String(load_default="clean", validate=validate.Length(max=20))
    handicap = Text(load_default="", validate=validate.Length(max=20))


class NextOrderSchema(Schema):
    """An order played there; empty where the game ended."""

    order = fields.String(required=True)
    score = fields.Nested(ScoreSchema, required=True)


class FoundGameSchema(Schema):
    """A game that came there, before which of its turns, and how its board is turned: 1 half
    round, 2 mirrored, 3 both."""

    game = fields.Nested(ArchivedGameSchema, required=True)
    turn = fields.Integer(attribute="ply", required=True)
    turning = fields.Integer(required=True)


class PositionSchema(Schema):
    """What is known of a position. With ``is_sample`` the games are the newest of each order and
    result, else the newest."""

    score = fields.Nested(ScoreSchema, required=True)
    orders = fields.List(fields.Nested(NextOrderSchema), required=True)
    games = fields.List(fields.Nested(FoundGameSchema), required=True)
    is_sample = fields.Boolean(required=True)


class SetupsQuery(Schema):
    """Whose set-ups are counted, in which games."""

    house = fields.String(load_default="gold", validate=validate.OneOf(HOUSE_NAMES))
    level = fields.String(load_default="", validate=validate.OneOf(("", *LEVELS)))
    arena = Text(load_default="", validate=_WORDS)
    dice = fields.String(load_default="", validate=validate.OneOf(("", "clean", "dicey")))
    started = fields.Boolean(load_default=None)
    limit = fields.Integer(load_default=SETUPS_SHOWN, validate=validate.Range(1, MOST_SETUPS))


class SetupSchema(Schema):
    """A set-up and how it scored."""

    setup = fields.String(required=True)
    score = fields.Nested(ScoreSchema, required=True)


class SetupsSchema(Schema):
    """Set-ups, the most played first."""

    setups = fields.List(fields.Nested(SetupSchema), required=True)
