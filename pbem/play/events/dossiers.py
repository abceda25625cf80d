"""The dossier of a game of an event: what a director needs to rule on it.

The position as a spectator sees it who does not lag behind, how both Houses have fared, and what
both players had to say. Nothing of it is secret to one of them but the statements. A director who
plays in the event sees games of others no earlier than anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from notation.record_reading import parse_record
from pbem.archive.framing import make_document
from pbem.archive.trends import Trends, find_trends
from pbem.play.archive import write_record
from pbem.play.errors import NotAllowedError
from pbem.play.events.directing import has_sat
from pbem.play.events.open_event import get_event
from pbem.play.events.ports import Statement
from pbem.play.events.statements import statements_for
from pbem.play.games import get_stored
from pbem.play.model import Player
from pbem.play.ports import Unit
from pbem.play.story import tell_story
from pbem.play.viewing import GameView, look
from pbem.tournaments.event import Encounter, Event, EventGame


@dataclass(frozen=True, slots=True)
class Dossier:
    """A game before a director. ``view`` is None if it has not begun."""

    event: Event
    encounter: Encounter
    index: int
    game: EventGame
    game_id: str | None
    view: GameView | None
    trends: Trends | None
    """Energy, honour and Wells turn by turn; None before the first."""
    statements: Sequence[Statement]
    is_own: bool
    """Whether the director plays in it: it is another's to rule on."""


def open_dossier(
    unit: Unit, event_id: str, director: Player, which: tuple[int, int], *, now: datetime
) -> Dossier:
    """The dossier of a game. Raises NotAllowedError, also for who does not direct the event."""
    event = get_event(unit, event_id)
    if director.id not in event.directors:
        raise NotAllowedError("not_director")
    number, index = which
    if not 1 <= number <= len(event.encounters):
        raise NotAllowedError("no_such_encounter", encounter=number)
    encounter = event.encounter(number)
    if not 0 <= index < len(encounter.games):
        raise NotAllowedError("no_such_encounter", encounter=number)
    game = encounter.games[index]
    plays_too = has_played(event, director.id)
    rows = unit.games_of_event(event_id)
    game_id = next((row.game_id for row in rows if (row.encounter, row.game) == which), None)
    view = trends = None
    if game_id is not None:
        view = look(unit, game_id, director, now=now, is_present=not plays_too)
        if view is not None and (view.is_over or not plays_too):
            trends = _trends(unit, game_id)
    return Dossier(
        event=event,
        encounter=encounter,
        index=index,
        game=game,
        game_id=game_id,
        view=view,
        trends=trends,
        statements=statements_for(unit, event_id, number, index, viewer=director.id),
        is_own=has_sat(event, which, director.id),
    )


def has_played(event: Event, player_id: int) -> bool:
    """Whether somebody has a place, or had one."""
    return any(holder.player_id == player_id for each in event.entrants for holder in each.holders)


def _trends(unit: Unit, game_id: str) -> Trends | None:
    chapters = tell_story(unit, get_stored(unit, game_id)).chapters
    found = find_trends(make_document(parse_record(write_record(chapters, {}))))
    return found if found.labels else None
