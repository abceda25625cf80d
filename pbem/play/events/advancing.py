"""What events do by themselves: results come in, rounds turn over, games begin, events end.

``advance`` does all that is due in one event, each thing in a unit of its own: whoever is killed in
between leaves a whole event, and whoever comes next goes on from there. Several may do it at once:
the lock lets one at a time see what is due, and what was done is no longer due. What is due when is
arithmetic (``pbem.tournaments.progress``), what it leads to is ``stepping``'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.play.events.games_of import begin_games, take_result
from pbem.play.events.open_event import OpenEvent
from pbem.play.events.ports import GameOfEvent
from pbem.play.events.stepping import do_step
from pbem.play.ports import Surroundings, Unit
from pbem.tournaments.progress import next_step

MOST_RESULTS: Final = 50
"""How many results are taken in together."""
MOST_STEPS: Final = 10_000
"""After so many steps something goes round in circles."""


class EndlessEventError(RuntimeError):
    """An event whose steps come to no end."""


@dataclass(frozen=True, slots=True)
class Advanced:
    """How many events were looked at, what was done in them, and those in which something went
    wrong, with the reason."""

    events: int
    acts: int
    games: int
    failed: dict[str, str]
    after: str | None = None
    """The event behind which others are due."""


def advance_due(
    around: Surroundings,
    now: datetime,
    *,
    after: str = "",
    limit: int = 20,
    is_stopping: Callable[[], bool] = lambda: False,
) -> Advanced:
    """Let happen what is due in up to ``limit`` events. Running it twice changes nothing. An event
    that cannot go on keeps nobody waiting: the next ones are behind it, ``after``."""
    with around.store.read() as unit:
        due = unit.due_events(now, after=after, limit=limit)
    acts = games = 0
    failed: dict[str, str] = {}
    for event_id in due:
        if is_stopping():
            break
        try:
            done = advance(around, event_id, now, is_stopping=is_stopping)
            acts, games = acts + done.acts, games + done.games
        except (StoreBusyError, StoreUnavailableError):
            raise
        except Exception as error:  # whatever a damaged row brings about
            failed[event_id] = f"{type(error).__name__}: {error}"
    return Advanced(len(due), acts, games, failed, due[-1] if len(due) == limit else None)


def has_due(around: Surroundings, now: datetime) -> bool:
    """Whether something is to be done in an event."""
    with around.store.read() as unit:
        return bool(unit.due_events(now, after="", limit=1))


def advance(
    around: Surroundings,
    event_id: str,
    now: datetime,
    *,
    is_stopping: Callable[[], bool] = lambda: False,
) -> Advanced:
    """Let happen all that is due in one event."""
    acts = games = 0
    for _ in range(MOST_STEPS):
        done = _take_results(around, event_id, now) or _step(around, event_id, now)
        if not done or is_stopping():
            break
        acts += done
    else:
        raise EndlessEventError(event_id)
    for number in _to_begin(around, event_id):
        if is_stopping():
            break
        games += _begin(around, event_id, number, now)
    return Advanced(1, acts, games, {})


def _take_results(around: Surroundings, event_id: str, now: datetime) -> int:
    """Take in the results of games that are over; how many were looked at."""
    with around.store.read() as unit:
        if not _ended(unit, event_id):
            return 0
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        ended = _ended(unit, event_id)[:MOST_RESULTS]
        for row in ended:
            take_result(unit, opened, row, now=now)
        opened.save()
        return len(ended)


def _ended(unit: Unit, event_id: str) -> Sequence[GameOfEvent]:
    return [row for row in unit.waiting_event_games(event_id) if row.is_over]


def _step(around: Surroundings, event_id: str, now: datetime) -> int:
    """Do the next step that is due; how many acts it took, 0 if none is."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        before = opened.event.acts
        step = next_step(opened.event, now)
        if step is None:
            return 0
        do_step(around, unit, opened, step, now=now)
        opened.save()
        return opened.event.acts - before


def _to_begin(around: Surroundings, event_id: str) -> Sequence[int]:
    """The encounters with games that are to begin."""
    with around.store.read() as unit:
        stored = unit.find_event(event_id)
        if stored is None or stored.phase != "running":
            return ()
        return sorted(
            {
                row.encounter
                for row in unit.waiting_event_games(event_id)
                if row.game_id is None and row.round <= stored.round
            }
        )


def _begin(around: Surroundings, event_id: str, number: int, now: datetime) -> int:
    """Begin the games of one encounter; how many. A pair begins together, or not at all."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        event = opened.event
        if event.phase != "running" or event.encounter(number).round > event.round:
            return 0
        return begin_games(around, unit, opened, event.encounter(number), now=now)
