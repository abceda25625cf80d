"""An event as a visitor may see it: the event, the names in it, and which game is which.

Owns who may see what: an event that is being prepared is its directors' alone, and of games that go
on nothing is shown here but that they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from flask import abort, g
from werkzeug.wrappers import Response as BaseResponse

from pbem.play.events.naming import Names, names_in
from pbem.play.events.open_event import NoSuchEventError
from pbem.play.events.ports import GameOfEvent
from pbem.play.events.viewing import see_event
from pbem.play.ports import Unit
from pbem.tournaments.act_entries import find_active
from pbem.tournaments.event import Entrant, Event
from pbem.web.navigation import count_waiting
from pbem.web.visiting import for_players, get_around, get_viewer

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An event before a visitor."""

    event: Event
    names: Names
    games: Mapping[tuple[int, int], GameOfEvent]
    """By the number of the encounter and the place in it."""
    viewer: int | None

    @property
    def is_director(self) -> bool:
        """Whether it is the viewer's to direct."""
        return self.viewer in self.event.directors

    @property
    def me(self) -> Entrant | None:
        """The place of the viewer who is in it, or waits."""
        return None if self.viewer is None else find_active(self.event, self.viewer)

    @property
    def was_me(self) -> Entrant | None:
        """The place the viewer has or has left."""
        return None if self.viewer is None else self.event.find_entrant(self.viewer)

    def find_game_id(self, encounter: int, game: int) -> str | None:
        """The id of a game that has begun."""
        row = self.games.get((encounter, game))
        return None if row is None else row.game_id


def see(unit: Unit, event_id: str, others: Iterable[int | None] = ()) -> SeenEvent:
    """An event as the visitor may see it; 404 if there is none, or it may not be seen."""
    viewer = None if g.viewer is None else g.viewer.id
    try:
        event = see_event(unit, event_id, viewer=viewer)
    except NoSuchEventError:
        abort(404)
    games = {(row.encounter, row.game): row for row in unit.games_of_event(event_id)}
    return SeenEvent(event, names_in(unit, event, others), games, viewer)


def get_seen(event_id: str) -> SeenEvent:
    """The same, for a page that reads nothing else."""
    with get_around().store.read() as unit:
        seen = see(unit, event_id)
        count_waiting(unit)
    return seen


def for_directors(
    view: Callable[Concatenate[SeenEvent, Parameters], Answer],
) -> Callable[..., Answer | BaseResponse]:
    """A view for the directors of an event: others are told that it is not theirs to do."""

    @wraps(view)
    @for_players
    def guarded(
        event_id: str, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Answer | BaseResponse:
        seen = get_seen(event_id)
        if get_viewer().id not in seen.event.directors:
            abort(403)
        return view(seen, *args, **kwargs)

    return guarded
