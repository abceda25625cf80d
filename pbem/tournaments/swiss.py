"""Pairing a round of a Swiss event: any number of entrants, the best round as a whole.

``field`` is who can be paired, ``weighing`` what is good and bad, ``matching`` finds the best;
here the three come together and become encounters. Why is written down by ``swiss_reasons``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import Final, Literal

from pbem.tournaments.event import Encounter, Event
from pbem.tournaments.field import Field, field_of
from pbem.tournaments.matching import Pair, find_matching
from pbem.tournaments.nearness import near_pairs
from pbem.tournaments.seeding import lot
from pbem.tournaments.starts import Choice, choose, games_of
from pbem.tournaments.swiss_reasons import reasons, reasons_for_bye
from pbem.tournaments.weighing import Cost, cost_of, cost_of_bye

ALL_WEIGHED: Final = 150
"""In fields of up to so many every pair is weighed at once."""
NEAR: Final = 24
"""In larger fields first pairs up to so many places away from where they should be."""


def pair(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """The next round; the same for the same event and seed."""
    field = field_of(event)
    if not field.players:
        return ()
    best = best_round(field, seed=seed)
    last = len(event.encounters)
    return tuple(_encounters(event, field, sorted(best), first=last + 1, seed=seed))


def best_round(field: Field, *, seed: bytes, forced: Pair | None = None) -> set[Pair]:
    """The best pairs of places in a field; the place after the last is the bye, if there is one.

    ``forced`` must be one of the pairs, whatever it costs.
    """
    count = len(field.players)
    even = count + count % 2
    near = (True, False) if count > ALL_WEIGHED else (False,)
    # What is clean on the first levels cannot be bettered there by weighing what is not.
    for only_near, clean in [*((each, True) for each in near), (False, False)]:
        costs = _costs(field, only_near=only_near, clean=clean, forced=forced)
        best = find_matching(even, costs, seed=seed)
        if best is not None:
            return best
    raise AssertionError("any two can meet, so that all can be paired")


def cost_of_pair(field: Field, couple: Pair) -> Cost:
    """What a pair of places costs."""
    one, other = couple
    if other == len(field.players):
        return cost_of_bye(field, field.players[one])
    return cost_of(field, field.players[one], field.players[other])


def _costs(field: Field, *, only_near: bool, clean: bool, forced: Pair | None) -> dict[Pair, Cost]:
    """What each pair costs: of all or those that are near, all or only the clean ones."""
    count = len(field.players)
    couples: Iterable[Pair] = combinations(range(count), 2)
    if only_near:
        couples = near_pairs(field, NEAR)
    found = {} if forced is None else {forced: cost_of_pair(field, forced)}
    byes = ((place, count) for place in range(count if count % 2 else 0))
    for couple in chain(couples, byes):
        if forced is not None and (couple[0] in forced or couple[1] in forced):
            continue
        cost = cost_of_pair(field, couple)
        if cost.is_clean or not clean:
            found[couple] = cost
    return found


def _encounters(
    event: Event, field: Field, couples: list[Pair], *, first: int, seed: bytes
) -> Iterator[Encounter]:
    for number, (one, other) in enumerate(couples, first):
        upper = field.players[one]
        if other == len(field.players):
            why = reasons_for_bye(field, upper)
            yield Encounter(number, field.round, upper.number, None, why=why)
            continue
        lower = field.players[other]
        choice: Choice | None = None
        home, away = upper.number, lower.number
        if event.charter.meeting != "pair":
            by_lot = (lot(seed, "start", field.round) + number) % 2 == 0
            about: Literal["start", "house"] = (
                "start" if event.charter.meeting == "single" else "house"
            )
            choice = choose(upper.past, lower.past, upper_by_lot=by_lot, about=about)
            home, away = choice.gold, choice.black
        yield Encounter(
            number,
            field.round,
            home,
            away,
            games=games_of(home, away, event.charter.meeting),
            why=reasons(field, upper, lower, choice=choice),
        )
