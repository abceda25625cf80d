"""The bracket of a knock-out: who stands where, who has come through, what is still open.

Seeds are apart as long as can be: the first two can meet only in the final, the first four only in
the semi-finals, and so on; if the number is no power of two, the best seeds have no opponent in
the first round. What was paired counts for more than what is found out afterwards: who plays in the
next round has come through, also if a result is corrected later or they leave. How a tie is broken
and what is played next is ``knockout``'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from pbem.tournaments.event import Encounter, Event
from pbem.tournaments.seeding import seeded

THIRD: Final = "third"
"""The stage of the match for the third place."""

State = Literal["unknown", "ready", "tied", "playing", "decided"]
"""Of a match: not both sides are known; nothing is paired for it yet; it was tied and needs another
game; it goes on; it is decided (by nobody, if nobody was left)."""


@dataclass(frozen=True, slots=True)
class Match:
    """One place of the bracket: what two play until one of them goes on.

    ``sides`` are entrants, None where nobody came through; ``encounters`` their numbers, a decider
    last. ``seed_decided`` tells that all was equal and the better seed goes on.
    """

    round: int
    place: int
    sides: tuple[int | None, int | None]
    state: State
    encounters: tuple[int, ...] = ()
    winner: int | None = None
    seed_decided: bool = False
    stage: str = ""

    @property
    def loser(self) -> int | None:
        """Who is out by it; None while it is open, and where nobody lost."""
        if self.winner is None:
            return None
        return next((side for side in self.sides if side not in (self.winner, None)), None)


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches, round after round and each from the top. ``seeds`` is from the best one."""

    seeds: tuple[int, ...]
    rounds: tuple[tuple[Match, ...], ...]
    third: Match | None = None

    @property
    def matches(self) -> tuple[Match, ...]:
        """All of them, the match for the third place before the final."""
        before = tuple(match for matches in self.rounds[:-1] for match in matches)
        return (*before, *((self.third,) if self.third else ()), *self.rounds[-1])

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return all(match.state == "decided" for match in self.matches)

    @property
    def champion(self) -> int | None:
        """Who has won the final; None while it is open, and if nobody was left."""
        return self.rounds[-1][0].winner

    def seed_of(self, number: int) -> int:
        """The seed of an entrant, from 1."""
        return self.seeds.index(number) + 1


def seeds(event: Event) -> tuple[int, ...]:
    """Entrants from the best: by rating, then by number; once it has begun, those who began it."""
    began = {number for each in event.of_round(1) for number in each.entrants}
    taking_part = (
        each for each in event.entrants if (each.number in began if began else each.is_in)
    )
    return tuple(each.number for each in seeded(taking_part))


def seeded_places(count: int) -> tuple[int, ...]:
    """The seeds from the top of a bracket for so many, two by two; some may be of nobody."""
    places = [1]
    while len(places) < max(count, 2):
        above = 2 * len(places) + 1
        places = [seed for best in places for seed in (best, above - best)]
    return tuple(places)


def bracket(event: Event) -> Bracket:
    """The bracket as it stands. There must be an entrant."""
    ranked = seeds(event)
    by_match: dict[tuple[str, int, int], list[Encounter]] = {}
    for each in event.encounters:
        by_match.setdefault((each.stage, each.round, each.board), []).append(each)
    tree = _Tree(event, ranked, by_match)
    places = seeded_places(len(ranked))
    sides = [ranked[seed - 1] if seed <= len(ranked) else None for seed in places]
    rounds: list[tuple[Match, ...]] = []
    known = [True] * len(sides)
    while len(sides) > 1:
        number = len(rounds) + 1
        matches = tuple(
            tree.match(
                number,
                place // 2 + 1,
                (sides[place], sides[place + 1]),
                is_known=known[place] and known[place + 1],
            )
            for place in range(0, len(sides), 2)
        )
        rounds.append(matches)
        sides = [match.winner for match in matches]
        known = [match.state == "decided" for match in matches]
    third = None
    if event.charter.third_place and len(rounds) > 1:
        first, second = rounds[-2]
        is_known = first.state == second.state == "decided"
        losers = (first.loser, second.loser)
        third = tree.match(len(rounds), 1, losers, is_known=is_known, stage=THIRD)
    return Bracket(ranked, tuple(rounds), third)


@dataclass(frozen=True, slots=True)
class _Tree:
    event: Event
    ranked: tuple[int, ...]
    by_match: dict[tuple[str, int, int], list[Encounter]]

    def match(
        self,
        number: int,
        place: int,
        sides: tuple[int | None, int | None],
        *,
        is_known: bool,
        stage: str = "",
    ) -> Match:
        played = self.by_match.get((stage, number, place), [])
        found = tuple(each.number for each in played)
        if not is_known:
            return Match(number, place, sides, "unknown", found, stage=stage)
        after = [] if stage else self.by_match.get(("", number + 1, (place + 1) // 2), [])
        if after:
            winner = next((side for side in sides if side in after[0].entrants), None)
            by_seed = _is_level(played) and len(played) > 1
            return Match(number, place, sides, "decided", found, winner, by_seed, stage)
        if not played:
            nobody = not any(self._is_in(side) for side in sides)
            return Match(number, place, sides, "decided" if nobody else "ready", stage=stage)
        state, winner, by_seed = self._outcome(played)
        return Match(number, place, sides, state, found, winner, by_seed, stage)

    def _outcome(self, played: list[Encounter]) -> tuple[State, int | None, bool]:
        """How a match stands that has begun and is followed by nothing."""
        first = played[0]
        if first.away is None:
            return "decided", first.home, False
        if not all(each.is_over for each in played):
            return "playing", None, False
        for each in played:
            mine, theirs = each.points_of(first.home), each.points_of(first.away)
            if mine != theirs:
                return "decided", first.home if mine > theirs else first.away, False
        if len(played) > 1:
            return "decided", min(first.entrants, key=self.ranked.index), True
        left = [number for number in first.entrants if self._is_in(number)]
        if len(left) > 1:
            return "tied", None, False
        return "decided", left[0] if left else None, False

    def _is_in(self, number: int | None) -> bool:
        return number is not None and self.event.entrant(number).is_in


def _is_level(played: list[Encounter]) -> bool:
    return all(
        each.away is not None and each.points_of(each.home) == each.points_of(each.away)
        for each in played
    )
