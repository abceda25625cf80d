"""Whether what is kept of events follows from their logs, which are what counts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from pbem.play.events.open_event import as_listed, people_of
from pbem.play.events.ports import StoredEvent
from pbem.play.ports import Surroundings, Unit
from pbem.tournaments.acts import ActRefused, fold
from pbem.tournaments.event import Phase

EVERY: Final[tuple[Phase, ...]] = ("draft", "open", "running", "paused", "over", "cancelled")
_PAGE: Final = 50


def check_events(around: Surroundings) -> tuple[int, list[str]]:
    """How many events there are, and in what they differ from their logs."""
    before: tuple[datetime, str] | None = None
    checked, differences = 0, list[str]()
    while True:
        with around.store.read() as unit:
            page = unit.newest_events(EVERY, before=before, limit=_PAGE)
            for stored in page:
                differences += (f"{stored.id}: {text}" for text in _differences(unit, stored))
        checked += len(page)
        if len(page) < _PAGE:
            return checked, differences
        before = (page[-1].created_at, page[-1].id)


def _differences(unit: Unit, stored: StoredEvent) -> Iterator[str]:
    kept = unit.acts_of(stored.id)
    try:
        event = fold(stored.id, (each.act for each in kept))
    except (ActRefused, KeyError, ValueError, TypeError) as error:
        yield f"its log cannot be read: {error}"
        return
    if event is None:
        yield "it has no log"
        return
    if (stored.acts, stored.mark) != (len(kept), kept[-1].mark):
        yield f"its row tells of {stored.acts} acts, and its log has {len(kept)}"
    if as_listed(stored, event) != stored:
        yield "its row is not what its log comes to"
    listed = {
        (player_id, role)
        for player_id in {person for person, _ in people_of(event)}
        for each, role in unit.events_of(player_id)
        if each.id == stored.id
    }
    if listed != people_of(event):
        yield "not everybody is listed who has to do with it"
    wanted = {(each.number, n) for each in event.encounters for n in range(len(each.games))}
    rows = unit.games_of_event(stored.id)
    if {(row.encounter, row.game) for row in rows} != wanted:
        yield "its games are not those that were paired"
    for row in rows:
        result = event.encounter(row.encounter).games[row.game].result
        if result is not None and not row.is_counted:
            yield f"a game of encounter {row.encounter} has a result and still waits for one"
