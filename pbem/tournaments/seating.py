"""The games of one encounter by itself: who is Gold in which, and the reasons for it.

For formats that pair one encounter at a time; a whole round or table balances starts for all at
once (``swiss``, ``circle``).
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.tournaments.charter import Meeting
from pbem.tournaments.event import Event, EventGame, Why
from pbem.tournaments.starts import choose, games_of, pasts


@dataclass(frozen=True, slots=True)
class Seating:
    """Who is at home (Gold in the first game), who away, what they play and why so."""

    home: int
    away: int
    games: tuple[EventGame, ...]
    why: tuple[Why, ...]


def seat(event: Event, one: int, other: int, *, meeting: Meeting, by_lot: bool) -> Seating:
    """Who had Gold less often has it; if nothing else tells, ``by_lot`` says whether ``one``."""
    past = pasts(event)
    choice = choose(
        past[one],
        past[other],
        upper_by_lot=by_lot,
        about="start" if meeting == "single" else "house",
    )
    why: tuple[Why, ...] = (choice.why,)
    if meeting == "pair":
        why = (Why("both_start", {"entrant": choice.gold, "other": choice.black}),)
    elif meeting == "bid":
        why = (choice.why, Why("bid_decides"))
    games = games_of(choice.gold, choice.black, meeting)
    return Seating(choice.gold, choice.black, games, why)


def swapped(first: EventGame, *, meeting: Meeting) -> Seating:
    """As a game before, with Houses and start swapped."""
    facts: dict[str, int | str] = {"starter": first.black, "other": first.gold}
    games = games_of(first.black, first.gold, meeting)
    return Seating(first.black, first.gold, games, (Why("swapped", facts),))
