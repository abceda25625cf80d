"""Talking about the turns of an archived game. Owns who may, how much, and the pages of a talk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from notation.record_reading import parse_record
from pbem.archive.places import find_turn
from pbem.play.annotations import Post
from pbem.play.errors import NotAllowedError
from pbem.play.library import get_archived
from pbem.play.players import PlayerFaults
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import get_player

MAX_POST: Final = 4000
POSTS_A_DAY: Final = 50
POSTS_A_PAGE: Final = 20

_DAY: Final = timedelta(days=1)


class PostPage(NamedTuple):
    """Some of a talk, oldest first, and behind which post the next page begins; None at its end."""

    posts: Sequence[Post]
    after: int | None


def say(
    around: Surroundings, player_id: int, number: int, turn: str, text: str, *, now: datetime
) -> Post:
    """Say something about a turn. Raises PlayerFaults, PlayError."""
    text = text.strip()
    if not 1 <= len(text) <= MAX_POST:
        raise PlayerFaults({"text": f"must have 1 to {MAX_POST} characters"})
    with around.store.begin() as unit:
        player = get_player(unit, player_id)
        get_archived(unit, number, viewer=player_id)
        if find_turn(parse_record(unit.get_record(number)).turns, turn) is None:
            raise NotAllowedError("no_such_turn_to_discuss")
        if unit.count_event(f"post/{player_id}", now, _DAY) > POSTS_A_DAY:
            raise NotAllowedError("posted_often", most=POSTS_A_DAY)
        return unit.add_post(Post(0, number, turn, player_id, player.name, text, now))


def talk_about(unit: Unit, number: int, turn: str, *, after: int = 0) -> PostPage:
    """A page of what was said about a turn of a game that may be seen."""
    posts = unit.posts_on(number, turn, after=after, limit=POSTS_A_PAGE + 1)
    shown = posts[:POSTS_A_PAGE]
    return PostPage(shown, shown[-1].id if len(posts) > POSTS_A_PAGE else None)
