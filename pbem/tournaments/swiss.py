"""Pairing a round of a Swiss event: any number of entrants, the best round as a whole.

``field`` is who can be paired, ``weighing`` what is good and bad, ``matching`` finds the best;
here the three come together and become encounters. Why is written down by ``swiss_reasons``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from pbem.tournaments.event import Encounter, Event
from pbem.tournaments.field import Field, field_of
from pbem.tournaments.matching import Pair, find_matching
from pbem.tournaments.seeding import lot
from pbem.tournaments.starts import Choice, choose, games_of
from pbem.tournaments.swiss_reasons import reasons, reasons_for_bye
from pbem.tournaments.weighing import Cost, cost_of, cost_of_bye

ALL_WEIGHED: Final = 100
"""In fields of up to so many every pair is weighed at once."""
NEAR: Final = 40
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
    attempts = [(NEAR, True)] if count > ALL_WEIGHED else []
    # What is clean on the first levels cannot be bettered there by weighing what is not.
    for near, clean in [*attempts, (count, True), (count, False)]:
        costs = costs_of(field, near=near, clean=clean, forced=forced)
        best = find_matching(even, costs, seed=seed)
        if best is not None:
            return best
    raise AssertionError("any two can meet, so that all can be paired")


def costs_of(
    field: Field, *, near: int, clean: bool, forced: Pair | None = None
) -> dict[Pair, Cost]:
    """What each pair costs: of all that are near, and if wished only of the clean ones."""
    found = {} if forced is None else {forced: cost_of_pair(field, forced)}
    for couple in _pairs(field, near):
        if forced is not None and (couple[0] in forced or couple[1] in forced):
            continue
        cost = cost_of_pair(field, couple)
        if cost.is_clean or not clean:
            found[couple] = cost
    return found


def cost_of_pair(field: Field, couple: Pair) -> Cost:
    """What a pair of places costs."""
    one, other = couple
    if other == len(field.players):
        return cost_of_bye(field, field.players[one])
    return cost_of(field, field.players[one], field.players[other])


def _pairs(field: Field, near: int) -> Iterator[Pair]:
    players = field.players
    for one in players:
        for other in players[one.place + 1 :]:
            away = other.place - one.place
            if one.points == other.points:
                away = abs(away - one.size // 2)
            if away <= near:
                yield one.place, other.place
        if len(players) % 2:
            yield one.place, len(players)


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
