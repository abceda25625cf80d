"""Tables once more, slowly, straight from the definitions: what ``standings`` is held against.

Nothing here is shared with the code it checks but the event itself. Points are fractions of a
point, every figure is looked up anew, and the direct encounter tries out missing games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from pbem.tournaments.event import Event

HALF = Fraction(1, 2)
BYES = {"win": Fraction(1), "draw": HALF, "nothing": Fraction(0)}
FIXED = ("round_robin", "league", "teams")


@dataclass(frozen=True)
class Game:
    round: int
    opponent: int | None
    points: Fraction
    kind: str
    """``played``, ``forfeit``, ``bye``, ``absent``."""
    was_second: bool = False


class SlowTable:
    def __init__(self, event: Event, stage: str = "") -> None:
        self.event, self.stage = event, stage
        self.is_fixed = event.charter.format in FIXED
        members = self.members()
        self.encounters = {number: list(event.of_entrant(number)) for number in members}
        self.games = {number: list(self._games(number)) for number in members}

    def members(self) -> list[int]:
        paired = [
            number
            for each in self.event.encounters
            if each.stage == self.stage
            for number in each.entrants
        ]
        several = any(each.stage for each in self.event.encounters)
        return [
            each.number
            for each in self.event.entrants
            if each.number in paired or (not several and each.standing == "in")
        ]

    def _games(self, number: int) -> Iterator[Game]:
        charter = self.event.charter
        for each in self.event.encounters:
            if each.stage != self.stage or number not in each.entrants:
                continue
            if each.away is None and charter.format in ("swiss", "teams"):
                for _ in range(2 if charter.meeting == "pair" else 1):
                    yield Game(each.round, None, BYES[charter.bye_worth], "bye")
            for game in each.games:
                result = game.result
                if result is None or result.ending == "void":
                    continue
                side = "gold" if game.gold == number else "black"
                yield Game(
                    each.round,
                    game.black if side == "gold" else game.gold,
                    Fraction(getattr(result, side), 2),
                    "forfeit" if result.ending == "forfeit" else "played",
                    result.starter != side,
                )
        if charter.format == "swiss":
            paired = {each.round for each in self.encounters[number]}
            for round_ in range(1, self.event.round + 1):
                if round_ not in paired:
                    for _ in range(2 if charter.meeting == "pair" else 1):
                        yield Game(round_, None, Fraction(0), "absent")

    def points(self, number: int) -> Fraction:
        return sum((game.points for game in self.games[number]), Fraction())

    def points_for_others(self, number: int) -> Fraction:
        if self.is_fixed:
            return self.points(number)
        total = Fraction()
        for game in self.games[number]:
            later = [other for other in self.games[number] if other.round > game.round]
            goes_on = any(
                each.round > game.round and any(not one.result for one in each.games)
                for each in self.encounters[number]
            )
            is_at_end = not goes_on and all(self.is_voluntary(other) for other in later)
            total += HALF if game.kind == "absent" and is_at_end else game.points
        return total

    def is_voluntary(self, game: Game) -> bool:
        return game.kind == "absent" or (game.kind == "forfeit" and game.points == 0)

    def opponents_points(self, number: int) -> list[tuple[Fraction, Game]]:
        found = []
        for game in self.games[number]:
            is_met = game.kind == "played" or (game.kind == "forfeit" and self.is_fixed)
            if is_met and game.opponent is not None:
                found.append((self.points_for_others(game.opponent), game))
            else:
                found.append((self.points(number), game))
        return found

    def buchholz(self, number: int) -> Fraction:
        return sum((points for points, _ in self.opponents_points(number)), Fraction())

    def buchholz_cut(self, number: int) -> Fraction:
        return sum(self._without_lowest(number), Fraction())

    def buchholz_median(self, number: int) -> Fraction:
        rest = self._without_lowest(number)
        return sum(rest, Fraction()) - max(rest, default=Fraction())

    def _without_lowest(self, number: int) -> list[Fraction]:
        found = self.opponents_points(number)
        voluntary = [
            points for points, game in found if self.is_voluntary(game) and not self.is_fixed
        ]
        rest = [points for points, _ in found]
        if rest:
            rest.remove(min(voluntary) if voluntary else min(rest))
        return rest

    def sonneborn_berger(self, number: int) -> Fraction:
        return sum(
            (points * game.points for points, game in self.opponents_points(number)), Fraction()
        )

    def wins(self, number: int) -> Fraction:
        return Fraction(len([game for game in self.games[number] if game.points == 1]))

    def koya(self, number: int) -> Fraction:
        total = Fraction()
        for game in self.games[number]:
            if game.opponent is not None:
                most = len(self.games[game.opponent])
                if self.points(game.opponent) >= HALF * most:
                    total += game.points
        return total

    def black_starts(self, number: int) -> Fraction:
        played = [game for game in self.games[number] if game.kind == "played"]
        return Fraction(len([game for game in played if game.was_second]))

    def between(self, one: int, other: int) -> list[Fraction]:
        """What one has of each game with another that counts for the direct encounter."""
        return [
            game.points
            for game in self.games[one]
            if game.opponent == other and (self.is_fixed or game.kind == "played")
        ]

    def direct(self, group: Sequence[int]) -> list[list[int]]:
        if len(group) == 1:
            return [list(group)]
        own = {number: Fraction() for number in group}
        missing = []
        for one, other in combinations(group, 2):
            points = self.between(one, other)
            if points:
                own[one] += sum(points, Fraction()) / len(points)
                own[other] += sum(self.between(other, one), Fraction()) / len(points)
            else:
                missing.append((one, other))
        if not missing:
            classes = [
                [number for number in group if own[number] == score]
                for score in sorted(set(own.values()), reverse=True)
            ]
        else:
            certain = self._certain(group, own, missing)
            rest = [number for number in group if number not in certain]
            classes = [*([number] for number in certain), *([rest] if rest else [])]
        if len(classes) == 1:
            return [list(group)]
        return [part for each in classes for part in self.direct(each)]

    def _certain(
        self,
        group: Sequence[int],
        own: dict[int, Fraction],
        missing: list[tuple[int, int]],
    ) -> list[int]:
        certain: list[int] = []
        while len(certain) < len(group) - 1:
            rest = [number for number in group if number not in certain]
            first = next((each for each in rest if self._leads(each, rest, own, missing)), None)
            if first is None:
                break
            certain.append(first)
        return certain

    def _leads(
        self,
        first: int,
        rest: list[int],
        own: dict[int, Fraction],
        missing: list[tuple[int, int]],
    ) -> bool:
        """Whether somebody is alone in front, whatever the missing games bring."""
        if any(own[number] >= own[first] for number in rest if number != first):
            return False
        if len(missing) > 5:
            lost = {number: sum(number in pair for pair in missing) for number in rest}
            return all(
                own[first] > own[number] + lost[number] for number in rest if number != first
            )
        for outcomes in product((Fraction(0), HALF, Fraction(1)), repeat=len(missing)):
            scores = dict(own)
            for (one, other), points in zip(missing, outcomes, strict=True):
                scores[one] += points
                scores[other] += 1 - points
            if any(scores[number] >= scores[first] for number in rest if number != first):
                return False
        return True

    def figure(self, name: str, number: int) -> Fraction:
        found: Fraction = getattr(self, name)(number)
        return found

    def ranking(self) -> list[list[int]]:
        groups = [
            [each for each in self.games if self._is_out(each) == is_out]
            for is_out in (False, True)
        ]
        groups = [group for group in groups if group]
        for name in ("points", *self.event.charter.order):
            groups = [part for group in groups for part in self._parts(group, name)]
        return groups

    def _is_out(self, number: int) -> bool:
        return self.event.entrant(number).standing == "disqualified"

    def _parts(self, group: list[int], name: str) -> list[list[int]]:
        if name == "direct":
            return self.direct(group)
        figures = {number: self.figure(name, number) for number in group}
        return [
            [number for number in group if figures[number] == figure]
            for figure in sorted(set(figures.values()), reverse=True)
        ]
