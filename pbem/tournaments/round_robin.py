"""Round robins: all meet all, in one group or in several with a final.

Places in the table (``circle``) are drawn by lot. Where the number of a group is odd, one is free
in each round: that is no bye and worth nothing, since it comes to everybody once in a cycle. A
final is a table of its own: all of it is played anew, so that everybody in it has as many games and
starts as the others. Who is in the final is told by the tables that are handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Final

from pbem.tournaments import circle
from pbem.tournaments.charter import Charter
from pbem.tournaments.event import Encounter, Event, Why
from pbem.tournaments.seeding import drawn, lot, seeded, serpentine
from pbem.tournaments.starts import balance, games_of

FINAL: Final = "final"
"""The stage of the final group."""


def groups(event: Event) -> dict[str, tuple[int, ...]]:
    """Who plays in which group; one without a name if all play in one."""
    members = tuple(each.number for each in seeded(event.entrants) if each.is_in)
    size = event.charter.group_size
    if not size or len(members) <= size:
        return {"": members}
    count = -(-len(members) // size)
    return {_letter(index): group for index, group in enumerate(serpentine(members, count))}


def schedule(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """All encounters of all groups. They have the rounds in which they begin; all have the next
    one if all games begin together."""
    found: list[Encounter] = []
    for stage, members in groups(event).items():
        found += all_meet(
            drawn(members, seed, "places", stage), event.charter, stage=stage, after=event.round
        )
    return numbered(found, after=len(event.encounters))


def finals(
    event: Event, *, seed: bytes, tables: Mapping[str, Sequence[int]]
) -> tuple[Encounter, ...]:
    """All encounters of the final. ``tables`` has for each group its entrants from the first on."""
    members = [
        number
        for _, table in sorted(tables.items())
        for number in [each for each in table if event.entrant(each).is_in][
            : event.charter.finalists
        ]
    ]
    last = max((each.round for each in event.encounters), default=0)
    found = all_meet(
        placed(event, members, stage=FINAL, seed=seed),
        event.charter,
        stage=FINAL,
        after=max(event.round, last),
    )
    return numbered(found, after=len(event.encounters))


def placed(event: Event, members: Sequence[int], *, stage: str, seed: bytes) -> tuple[int, ...]:
    """Members of a later group in the order of their places in its table.

    Who started more often before gets a place that starts less often; the rest is drawn by lot.
    """
    by_starts = sorted(
        members, key=lambda each: (-balance(event, each), lot(seed, "places", stage, each))
    )
    tilts = circle.tilts(len(members), cycles=event.charter.cycles)
    places = sorted(range(len(members)), key=lambda each: (tilts[each], each))
    order = dict(zip(places, by_starts, strict=True))
    return tuple(order[place] for place in range(len(members)))


def all_meet(
    members: Sequence[int], charter: Charter, *, stage: str, after: int
) -> Iterator[Encounter]:
    """The encounters in which all of a group meet, each ``cycles`` times, without numbers yet.

    ``members`` are in the order of their places in the table; ``after`` is the round before.
    """
    rounds = circle.table(len(members), cycles=charter.cycles)
    for index, pairs in enumerate(rounds):
        begins = after + 1 + (index if charter.pace == "rounds" else 0)
        for one, other in pairs:
            home, away = members[one], members[other]
            why = _reasons(charter, home, away, places=(one, other), of=len(members), index=index)
            games = games_of(home, away, charter.meeting)
            yield Encounter(0, begins, home, away, games=games, stage=stage, why=why)


def numbered(encounters: Iterable[Encounter], *, after: int) -> tuple[Encounter, ...]:
    """Encounters in the order of their rounds and groups, with numbers that follow on."""
    order = sorted(encounters, key=lambda each: each.round)
    return tuple(replace(each, number=number) for number, each in enumerate(order, after + 1))


def _reasons(
    charter: Charter, home: int, away: int, *, places: tuple[int, int], of: int, index: int
) -> tuple[Why, ...]:
    both: dict[str, int | str] = {"entrant": home, "other": away}
    rounds = circle.rounds_of(of)
    cycle, step = divmod(index, rounds)
    place, other_place = (each + 1 for each in places)
    facts = both | {"round": index + 1, "place": place, "other_place": other_place}
    why = [
        Why("all_meet", both | {"size": of, "times": charter.cycles}),
        Why("table_round", facts),
    ]
    if cycle % 2:
        why.append(Why("table_back", both | {"round": cycle * rounds - step}))
    if charter.meeting == "pair":
        return (*why, Why("both_start", both))
    if charter.meeting == "bid":
        return (*why, Why("table_house", both), Why("bid_decides"))
    return (*why, Why("table_start", {"starter": home, "other": away}))


def _letter(index: int) -> str:
    more, last = divmod(index, len(ascii_uppercase))
    return (ascii_uppercase[more - 1] if more else "") + ascii_uppercase[last]
