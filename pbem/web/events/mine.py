"""A player's personal table: every game of theirs in events, with the clock, the result, points."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from flask import render_template

from pbem.play.events.naming import names_in
from pbem.play.events.open_event import get_event
from pbem.play.events.ports import StoredEvent
from pbem.play.events.viewing import my_events
from pbem.play.ports import Unit
from pbem.tournaments.event import Entrant, Event, show_points
from pbem.tournaments.rounds import limit_of
from pbem.web.events.pairings import score_of
from pbem.web.events.site import events
from pbem.web.navigation import count_waiting
from pbem.web.summaries import Summary, sum_up
from pbem.web.visiting import for_players, get_around, get_viewer


@dataclass(frozen=True, slots=True)
class MyGame:
    """A game of a player in an event. ``summary`` is None where it has not begun."""

    round: int
    encounter: int
    opponent: str
    seat: int
    has_started: bool | None
    """Whether the first turn was theirs; None while bids decide it."""
    points: str
    """Empty while it goes on."""
    score: str
    game_id: str | None
    summary: Summary | None


@dataclass(frozen=True, slots=True)
class MyEvent:
    """An event of a player with their games, and their points so far."""

    stored: StoredEvent
    points: str
    games: tuple[MyGame, ...]
    round_ends: datetime | None


@events.get("/mine")
@for_players
def mine() -> str:
    """All of it."""
    with get_around().store.read() as unit:
        found = personal_tables(unit, get_viewer().id)
        count_waiting(unit)
    going = [each for each in found if each.stored.phase in ("open", "running", "paused")]
    over = [each for each in found if each.stored.phase in ("over", "cancelled")]
    return render_template("events/mine.html", going=going, over=over)


def personal_tables(unit: Unit, player_id: int) -> list[MyEvent]:
    """The events in which somebody has a place, newest first."""
    tables = []
    for stored, roles in my_events(unit, player_id):
        if "entrant" not in roles:
            continue
        event = get_event(unit, stored.id)
        me = event.find_entrant(player_id)
        if me is not None:
            tables.append(_table(unit, stored, event, me))
    return tables


def _table(unit: Unit, stored: StoredEvent, event: Event, me: Entrant) -> MyEvent:
    names = names_in(unit, event)
    ids = {(row.encounter, row.game): row.game_id for row in unit.games_of_event(event.id)}
    games = []
    halves = 0
    for encounter in event.of_entrant(me.number):
        halves += event.bye_points() if encounter.is_bye else encounter.points_of(me.number)
        is_bid = encounter.has_bid or event.charter.meeting == "bid"
        for index, game in enumerate(encounter.games):
            seat = 0 if game.gold == me.number else 1
            game_id, result = ids.get((encounter.number, index)), game.result
            stored_game = None if game_id is None else unit.find_game(game_id)
            sits = stored_game is not None and stored_game.find_seat(me.player_id) is not None
            points = game.points_of(me.number)
            starter = None if is_bid else "gold"
            if result is not None:
                starter = result.starter
            games.append(
                MyGame(
                    round=encounter.round,
                    encounter=encounter.number,
                    opponent=names.of(game.black if seat == 0 else game.gold),
                    seat=seat,
                    has_started=None if starter is None else (starter == "gold") == (seat == 0),
                    points="" if points is None else show_points(points),
                    score="" if result is None else score_of(result),
                    game_id=game_id,
                    summary=sum_up(unit, stored_game, seat) if stored_game and sits else None,
                )
            )
    return MyEvent(stored, show_points(halves), tuple(games), round_ends(event))


def round_ends(event: Event) -> datetime | None:
    """When the present round turns over at the latest; None if it waits for its games."""
    return limit_of(event) if event.phase == "running" else None
