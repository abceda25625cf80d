"""Ladder: who may challenge whom, and what challenges and games do to the order.

Everybody has a place; the first order is by rating, and who comes later joins at the bottom. One
may challenge up to ``reach`` places above one's own, is in one challenge or encounter at a time,
and challenges the same one again only after a cooling time. Who wins takes the place of whom they
challenged, and those between move down by one; a tie changes nothing. A challenge that is not
answered in time, or declined without a reason, is lost in the same way. A reason is good once in a
while only. Who does nothing for long slips by one place, but the first, who can challenge nobody,
does not. The server says when that is (``coming``).

Every change is the event behind it; ``acts`` says when they are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from pbem.tournaments.event import Answer, Challenge, Encounter, Event, Why
from pbem.tournaments.seating import seat
from pbem.tournaments.seeding import lot, seeded
from pbem.tournaments.steps import Lapse, PairRound, Slip, Step

ANSWER_TIME: Final = timedelta(days=7)
"""How long a challenge waits for an answer."""
COOLING_TIME: Final = timedelta(days=30)
"""How long after a challenge was settled the same one cannot be challenged by the same again."""
EXCUSE_TIME: Final = timedelta(days=60)
"""How long after a challenge was declined with a reason no other reason is good."""
IDLE_TIME: Final = timedelta(days=60)
"""How long one may do nothing without slipping."""

COSTLY: Final[frozenset[Answer]] = frozenset({"declined", "lapsed"})
"""Answers that cost the place."""


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why somebody cannot be challenged: a code and what it is about."""

    code: str
    facts: dict[str, int | str] = field(default_factory=dict)


def check_challenge(
    event: Event, challenger: int, challenged: int, now: datetime
) -> Hindrance | None:
    """What stands in the way of a challenge; None if nothing does."""
    for number in (challenger, challenged):
        if number not in event.ladder:
            return Hindrance("not_on_ladder", {"entrant": number})
    steps = event.ladder.index(challenger) - event.ladder.index(challenged)
    if steps <= 0:
        return Hindrance("challenge_not_above", {"entrant": challenged})
    if steps > event.charter.reach:
        return Hindrance("challenge_too_far", {"places": steps, "reach": event.charter.reach})
    for number in (challenger, challenged):
        if is_busy(event, number):
            return Hindrance("challenge_busy", {"entrant": number})
    until = _cool_at(event, challenger, challenged)
    if until is not None and now < until:
        return Hindrance("challenge_too_soon", {"until": until.isoformat()})
    return None


def is_busy(event: Event, number: int) -> bool:
    """Whether an entrant is in a challenge, or in an encounter that goes on."""
    return any(number in (each.challenger, each.challenged) for each in _pending(event))


def can_excuse(event: Event, number: int, now: datetime) -> bool:
    """Whether a reason for declining is good: not if one was given a short time ago."""
    return not any(
        each.challenged == number
        and each.answer == "excused"
        and each.answered_at is not None
        and now < each.answered_at + EXCUSE_TIME
        for each in event.challenges
    )


def begun(event: Event, at: datetime) -> Event:
    """The ladder as it begins: by rating, then by number."""
    order = tuple(each.number for each in seeded(each for each in event.entrants if each.is_in))
    event = replace(event, ladder=order)
    return _active(event, order, at)


def joined(event: Event, number: int, at: datetime) -> Event:
    """A new entrant, at the bottom."""
    return _active(replace(event, ladder=(*event.ladder, number)), (number,), at)


def challenged(event: Event, challenger: int, other: int, at: datetime) -> Event:
    """A challenge that waits for its answer. ``check_challenge`` says whether it may be made."""
    new = Challenge(len(event.challenges) + 1, challenger, other, at)
    return _active(replace(event, challenges=(*event.challenges, new)), (challenger,), at)


def answered(event: Event, number: int, answer: Answer, at: datetime) -> Event:
    """What became of a challenge; if it was declined or lapsed, the places change.

    What is accepted is paired by ``pair``.
    """
    challenge = replace(event.challenges[number - 1], answer=answer, answered_at=at)
    before, after = event.challenges[: number - 1], event.challenges[number:]
    event = replace(event, challenges=(*before, challenge, *after))
    if answer in COSTLY:
        order = _taken(event.ladder, challenge.challenger, challenge.challenged)
        event = replace(event, ladder=order)
    return event if answer == "lapsed" else _active(event, (challenge.challenged,), at)


