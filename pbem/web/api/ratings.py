"""Ratings for programs: the list of a level. Those of one player are with the players."""

from __future__ import annotations

from typing import Any

from flask import abort, g

from pbem.games.ortus.figures import LEVELS
from pbem.play.rating_seen import LevelRating, list_ratings
from pbem.tournaments.ratings import Rating, period_text
from pbem.web.api import rating_schemas as schemas
from pbem.web.api.callers import for_callers
from pbem.web.api.topics import Topic
from pbem.web.house import get_house

calls = Topic("ratings", "/ratings", "Ratings")


@calls.route("/<level>")
@for_callers("read", is_optional=True, problems=(404,))
@calls.arguments(schemas.RatingsQuery, location="query")
@calls.response(200, schemas.RatingListSchema)
def show(query: dict[str, Any], level: str) -> dict[str, Any]:
    """The ratings of a level, best first."""
    if level not in LEVELS:
        abort(404)
    is_provisional, after = query["provisional"], query["after"]
    page = list_ratings(
        get_house().around,
        level,
        now=g.now,
        is_provisional=is_provisional,
        offset=after,
        limit=query["limit"],
    )
    told = [
        {
            **tell(listed.rating),
            "place": None if is_provisional else page.first + index,
            "player": listed.rating.player_id,
            "name": listed.name,
        }
        for index, listed in enumerate(page.players)
    ]
    return {"ratings": told, "next": after + len(told) if page.has_more else None}


def tell_level(rating: LevelRating) -> dict[str, Any]:
    """A player's rating at a level, with its history."""
    return {
        **tell(rating.rating),
        "level": rating.level,
        "history": [tell(each) for each in rating.history],
    }


def tell(rating: Rating) -> dict[str, Any]:
    """A rating as programs read it."""
    return {
        "month": period_text(rating.period),
        "rating": round(rating.figure.rating, 2),
        "deviation": round(rating.figure.deviation, 2),
        "volatility": rating.figure.volatility,
        "games": rating.games,
        "is_provisional": rating.is_provisional,
    }
