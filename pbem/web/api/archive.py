"""The archive for programs: searching it, what is known of a position, how set-ups scored."""

from __future__ import annotations

from typing import Any

from pbem.archive.asked import position_from_line
from pbem.play.archived import Filter, find_cursor
from pbem.play.finding import explore_setups, look_up
from pbem.play.found import SetupFilter
from pbem.play.library import search
from pbem.web.api import archive_schemas as schemas
from pbem.web.api.callers import for_callers
from pbem.web.api.topics import Topic
from pbem.web.house import get_house
from pbem.web.seen_games import viewer_number

calls = Topic("archive", "/archive", "The archive: finding games")


@calls.route("")
@for_callers("read", is_optional=True)
@calls.arguments(schemas.SearchQuery, location="query")
@calls.response(200, schemas.ArchivedGamesSchema)
def index(query: dict[str, Any]) -> dict[str, Any]:
    """Archived games, newest first."""
    after, limit = find_cursor(query.pop("after")), query.pop("limit")
    page = search(
        get_house().around, Filter(**query), viewer=viewer_number(), after=after, limit=limit
    )
    return {"games": page.games, "next": None if page.after is None else str(page.after)}


@calls.route("/position")
@for_callers("read", is_optional=True)
@calls.arguments(schemas.PositionQuery, location="query")
@calls.response(200, schemas.PositionSchema)
def position(query: dict[str, Any]) -> Any:
    """Which games came to a position, what was played there, and how it went."""
    asked = position_from_line(query["line"], dice=query["dice"], handicap=query["handicap"])
    return look_up(get_house().around, asked, turned=query["turned"], viewer=viewer_number())


@calls.route("/setups")
@for_callers("read", is_optional=True)
@calls.arguments(schemas.SetupsQuery, location="query")
@calls.response(200, schemas.SetupsSchema)
def setups(query: dict[str, Any]) -> dict[str, Any]:
    """How often each set-up was played, and how it scored."""
    limit = query.pop("limit")
    found = explore_setups(get_house().around, SetupFilter(**query), limit=limit)
    return {"setups": [{"setup": setup, "score": score} for setup, score in found]}
