"""A pairing becomes part of an event: its act, the rows of its games, one mail for each player."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from pbem.play.events import notices
from pbem.play.events.open_event import OpenEvent
from pbem.play.events.ports import GameOfEvent
from pbem.play.ports import Surroundings, Unit
from pbem.tournaments.act_rounds import encounter_to_plain
from pbem.tournaments.event import Encounter
from pbem.tournaments.progress import pair, round_after

SEED_BYTES: Final = 16


def pair_round(around: Surroundings, unit: Unit, opened: OpenEvent, *, now: datetime) -> None:
    """Pair what is due. The seed is kept with it, so that anybody can do it again."""
    seed = around.entropy(SEED_BYTES)
    encounters = pair(opened.event, seed=seed)
    before, number = opened.event.round, round_after(opened.event, encounters)
    opened.act(
        "paired",
        at=now,
        round=number,
        seed=seed.hex(),
        encounters=[encounter_to_plain(each) for each in encounters],
    )
    unit.add_event_games(
        [
            GameOfEvent(opened.event.id, each.number, index, each.round)
            for each in encounters
            for index in range(len(each.games))
        ]
    )
    begun = [each for each in encounters if each.round <= number]
    tell_round(unit, opened, begun, is_more=before == number, at=now)


def open_round(unit: Unit, opened: OpenEvent, number: int, *, now: datetime) -> None:
    """A round begins that was paired before."""
    opened.act("turned_over", at=now, round=number)
    tell_round(unit, opened, list(opened.event.of_round(number)), is_more=False, at=now)


def tell_round(
    unit: Unit, opened: OpenEvent, begun: Sequence[Encounter], *, is_more: bool, at: datetime
) -> None:
    """One mail for each player, whatever number of encounters begins for them. ``is_more`` of a
    round of which everybody has been told, as when a match is tied."""
    event = opened.event
    by_entrant: dict[int, list[int]] = {}
    for encounter in begun:
        for number in encounter.entrants:
            by_entrant.setdefault(number, []).append(encounter.number)
    cause = notices.cause_of_round(event.id, event.round)
    if is_more and begun:
        cause += f"/{begun[0].number}"
    for number, encounters in by_entrant.items():
        notices.tell(
            unit,
            notices.PAIRED,
            [event.entrant(number).player_id],
            cause=cause,
            at=at,
            event_id=event.id,
            entrant=number,
            round=event.round,
            encounters=encounters,
        )
