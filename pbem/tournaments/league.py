"""Promotion league: divisions, seasons, and who goes up and down between them.

In a season each division plays a round robin; its stage is ``S2/1`` for the first division of the
second season, and rounds count on from season to season. A season is over with its last game, or
at its limit: then what still goes on counts as a draw for going up and down, and in the table as
soon as it ends. Then the best ``movers`` of each division change with the last of the one above.
Who leaves counts as going down: free places are filled from below, in order. Who is new comes
below all others. Every division but the last has ``size`` places; the last one has those who are
left, and if they are too few for one of their own they play in the one above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from pbem.tournaments.event import Encounter, Event, Why
from pbem.tournaments.round_robin import all_meet, numbered, placed
from pbem.tournaments.rounds import (
    Coming,
    as_drawn,
    can_go_on,
    finishing,
    opening,
    running,
    turning,
)
from pbem.tournaments.seeding import seeded
from pbem.tournaments.standings import standings
from pbem.tournaments.steps import PairRound

SMALLEST: Final = 3
"""A last division has at least so many."""


class Division(NamedTuple):
    """Where a table of a league belongs: season and division, both from 1."""

    season: int
    number: int


def stage_of(season: int, number: int) -> str:
    """The stage of a division in a season."""
    return f"S{season}/{number}"


def find_division(stage: str) -> Division | None:
    """The inverse of ``stage_of``; None for a stage that is no division's."""
    season, slash, number = stage.removeprefix("S").partition("/")
    if not (stage.startswith("S") and slash and season.isdecimal() and number.isdecimal()):
        return None
    return Division(int(season), int(number))


def season_of(event: Event) -> int:
    """The season that is played; 0 before the first."""
    last = find_division(event.encounters[-1].stage) if event.encounters else None
    return 0 if last is None else last.season


def divisions(event: Event, season: int) -> tuple[tuple[int, ...], ...]:
    """Who plays in each division of a season, the best first, as they stand now.

    What still goes on counts as a draw.
    """
    settled = as_drawn(event)
    stages = {each.stage for each in _of_season(event, season)}
    numbers = sorted(found.number for found in map(find_division, stages) if found is not None)
    return tuple(
        tuple(row.entrant for row in standings(settled, stage_of(season, number)))
        for number in numbers
    )


def next_season(event: Event) -> tuple[tuple[int, ...], ...]:
    """Who plays in each division of the next season, in the order in which they come to it."""
    stayed = [
        [number for number in division if event.entrant(number).is_in]
        for division in divisions(event, season_of(event))
    ]
    known = {number for each in event.encounters for number in each.entrants}
    new = [
        each.number for each in seeded(event.entrants) if each.is_in and each.number not in known
    ]
    order = [number for division in moved(stayed, event.charter.movers) for number in division]
    return parted([*order, *new], event.charter.size)


def moved(standing: Sequence[Sequence[int]], movers: int) -> list[list[int]]:
    """Divisions after the best and the last of neighbours have changed places.

    Who comes down stands above those who stay, and they above who comes up: who is nearest to a
    place that is free in the division above comes first.
    """
    counts = [
        min(movers, len(upper) // 2, (len(lower) + 1) // 2) for upper, lower in pairwise(standing)
    ]
    found = []
    for index, division in enumerate(standing):
        up = counts[index - 1] if index else 0
        down = counts[index] if index < len(counts) else 0
        come_down = list(standing[index - 1])[-up:] if up else []
        come_up = list(standing[index + 1])[:down] if down else []
        found.append([*come_down, *division[up : len(division) - down], *come_up])
    return found


def parted(order: Sequence[int], size: int) -> tuple[tuple[int, ...], ...]:
    """Divisions of ``size``; a rest that is too small for one plays in the one above."""
    found = [tuple(order[first : first + size]) for first in range(0, len(order), size)]
    if len(found) > 1 and len(found[-1]) < min(SMALLEST, size):
        rest = found.pop()
        found[-1] += rest
    return tuple(found)


def pair(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """All encounters of the next season."""
    season = season_of(event) + 1
    last = max((each.round for each in event.encounters), default=0)
    before = _divisions_of(event)
    made: list[Encounter] = []
    for number, members in enumerate(next_season(event), 1):
        stage = stage_of(season, number)
        places = placed(event, members, stage=stage, seed=seed)
        made += (
            replace(each, why=(*_why(before, each, Division(season, number)), *each.why))
            for each in all_meet(places, event.charter, stage=stage, after=last)
        )
    return numbered(made, after=len(event.encounters))


def coming(event: Event) -> Coming:
    """What is to come of a league: rounds of a season, the next season, the end."""
    seasons = event.charter.rounds
    if any(each.round > event.round for each in event.encounters):
        yield from opening(event)
    elif can_go_on(event) and (not seasons or season_of(event) < seasons):
        if event.encounters:
            played = _of_season(event, season_of(event))
            yield from turning(event, PairRound(event.round + 1, running(event)), of=played)
        else:
            yield None, PairRound(1)
    else:
        yield from finishing(event)


def _of_season(event: Event, season: int) -> Iterator[Encounter]:
    return (each for each in event.encounters if each.stage.startswith(f"S{season}/"))


def _divisions_of(event: Event) -> dict[int, int]:
    """In which division each played in the season that is over."""
    found = {}
    for each in _of_season(event, season_of(event)):
        division = find_division(each.stage)
        if division is not None:
            found.update(dict.fromkeys(each.entrants, division.number))
    return found


def _why(before: Mapping[int, int], each: Encounter, at: Division) -> Iterator[Why]:
    """That both play in a division, and for each whether they are new to it."""
    yield Why("league_division", {"season": at.season, "division": at.number})
    for number in each.entrants if at.season > 1 else ():
        was = before.get(number)
        if was is None:
            yield Why("league_new", {"entrant": number})
        elif was != at.number:
            code = "league_came_up" if was > at.number else "league_came_down"
            yield Why(code, {"entrant": number, "from": was})
