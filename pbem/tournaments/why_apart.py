"""Why two do not meet in a knock-out, a ladder or a team match. ``why_not`` asks.

The sentences are in ``pbem.play.events.saying_why``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from pbem.tournaments import circle
from pbem.tournaments.bracket import bracket, seeded_places
from pbem.tournaments.charter import Format
from pbem.tournaments.event import Event, Why

Apart = Callable[[Event, int, int], Iterator[Why]]


def in_bracket(event: Event, one: int, other: int) -> Iterator[Why]:
    """Who of the two is out; if nobody is, in which round they can meet."""
    found = bracket(event)
    for number in (one, other):
        if number not in found.seeds:
            yield Why("not_paired", {"entrant": number})
            return
    out = {match.loser: match.round for match in found.matches if match.loser is not None}
    gone = [number for number in (one, other) if number in out]
    for number in gone:
        yield Why("knockout_out", {"entrant": number, "round": out[number]})
    if not gone:
        places = seeded_places(len(found.seeds))
        lines = [places.index(found.seed_of(number)) for number in (one, other)]
        rounds = (lines[0] ^ lines[1]).bit_length()
        yield Why("knockout_apart", {"entrant": one, "other": other, "round": rounds})


def on_ladder(event: Event, one: int, other: int) -> Iterator[Why]:
    """That nobody challenged, or what became of the last challenge."""
    for each in reversed(event.challenges):
        if {each.challenger, each.challenged} == {one, other}:
            facts: dict[str, int | str] = {
                "challenger": each.challenger,
                "challenged": each.challenged,
            }
            yield Why(f"challenge_{each.answer}", facts)
            return
    yield Why("no_challenge", {"entrant": one, "other": other})


def in_teams(event: Event, one: int, other: int) -> Iterator[Why]:
    """That they are of one team, or play on other boards, or that their teams meet later."""
    first, second = event.entrant(one), event.entrant(other)
    facts: dict[str, int | str] = {"entrant": one, "other": other}
    if first.team == second.team:
        yield Why("team_same", facts | {"team": first.team})
    elif not first.board or not second.board or first.board != second.board:
        boards: dict[str, int | str] = {"board": first.board, "other_board": second.board}
        yield Why("team_other_board", facts | boards)
    else:
        table = circle.table(len(event.teams), cycles=event.charter.cycles)
        sides = {event.teams.index(first.team), event.teams.index(second.team)}
        for number, pairs in enumerate(table, 1):
            if any(set(pair) == sides for pair in pairs):
                yield Why("team_round", facts | {"round": number})


APART: Final[Mapping[Format, Apart]] = {
    "knockout": in_bracket,
    "ladder": on_ladder,
    "teams": in_teams,
}
"""Formats that have reasons of their own."""
