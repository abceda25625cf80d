"""Knock-out: what is played next in a bracket, and how everybody comes out of it.

A match begins as soon as both of its players are known: nobody waits for the rest of a round. It
is one encounter, as the charter says (usually a pair of games with Houses and start swapped). If
that is tied, one game with a bid for the first turn decides, which is fair by itself and does not
take as long as pairs upon pairs; with a fixed set-up, which knows no bids, another pair does.
If that is tied too, the better seed goes on. Who leaves loses what they play (``progress`` gives
walkovers); who should have met them next goes on without playing.

The bracket itself is ``bracket``'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from pbem.tournaments.bracket import THIRD, Bracket, Match, bracket
from pbem.tournaments.event import Encounter, Event, Why
from pbem.tournaments.seating import seat, swapped
from pbem.tournaments.seeding import lot
from pbem.tournaments.steps import Finish, PairRound, Step


def pair(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """All encounters that can begin now, numbers following on; none if all wait or are over."""
    found = bracket(event)
    number = len(event.encounters)
    made = []
    for match in found.matches:
        if match.state in ("ready", "tied"):
            number += 1
            made.append(_encounter(event, found, match, number, seed))
    return tuple(made)


def coming(event: Event) -> Iterator[tuple[datetime | None, Step]]:
    """What is to come of a knock-out: the next encounters as soon as they can be, then the end."""
    found = bracket(event)
    due = [match.round for match in found.matches if match.state in ("ready", "tied")]
    if due:
        yield None, PairRound(max(due))
    elif found.is_over:
        yield None, Finish()


def places(event: Event) -> tuple[tuple[int, ...], ...]:
    """Everybody from the winner on, as far as it is known: who is together shares a place.

    Those come first who came further; who went out in the same round shares a place, unless there
    was a match for the third one. Who is still in it comes before all who are out.
    """
    found = bracket(event)
    final = len(found.rounds)
    reached: dict[int, tuple[int, int]] = {}
    for match in (match for matches in found.rounds for match in matches):
        for side in match.sides:
            if side is not None:
                still = match.state != "decided" or match.winner == side
                reached[side] = (match.round, 2 if still else 0)
    third = found.third
    if third is not None and third.winner is not None:
        reached[third.winner] = (final - 1, 1)
    order = sorted(reached, key=lambda number: reached[number], reverse=True)
    shared: list[list[int]] = []
    for number in order:
        if shared and reached[shared[-1][0]] == reached[number]:
            shared[-1].append(number)
        else:
            shared.append([number])
    return tuple(tuple(sorted(each, key=found.seed_of)) for each in shared)


def _encounter(event: Event, found: Bracket, match: Match, number: int, seed: bytes) -> Encounter:
    here = [side for side in match.sides if side is not None and event.entrant(side).is_in]
    why = tuple(_why(event, found, match, here))
    if len(here) == 1:
        return Encounter(
            number, match.round, here[0], None, stage=match.stage, board=match.place, why=why
        )
    one, other = here
    bids = match.state == "tied" and _knows_bids(event)
    meeting = "bid" if bids else event.charter.meeting
    if match.state == "tied" and not bids:
        seating = swapped(event.encounter(match.encounters[0]).games[0], meeting=meeting)
    else:
        by_lot = lot(seed, "knockout", number) % 2 == 0
        seating = seat(event, one, other, meeting=meeting, by_lot=by_lot)
    return Encounter(
        number,
        match.round,
        seating.home,
        seating.away,
        seating.games,
        stage=match.stage,
        board=match.place,
        why=(*why, *seating.why),
        has_bid=bids,
    )


def _knows_bids(event: Event) -> bool:
    """Whether a game of the event can have a bid: not if it begins from a fixed position."""
    return "position" not in event.charter.agreement


def _why(event: Event, found: Bracket, match: Match, here: list[int]) -> Iterator[Why]:
    if match.state == "tied":
        better = min(here, key=found.seed_of)
        code = "knockout_decider_bid" if _knows_bids(event) else "knockout_decider"
        yield Why(code, {"round": match.round, "entrant": better})
    elif len(here) == 1:
        yield from _why_alone(found, match, here[0])
    elif match.stage == THIRD:
        yield Why("knockout_third")
    elif match.round > 1:
        yield Why("knockout_winners", {"round": match.round - 1})
    else:
        yield Why(
            "knockout_seeds",
            {
                "entrant": here[0],
                "other": here[1],
                "seed": found.seed_of(here[0]),
                "other_seed": found.seed_of(here[1]),
                "of": len(found.seeds),
            },
        )


def _why_alone(found: Bracket, match: Match, entrant: int) -> Iterator[Why]:
    """Why somebody goes on without an opponent."""
    other = next((side for side in match.sides if side not in (entrant, None)), None)
    if match.round == 1 and other is None:
        facts: dict[str, int | str] = {"entrant": entrant, "seed": found.seed_of(entrant)}
        yield Why("knockout_bye", facts | {"of": len(found.seeds)})
    elif other is None:
        yield Why("knockout_unopposed", {"entrant": entrant})
    else:
        yield Why("knockout_walkover", {"entrant": entrant, "other": other})
