"""Who has the first turn: what entrants have had of it so far, and who has it next.

In a ``single`` encounter Gold has the first turn, so that the start is balanced with the House. In
one with a ``bid`` only the Houses are the event's to give; in a ``pair`` both have each once. A
game that was annulled counts for nothing here. Whom one meets is left to ``swiss`` and
``round_robin``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pbem.tournaments.charter import Meeting
from pbem.tournaments.event import Encounter, Event, EventGame, Why

House = Literal["gold", "black"]


@dataclass(frozen=True, slots=True)
class Past:
    """The Houses that an entrant had, oldest first."""

    number: int
    houses: tuple[House, ...] = ()

    @property
    def had(self) -> int:
        """How often they were Gold."""
        return self.houses.count("gold")

    @property
    def tilt(self) -> int:
        """How often they were Gold more than Black."""
        return 2 * self.had - len(self.houses)

    @property
    def last(self) -> House | None:
        """What they were last."""
        return self.houses[-1] if self.houses else None


@dataclass(frozen=True, slots=True)
class Choice:
    """Who is Gold in an encounter of one game, who Black, and why."""

    gold: int
    black: int
    why: Why


def pasts(event: Event) -> dict[int, Past]:
    """The Houses that each entrant had in the games paired so far."""
    found: dict[int, list[House]] = {each.number: [] for each in event.entrants}
    for encounter in event.encounters:
        for game in filter(_counts, encounter.games):
            found[game.gold].append("gold")
            found[game.black].append("black")
    return {number: Past(number, tuple(houses)) for number, houses in found.items()}


def balance(event: Event, number: int) -> int:
    """Starts had minus starts not had, in the games paired so far.

    Who starts a game with a bid is known when it is over; till then it counts for neither side.
    """
    found = 0
    for encounter, game in _games_of(event, number):
        if game.result is None and (encounter.has_bid or event.charter.meeting == "bid"):
            continue
        starter = game.result.starter if game.result is not None else "gold"
        found += 1 if (game.gold if starter == "gold" else game.black) == number else -1
    return found


def out_of_balance(gold: int, black: int) -> int:
    """By how much a game brings two more than one away from balance, by what they had before."""
    return max(0, abs(gold + 1) - 1) + max(0, abs(black - 1) - 1)


def choose(
    upper: Past, lower: Past, *, upper_by_lot: bool, about: Literal["start", "house"] = "start"
) -> Choice:
    """Who of two is Gold: who was it less; else who had it longer ago; else as the lot says.

    ``about`` is what Gold means there: the first turn, or the House alone.
    """
    if upper.tilt != lower.tilt:
        gold, black = sorted((upper, lower), key=lambda each: each.tilt)
        facts: dict[str, int | str] = {
            "starter": gold.number,
            "other": black.number,
            "had": gold.had,
            "games": len(gold.houses),
            "other_had": black.had,
            "other_games": len(black.houses),
        }
        return Choice(gold.number, black.number, Why(f"{about}_balances", facts))
    for house, other in zip(reversed(upper.houses), reversed(lower.houses), strict=False):
        if house != other:
            gold, black = (upper, lower) if house == "black" else (lower, upper)
            facts = {"starter": gold.number, "other": black.number}
            return Choice(gold.number, black.number, Why(f"{about}_alternates", facts))
    gold, black = (upper, lower) if upper_by_lot else (lower, upper)
    facts = {"starter": gold.number, "other": black.number}
    return Choice(gold.number, black.number, Why(f"{about}_by_lot", facts))


def otherwise(choice: Choice) -> Choice:
    """The same two the other way round, for the sake of rounds to come."""
    about = choice.why.code.partition("_")[0]
    facts: dict[str, int | str] = {"starter": choice.black, "other": choice.gold}
    return Choice(choice.black, choice.gold, Why(f"{about}_foreseen", facts))


def games_of(home: int, away: int, meeting: Meeting) -> tuple[EventGame, ...]:
    """The games of an encounter whose first has ``home`` as Gold."""
    games = (EventGame(home, away), EventGame(away, home))
    return games if meeting == "pair" else games[:1]


def _games_of(event: Event, number: int) -> Iterator[tuple[Encounter, EventGame]]:
    for encounter in event.of_entrant(number):
        yield from ((encounter, game) for game in encounter.games if _counts(game))


def _counts(game: EventGame) -> bool:
    return game.result is None or game.result.ending != "void"
