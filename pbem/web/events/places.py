"""Where a game belongs, on pages of games: its event, its round, and the way there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.play.events.ports import GameOfEvent
from pbem.play.ports import Unit


@dataclass(frozen=True, slots=True)
class GamePlace:
    """The event of a game."""

    event_id: str
    title: str
    round: int
    """0 in a ladder, which has none."""
    encounter: int
    index: int
    is_counted: bool
    """Whether its result is part of the event already: there is nothing left to rule on."""


def find_place(unit: Unit, game_id: str) -> GamePlace | None:
    """The event of a game, if it is one of an event."""
    row = unit.find_event_game(game_id)
    return None if row is None else _place(unit, row)


def find_places(unit: Unit, game_ids: Iterable[str]) -> dict[str, GamePlace]:
    """The events of those of some games that are of one."""
    found = ((game_id, find_place(unit, game_id)) for game_id in game_ids)
    return {game_id: place for game_id, place in found if place is not None}


def _place(unit: Unit, row: GameOfEvent) -> GamePlace | None:
    event = unit.find_event(row.event_id)
    if event is None:
        return None
    return GamePlace(
        event_id=row.event_id,
        title=event.title,
        round=0 if event.format == "ladder" else row.round,
        encounter=row.encounter,
        index=row.game,
        is_counted=row.is_counted,
    )
