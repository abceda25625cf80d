"""Foresight in small Swiss fields: a round that leaves later rounds to be paired without a fault.

In a field of six, three good rounds can leave two triangles, and in the fourth somebody meets again
although five rounds without that exist. So where few play, a round is taken only if the rounds that
are planned after it can still be paired: without a second meeting or bye and, if that can be, with
starts in balance. The search is cut off after so many steps; what is not known to fail is taken.
Which round is good by itself is left to ``weighing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from pbem.tournaments.field import Field
from pbem.tournaments.matching import Pair
from pbem.tournaments.starts import out_of_balance
from pbem.tournaments.weighing import Cost

MOST_PLAYERS: Final = 12
"""In larger fields nothing is foreseen: they are seldom played for so many rounds."""
MOST_STEPS: Final = 60_000
"""After so many pairs that were tried the search gives up."""

Golds = tuple[int | None, ...]
"""For each pair of a round which place is Gold; None where nobody is, or both are."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A round: its pairs, who of them is Gold, and whether another one was better by itself."""

    couples: tuple[Pair, ...]
    golds: Golds
    is_foreseen: bool = False


def look_ahead(
    field: Field,
    best: Iterable[Pair],
    *,
    cost: Callable[[Pair], Cost],
    golds: Callable[[Sequence[Pair]], Golds],
) -> Plan:
    """The best round that leaves the later ones to be paired; ``best`` if there is none.

    ``golds`` says who is Gold in a round, if nothing has to be foreseen.
    """
    first = tuple(sorted(best))
    plan = Plan(first, golds(first))
    if len(field.players) > MOST_PLAYERS or any(_total(first, cost)[:3]):
        return plan
    for balanced in (True, False):
        steps = _Steps(MOST_STEPS)
        now = _future(field, balanced=balanced)
        for couples in _candidates(field, first, cost, clean=4 if balanced else 3):
            usual = golds(couples)
            for each in _flipped(field, couples, usual) if balanced else (usual,):
                if _goes_on(now.after_round(couples, each), field.left, steps):
                    return Plan(couples, each, is_foreseen=(couples, each) != (first, plan.golds))
    return plan


@dataclass(slots=True)
class _Steps:
    """How many steps are left."""

    left: int

    def take(self) -> bool:
        self.left -= 1
        return self.left >= 0


@dataclass(frozen=True, slots=True)
class _Future:
    """Who has met whom (sets of bits), who has had a bye, and how starts stand, if it matters."""

    met: tuple[int, ...]
    freed: int
    tilts: tuple[int, ...]
    balanced: bool

    def after_bye(self, one: int) -> _Future:
        return replace(self, freed=self.freed | 1 << one)

    def after(self, one: int, other: int, gold: int | None) -> _Future:
        met = list(self.met)
        met[one] |= 1 << other
        met[other] |= 1 << one
        tilts = list(self.tilts)
        if gold is not None:
            tilts[gold] += 1
            tilts[one + other - gold] -= 1
        return _Future(tuple(met), self.freed, tuple(tilts), self.balanced)

    def after_round(self, couples: Sequence[Pair], golds: Golds) -> _Future:
        found = self
        for (one, other), gold in zip(couples, golds, strict=True):
            bye = other == len(self.met)
            found = found.after_bye(one) if bye else found.after(one, other, gold)
        return found

    def golds(self, one: int, other: int) -> Iterator[int | None]:
        """Who of two may be Gold."""
        if not self.balanced:
            yield None
            return
        for gold, black in ((one, other), (other, one)):
            if not out_of_balance(self.tilts[gold], self.tilts[black]):
                yield gold


def _future(field: Field, *, balanced: bool) -> _Future:
    met = [0] * len(field.players)
    for one, other in combinations(field.players, 2):
        if field.find_meetings(one.number, other.number) is not None:
            met[one.place] |= 1 << other.place
            met[other.place] |= 1 << one.place
    freed = sum(1 << each.place for each in field.players if each.byes)
    tilts = tuple(each.tilt for each in field.players)
    return _Future(tuple(met), freed, tilts, balanced and field.has_starts)


def _goes_on(future: _Future, left: int, steps: _Steps) -> bool:
    if left <= 0:
        return True
    everybody = tuple(range(len(future.met)))
    found = any(_goes_on(each, left - 1, steps) for each in _rounds(future, everybody, steps))
    return found or steps.left < 0


def _rounds(future: _Future, waiting: tuple[int, ...], steps: _Steps) -> Iterator[_Future]:
    """What can be after one more round without a fault."""
    if not waiting:
        yield future
        return
    one, others = waiting[0], waiting[1:]
    for other in others:
        if future.met[one] >> other & 1:
            continue
        rest = tuple(each for each in others if each != other)
        for gold in future.golds(one, other):
            if not steps.take():
                return
            yield from _rounds(future.after(one, other, gold), rest, steps)
    if len(waiting) % 2 and not future.freed >> one & 1 and steps.take():
        yield from _rounds(future.after_bye(one), others, steps)


def _candidates(
    field: Field, first: tuple[Pair, ...], cost: Callable[[Pair], Cost], *, clean: int
) -> Iterator[tuple[Pair, ...]]:
    """Rounds without a fault on the first levels: the best, then all others by what they cost."""
    if not any(_total(first, cost)[:clean]):
        yield first
    count = len(field.players)
    good = {
        couple: found
        for couple in combinations(range(count + count % 2), 2)
        if not any((found := cost(couple))[:clean])
    }
    every = _every_round(tuple(range(count + count % 2)), good)
    yield from sorted(every, key=lambda couples: (_total(couples, good.__getitem__), couples))


def _every_round(waiting: tuple[int, ...], good: dict[Pair, Cost]) -> Iterator[tuple[Pair, ...]]:
    if not waiting:
        yield ()
        return
    one, others = waiting[0], waiting[1:]
    for other in others:
        if (one, other) in good:
            rest = tuple(each for each in others if each != other)
            yield from (((one, other), *each) for each in _every_round(rest, good))


def _flipped(field: Field, couples: Sequence[Pair], golds: Golds) -> Iterator[Golds]:
    """Who is Gold: as usual, then otherwise where both of a pair are alike, in few pairs first."""
    yield golds
    alike = [
        index
        for index, ((one, other), gold) in enumerate(zip(couples, golds, strict=True))
        if gold is not None and field.players[one].tilt == field.players[other].tilt
    ]
    for many in range(1, len(alike) + 1):
        for chosen in combinations(alike, many):
            yield tuple(
                sum(couples[index]) - gold if gold is not None and index in chosen else gold
                for index, gold in enumerate(golds)
            )


def _total(couples: Iterable[Pair], cost: Callable[[Pair], Cost]) -> Cost:
    found = Cost()
    for couple in couples:
        found = found.plus(cost(couple))
    return found
