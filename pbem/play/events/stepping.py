"""What each step of an event leads to: acts, and who is told. Which one is due, and that each is
done once, is ``advancing``'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from pbem.play.events import notices
from pbem.play.events.games_of import end_game, result_of, write_result
from pbem.play.events.open_event import OpenEvent
from pbem.play.events.pairing import open_round, pair_round
from pbem.play.ports import Surroundings, Unit
from pbem.tournaments.event import WIN
from pbem.tournaments.steps import (
    AskCheckIn,
    Begin,
    CloseEntries,
    Finish,
    Lapse,
    MoveUp,
    OpenRound,
    PairRound,
    PutOff,
    Slip,
    Step,
    Walkover,
)


def do_step(
    around: Surroundings, unit: Unit, opened: OpenEvent, step: Step, *, now: datetime
) -> None:
    """Do a step that is due."""
    match step:
        case MoveUp() | CloseEntries() | AskCheckIn() | PutOff():
            _before_it_begins(unit, opened, step, now=now)
        case Begin():
            begin(unit, opened, step, by=None, now=now)
        case PairRound():
            pair_round(around, unit, opened, now=now)
        case OpenRound(number, _):
            open_round(unit, opened, number, now=now)
        case Walkover():
            _walk_over(around, unit, opened, step, now=now)
        case Lapse(number):
            _lapse(unit, opened, number, now=now)
        case Slip(number):
            opened.act("slipped", at=now, entrant=number)
        case Finish():
            finish(unit, opened, by=None, now=now)


def _before_it_begins(
    unit: Unit,
    opened: OpenEvent,
    step: MoveUp | CloseEntries | AskCheckIn | PutOff,
    *,
    now: datetime,
) -> None:
    tell = partial(tell_act, unit, opened, at=now)
    match step:
        case MoveUp(entrants):
            for number in entrants:
                player_id = opened.event.entrant(number).player_id
                opened.act("moved_up", at=now, player=player_id, entrant=number)
                tell(notices.ENTERED, [player_id], entrant=number, moved_up=True)
        case CloseEntries():
            opened.act("closed_entries", at=now)
        case AskCheckIn():
            opened.act("check_in_asked", at=now)
            for each in opened.event.entrants:
                if each.standing in ("in", "waiting"):
                    tell(notices.CHECK_IN, [each.player_id], entrant=each.number)
        case PutOff(starts_at, found, least):
            when = starts_at.isoformat()
            opened.act("put_off", at=now, starts_at=when, found=found, least=least)
            tell(notices.PUT_OFF, opened.event.directors)


def _lapse(unit: Unit, opened: OpenEvent, number: int, *, now: datetime) -> None:
    opened.act("challenge_lapsed", at=now, challenge=number)
    challenge = opened.event.challenges[number - 1]
    both = (challenge.challenger, challenge.challenged)
    players = [opened.event.entrant(each).player_id for each in both]
    tell_act(unit, opened, notices.CHALLENGE_ANSWERED, players, at=now, challenge=number)


def tell_act(
    unit: Unit,
    opened: OpenEvent,
    kind: str,
    players: Iterable[int],
    *,
    at: datetime,
    **facts: object,
) -> None:
    """Tell players of the act that was done last."""
    event = opened.event
    notices.tell(
        unit,
        kind,
        players,
        cause=notices.cause_of_act(event.id, event.acts),
        at=at,
        event_id=event.id,
        act=event.acts,
        **facts,
    )


def begin(unit: Unit, opened: OpenEvent, step: Begin, *, by: int | None, now: datetime) -> None:
    """The event begins; who did not check in, is told that it does so without them."""
    absent = list(step.absent)
    opened.act("started", by=by, at=now, absent=absent, moved_up=list(step.moved_up))
    players = [opened.event.entrant(number).player_id for number in absent]
    tell_act(unit, opened, notices.NEWS, players, at=now)
    for number in step.moved_up:
        player_id = opened.event.entrant(number).player_id
        tell_act(unit, opened, notices.ENTERED, [player_id], at=now, entrant=number, moved_up=True)


def finish(
    unit: Unit, opened: OpenEvent, *, by: int | None, reason: str = "", now: datetime
) -> None:
    """The event is over."""
    opened.act("finished", by=by, at=now, reason=reason)
    event = opened.event
    players = [each.player_id for each in event.entrants if each.standing != "waiting"]
    tell_act(unit, opened, notices.OVER, [*players, *event.directors], at=now)


def _walk_over(
    around: Surroundings, unit: Unit, opened: OpenEvent, step: Walkover, *, now: datetime
) -> None:
    """A game of somebody who is out ends for the other, in its own log too if it has begun."""
    event_id, result = opened.event.id, step.result
    row = unit.games_of_encounter(event_id, step.encounter)[step.game]
    if row.game_id is not None:
        stored = unit.find_game(row.game_id)
        if stored is not None and stored.is_over:
            result = result_of(unit, stored)
        else:
            winner = {(WIN, 0): 0, (0, WIN): 1}.get((result.gold, result.black))
            ended = end_game(around, unit, row.game_id, winner, now=now)
            if ended.termination != "ruling":  # it was over on its own, a moment before
                result = result_of(unit, ended)
    write_result(opened, step.encounter, step.game, result, now=now)
    unit.count_event_game(event_id, step.encounter, step.game)
