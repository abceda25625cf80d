"""The mail that tells somebody of a round: whom they meet, why, and the games that begin with it.

It takes the place of the mails with which games begin else, so that there is one mail a round. A
reply names each game before its orders, as in a digest. The other side's diagram is drawn from how
the game began: nothing that an opponent has done since can be on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pbem.mail.composing.clock_words import say_clock
from pbem.mail.composing.desk import Desk
from pbem.mail.composing.drafts import Draft
from pbem.mail.composing.event_views import EVENT, EventSight, find_sight
from pbem.mail.composing.game_views import Board, GameSight, GameView
from pbem.mail.composing.telling import TOLD
from pbem.mail.links import event_url
from pbem.play.events import notices
from pbem.play.events.ports import GameOfEvent
from pbem.play.events.saying_why import say_why
from pbem.play.model import Notice
from pbem.play.ports import Unit
from pbem.play.story import load_story
from pbem.play.terms import parse_agreement
from pbem.tongue import N_
from pbem.tournaments.event import Encounter

SETUP: Final = "setup"
ROWS: Final = 5
"""How much of the table a mail about a round shows."""
BYE: Final = N_("You have no opponent in this round: it counts for you as a bye.")
HOW: Final = {
    ("pair", True): N_("You play two games: in one you are Gold and begin, in the other Black."),
    ("bid", True): N_("You are Gold. Who has the first turn is decided by bids."),
    ("bid", False): N_("You are Black. Who has the first turn is decided by bids."),
    ("single", True): N_("You are Gold and have the first turn."),
    ("single", False): N_("You are Black; the first turn is your opponent's."),
}
"""By how two meet, and whether the reader is Gold in their first game."""

_BEGINS_SOON: Final = timedelta(seconds=5)
_WHILE_PAUSED: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Meeting:
    """An encounter as one of the two is told of it; ``opponent`` is empty for a bye."""

    opponent: str
    how: str
    why: tuple[str, ...]
    url: str
    games: tuple[GameView, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherSide:
    """How the set-up looks from the House that the reader does not have."""

    house: str
    board: Board


def wait_for_games(unit: Unit, notice: Notice) -> timedelta | None:
    """How long a mail about a round has to wait for games of it that have still to begin."""
    stored = unit.find_event(str(notice.facts[EVENT])) if notice.kind == notices.PAIRED else None
    if stored is None or stored.phase not in ("running", "paused"):
        return None
    rows = _rows(unit, notice)
    if all(row.game_id is not None or row.is_counted for row in rows):
        return None
    return _BEGINS_SOON if stored.phase == "running" else _WHILE_PAUSED


def _rows(unit: Unit, notice: Notice) -> Sequence[GameOfEvent]:
    """The games that a mail about a round is to bring along."""
    rows = unit.games_of_event(str(notice.facts[EVENT]))
    return [row for row in rows if row.encounter in _numbers(notice)]


def _numbers(notice: Notice) -> Sequence[int]:
    numbers = notice.facts.get("encounters", ())
    assert isinstance(numbers, (list, tuple))
    return numbers


def draft_round(desk: Desk) -> Draft | None:
    """A round that has begun, with all games of it that are not over."""
    sight, me = find_sight(desk), desk.facts.get("entrant")
    if sight is None or not isinstance(me, int):
        return None
    seen: dict[int, list[GameSight]] = {}
    for row in _rows(desk.unit, desk.notice):
        game = None if row.game_id is None else _see(desk, row.game_id)
        if game is not None:
            seen.setdefault(row.encounter, []).append(game)
    shown = [game for games in seen.values() for game in games]
    meetings = [
        _meeting(desk, sight, me, sight.event.encounter(number), seen.get(number, ()))
        for number in _numbers(desk.notice)
    ]
    if not shown and all(each.opponent for each in meetings):
        return None
    return Draft(
        template=notices.PAIRED,
        content={
            "event": sight.event.charter.title,
            "round": "" if sight.event.charter.format == "ladder" else desk.facts["round"],
            "meetings": meetings,
            "clock": _clock(desk, sight),
            "other": _other_side(desk, shown),
            "table": sight.table(ROWS) if sight.event.round > 1 else None,
            "url": sight.url,
        },
        about=EVENT,
        opens=sight.opens(
            requests=[each.request_id for each in shown if each.request is not None],
            **{TOLD: {each.story.stored.id: each.story.entry.number for each in shown}},
        ),
        thread=desk.thread(sight.root),
    )


def _see(desk: Desk, game_id: str) -> GameSight | None:
    story = load_story(desk.unit, game_id)
    seat = story.stored.find_seat(desk.player.id)
    if seat is None or story.stored.is_over:
        return None
    return GameSight(desk, story.since(story.entry.number), seat)


def _meeting(
    desk: Desk, sight: EventSight, me: int, encounter: Encounter, games: Sequence[GameSight]
) -> Meeting:
    names, tongue = sight.names, desk.tongue
    why = tuple(say_why(each, names.by_entrant, tongue=tongue) for each in encounter.why)
    url = event_url(desk.office, sight.event.id, "encounters", encounter.number)
    rival = encounter.opponent_of(me)
    if rival is None:
        return Meeting("", tongue.say(BYE), why, url)
    kind = "bid" if encounter.has_bid else sight.event.charter.meeting
    is_gold = bool(encounter.games) and encounter.games[0].gold == me
    how = tongue.say(HOW[kind, kind == "pair" or is_gold])
    views = tuple(each.view(with_news=False) for each in games)
    return Meeting(names.of(rival), how, why, url, views)


def _clock(desk: Desk, sight: EventSight) -> tuple[str, ...]:
    agreement = parse_agreement(sight.event.charter.agreement)
    return say_clock(agreement.terms.clock, desk.tongue)


def _other_side(desk: Desk, games: Sequence[GameSight]) -> OtherSide | None:
    """The diagram of the other House, where all games have the reader on one side of a set-up."""
    if not games or len({game.seat for game in games}) > 1:
        return None
    first = load_story(desk.unit, games[0].story.stored.id, upto=0)
    if {request.kind for request in first.course.requests} != {SETUP}:
        return None
    other = GameSight(desk, first, 1 - games[0].seat)
    scene = first.play.scene(first.state, other.seat, tongue=desk.tongue)
    return OtherSide(other.house(other.seat), other.board(scene, with_speech=True))
