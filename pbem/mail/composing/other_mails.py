"""The mails that are about no running game: invitations, addresses, and warnings (L3, L5, L6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.games.registry import get_game
from pbem.mail.answers import ADDRESS_CONFIRMATION, CONFIRM_MAIL
from pbem.mail.bounces import BOUNCE_NOTICE
from pbem.mail.composing.account_sections import read_instant
from pbem.mail.composing.clock_words import say_clock, say_correction
from pbem.mail.composing.desk import Desk
from pbem.mail.composing.drafts import Draft
from pbem.mail.links import ADDRESS_FOR, CONFIRM_FOR, address_url, confirm_url
from pbem.mail.who import FOREIGN_SENDER
from pbem.play.access import LINK_LASTS, SIGN_IN
from pbem.play.invitations import INVITATION, INVITATION_DECLINED, UNSENT, find_named
from pbem.play.model import Invitation
from pbem.play.terms import parse_agreement

SIGNING_IN: Final = "sign-in"
"""The purpose for which the number of a link to sign in is signed."""


def _invitation(desk: Desk) -> Draft | None:
    """An invitation, as long as it is open, and if there may be one more mail to that address.

    Who has not confirmed an address knows nobody here: to them a host is an address and not a name
    that somebody chose, and nothing that somebody wrote is in the mail (L5).
    """
    invitation = _find_invitation(desk)
    if invitation is None or invitation.closed_at is not None or desk.facts.get(UNSENT):
        return None
    host = desk.find_player(invitation.host_id)
    if host is None or host.deleted_at is not None:
        return None
    is_known = any(each.verified_at is not None for each in desk.unit.addresses_of(desk.player.id))
    return Draft(
        template=INVITATION,
        content={
            "invitation": invitation.id,
            "host": host.name if is_known else _address_of(desk, host.id),
            "is_known": is_known,
            "is_rematch": invitation.rematch_of is not None,
            "seat": _guest_seat(desk, invitation),
            **_agreement(desk, invitation),
        },
        about="invitation",
        opens={"invitation": invitation.id},
        thread=desk.thread(f"invitation.{invitation.id}"),
    )


def _address_of(desk: Desk, player_id: int) -> str:
    confirmed = [each for each in desk.unit.addresses_of(player_id) if each.verified_at]
    return confirmed[0].address if confirmed else "?"


def _guest_seat(desk: Desk, invitation: Invitation) -> str:
    """The seat of whom is invited; empty if the lot chooses."""
    if invitation.host_seat is None:
        return ""
    game = get_game(str(invitation.agreement["game"]))
    return desk.tongue.say(game.seats[1 - invitation.host_seat].capitalize())


def _agreement(desk: Desk, invitation: Invitation) -> dict[str, object]:
    agreement = parse_agreement(invitation.agreement)
    game = get_game(agreement.game)
    return {
        "options": game.describe(agreement.options, tongue=desk.tongue),
        "clock": say_clock(agreement.terms.clock, desk.tongue),
        "correction": say_correction(agreement.terms.correction, desk.tongue),
        "is_rated": agreement.terms.rated,
    }


def _find_invitation(desk: Desk) -> Invitation | None:
    return desk.unit.find_invitation(str(desk.facts["invitation"]))


def _invitation_declined(desk: Desk) -> Draft | None:
    invitation = _find_invitation(desk)
    guest_id = None if invitation is None else invitation.guest_id
    guest = None if guest_id is None else desk.find_player(guest_id)
    if invitation is None or guest is None:
        return None
    return Draft(
        template=INVITATION_DECLINED,
        content={
            "invitation": invitation.id,
            "guest": find_named(desk.unit, invitation) or guest.name,
        },
        about="invitation",
        thread=desk.thread(f"invitation.{invitation.id}"),
    )


def _address_confirmation(desk: Desk) -> Draft | None:
    """Asked once; an address that is confirmed by now, or gone, needs no asking."""
    address = desk.unit.find_address(desk.address)
    if address is None or address.player_id != desk.player.id or address.verified_at is not None:
        return None
    others = [each for each in desk.unit.addresses_of(desk.player.id) if each != address]
    answered = desk.find_answered()
    return Draft(
        template=ADDRESS_CONFIRMATION,
        content={
            "address": desk.address,
            "is_first": not any(each.verified_at for each in others),
            "url": address_url(desk.office, desk.outgoing.message_id),
            "until": desk.dates.instant(desk.notice.created_at + ADDRESS_FOR),
        },
        about="confirm",
        opens={"address": desk.address},
        thread=desk.thread(None, answered),
    )


def _confirm_mail(desk: Desk) -> Draft | None:
    inbound = desk.find_answered()
    if inbound is None or inbound.is_confirmed:
        return None
    since = desk.notice.created_at
    return Draft(
        template=CONFIRM_MAIL,
        content={
            "arrived": desk.dates.instant(inbound.arrival.arrived),
            "game": inbound.game_id or "",
            "url": confirm_url(desk.office, inbound.id, since=since),
            "until": desk.dates.instant(since + CONFIRM_FOR),
        },
        about="confirm",
        opens={"inbound": inbound.id},
        thread=desk.thread(None, inbound),
    )


def _foreign_sender(desk: Desk) -> Draft | None:
    """The player, not the sender, is told (L3.2)."""
    inbound = desk.find_answered()
    if inbound is None:
        return None
    return Draft(
        template=FOREIGN_SENDER,
        content={
            "sender": desk.facts.get("sender", ""),
            "game": desk.notice.game_id or "",
            "arrived": desk.dates.instant(inbound.arrival.arrived),
        },
        about="warning",
    )


def _bounce_notice(desk: Desk) -> Draft | None:
    facts = desk.facts
    until = read_instant(facts.get("stopped_until"))
    return Draft(
        template=BOUNCE_NOTICE,
        content={
            "name": desk.player.name,
            "bounced": facts["address"],
            "reason": facts["reason"],
            "until": "" if until is None else desk.dates.instant(until),
            "next_address": facts.get("next_address") or "",
        },
        about="director",
    )


def _sign_in(desk: Desk) -> Draft | None:
    """A link to sign in on the web, for as long as it is good."""
    number, until = desk.facts["pass"], desk.notice.created_at + LINK_LASTS
    if not isinstance(number, int) or until <= desk.now:
        return None
    signed = desk.office.keys.sign(SIGNING_IN, number, until=until)
    return Draft(
        template=SIGN_IN,
        content={
            "url": f"{desk.office.site_url}/sign-in/{signed}",
            "until": desk.dates.instant(until),
        },
        about="help",
    )


OTHER_MAILS: Final[Mapping[str, Callable[[Desk], Draft | None]]] = {
    INVITATION: _invitation,
    INVITATION_DECLINED: _invitation_declined,
    ADDRESS_CONFIRMATION: _address_confirmation,
    CONFIRM_MAIL: _confirm_mail,
    FOREIGN_SENDER: _foreign_sender,
    BOUNCE_NOTICE: _bounce_notice,
    SIGN_IN: _sign_in,
}
"""What composes each of these kinds; None from it says that there is nothing left to say."""
