"""Who can still win, or have one of the first places, and what each needs for it.

Points alone tell much: who cannot be caught, and who cannot come close any more. What is left is
gone through in every way it can end, tie-breaks included, if there are not too many ways
(``what_if``); the last round of a round robin of twelve is exact. If there are too many, it is
tried out by chance (``simulation``), and told so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final, Literal

from pbem.tournaments import simulation
from pbem.tournaments.advance import advances, read_reached
from pbem.tournaments.ended_sheets import ended_sheets
from pbem.tournaments.event import WIN, Event
from pbem.tournaments.league import find_division
from pbem.tournaments.needs import Asked, Need, needs_of
from pbem.tournaments.open_games import open_encounters
from pbem.tournaments.ranking import rank
from pbem.tournaments.rounds import swiss_rounds
from pbem.tournaments.sheets import sheet_of
from pbem.tournaments.team_table import team_table
from pbem.tournaments.team_trials import team_trials
from pbem.tournaments.what_if import ends_of, who_reaches

State = Literal["certain", "possible", "out"]
Method = Literal["exact", "simulated", "none"]
"""How it was found out: by every way in which all can end; by trials; or not at all, because there
is nothing to win (a ladder has no end) or nothing has been paired."""

MOST_WAYS: Final = 60_000
"""So many ways are gone through where pairings are known beforehand."""
MOST_LINES: Final = 20_000
"""So many lines of tables are written where each way needs a table of its own."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What somebody can still reach. ``good`` of the ways, or of the trials, bring it."""

    entrant: int
    state: State
    good: int = 0
    needs: tuple[Need, ...] = ()
    """Any of them is enough; none if trials were made, or nothing is needed."""
    opponents: tuple[int, ...] = ()
    """Whom they have open games with, if all ways were gone through."""
    games: int = 0
    """How many these are."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """Who can still have one of the first ``places``, from those with the most points on."""

    places: int
    method: Method
    ways: int
    """In how many ways the open games can end, each win, draw and loss counted; or how many trials
    were made."""
    open_games: int
    rows: tuple[Prospect, ...]


def goal(event: Event, stage: str = "") -> int:
    """How many places of a table are worth something: those that go on to a final or go up."""
    charter = event.charter
    if charter.format == "round_robin" and charter.group_size and stage not in ("", "final"):
        return charter.finalists
    division = find_division(stage) if charter.format == "league" else None
    return charter.movers if division is not None and division.number > 1 else 1


def prospects(event: Event, stage: str = "", *, places: int | None = None) -> Prospects:
    """Who can still win, and what each needs; or reach one of so many places."""
    wanted = places or goal(event, stage)
    is_paired = any(each.stage == stage for each in event.encounters)
    if event.charter.format == "ladder" or not is_paired:
        return Prospects(wanted, "none", 0, 0, ())
    if event.charter.format == "knockout":
        return _knockout(event)
    if event.charter.format == "teams":
        return _teams(event, wanted)
    found = _Question(event, stage, wanted)
    if found.is_exact:
        return found.exact()
    return found.simulated()


def _knockout(event: Event) -> Prospects:
    """Whoever is in can win, by winning all that comes."""
    states: dict[str, State] = {"won": "certain", "in": "possible"}
    rows = [
        (figure, Prospect(number, states.get(read_reached(figure).state, "out")))
        for number, figure in advances(event).items()
        if figure
    ]
    rows.sort(key=lambda row: -row[0])
    games = sum(each.games for each in open_encounters(event))
    return Prospects(1, "exact", 0, games, tuple(row for _, row in rows))


def _teams(event: Event, places: int) -> Prospects:
    """Of teams, by their numbers in ``team_table``."""
    found = team_trials(event, places)
    order = [row.entrant for row in team_table(event).table.rows]
    states = by_points(order, least=found.least, most=found.most, places=places)
    rows = tuple(
        Prospect(number, state, found.good[number])
        for number, state in zip(order, states, strict=True)
    )
    return Prospects(places, "simulated", found.trials, found.open_games, rows)


def by_points(
    order: Sequence[int], *, least: dict[int, int], most: dict[int, int], places: int
) -> Iterator[State]:
    """What points alone say of each, in an order: what they have, and what they can have."""
    for number in order:
        others = [each for each in order if each != number]
        if sum(least[each] > most[number] for each in others) >= places:
            yield "out"
        elif sum(most[each] >= least[number] for each in others) < places:
            yield "certain"
        else:
            yield "possible"


class _Question:
    """One table, and how many of its places are asked about."""

    def __init__(self, event: Event, stage: str, places: int) -> None:
        self.event, self.places = event, places
        self.sheet = sheet_of(event, stage)
        self.opens = open_encounters(event, stage)
        self.excluded = [each.number for each in event.entrants if each.standing == "disqualified"]
        is_swiss = event.charter.format == "swiss" and event.phase not in ("over", "cancelled")
        self.rounds_left = max(swiss_rounds(event) - event.round, 0) if is_swiss else 0
        self.order = sorted(
            self.sheet.lines, key=lambda number: (-self.sheet.points[number], number)
        )

    @property
    def is_exact(self) -> bool:
        most = MOST_WAYS if self.sheet.is_fixed else MOST_LINES // max(len(self.order), 1)
        return not self.rounds_left and ends_of(self.opens) <= most

    def exact(self) -> Prospects:
        """By every way in which all can end."""
        masks = self._masks()
        weights = [
            prod(end.ways for end in ends) for ends in product(*(each.ends for each in self.opens))
        ]
        ways = sum(weights)
        bits = {number: 1 << index for index, number in enumerate(self.sheet.lines)}
        rows = []
        for number in self.order:
            reached = [bool(mask & bits[number]) for mask in masks]
            good = sum(weight for weight, is_so in zip(weights, reached, strict=True) if is_so)
            state: State = "certain" if good == ways else "possible" if good else "out"
            needs: tuple[Need, ...] = ()
            if state == "possible":
                needs = needs_of(Asked(self.opens, reached, self.sheet.points), number)
            own = [each for each in self.opens if number in each.sides]
            opponents = tuple(each.sides[1 - each.sides.index(number)] for each in own)
            games = sum(each.games for each in own)
            rows.append(Prospect(number, state, good, needs, opponents, games))
        return Prospects(self.places, "exact", ways, self._games, tuple(rows))

    def simulated(self) -> Prospects:
        """By trials; who cannot be caught or cannot catch up is known for certain."""
        found, trials = simulation.shares(
            self.event,
            self.sheet,
            rounds_left=self.rounds_left,
            places=self.places,
            excluded=self.excluded,
        )
        states = self._by_points()
        rows = tuple(
            Prospect(number, states.get(number, "out"), found[number]) for number in self.order
        )
        return Prospects(self.places, "simulated", trials, self._games, rows)

    @property
    def _games(self) -> int:
        return sum(each.games for each in self.opens)

    def _masks(self) -> list[int]:
        tie_breaks = self.event.charter.order
        if self.sheet.is_fixed:
            return who_reaches(
                self.sheet,
                self.opens,
                tie_breaks=tie_breaks,
                places=self.places,
                excluded=self.excluded,
            )
        out = {each.number: -(each.number in self.excluded) for each in self.event.entrants}
        bits = {number: 1 << index for index, number in enumerate(self.sheet.lines)}
        masks = []
        for sheet in ended_sheets(self.sheet, self.opens):
            firsts = {"disqualified": out, "points": sheet.points}
            mask, taken = 0, 0
            for group in rank(sheet, firsts=firsts, tie_breaks=tie_breaks).groups:
                if taken >= self.places:
                    break
                mask |= sum(bits[each] for each in group if each not in self.excluded)
                taken += len(group)
            masks.append(mask)
        return masks

    def _by_points(self) -> dict[int, State]:
        """What points alone say of each."""
        more = WIN * self.event.charter.games * self.rounds_left
        most = {
            number: points
            + sum(each.top for each in self.opens if number in each.sides)
            + (more if self.event.entrant(number).is_in else 0)
            for number, points in self.sheet.points.items()
        }
        rivals = [number for number in self.order if number not in self.excluded]
        states = by_points(rivals, least=self.sheet.points, most=most, places=self.places)
        return dict(zip(rivals, states, strict=True))
