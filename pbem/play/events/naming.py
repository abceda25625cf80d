"""Who is who in an event: the names of those who have a place in it, now and before.

A place can change hands (``Entrant.holders``); what was done before is told with the name of
whoever had it then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.play.ports import Unit
from pbem.tournaments.event import Event

NOBODY: Final = "?"
"""Of a player who cannot be found."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of an event's people."""

    event: Event
    players: Mapping[int, str]
    """By player number: all who have or had a place, or direct it."""

    def of_player(self, player_id: int | None) -> str:
        """The name of a player."""
        return NOBODY if player_id is None else self.players.get(player_id, NOBODY)

    def of(self, number: int) -> str:
        """Who has this place now."""
        return self.of_player(self.event.entrant(number).player_id)

    def at(self, number: int, act: int) -> str:
        """Who had this place when an act was done."""
        holders = self.event.entrant(number).holders
        had = [holder for holder in holders if holder.since <= act] or [holders[0]]
        return self.of_player(had[-1].player_id)

    def before(self, number: int) -> tuple[str, ...]:
        """Who had this place before, first to last."""
        holders = self.event.entrant(number).holders[:-1]
        return tuple(self.of_player(holder.player_id) for holder in holders)

    @property
    def by_entrant(self) -> dict[int, str]:
        """All places with who has them now."""
        return {each.number: self.of_player(each.player_id) for each in self.event.entrants}


def names_in(unit: Unit, event: Event, others: Iterable[int | None] = ()) -> Names:
    """The names of all who have to do with an event, and of some others."""
    wanted = {*event.directors, *(each for each in others if each is not None)}
    wanted |= {holder.player_id for each in event.entrants for holder in each.holders}
    wanted |= {each.player_id for each in event.asked}
    names = dict(unit.names_in_event(event.id))
    found = ((number, unit.find_player(number)) for number in sorted(wanted - names.keys()))
    names |= {number: player.name for number, player in found if player is not None}
    return Names(event, names)
