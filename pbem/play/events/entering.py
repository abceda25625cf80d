"""Entering an event and leaving it: by the players themselves.

Before it begins an entry is simply taken back; later somebody who withdraws loses the games that
are not over, as ``advancing`` finds. Directors have ``directing``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pbem.play.errors import NotAllowedError
from pbem.play.events import notices
from pbem.play.events.open_event import OpenEvent
from pbem.play.events.stepping import tell_act
from pbem.play.ports import Surroundings, Unit
from pbem.play.rating import level_of
from pbem.play.rating_seen import rating_for_entry
from pbem.play.starting import lock_player
from pbem.tournaments.act_entries import find_active
from pbem.tournaments.event import Entrant, Event

MAX_TEAM: Final = 40


def enter(
    around: Surroundings,
    event_id: str,
    player_id: int,
    *,
    now: datetime,
    team: str = "",
    board: int = 0,
) -> Entrant:
    """Enter an event, or its waiting list if all places are taken; also late, where that is
    possible. In a team match ``team`` is needed, and without a ``board`` the next one is taken.

    Raises NotAllowedError.
    """
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        event = opened.event
        lock_player(unit, player_id)
        if not any(each.verified_at for each in unit.addresses_of(player_id)):
            raise NotAllowedError("address_not_verified")
        level = level_of(event.charter.agreement)
        rating = rating_for_entry(unit, player_id, level, now=now)
        _check_rating(event, rating)
        named, number = _seat_in_team(event, team, board)
        opened.act(
            "late_entry" if event.phase == "running" else "entered",
            by=player_id,
            player=player_id,
            at=now,
            rating=rating,
            team=named,
            board=number,
        )
        entrant = opened.event.entrants[-1]
        opened.save()
        _tell_entered(unit, opened.event, entrant, now)
        return entrant


def _check_rating(event: Event, rating: int) -> None:
    low, high = event.charter.min_rating, event.charter.max_rating
    if (low is not None and rating < low) or (high is not None and rating > high):
        raise NotAllowedError(
            "rating_band",
            rating=rating,
            low="–" if low is None else low,
            high="–" if high is None else high,
        )


def _seat_in_team(event: Event, team: str, board: int) -> tuple[str, int]:
    if event.charter.format != "teams":
        return "", 0
    named = " ".join(team.split())
    if not 1 <= len(named) <= MAX_TEAM or not named.isprintable():
        raise NotAllowedError("needs_team", most=MAX_TEAM)
    active = [each for each in event.entrants if each.standing in ("in", "waiting")]
    taken = {each.board for each in active if each.team == named}
    if board < 1:
        board = min(set(range(1, len(taken) + 2)) - taken)
    if board in taken:
        raise NotAllowedError("board_taken", board=board)
    return named, board


def _tell_entered(unit: Unit, event: Event, entrant: Entrant, now: datetime) -> None:
    notices.tell(
        unit,
        notices.ENTERED if entrant.is_in else notices.WAITING,
        [entrant.player_id],
        cause=notices.cause_of_act(event.id, event.acts),
        at=now,
        event_id=event.id,
        entrant=entrant.number,
    )


def leave(
    around: Surroundings,
    event_id: str,
    player_id: int,
    *,
    now: datetime,
    reason: str = "",
) -> Event:
    """Take an entry back, or withdraw from an event that has begun. Raises NotAllowedError."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        leave_opened(opened, player_id, now=now, reason=reason)
        opened.save()
        if opened.event.phase != "open":
            tell_act(unit, opened, notices.NEWS, opened.event.directors, at=now)
        return opened.event


def leave_opened(opened: OpenEvent, player_id: int, *, now: datetime, reason: str = "") -> None:
    """The same in an event that is locked already and is saved by the caller."""
    entrant = find_active(opened.event, player_id)
    if entrant is None:
        raise NotAllowedError("not_in_event")
    name = "left" if opened.event.phase in ("draft", "open") else "withdrew"
    opened.act(name, by=player_id, player=player_id, at=now, reason=reason, entrant=entrant.number)


def check_in(around: Surroundings, event_id: str, player_id: int, *, now: datetime) -> Event:
    """Say that one is there; again changes nothing. Raises NotAllowedError."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        entrant = find_active(opened.event, player_id)
        if entrant is None:
            raise NotAllowedError("not_in_event")
        if not entrant.is_checked_in:
            opened.act("checked_in", by=player_id, player=player_id, at=now, entrant=entrant.number)
            opened.save()
        return opened.event
