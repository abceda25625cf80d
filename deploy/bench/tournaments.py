"""Events: how long pairings and tables take. ``python deploy/bench/tournaments.py``.

Swiss events with single games are played on with random results, in which the start is worth a lot
and the stronger player wins more often; each round is timed. ``--json`` prints figures instead of a
table.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from measuring import Figure, at_least, at_most, median_ms, report, shown

from pbem.tournaments import round_robin, swiss
from pbem.tournaments.charter import Charter, Meeting
from pbem.tournaments.event import Encounter, Entrant, Event, EventGame, Holder, Result
from pbem.tournaments.explaining import explanations
from pbem.tournaments.prospects import prospects
from pbem.tournaments.standings import table_of
from pbem.tournaments.starts import games_of
from pbem.tournaments.why_not import why_not


@dataclass(frozen=True, slots=True)
class Size:
    """How much is done."""

    players: int = 256
    rounds: int = 9
    many: int = 1000
    many_rounds: int = 6
    repeats: int = 9


def made(players: int, charter: Charter) -> Event:
    """A running event of players of all strengths."""
    rng = Random(players)
    entrants = tuple(
        Entrant(number, (Holder(number, 0),), rating=round(rng.gauss(1500, 250)))
        for number in range(1, players + 1)
    )
    return Event("bench", charter, directors=(1,), phase="running", entrants=entrants)


def played(event: Event, rng: Random) -> Event:
    """The event with a result for every game."""

    def result(game: EventGame) -> Result:
        apart = event.entrant(game.gold).rating - event.entrant(game.black).rating
        wins = 1 / (1 + 10 ** (-(apart + 120) / 400))
        chance = rng.random()
        if chance > 0.95:
            return Result(1, 1)
        return Result(2, 0) if chance < 0.95 * wins else Result(0, 2)

    encounters = tuple(
        replace(
            each,
            games=tuple(replace(game, result=game.result or result(game)) for game in each.games),
        )
        for each in event.encounters
    )
    return replace(event, encounters=encounters)


def swiss_event(players: int, rounds: int) -> tuple[list[float], Event]:
    """How long each round took, and the event before its last round was paired."""
    event = made(players, Charter("Bench", "swiss", meeting="single"))
    rng, took, before = Random(1), [], event
    for number in range(rounds):
        before = event
        began = time.perf_counter()
        found = swiss.pair(event, seed=bytes([number]))
        took.append(time.perf_counter() - began)
        event = played(
            replace(event, encounters=(*event.encounters, *found), round=number + 1), rng
        )
    return took, before


def pairings(size: Size) -> list[Figure]:
    """Swiss rounds, an answer to "why do I not play X?", and a round robin."""
    swiss_event(8, 1)  # loads the matching
    took, before = swiss_event(size.players, size.rounds)
    many, _ = swiss_event(size.many, size.many_rounds)
    found = swiss.pair(before, seed=b"seed")
    began = time.perf_counter()
    why_not(before, found, 1, 2)
    asked = time.perf_counter() - began
    all_meet = made(33, Charter("Bench", "round_robin", meeting="single", cycles=2))
    began = time.perf_counter()
    round_robin.schedule(all_meet, seed=b"seed")
    scheduled = time.perf_counter() - began
    name = f"pairing {size.players} players"
    later = statistics.median(took[size.rounds // 2 :])
    return [
        at_most(f"{name}, first round", took[0], "s", 1),
        at_most(f"{name}, median of later rounds", later, "s", 1),
        at_most(f"{name}, slowest round", max(took), "s", 1),
        at_most(f"pairing {size.many} players, slowest round", max(many), "s", 10),
        at_most(f"why two of {size.players} do not meet", asked, "s", 1),
        shown("round robin of 33, two cycles", scheduled * 1000, "ms"),
    ]


def whole_event(players: int, rounds: int, charter: Charter) -> Event:
    """An event with all its rounds played: who meets whom is drawn by lot, which tables take as
    well as any."""
    event, rng = made(players, charter), Random(2)
    for number in range(1, rounds + 1):
        drawn = list(range(1, players + 1))
        rng.shuffle(drawn)
        found = tuple(
            Encounter(
                len(event.encounters) + index,
                number,
                one,
                other,
                games_of(one, other, charter.meeting),
            )
            for index, (one, other) in enumerate(zip(drawn[::2], drawn[1::2], strict=True), start=1)
        )
        event = played(replace(event, encounters=(*event.encounters, *found), round=number), rng)
    return event


def last_round(meeting: Meeting) -> Event:
    """A round robin of twelve with all games played but those of its last round."""
    event = made(12, Charter("Bench", "round_robin", meeting=meeting, pace="rounds"))
    found = round_robin.schedule(event, seed=b"seed")
    last = max(each.round for each in found)
    event = played(replace(event, encounters=found, round=last), Random(3))
    return replace(
        event,
        encounters=tuple(
            before if before.round == last else after
            for before, after in zip(found, event.encounters, strict=True)
        ),
    )


def tables(size: Size) -> list[Figure]:
    """Standings with an explanation for each two neighbours, and who can still win."""
    figures = []
    meetings: tuple[Meeting, ...] = ("single", "pair")
    for meeting in meetings:
        charter = Charter("Bench", "swiss", meeting=meeting)
        event = whole_event(size.many, size.rounds, charter)
        took = median_ms(partial(_explained, event), repeats=size.repeats)
        name = f"table of {size.many} with explanations, {meeting} games"
        figures.append(at_most(name, took, "ms", 200))
    for meeting in meetings:
        event = last_round(meeting)
        found = prospects(event)
        took = median_ms(partial(prospects, event), repeats=3)
        name = f"what-if of the last round of twelve, {meeting} games"
        figures.append(shown(f"{name}: ways", found.ways, "ways"))
        figures.append(at_least(f"{name}: exact", found.method == "exact", "", 1))
        figures.append(shown(name, took, "ms"))
    return figures


def _explained(event: Event) -> object:
    return explanations(table_of(event))


def bench(size: Size) -> list[Figure]:
    """Everything that is measured."""
    return [*pairings(size), *tables(size)]


if __name__ == "__main__":
    report(bench(Size()))
