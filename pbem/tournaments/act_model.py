"""What an act is, and how one is refused. ``acts`` says what each does to an event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from pbem.errors import PbemError
from pbem.tournaments.event import Entrant, Event, Phase


class ActRefused(PbemError):
    """An act that cannot be done to an event as it stands; nothing has changed. ``code`` is stable,
    what somebody reads is made from it."""

    def __init__(self, code: str, **facts: object) -> None:
        self.code = code
        self.facts = facts
        details = ", ".join(f"{name}={value}" for name, value in facts.items())
        super().__init__(f"{code}{': ' + details if details else ''}")


@dataclass(frozen=True, slots=True)
class Act:
    """One line of an event's log. ``number`` counts from 1; ``by`` is the player who did it, None
    for the server; ``player`` is whom it is about. ``facts`` are plain values and name entrants,
    never players: accounts can be merged."""

    number: int
    at: datetime
    by: int | None
    name: str
    player: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


BEFORE: Final[tuple[Phase, ...]] = ("draft", "open")
GOING: Final[tuple[Phase, ...]] = ("running", "paused")
NOT_OVER: Final[tuple[Phase, ...]] = (*BEFORE, *GOING)


def entrant_of(event: Event, act: Act) -> Entrant:
    """The place an act is about, by its number. Raises ActRefused."""
    number = act.facts.get("entrant")
    if not isinstance(number, int) or not 1 <= number <= len(event.entrants):
        raise ActRefused("no_such_entrant", entrant=number)
    return event.entrant(number)
