"""How far each has come in a knock-out: what its table is ordered by.

Who goes on from an encounter is ``knockout``'s to say, and shows in the rounds that follow: an
entrant is out when a later round has been paired without them. In the last round that was paired
it is the points of its encounters that tell.
"""

from __future__ import annotations

from pbem.tournaments.event import Encounter, Event


def advances(event: Event, stage: str = "") -> dict[int, int]:
    """For every entrant a figure, the higher the further; those who went out together are level."""
    last: dict[int, Encounter] = {}
    newest = 0
    for each in event.encounters:
        if each.stage == stage:
            newest = max(newest, each.round)
            for number in each.entrants:
                last[number] = each
    figures = dict.fromkeys((each.number for each in event.entrants), 0)
    for number, each in last.items():
        figures[number] = 2 * each.round + (each.round == newest and not _is_lost(each, number))
    return figures


def _is_lost(each: Encounter, number: int) -> bool:
    opponent = each.opponent_of(number)
    return (
        opponent is not None and each.is_over and each.points_of(number) < each.points_of(opponent)
    )
