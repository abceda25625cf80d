"""Why two do not meet in a round: what stood against it, or what the round would have cost.

In a Swiss event the best round in which they do meet is looked for and held against the one that
was paired: the first level of ``weighing`` on which it is worse is the true reason. The sentences
are in ``pbem.play.events.saying_why``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pbem.tournaments.event import Encounter, Event, Why
from pbem.tournaments.field import Field, Player, field_of
from pbem.tournaments.matching import Pair
from pbem.tournaments.swiss import best_round, cost_of_pair
from pbem.tournaments.weighing import Cost
from pbem.tournaments.why_apart import APART


def why_not(
    event: Event, encounters: tuple[Encounter, ...], one: int, other: int
) -> tuple[Why, ...]:
    """Why ``one`` does not meet ``other`` in a round: ``event`` is as it was before the encounters
    were paired. If they do meet, why."""
    for encounter in encounters:
        if {one, other} == set(encounter.entrants) and len(encounter.entrants) == 2:
            return (Why("they_meet", _both(one, other)), *encounter.why)
    if event.charter.format == "swiss":
        return tuple(_in_swiss(event, encounters, one, other))
    return tuple(_in_stages(event, encounters, one, other))


def _in_swiss(
    event: Event, encounters: tuple[Encounter, ...], one: int, other: int
) -> Iterator[Why]:
    field = field_of(event)
    places = {each.number: each.place for each in field.players}
    absent = [number for number in (one, other) if number not in places]
    if absent:
        yield from (Why("not_paired", {"entrant": number}) for number in absent)
        return
    upper, lower = sorted((places[one], places[other]))
    couple = (upper, lower)
    yield from _between(field, field.players[upper], field.players[lower])
    found = _total(field, _couples(field, places, encounters))
    forced = _total(field, best_round(field, seed=b"", forced=couple))
    foreseen = any(why.code == "foreseen" for each in encounters for why in each.why)
    yield _compared(forced, found, _both(one, other), foreseen=foreseen)


def _between(field: Field, upper: Player, lower: Player) -> Iterator[Why]:
    """What there is between the two themselves, whatever the others do."""
    both = _both(upper.number, lower.number)
    meetings = field.find_meetings(upper.number, lower.number)
    if meetings is not None:
        yield Why("already_met", both | {"times": meetings[0], "round": meetings[1]})
    if upper.points != lower.points:
        yield Why("other_score", both | {"points": upper.points, "other_points": lower.points})
    if upper.tilt == lower.tilt and upper.tilt:
        yield Why("both_started_more" if upper.tilt > 0 else "both_started_less", both)


def _compared(forced: Cost, found: Cost, both: dict[str, int | str], *, foreseen: bool) -> Why:
    for level, instead, paired in zip(Cost._fields, forced, found, strict=True):
        if instead > paired:
            return Why(f"worse_{level}", both)
        if instead < paired:
            break
    else:
        return Why("worse_foreseen" if foreseen else "worse_by_lot", both)
    if foreseen:
        return Why("worse_foreseen", both)
    # Such a round was not paired by ``swiss``, or only near pairs of a large field were weighed.
    return Why("worse_as_weighed", both)


def _in_stages(
    event: Event, encounters: tuple[Encounter, ...], one: int, other: int
) -> Iterator[Why]:
    """Where all of a table meet all: in which round these two do, or that their tables differ."""
    both = _both(one, other)
    everything = (*event.encounters, *encounters)
    rounds = [each.round for each in everything if {one, other} == set(each.entrants)]
    if rounds:
        yield from (Why("meet_in_round", both | {"round": number}) for number in rounds)
        return
    apart = APART.get(event.charter.format)
    if apart is not None:
        yield from apart(replace(event, encounters=everything), one, other)
        return
    stages = {number: _stage(encounters, number) for number in (one, other)}
    if None in stages.values():
        yield from (
            Why("not_paired", {"entrant": number})
            for number, stage in stages.items()
            if stage is None
        )
    else:
        yield Why("other_table", both)


def _stage(encounters: Iterable[Encounter], number: int) -> str | None:
    return next((each.stage for each in encounters if number in each.entrants), None)


def _couples(
    field: Field, places: dict[int, int], encounters: Iterable[Encounter]
) -> Iterator[Pair]:
    for encounter in encounters:
        here = sorted(places.get(each, len(places)) for each in encounter.entrants)
        yield here[0], here[1] if encounter.away is not None else len(field.players)


def _total(field: Field, couples: Iterable[Pair]) -> Cost:
    found = Cost()
    for couple in couples:
        found = found.plus(cost_of_pair(field, couple))
    return found


def _both(one: int, other: int) -> dict[str, int | str]:
    return {"entrant": one, "other": other}