def lapsed(event: Event, number: int, at: datetime) -> Event:
    """A challenge was not answered in time."""
    return answered(event, number, "lapsed", at)


def slipped(event: Event, number: int, at: datetime) -> Event:
    """Somebody did nothing for long and is one place lower; from now their time runs anew."""
    order = list(event.ladder)
    place = order.index(number)
    order[place : place + 2] = reversed(order[place : place + 2])
    return _active(replace(event, ladder=tuple(order)), (number,), at)


def gone(event: Event, number: int, at: datetime) -> Event:
    """Somebody has left: those below move up, and challenges with them are over."""
    waiting = [each for each in event.challenges if each.answer == "open"] + _unpaired(event)
    for each in waiting:
        if number in (each.challenger, each.challenged):
            event = answered(event, each.number, "withdrawn", at)
    return replace(event, ladder=tuple(each for each in event.ladder if each != number))


def ladder_after(event: Event, encounter: Encounter) -> tuple[int, ...]:
    """The order after an encounter, which is over."""
    challenge = event.challenges[encounter.round - 1]
    one, other = challenge.challenger, challenge.challenged
    if encounter.points_of(one) <= encounter.points_of(other):
        return event.ladder
    return _taken(event.ladder, one, other)


def settled(event: Event, encounter: Encounter, at: datetime) -> Event:
    """The event after an encounter, which is over."""
    event = replace(event, ladder=ladder_after(event, encounter))
    return _active(event, encounter.entrants, at)


def pair(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """An encounter for every challenge that was accepted; its round is the challenge's number."""
    number = len(event.encounters)
    meeting = event.charter.meeting
    made = []
    for each in _unpaired(event):
        number += 1
        one, other = each.challenger, each.challenged
        by_lot = lot(seed, "ladder", number) % 2 == 0
        seating = seat(event, one, other, meeting=meeting, by_lot=by_lot)
        facts: dict[str, int | str] = {
            "challenger": one,
            "challenged": other,
            "place": event.ladder.index(other) + 1,
        }
        why = (Why("ladder_challenge", facts), *seating.why)
        made.append(
            Encounter(number, each.number, seating.home, seating.away, seating.games, why=why)
        )
    return tuple(made)


def coming(event: Event) -> Iterator[tuple[datetime | None, Step]]:
    """What is to come of a ladder by itself; it has no end but a director's."""
    accepted = _unpaired(event)
    if accepted:
        yield None, PairRound(max(each.number for each in accepted))
    busy = {number for each in _pending(event) for number in (each.challenger, each.challenged)}
    for each in event.challenges:
        if each.answer == "open":
            yield each.at + ANSWER_TIME, Lapse(each.number)
    for number in event.ladder[1:-1]:
        active = event.entrant(number).active_at
        if active is not None and number not in busy:
            yield active + IDLE_TIME, Slip(number)


def _taken(order: tuple[int, ...], winner: int, loser: int) -> tuple[int, ...]:
    """The order with a winner in the place of whom they challenged, if that is above their own."""
    if winner not in order or loser not in order or order.index(winner) < order.index(loser):
        return order
    others = [each for each in order if each != winner]
    others.insert(others.index(loser), winner)
    return tuple(others)


def _unpaired(event: Event) -> list[Challenge]:
    """What was accepted and has no encounter yet."""
    paired = {each.round for each in event.encounters}
    return [
        each for each in event.challenges if each.answer == "accepted" and each.number not in paired
    ]


def _pending(event: Event) -> list[Challenge]:
    """Challenges that wait for an answer or are being played."""
    over = {each.round for each in event.encounters if each.is_over}
    return [
        each
        for each in event.challenges
        if each.answer == "open" or (each.answer == "accepted" and each.number not in over)
    ]


def _cool_at(event: Event, challenger: int, other: int) -> datetime | None:
    """When the last challenge of these two, in this direction, is long enough ago."""
    last = None
    for each in event.challenges:
        if (each.challenger, each.challenged) != (challenger, other):
            continue
        ends = [each.at] if each.answered_at is None else [each.answered_at]
        games = (game for encounter in event.of_round(each.number) for game in encounter.games)
        ends += [game.result.at for game in games if game.result and game.result.at]
        last = max(ends)
    return None if last is None else last + COOLING_TIME


def _active(event: Event, numbers: tuple[int, ...], at: datetime) -> Event:
    entrants = tuple(
        replace(each, active_at=at) if each.number in numbers else each for each in event.entrants
    )
    return replace(event, entrants=entrants)
