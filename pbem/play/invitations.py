"""How games are arranged: invitations to one player, open challenges, rematches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from pbem.games.registry import get_game
from pbem.play.errors import NoSuchInvitationError, NotAllowedError
from pbem.play.games import get_stored
from pbem.play.model import Invitation, Notice, StoredGame
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import get_player, short_id, start_game
from pbem.play.terms import parse_agreement

ACCEPTED: Final = "accepted"
DECLINED: Final = "declined"
WITHDRAWN: Final = "withdrawn"
MAX_OPEN: Final = 50
"""How many invitations one player may have open."""

MAX_WAITING: Final = 20
"""How many invitations may wait for one player: nobody can be buried in them (L5)."""

INVITATION: Final = "invitation"
INVITATION_DECLINED: Final = "invitation_declined"


def invite(
    around: Surroundings,
    host_id: int,
    guest_id: int | None,
    raw: Mapping[str, object],
    *,
    now: datetime,
    host_seat: int | None = None,
    rematch_of: str | None = None,
) -> Invitation:
    """Invite a player, or with no guest challenge everybody.

    ``host_seat`` None lets the lot choose the seats. Raises OptionsError with every fault.
    """
    agreement = parse_agreement(raw)
    if host_seat not in (None, 0, 1):
        raise NotAllowedError("no_such_seat", seat=host_seat)
    if guest_id == host_id:
        raise NotAllowedError("plays_oneself")
    with around.store.begin() as unit:
        get_player(unit, host_id)
        if guest_id is not None:
            get_player(unit, guest_id)
            waiting = [
                each for each in unit.open_invitations(guest_id) if each.guest_id == guest_id
            ]
            if len(waiting) >= MAX_WAITING:
                raise NotAllowedError("guest_has_many_invitations", most=MAX_WAITING)
        mine = [each for each in unit.open_invitations(host_id) if each.host_id == host_id]
        if len(mine) >= MAX_OPEN:
            raise NotAllowedError("too_many_invitations", most=MAX_OPEN)
        invitation = Invitation(
            id=short_id(around),
            host_id=host_id,
            guest_id=guest_id,
            agreement=agreement.to_plain(),
            host_seat=host_seat,
            created_at=now,
            rematch_of=rematch_of,
        )
        unit.add_invitation(invitation)
        if guest_id is not None:
            unit.add_notice(
                Notice(
                    f"invitation/{invitation.id}",
                    guest_id,
                    INVITATION,
                    now,
                    facts={"invitation": invitation.id},
                )
            )
        return invitation


def rematch(around: Surroundings, player_id: int, game_id: str, *, now: datetime) -> Invitation:
    """The same again with seats swapped, offered to the last opponent."""
    with around.store.begin() as unit:
        stored = get_stored(unit, game_id)
        seat = stored.find_seat(player_id)
        if seat is None:
            raise NotAllowedError("not_your_game", game=game_id)
        if not stored.is_over:
            raise NotAllowedError("game_not_over", game=game_id)
    options = get_game(stored.game).swap_seats(stored.start.options)
    raw = {"game": stored.game, **options, **stored.terms}
    return invite(
        around,
        player_id,
        stored.players[1 - seat],
        raw,
        now=now,
        host_seat=1 - seat,
        rematch_of=game_id,
    )


def accept(
    around: Surroundings, player_id: int, invitation_id: str, *, now: datetime
) -> StoredGame:
    """Accept: the game begins. Accepting again gives the same game."""
    with around.store.begin() as unit:
        invitation = _lock(unit, invitation_id)
        if invitation.game_id is not None and _is_player(unit, invitation.game_id, player_id):
            return get_stored(unit, invitation.game_id)
        _check_guest(invitation, player_id)
        agreement = parse_agreement(invitation.agreement)
        host_seat = invitation.host_seat
        if host_seat is None:
            host_seat = around.entropy(1)[0] % 2
        players = [player_id, player_id]
        players[host_seat] = invitation.host_id
        stored = start_game(
            around,
            unit,
            agreement,
            tuple(players),
            at=now,
            rematch_of=invitation.rematch_of,
        )
        unit.save_invitation(
            replace(
                invitation,
                guest_id=player_id,
                closed_at=now,
                outcome=ACCEPTED,
                game_id=stored.id,
            )
        )
        return stored


def decline(around: Surroundings, player_id: int, invitation_id: str, *, now: datetime) -> None:
    """Decline an invitation, or as its host withdraw it."""
    with around.store.begin() as unit:
        invitation = _lock(unit, invitation_id)
        if invitation.closed_at is None and player_id == invitation.host_id:
            unit.save_invitation(replace(invitation, closed_at=now, outcome=WITHDRAWN))
            return
        if invitation.outcome == DECLINED and player_id == invitation.guest_id:
            return
        _check_guest(invitation, player_id)
        if invitation.guest_id is None:
            return  # nobody need decline a challenge to everybody
        unit.save_invitation(replace(invitation, closed_at=now, outcome=DECLINED))
        unit.add_notice(
            Notice(
                f"invitation/{invitation.id}",
                invitation.host_id,
                INVITATION_DECLINED,
                now,
                facts={"invitation": invitation.id},
            )
        )


def _lock(unit: Unit, invitation_id: str) -> Invitation:
    invitation = unit.lock_invitation(invitation_id)
    if invitation is None:
        raise NoSuchInvitationError(invitation=invitation_id)
    return invitation


def _check_guest(invitation: Invitation, player_id: int) -> None:
    if invitation.closed_at is not None:
        raise NotAllowedError("invitation_closed", outcome=invitation.outcome)
    if player_id == invitation.host_id:
        raise NotAllowedError("plays_oneself")
    if invitation.guest_id not in (None, player_id):
        raise NotAllowedError("not_your_invitation")


def _is_player(unit: Unit, game_id: str, player_id: int) -> bool:
    return get_stored(unit, game_id).find_seat(player_id) is not None
