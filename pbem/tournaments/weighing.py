"""What a pairing of a Swiss round costs, level by level: the first level that differs decides.

Each cost is that of one encounter; a round costs the sum of its encounters. The levels and their
order are those of docs/tournaments.md. Which pairing is the cheapest is found by ``matching``.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.tournaments.field import Field, Player
from pbem.tournaments.starts import out_of_balance


class Cost(NamedTuple):
    """What one encounter, or a whole round, costs; the earlier fields weigh more than all later."""

    repeats: int = 0
    """How often two have met before; squares, so that a third meeting is worse than two second."""
    repeat_age: int = 0
    """The round of their last meeting: older repeats are better."""
    second_byes: int = 0
    """How many byes who has the bye has had; squares."""
    starts: int = 0
    """By how much somebody gets more than one away from the balance of starts."""
    bye_place: int = 0
    """How many stand below who has the bye."""
    score: int = 0
    """The difference of points; squares, so that two small floats are better than a large one."""
    floats_again: int = 0
    """How many float in the same direction as in the round before."""
    alternation: int = 0
    """How many have the same House as in their last game."""
    halves: int = 0
    """How far two stand from where upper half meets lower half; squares."""

    @property
    def is_clean(self) -> bool:
        """Whether nobody meets again, has a second bye or leaves the balance of starts."""
        return not any(self[:4])

    def plus(self, other: Cost) -> Cost:
        """The cost of both."""
        return Cost(*map(int.__add__, self, other))


def cost_of(field: Field, one: Player, other: Player) -> Cost:
    """What it costs that two meet; ``one`` stands before ``other``."""
    times, last = field.find_meetings(one.number, other.number) or (0, 0)
    apart = one.points - other.points
    if apart:
        # Who floats down should be the last of theirs, and meet the first of the others.
        halves = (one.size - 1 - one.spot) ** 2 + other.spot**2
    else:
        halves = (other.spot - one.spot - one.size // 2) ** 2
    starts, alternation = _starts(one, other)
    return Cost(
        repeats=times * times,
        repeat_age=last,
        starts=starts,
        score=apart * apart,
        floats_again=(one.floated > 0) + (other.floated < 0) if apart else 0,
        alternation=alternation,
        halves=halves,
    )


def cost_of_bye(field: Field, one: Player) -> Cost:
    """What it costs that somebody has the bye."""
    return Cost(
        second_byes=one.byes * one.byes,
        bye_place=len(field.players) - 1 - one.place,
        floats_again=int(one.floated > 0),
    )


def _starts(one: Player, other: Player) -> tuple[int, int]:
    """What Houses cost, if they are given as ``starts.choose`` gives them."""
    repeats = [
        (gold.past.last == "gold") + (black.past.last == "black")
        for gold, black in ((one, other), (other, one))
    ]
    if one.tilt == other.tilt:
        return out_of_balance(one.tilt, other.tilt), min(repeats)
    if one.tilt < other.tilt:
        return out_of_balance(one.tilt, other.tilt), repeats[0]
    return out_of_balance(other.tilt, one.tilt), repeats[1]
