"""Pairing a round of a Swiss event: any number of entrants, the best round as a whole.

``field`` is who can be paired, ``weighing`` what is good and bad, ``matching`` finds the best,
``foresight`` sees to what comes after it; here they come together and become encounters. Why is
written down by ``swiss_reasons``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from typing import Final, Literal

from pbem.tournaments.charter import Meeting
from pbem.tournaments.event import Encounter, Event, Why
from pbem.tournaments.field import Field, field_of
from pbem.tournaments.foresight import Golds, Plan, look_ahead
from pbem.tournaments.matching import Pair, find_matching
from pbem.tournaments.nearness import near_pairs
from pbem.tournaments.seeding import lot
from pbem.tournaments.starts import Choice, choose, games_of, otherwise
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
    chooser = _Chooser(field, event.charter.meeting, lot(seed, "start", field.round))
    best = best_round(field, seed=seed)
    plan = look_ahead(field, best, cost=partial(cost_of_pair, field), golds=chooser.golds)
    return tuple(_encounters(event, field, plan, chooser))


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


@dataclass(frozen=True, slots=True)
class _Chooser:
    """Who is Gold in the pairs of a round."""

    field: Field
    meeting: Meeting
    lot: int

    def find_choice(self, couple: Pair, index: int) -> Choice | None:
        """What is chosen in one of them; None where both are Gold once, and in a bye."""
        if self.meeting == "pair" or couple[1] == len(self.field.players):
            return None
        one, other = (self.field.players[place].past for place in couple)
        by_lot = (self.lot + index) % 2 == 0
        about: Literal["start", "house"] = "start" if self.meeting == "single" else "house"
        return choose(one, other, upper_by_lot=by_lot, about=about)

    def golds(self, couples: Sequence[Pair]) -> Golds:
        """The place of who is Gold in each."""
        found: list[int | None] = []
        for index, (one, other) in enumerate(couples):
            choice = self.find_choice((one, other), index)
            is_upper = choice is not None and choice.gold == self.field.players[one].number
            found.append(None if choice is None else one if is_upper else other)
        return tuple(found)


def _encounters(event: Event, field: Field, plan: Plan, chooser: _Chooser) -> Iterator[Encounter]:
    first = len(event.encounters) + 1
    foreseen = (Why("foreseen", {"left": field.left}),) if plan.is_foreseen else ()
    for index, (couple, gold) in enumerate(zip(plan.couples, plan.golds, strict=True)):
        upper = field.players[couple[0]]
        if couple[1] == len(field.players):
            why = (*reasons_for_bye(field, upper), *foreseen)
            yield Encounter(first + index, field.round, upper.number, None, why=why)
            continue
        lower = field.players[couple[1]]
        choice = chooser.find_choice(couple, index)
        if choice is not None and gold is not None and choice.gold != field.players[gold].number:
            choice = otherwise(choice)
        home, away = (upper.number, lower.number) if choice is None else (choice.gold, choice.black)
        yield Encounter(
            first + index,
            field.round,
            home,
            away,
            games=games_of(home, away, event.charter.meeting),
            why=(*reasons(field, upper, lower, choice=choice), *foreseen),
        )
