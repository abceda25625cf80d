"""What players have to say before a director rules on their game.

A statement is for the directors and its author alone; another one replaces it. Directors are told
that a game waits for them once for each statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from pbem.play.errors import NotAllowedError
from pbem.play.events import notices
from pbem.play.events.directing import GameKey, has_sat
from pbem.play.events.open_event import OpenEvent, get_event
from pbem.play.events.ports import Statement
from pbem.play.ports import Surroundings, Unit

MAX_STATEMENT: Final = 4000


def state(
    around: Surroundings,
    event_id: str,
    player_id: int,
    which: GameKey,
    text: str,
    *,
    now: datetime,
) -> Statement:
    """Say something to the directors about one's own game that goes on. Raises NotAllowedError."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        event = opened.event
        encounter, game = which
        if not 1 <= encounter <= len(event.encounters):
            raise NotAllowedError("no_such_encounter", encounter=encounter)
        games = event.encounter(encounter).games
        if not 0 <= game < len(games):
            raise NotAllowedError("no_such_encounter", encounter=encounter)
        sides = [event.entrant(each).player_id for each in (games[game].gold, games[game].black)]
        if player_id not in sides:
            raise NotAllowedError("not_in_event")
        if games[game].result is not None:
            raise NotAllowedError("has_result")
        made = Statement(event_id, encounter, game, player_id, now, text.strip()[:MAX_STATEMENT])
        unit.save_statement(made)
        notices.tell(
            unit,
            notices.DOSSIER,
            event.directors,
            cause=f"event/{event_id}/statement/{encounter}/{game}/{player_id}",
            at=now,
            event_id=event_id,
            encounter=encounter,
            game=game,
        )
        return made


def statements_for(
    unit: Unit, event_id: str, encounter: int, game: int, *, viewer: int | None
) -> Sequence[Statement]:
    """What was said about a game, as far as a viewer may read it."""
    event = get_event(unit, event_id)
    # A director who has a hand in the game is a player of it, and no judge.
    reads_all = viewer in event.directors and not has_sat(event, (encounter, game), viewer)
    found = unit.statements_of(event_id, encounter, game)
    return [each for each in found if reads_all or each.player_id == viewer]
