"""When a round is over, and what that leads to in Swiss events and round robins.

A round is over with its last game, or at its limit: so many days after it began, and those by which
a director prolonged it. Games that still go on then go on, and are counted when they end. Who meets
whom is ``swiss``'s and ``round_robin``'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.tournaments import round_robin, swiss
from pbem.tournaments.event import DRAW, Encounter, Event, Result
from pbem.tournaments.field import rounds_planned
from pbem.tournaments.round_robin import FINAL
from pbem.tournaments.standings import standings
from pbem.tournaments.steps import Finish, OpenRound, PairRound, Step

Coming = Iterator[tuple[datetime | None, Step]]


def is_paced(event: Event) -> bool:
    """Whether encounters are paired ahead of the rounds in which they begin."""
    charter = event.charter
    return charter.pace == "rounds" and charter.format in ("round_robin", "league")


def running(event: Event) -> tuple[int, ...]:
    """The encounters that have begun and are not over."""
    return tuple(
        each.number for each in event.encounters if each.round <= event.round and not each.is_over
    )


def is_over(event: Event) -> bool:
    """Whether every encounter is over that was ever paired."""
    return all(each.is_over for each in event.encounters)


def can_go_on(event: Event) -> bool:
    """Whether two are left who could meet."""
    return sum(each.is_in for each in event.entrants) > 1


def limit_of(event: Event) -> datetime | None:
    """When the present round is at its limit; None if it waits for its last game."""
    if not event.charter.round_days or event.round_began is None:
        return None
    return event.round_began + timedelta(days=event.charter.round_days + event.extra_days)


def turning(event: Event, step: Step, *, of: Iterable[Encounter] | None = None) -> Coming:
    """The step once the present round (or what else is told) is over: at once, at its limit, or
    not by itself."""
    if all(each.is_over for each in (event.of_round(event.round) if of is None else of)):
        yield None, step
    else:
        limit = limit_of(event)
        if limit is not None:
            yield limit, step


def opening(event: Event) -> Coming:
    """The next of the rounds that were paired ahead."""
    ahead = min((each.round for each in event.encounters if each.round > event.round), default=None)
    if ahead is not None:
        yield from turning(event, OpenRound(ahead, running(event)))


def finishing(event: Event) -> Coming:
    """The end of the event, once all that was paired is over."""
    if is_over(event):
        yield None, Finish()


def as_drawn(event: Event) -> Event:
    """The event as if the games that still go on were draws: for who goes where next."""
    drawn = Result(DRAW, DRAW)
    encounters = tuple(
        each
        if each.is_over
        else replace(
            each, games=tuple(replace(game, result=game.result or drawn) for game in each.games)
        )
        for each in event.encounters
    )
    return replace(event, encounters=encounters)


def swiss_rounds(event: Event) -> int:
    """How many rounds a Swiss event has."""
    return rounds_planned(event)


def swiss_coming(event: Event) -> Coming:
    """What is to come of a Swiss event."""
    if event.round < swiss_rounds(event) and can_go_on(event):
        if event.round == 0:
            yield None, PairRound(1)
        else:
            yield from turning(event, PairRound(event.round + 1, running(event)))
    else:
        yield from finishing(event)


def pair_swiss(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """The next round of a Swiss event."""
    return swiss.pair(event, seed=seed)


def round_robin_coming(event: Event) -> Coming:
    """What is to come of a round robin: its rounds, the final of its groups, its end."""
    if not event.encounters and can_go_on(event):
        yield None, PairRound(1)
    elif any(each.round > event.round for each in event.encounters):
        yield from opening(event)
    elif is_over(event) and awaits_final(event):
        yield None, PairRound(event.round + 1)
    else:
        yield from finishing(event)


def awaits_final(event: Event) -> bool:
    """Whether groups were played whose final is not paired yet, and two are left for it."""
    stages = {each.stage for each in event.encounters}
    if stages <= {""} or FINAL in stages:
        return False
    left = {stage: set[int]() for stage in stages}
    for each in event.encounters:
        left[each.stage] |= {number for number in each.entrants if event.entrant(number).is_in}
    return sum(min(len(group), event.charter.finalists) for group in left.values()) > 1


def pair_round_robin(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """All groups of a round robin, or their final."""
    if not event.encounters:
        return round_robin.schedule(event, seed=seed)
    stages = dict.fromkeys(each.stage for each in event.encounters)
    tables = {stage: [row.entrant for row in standings(event, stage)] for stage in stages}
    return round_robin.finals(event, seed=seed, tables=tables)
