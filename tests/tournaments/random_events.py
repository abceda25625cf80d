"""Events with any results at all, for holding tables against a slow computation."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

from pbem.tournaments.charter import TIE_BREAKS
from pbem.tournaments.event import Event, Standing
from tests.tournaments.making import make_event

SIGNS = "+++===---fFv"


def random_event(rng: Random, *, count: int, format_: str) -> Event:
    """With draws, forfeits, annulled and running games, byes, late entries, and who has left."""
    meeting = rng.choice(["pair", "single", "bid"])
    games = 2 if meeting == "pair" else 1
    signs = SIGNS + "." * rng.choice([0, 0, 3])

    def told(one: int, other: int) -> str:
        return f"{one} {other} {''.join(rng.choice(signs) for _ in range(games))}"

    rounds: list[list[str]] = []
    if format_ == "swiss":
        firsts = {number: rng.choice([1, 1, 1, 1, 2, 3]) for number in range(1, count + 1)}
        lasts = {number: rng.choice([9, 9, 9, 9, 1, 2, 3]) for number in range(1, count + 1)}
        for round_ in range(1, rng.randint(2, 7)):
            here = [each for each in firsts if firsts[each] <= round_ <= lasts[each]]
            rng.shuffle(here)
            pairs = list(zip(here[::2], here[1::2], strict=False))
            rounds.append([told(*pair) for pair in pairs])
            if len(here) % 2:
                rounds[-1].append(str(here[-1]))
    else:
        pairs = list(combinations(range(1, count + 1), 2)) * rng.choice([1, 1, 2])
        rng.shuffle(pairs)
        size = max(count // 2, 1)
        rounds = [
            [told(*pair) for pair in pairs[first : first + size]]
            for first in range(0, len(pairs), size)
        ]
    event = make_event(
        rounds,
        entrants=count,
        format=format_,
        meeting=meeting,
        bye_worth=rng.choice(["win", "draw", "nothing"]),
        tie_breaks=tuple(rng.sample(TIE_BREAKS, rng.randint(1, len(TIE_BREAKS)))),
    )
    standings: list[Standing] = ["in"] * 20
    standings += ["withdrawn", "disqualified"]
    entrants = tuple(replace(each, standing=rng.choice(standings)) for each in event.entrants)
    return replace(event, entrants=entrants)
