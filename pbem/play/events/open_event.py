"""An event under lock: the one place where acts are written.

Holds an event inside a unit, does acts to it, and keeps the row that lists are made of. What a log
came to is kept between units as long as its marks vouch for it (``ports``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from pbem.play.errors import NotAllowedError, PlayError
from pbem.play.events.ports import Role, StoredEvent
from pbem.play.ports import Surroundings, Unit
from pbem.shelf import Shelf
from pbem.tournaments.acts import MADE, Act, ActRefused, apply, begin, fold
from pbem.tournaments.event import Event
from pbem.tournaments.progress import due_at

MARK_BYTES: Final = 8
MAX_REASON: Final = 2000
MOST_A_DAY: Final[Mapping[str, int]] = {
    "entered": 20,
    "late_entry": 20,
    "substitute_asked": 30,
    "director_added": 20,
    "changed": 40,
    "paused": 20,
    "extended": 40,
    "warned": 60,
}
"""How often a day one player does what others are written to about, or what makes logs long."""
MOST_KEPT: Final = 20_000
"""How many entrants and encounters are kept of all events together."""


class NoSuchEventError(PlayError):
    """There is no event of that name."""

    code = "no_such_event"


_kept: Final[Shelf[str, tuple[int, str, Event]]] = Shelf(
    MOST_KEPT, lambda kept: 1 + len(kept[2].entrants) + len(kept[2].encounters)
)
"""What logs came to, by event: the revision, the mark of the last act, and the event."""


class OpenEvent:
    """An event that this unit has locked."""

    def __init__(self, around: Surroundings, unit: Unit, stored: StoredEvent, event: Event) -> None:
        self.stored = stored
        self.event = event
        self._around = around
        self._unit = unit
        self._people = people_of(event) if stored.acts else frozenset()

    @classmethod
    def lock(cls, around: Surroundings, unit: Unit, event_id: str) -> OpenEvent:
        """The event, kept from all other units. Raises NoSuchEventError."""
        stored = unit.lock_event(event_id)
        if stored is None:
            raise NoSuchEventError(event=event_id)
        return cls(around, unit, stored, load_event(unit, stored))

    @classmethod
    def make(
        cls,
        around: Surroundings,
        unit: Unit,
        event_id: str,
        *,
        by: int | None,
        charter: Mapping[str, object],
        at: datetime,
    ) -> OpenEvent:
        """A new event with its first act."""
        act = Act(1, at, by, MADE, facts={"charter": dict(charter)})
        event = begin(event_id, act)
        stored = StoredEvent(event_id, event.charter.title, event.charter.format, "draft", at)
        unit.add_event(stored)
        made = cls(around, unit, stored, event)
        made._write(act)
        return made

    def act(
        self,
        name: str,
        *,
        at: datetime,
        by: int | None = None,
        player: int | None = None,
        reason: str = "",
        **facts: Any,
    ) -> Act:
        """Do one more act. Raises NotAllowedError, and nothing has changed."""
        number = self.event.acts + 1
        act = Act(number, at, by, name, player, facts, reason.strip()[:MAX_REASON])
        try:
            after = apply(self.event, act)
        except ActRefused as refused:
            raise NotAllowedError(refused.code, **refused.facts) from None
        most = MOST_A_DAY.get(name)
        if by is not None and most is not None:
            bucket = f"event/{name}/{by}"
            if self._unit.count_event(bucket, at, timedelta(days=1)) > most:
                raise NotAllowedError("acted_often", most=most)
        self.event = after
        self._write(act)
        return act

    def _write(self, act: Act) -> None:
        mark = _mark(self.stored.mark, self._around.entropy(MARK_BYTES), act)
        self._unit.add_act(self.stored.id, act, mark)
        self.stored = replace(self.stored, acts=act.number, mark=mark)

    def save(self) -> None:
        """Keep the event: what lists show, when to look again, who has to do with it."""
        event = self.event
        people = people_of(event)
        self._unit.change_people(event.id, gone=self._people - people, come=people - self._people)
        self._people = people
        self.stored = as_listed(self.stored, event)
        self._unit.save_event(self.stored)


def as_listed(stored: StoredEvent, event: Event) -> StoredEvent:
    """The row of an event as it stands."""
    return replace(
        stored,
        title=event.charter.title,
        phase=event.phase,
        entrants=sum(each.is_in for each in event.entrants),
        round=event.round,
        starts_at=event.charter.starts_at,
        due=due_at(event),
    )


def _mark(before: str, salt: bytes, act: Act) -> str:
    """What vouches for a log up to an act: no other log ends in the same."""
    plain = [before, salt.hex(), act.at.isoformat(), act.by, act.name, act.player, act.reason]
    text = json.dumps([*plain, act.facts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def people_of(event: Event) -> frozenset[tuple[int, Role]]:
    """Who has something to do with an event, and what."""
    found: set[tuple[int, Role]] = {(each, "director") for each in event.directors}
    for entrant in event.entrants:
        if entrant.standing == "waiting":
            found.add((entrant.player_id, "waiting"))
        elif entrant.is_in or event.phase not in ("draft", "open"):
            found.add((entrant.player_id, "entrant"))
    found |= {(each.player_id, "asked") for each in event.asked}
    return frozenset(found)


def get_event(unit: Unit, event_id: str) -> Event:
    """An event as it stands, not locked. Raises NoSuchEventError."""
    stored = unit.find_event(event_id)
    if stored is None:
        raise NoSuchEventError(event=event_id)
    return load_event(unit, stored)


def load_event(unit: Unit, stored: StoredEvent) -> Event:
    """What the log of an event comes to."""
    kept = _kept.find(stored.id)
    if kept is not None and kept[:2] == (stored.revision, stored.mark):
        return kept[2]
    event: Event | None = None
    if kept is not None and kept[0] == stored.revision:
        # The last act that is known is read again: who wrote it may have undone it.
        acts = unit.acts_of(stored.id, since=kept[2].acts)
        if acts and acts[0].mark == kept[1]:
            event = fold(stored.id, (each.act for each in acts[1:]), kept[2])
    if event is None:
        event = fold(stored.id, (each.act for each in unit.acts_of(stored.id)))
    if event is None or event.acts != stored.acts:
        raise NoSuchEventError(event=stored.id)
    _kept.keep(stored.id, (stored.revision, stored.mark, event))
    return event
