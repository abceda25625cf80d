"""How games are arranged: invitations to one player, open challenges, rematches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from pbem.games.registry import get_game
from pbem.play.errors import NoSuchInvitationError, NotAllowedError
from pbem.play.games import get_stored
from pbem.play.model import Address, Invitation, Notice, StoredGame
from pbem.play.players import add_guest, check_named_often, clean_address, may_ask
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import lock_player, short_id, start_game
from pbem.play.terms import Agreement, parse_agreement

ACCEPTED: Final = "accepted"
DECLINED: Final = "declined"
WITHDRAWN: Final = "withdrawn"
MAX_OPEN: Final = 50
"""How many invitations one player may have open."""

MAX_WAITING: Final = 20
"""How many invitations may wait for one player: nobody can be buried in them (L5)."""

MOST_A_DAY: Final = 100
STRANGERS_A_DAY: Final = 10
"""How many invitations one player may send in a day, and to addresses that nobody has confirmed."""

DAY: Final = timedelta(days=1)

INVITATION: Final = "invitation"
INVITATION_DECLINED: Final = "invitation_declined"
NAMED: Final = "named"
"""The fact of an invitation's notice that keeps the address by which a player was invited."""
UNSENT: Final = "unsent"
"""The fact of a notice whose mail is not sent: others have had enough mails sent to an address that
nobody has confirmed. Its host is not told, who could tell by it that the address is not known."""


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

    ``host_seat`` None lets the lot choose the seats. The same offer to the same player, while it is
    open, is one invitation and one mail. Raises OptionsError with every fault.
    """
    agreement = parse_agreement(raw)
    _check_offer(host_id, guest_id, host_seat)
    with around.store.begin() as unit:
        for player_id in sorted({host_id, guest_id or host_id}):
            lock_player(unit, player_id)
        return _offer(
            around,
            unit,
            host_id,
            guest_id,
            agreement,
            now=now,
            host_seat=host_seat,
            rematch_of=rematch_of,
        )


def _check_offer(host_id: int, guest_id: int | None, host_seat: int | None) -> None:
    if host_seat not in (None, 0, 1):
        raise NotAllowedError("no_such_seat", seat=host_seat)
    if guest_id == host_id:
        raise NotAllowedError("plays_oneself")


def _offer(
    around: Surroundings,
    unit: Unit,
    host_id: int,
    guest_id: int | None,
    agreement: Agreement,
    *,
    now: datetime,
    host_seat: int | None,
    rematch_of: str | None = None,
    named: str | None = None,
    is_stranger: bool = False,
) -> Invitation:
    """An invitation between players who are locked; the same one again is the one there is.

    ``named`` is the address by which the host named the guest, and ``is_stranger`` whether nobody
    has confirmed it.
    """
    invitation = Invitation(
        id=short_id(around),
        host_id=host_id,
        guest_id=guest_id,
        agreement=agreement.to_plain(),
        host_seat=host_seat,
        created_at=now,
        rematch_of=rematch_of,
    )
    mine = [each for each in unit.open_invitations(host_id) if each.host_id == host_id]
    for each in mine:
        is_same = replace(each, id=invitation.id, created_at=now) == invitation
        if guest_id is not None and is_same and find_named(unit, each) == named:
            return each
    if len(mine) >= MAX_OPEN:
        raise NotAllowedError("too_many_invitations", most=MAX_OPEN)
    if guest_id is not None:
        _check_waiting(unit, guest_id)
        _check_counts(unit, host_id, named, now)
    unit.add_invitation(invitation)
    if guest_id is not None:
        facts: dict[str, object] = {"invitation": invitation.id}
        if named is not None:
            facts["address" if is_stranger else NAMED] = named
            if is_stranger and not may_ask(unit, named, now):
                facts[UNSENT] = True
        cause = f"invitation/{invitation.id}"
        unit.add_notice(Notice(cause, guest_id, INVITATION, now, facts=facts))
    return invitation


def _check_waiting(unit: Unit, guest_id: int) -> None:
    waiting = [each for each in unit.open_invitations(guest_id) if each.guest_id == guest_id]
    if len(waiting) >= MAX_WAITING:
        raise NotAllowedError("guest_has_many_invitations", most=MAX_WAITING)


def find_named(unit: Unit, invitation: Invitation) -> str | None:
    """The address by which the host named the guest, if so: whose it is, is not theirs to know."""
    for notice in unit.notices_for(f"invitation/{invitation.id}"):
        if notice.kind == INVITATION:
            named = notice.facts.get("address", notice.facts.get(NAMED))
            return None if named is None else str(named)
    return None


def _check_counts(unit: Unit, host_id: int, named: str | None, now: datetime) -> None:
    """Withdrawing an invitation does not take back the mail: mails are counted, too (L5).

    To addresses all are counted alike, so that nobody can tell by it which ones are known.
    """
    if unit.count_event(f"invite/{host_id}", now, DAY) > MOST_A_DAY:
        raise NotAllowedError("invited_many_today", most=MOST_A_DAY)
    if named is None:
        return
    if unit.count_event(f"invite/{host_id}/strangers", now, DAY) > STRANGERS_A_DAY:
        raise NotAllowedError("invited_many_today", most=STRANGERS_A_DAY)
    check_named_often(unit, host_id, named, now)


def invite_address(
    around: Surroundings,
    host_id: int,
    address: str,
    raw: Mapping[str, object],
    *,
    now: datetime,
    host_seat: int | None = None,
) -> Invitation:
    """Invite whoever has an address, also somebody who has never been here (L5, L6).

    They become a player without a say until they answer from there: accepting confirms the
    address. Only who has confirmed an address may invite others.
    """
    agreement = parse_agreement(raw)
    address = clean_address(address)
    with around.store.begin() as unit:
        found = unit.find_address(address)
        guest_id = None if found is None else _whose(unit, found)
        _check_offer(host_id, guest_id, host_seat)
        people = {
            player_id: lock_player(unit, player_id)
            for player_id in sorted({host_id, guest_id or host_id})
        }
        if not any(each.verified_at for each in unit.addresses_of(host_id)):
            raise NotAllowedError("address_not_verified")
        if _takes_no_mail(unit, address):
            raise NotAllowedError("address_takes_no_mail")
        if guest_id is None:
            language = people[host_id].preferences.language
            guest_id = add_guest(unit, address, language, now=now).id
        is_known = found is not None and found.verified_at is not None
        return _offer(
            around,
            unit,
            host_id,
            guest_id,
            agreement,
            now=now,
            host_seat=host_seat,
            named=address,
            is_stranger=not is_known,
        )


def _whose(unit: Unit, address: Address) -> int | None:
    """The player behind an address. Not one who has named it without answering from it, and can be
    reached elsewhere: nobody else's mail goes to them."""
    mine = unit.addresses_of(address.player_id)
    if address.verified_at is None and any(each.verified_at for each in mine):
        return None
    return address.player_id


def _takes_no_mail(unit: Unit, address: str) -> bool:
    health = unit.find_health(address)
    return health is not None and (health.bounced_at or health.unsubscribed_at) is not None


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
