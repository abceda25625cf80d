"""How an event goes on by itself: which step is due, when the next one is, and what is paired.

Nothing here depends on when somebody asks: a step follows from the event, and an instant from the
charter and from when the present round began. A director who pauses an event stops all of it. Each
format says what is due in it; what is the same for all is here. The steps themselves are ``steps``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from pbem.tournaments import beginning, knockout, ladder, league, rounds, teams
from pbem.tournaments.charter import Format
from pbem.tournaments.event import LOSS, WIN, Encounter, Event, Result
from pbem.tournaments.steps import Step, Walkover

AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)
"""The instant of a step that waits for nothing."""

Coming = Iterator[tuple[datetime | None, Step]]

_FORMATS: Final[Mapping[Format, Callable[[Event], Coming]]] = {
    "swiss": rounds.swiss_coming,
    "round_robin": rounds.round_robin_coming,
    "knockout": knockout.coming,
    "league": league.coming,
    "ladder": ladder.coming,
    "teams": teams.coming,
}
_PAIRINGS: Final[Mapping[Format, Callable[..., tuple[Encounter, ...]]]] = {
    "swiss": rounds.pair_swiss,
    "round_robin": rounds.pair_round_robin,
    "knockout": knockout.pair,
    "league": league.pair,
    "ladder": ladder.pair,
    "teams": teams.pair,
}


def next_step(event: Event, now: datetime) -> Step | None:
    """What is due by now, the earliest first; None if nothing is. Do it, and ask again."""
    found = _first(event, now)
    return found[1] if found is not None and found[0] <= now else None


def due_at(event: Event) -> datetime | None:
    """The next instant at which something happens by itself; ``AT_ONCE`` if something is due
    whatever the time. None if everything waits for players or directors."""
    found = _first(event, None)
    return None if found is None else found[0]


def pair(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """The encounters that are due, numbers following on. To be asked when ``PairRound`` is."""
    return _PAIRINGS[event.charter.format](event, seed=seed)


def round_after(event: Event, encounters: tuple[Encounter, ...]) -> int:
    """Which round has begun once these are paired: ``Event.round`` from then on.

    Encounters of later rounds are paired ahead: their games are started when their round begins
    (``OpenRound``).
    """
    numbers = [each.round for each in encounters]
    if rounds.is_paced(event):
        return max(event.round, min(numbers, default=event.round))
    return max(event.round, *numbers, 0)


def _first(event: Event, now: datetime | None) -> tuple[datetime, Step] | None:
    """The earliest of all that is to come; of what comes together, what was named first."""
    first: tuple[datetime, Step] | None = None
    for at, step in _coming(event, now):
        if at is None:
            return AT_ONCE, step
        if first is None or at < first[0]:
            first = at, step
    return first


def _coming(event: Event, now: datetime | None) -> Coming:
    if event.phase == "open":
        yield from beginning.coming(event, now)
    elif event.phase == "running":
        yield from _walkovers(event)
        yield from _FORMATS[event.charter.format](event)


def _walkovers(event: Event) -> Coming:
    """Games of those who are out: the others win; if both are out, nobody does."""
    out = {each.number for each in event.entrants if each.standing in ("withdrawn", "disqualified")}
    if not out:
        return
    for encounter in event.encounters:
        if encounter.home not in out and encounter.away not in out:
            continue
        for index, game in enumerate(encounter.games):
            if game.result is None:
                yield None, Walkover(encounter.number, index, _walkover(game.gold, game.black, out))


def _walkover(gold: int, black: int, out: set[int]) -> Result:
    if gold in out and black in out:
        return Result(LOSS, LOSS, "void")
    return Result(LOSS, WIN, "forfeit") if gold in out else Result(WIN, LOSS, "forfeit")
