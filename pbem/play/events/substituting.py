"""Another player takes over a place: asked by a director, and only if they agree.

Games that run change hands; what was played before stays the predecessor's (``Holder.since``).
"""

from __future__ import annotations

from datetime import datetime

from pbem.play.calendars import calendar_of
from pbem.play.course import calendar_text
from pbem.play.errors import NotAllowedError
from pbem.play.events import notices
from pbem.play.events.directing import get_entrant
from pbem.play.events.open_event import OpenEvent
from pbem.play.events.stepping import tell_act
from pbem.play.model import Player
from pbem.play.open_game import OpenGame
from pbem.play.ports import Surroundings, Unit
from pbem.play.rating import exclude
from pbem.play.starting import get_player, lock_player
from pbem.tournaments.event import Event


def ask_substitute(
    around: Surroundings,
    event_id: str,
    player_id: int | None,
    entrant: int,
    substitute_id: int,
    *,
    reason: str = "",
    now: datetime,
) -> Event:
    """A director asks a player to take over a place; who was asked before is not any more."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        get_player(unit, substitute_id)
        opened.act(
            "substitute_asked",
            by=player_id,
            player=substitute_id,
            at=now,
            reason=reason,
            entrant=entrant,
        )
        opened.save()
        tell_act(unit, opened, notices.SUBSTITUTE_ASKED, [substitute_id], at=now, entrant=entrant)
        return opened.event


def decline_place(around: Surroundings, event_id: str, player_id: int, *, now: datetime) -> Event:
    """Who was asked would rather not."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        entrant = _asked_for(opened.event, player_id)
        opened.act("substitute_declined", by=player_id, player=player_id, at=now, entrant=entrant)
        opened.save()
        tell_act(unit, opened, notices.SUBSTITUTED, opened.event.directors, at=now, entrant=entrant)
        return opened.event


def take_place(around: Surroundings, event_id: str, player_id: int, *, now: datetime) -> Event:
    """Who was asked takes over the place with the games that run."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        entrant = _asked_for(opened.event, player_id)
        before = get_entrant(opened.event, entrant).player_id
        for each in sorted((before, player_id)):
            unit.lock_player(each)
        substitute = lock_player(unit, player_id)
        opened.act("substituted", by=player_id, player=player_id, at=now, entrant=entrant)
        others = _take_games(
            around, unit, opened, entrant, before=before, substitute=substitute, now=now
        )
        opened.save()
        told = (before, *opened.event.directors, *others)
        tell_act(unit, opened, notices.SUBSTITUTED, told, at=now, entrant=entrant)
        return opened.event


def _asked_for(event: Event, player_id: int) -> int:
    for each in event.asked:
        if each.player_id == player_id:
            return each.entrant
    raise NotAllowedError("not_asked")


def _take_games(
    around: Surroundings,
    unit: Unit,
    opened: OpenEvent,
    entrant: int,
    *,
    before: int,
    substitute: Player,
    now: datetime,
) -> list[int]:
    """The running games of a place are the substitute's; the players they are against."""
    running = {each.number for each in opened.event.of_entrant(entrant) if not each.is_over}
    rows = [row for row in unit.games_of_event(opened.event.id) if row.encounter in running]
    others: list[int] = []
    for game_id in sorted(row.game_id for row in rows if row.game_id is not None):
        game = OpenGame.lock(around, unit, game_id)
        game.catch_up(now)
        seat = game.stored.find_seat(before)
        if seat is None or game.stored.is_over:
            game.save(now)
            continue
        for held in game.stored.held:
            if held.seat == seat:
                game.drop(held)
        game.decree(f"general {seat}: {substitute.standing}", now)
        game.decree(calendar_text(seat, calendar_of(substitute)), now)
        game.save(now)
        unit.remove_notes(game_id, seat)  # they were written for nobody else
        unit.change_seat(game_id, seat, substitute.id)
        exclude(unit, game_id, "substituted")
        others += [each for each in game.stored.players if each not in (before, substitute.id)]
    return others
