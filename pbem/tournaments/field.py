"""The field of a Swiss round: who can be paired, in which order they stand, whom they have met.

The order for pairing is points, then seeding; tie-breaks play no part in it. A game that still goes
on counts as a draw here. What a pairing costs is left to ``weighing``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from pbem.tournaments.event import DRAW, Encounter, Event
from pbem.tournaments.seeding import seeded
from pbem.tournaments.starts import Past, pasts

Met = dict[tuple[int, int], tuple[int, int]]
"""How often two met and in which round last, by their numbers, the smaller first."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who can be paired, and all that weighs in it.

    ``place`` counts in the whole field and ``spot`` among those with the same points, both from 0;
    ``size`` is how many have these points. ``floated`` is how they were paired in the round before:
    1 with somebody who had fewer points (a bye is such a float), -1 with more, 0 neither.
    """

    number: int
    place: int
    points: int
    running: int
    spot: int
    size: int
    past: Past
    tilt: int
    byes: int
    floated: int


@dataclass(frozen=True, slots=True)
class Field:
    """Who can be paired in a round, in order, and whom they have met.

    ``left`` is how many rounds are planned after it; ``has_starts`` whether starts or Houses have
    to be balanced over the event.
    """

    round: int
    players: tuple[Player, ...]
    met: Met
    left: int = 0
    has_starts: bool = False

    def find_meetings(self, one: int, other: int) -> tuple[int, int] | None:
        """How often two met, and in which round last."""
        return self.met.get((min(one, other), max(one, other)))


def field_of(event: Event) -> Field:
    """The field of an event's next round."""
    round_ = event.round + 1
    points, running = _points(event)
    byes: dict[int, int] = {}
    floated: dict[int, int] = {}
    met: Met = {}
    for encounter in event.encounters:
        if encounter.away is None:
            byes[encounter.home] = byes.get(encounter.home, 0) + 1
        else:
            key = (min(encounter.entrants), max(encounter.entrants))
            met[key] = (met.get(key, (0, 0))[0] + 1, encounter.round)
        if encounter.round == event.round:
            floated |= _floated(encounter)
    order = seeded(each for each in event.entrants if each.is_in and each.first_round <= round_)
    order = tuple(sorted(order, key=lambda each: -points[each.number]))
    past = pasts(event)
    players: list[Player] = []
    for score, group in groupby(order, key=lambda each: points[each.number]):
        members = [each.number for each in group]
        players += [
            Player(
                number=number,
                place=len(players) + spot,
                points=score,
                running=running.get(number, 0),
                spot=spot,
                size=len(members),
                past=past[number],
                tilt=0 if event.charter.meeting == "pair" else past[number].tilt,
                byes=byes.get(number, 0),
                floated=floated.get(number, 0),
            )
            for spot, number in enumerate(members)
        ]
    left = max(0, rounds_planned(event) - round_)
    return Field(round_, tuple(players), met, left, event.charter.meeting != "pair")


def rounds_planned(event: Event) -> int:
    """How many rounds a Swiss event has: what the charter says, or as many as a knock-out among
    those who began it would have, so that one winner is found."""
    if event.charter.rounds:
        return event.charter.rounds
    began = sum(len(each.entrants) for each in event.of_round(1))
    count = began or sum(each.is_in for each in event.entrants)
    return max(1, (count - 1).bit_length())


def _points(event: Event) -> tuple[dict[int, int], dict[int, int]]:
    """Points for pairing, in halves, and how many games of each still go on."""
    points = {each.number: 0 for each in event.entrants}
    running: dict[int, int] = {}
    for encounter in event.encounters:
        if encounter.away is None:
            points[encounter.home] += event.bye_points()
        for game in encounter.games:
            for number in (game.gold, game.black):
                brought = game.points_of(number)
                points[number] += DRAW if brought is None else brought
                if brought is None:
                    running[number] = running.get(number, 0) + 1
    return points, running


def _floated(encounter: Encounter) -> dict[int, int]:
    """Who floated, as its own reasons say: results that came in later do not change it."""
    if encounter.away is None:
        return {encounter.home: 1}
    for why in encounter.why:
        if why.code == "floated":
            return {int(why.facts["down"]): 1, int(why.facts["up"]): -1}
    return {}
