"""Events to try things on: made in a line, played with results from a generator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random

from pbem.tournaments.charter import Charter
from pbem.tournaments.event import Encounter, Entrant, Event, EventGame, Holder, Result

WON, DRAWN, LOST = Result(2, 0), Result(1, 1), Result(0, 2)


def charter(**fields: object) -> Charter:
    """A Swiss event with single games, unless the fields say otherwise."""
    usual: dict[str, object] = {"title": "An event", "format": "swiss", "meeting": "single"}
    return Charter(**(usual | fields))  # type: ignore[arg-type]


def made(ratings: int | Sequence[int], **fields: object) -> Event:
    """A running event whose entrants have these ratings; a number is how many, strongest first."""
    if isinstance(ratings, int):
        ratings = [2000 - 10 * index for index in range(ratings)]
    entrants = tuple(
        Entrant(number, (Holder(100 + number, 0),), rating=rating)
        for number, rating in enumerate(ratings, 1)
    )
    return Event("e", charter(**fields), directors=(1,), phase="running", entrants=entrants)


def paired(event: Event, encounters: Iterable[Encounter]) -> Event:
    """An event in which a round has begun."""
    encounters = tuple(encounters)
    return replace(event, encounters=event.encounters + encounters, round=event.round + 1)


def met(event: Event, *pairs: tuple[int, int | None] | tuple[int, int, Result]) -> Event:
    """One more round: who was Gold, who Black (None: a bye), and the result, won by Gold."""
    encounters = []
    for number, (gold, black, *result) in enumerate(pairs, len(event.encounters) + 1):
        games = () if black is None else (EventGame(gold, black, *(result or [WON])),)
        encounters.append(Encounter(number, event.round + 1, gold, black, games))
    return paired(event, encounters)


def played(event: Event, result: Callable[[EventGame], Result | None]) -> Event:
    """An event whose games that still went on have these results; None: they go on."""
    return replace(
        event,
        encounters=tuple(
            replace(
                each,
                games=tuple(
                    replace(game, result=result(game)) if game.result is None else game
                    for game in each.games
                ),
            )
            for each in event.encounters
        ),
    )


def at_random(rng: Random, *, running: float = 0.0) -> Callable[[EventGame], Result | None]:
    """Results as they come: the start is worth a lot, some are draws, some games still go on."""

    def result(_: EventGame) -> Result | None:
        found = rng.choices((WON, DRAWN, LOST), (60, 10, 30))[0]
        return None if rng.random() < running else found

    return result


def changed(event: Event, number: int, **fields: object) -> Event:
    """An event with something else said of one entrant."""
    entrants = list(event.entrants)
    entrants[number - 1] = replace(entrants[number - 1], **fields)  # type: ignore[arg-type]
    return replace(event, entrants=tuple(entrants))
