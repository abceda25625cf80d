"""Until an event begins: the waiting list, the end of entering, check-in, and whether enough came.

What follows once it runs is ``progress``'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from pbem.tournaments.event import Entrant, Event
from pbem.tournaments.steps import AskCheckIn, Begin, CloseEntries, MoveUp, PutOff, Step

PUT_OFF: Final = timedelta(days=7)
"""By how much a start is put off if too few are there."""
FEWEST: Final = 2


def free_places(event: Event) -> int:
    """How many could still come in; as many as like to if nobody set a limit."""
    limit = event.charter.max_entrants
    if not limit:
        return len(event.entrants)
    return max(0, limit - sum(each.is_in for each in event.entrants))


def who_begins(event: Event) -> Begin:
    """Who is out and who comes in if the event began now.

    If check-in was asked for, who has not checked in is out, and who waits comes in only if they
    have: first come, first in.
    """
    asked = event.check_in_asked
    absent = tuple(
        each.number for each in event.entrants if asked and each.is_in and not each.is_checked_in
    )
    ready = [each.number for each in _waiting(event) if each.is_checked_in or not asked]
    return Begin(absent, tuple(ready[: free_places(event) + len(absent)]))


def enough(event: Event, begin: Begin) -> tuple[int, int]:
    """How many would be there, and how many must be: of teams in a team match, else of entrants."""
    there = {each.number for each in event.entrants if each.is_in}
    there = (there - set(begin.absent)) | set(begin.moved_up)
    if event.charter.format == "teams":
        return len({event.entrant(number).team for number in there}), FEWEST
    return len(there), max(event.charter.min_entrants, FEWEST)


def coming(event: Event, now: datetime | None) -> Iterator[tuple[datetime | None, Step]]:
    """What is to come of an open event, each with its instant; None is at once."""
    charter = event.charter
    free = free_places(event)
    up = tuple(each.number for each in _waiting(event))[:free]
    if up:
        yield None, MoveUp(up)
    if charter.closes_at is not None and not event.is_closed:
        yield charter.closes_at, CloseEntries()
    starts_at = charter.starts_at
    if starts_at is None:
        return
    if charter.check_in_hours and not event.check_in_asked:
        yield starts_at - timedelta(hours=charter.check_in_hours), AskCheckIn()
    begin = who_begins(event)
    found, least = enough(event, begin)
    if found >= least:
        yield starts_at, begin
    else:
        late = max(timedelta(), (now or starts_at) - starts_at)
        yield starts_at, PutOff(starts_at + (late // PUT_OFF + 1) * PUT_OFF, found, least)


def _waiting(event: Event) -> Iterator[Entrant]:
    return (each for each in event.entrants if each.standing == "waiting")
