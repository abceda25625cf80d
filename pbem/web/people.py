"""Players: a list, and a page for each. Nobody's address is on any of them."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, g, render_template, request

from pbem.play.events.saying_charter import PHASE_NAMES
from pbem.play.events.viewing import my_events
from pbem.play.model import Player
from pbem.play.rating_seen import ratings_of
from pbem.web.ratings import draw_history
from pbem.web.summaries import MAX_PLACE, find_known, my_games, page_of_players
from pbem.web.visiting import get_around

people: Final = Blueprint("people", __name__)

PAGE: Final = 50
MOST_EVENTS: Final = 50


@people.get("/players")
def index() -> str:
    """Players by name, some at a time; ``find`` narrows them down."""
    wanted = " ".join(request.args.get("find", "").split())[:60]
    after = request.args.get("after", "")[:MAX_PLACE]
    with get_around().store.read() as unit:
        found, more = page_of_players(unit, wanted, after=after, limit=PAGE)
    return render_template("people/index.html", players=found, find=wanted, more=more)


@people.get("/players/<int:number>")
def show(number: int) -> str:
    """A player, with the games that anybody may see, and no more of them than anybody may see."""
    player = _get_player(number)
    running, finished = my_games(get_around(), player, now=g.now)
    with get_around().store.read() as unit:
        ratings = ratings_of(unit, number, now=g.now)
        theirs = [
            event
            for event, roles in my_events(unit, number)
            if event.phase != "draft" and {"entrant", "director"} & {*roles}
        ]
    # Their player's own order would tell whose turn it is.
    shown = sorted((game for game in running if game.is_open), key=lambda game: game.game_id)
    over = [game for game in finished if game.is_open]
    return render_template(
        "people/player.html",
        player=player,
        running=shown,
        finished=over,
        ratings=[(each, draw_history(each, g.tongue)) for each in ratings],
        events=theirs[:MOST_EVENTS],
        phases=PHASE_NAMES,
    )


def _get_player(number: int) -> Player:
    with get_around().store.read() as unit:
        player = find_known(unit, number)
    if player is None:
        abort(404)
    return player
