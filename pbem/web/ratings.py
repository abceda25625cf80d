"""Ratings: the list of each level, and a player's own with its chart, month by month.

Private games count, and are named to nobody but their players.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from markupsafe import Markup

from pbem.diagrams.page_theme import page_theme
from pbem.diagrams.rating_chart import RatingPoint, rating_chart_svg
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.words import LEVEL_NAMES
from pbem.play.rated import CountedGame
from pbem.play.rating_seen import PAGE, LevelRating, games_of, list_ratings, ratings_of
from pbem.play.saying_ratings import say_why_unrated
from pbem.tongue import Tongue
from pbem.tournaments.ratings import Rating, period_of, period_text
from pbem.web.seen_games import viewer_number
from pbem.web.summaries import find_known
from pbem.web.visiting import get_around

ratings: Final = Blueprint("ratings", __name__)

MOST_PAGES: Final = 10_000
_WIDTH: Final = 2
"""Of how many deviations ± tells: in nineteen cases of twenty the strength lies within."""


@ratings.app_template_global()
def rating_width(rating: Rating) -> int:
    """How far the true strength may be from a rating, either way."""
    return round(_WIDTH * rating.figure.deviation)


@ratings.app_template_global()
def level_word(level: str) -> str:
    """The name of a level in the visitor's language."""
    word: str = g.tongue.say(LEVEL_NAMES[LEVELS.index(level)])
    return word


@ratings.get("/ratings")
def index() -> Any:
    """The list of the first level."""
    return redirect(url_for(".show", level=LEVELS[0]))


@ratings.get("/ratings/<level>")
def show(level: str) -> str:
    """The list of a level, best first; ``provisional=1`` shows those that are not ranked yet."""
    _check(level)
    page = request.args.get("page", 1, type=int)
    if not 1 <= page <= MOST_PAGES:
        abort(404)
    is_provisional = request.args.get("provisional") == "1"
    found = list_ratings(
        get_around(),
        level,
        now=g.now,
        is_provisional=is_provisional,
        offset=(page - 1) * PAGE,
    )
    return render_template(
        "ratings/list.html",
        level=level,
        levels=LEVELS,
        found=found,
        page=page,
        is_provisional=is_provisional,
    )


@ratings.get("/players/<int:number>/ratings/<level>")
def of_player(number: int, level: str) -> str:
    """A player's rating at a level, month by month, and the last games."""
    _check(level)
    with get_around().store.read() as unit:
        player = find_known(unit, number)
        if player is None:
            abort(404)
        known = [each for each in ratings_of(unit, number, now=g.now) if each.level == level]
        played = games_of(unit, number, level, viewer=viewer_number())
        names = {}
        for counted in played:
            for seated in counted.game.pair:
                found = unit.find_player(seated)
                names[seated] = "?" if found is None else found.name
    return render_template(
        "ratings/player.html",
        player=player,
        level=level,
        rating=known[0] if known else None,
        chart=draw_history(known[0], g.tongue) if known else "",
        games=_told(played, number, g.tongue),
        names=names,
        month=period_text,
    )


def draw_history(rating: LevelRating, tongue: Tongue) -> Markup:
    """The chart of a player's rating at a level; nothing while there is one month only."""
    points = [_point(each) for each in rating.history]
    present = period_of(g.now)
    if present > points[-1].month:
        now = rating.rating
        points.append(RatingPoint(present, period_text(present), *_figures(now)))
    if len(points) < 2:
        return Markup("")
    title = tongue.say("Rating at level {level}, month by month", level=level_word(rating.level))
    return Markup(rating_chart_svg(title, points, theme=page_theme()))


def _point(rating: Rating) -> RatingPoint:
    return RatingPoint(rating.period, period_text(rating.period), *_figures(rating))


def _figures(rating: Rating) -> tuple[float, float]:
    return rating.figure.rating, _WIDTH * rating.figure.deviation


def _told(
    played: Sequence[CountedGame], number: int, tongue: Tongue
) -> list[tuple[CountedGame, int, int, str]]:
    """Each game with the opponent, the player's points in halves, and why it does not count."""
    return [
        (
            counted,
            counted.game.black if counted.game.gold == number else counted.game.gold,
            counted.game.points if counted.game.gold == number else 2 - counted.game.points,
            say_why_unrated(counted.game.why_not, tongue),
        )
        for counted in played
    ]


def _check(level: str) -> None:
    if level not in LEVELS:
        abort(404)
